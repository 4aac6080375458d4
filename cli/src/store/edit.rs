//! The tables of a stored book, and a transaction that changes them.

use outflank::book::{Changes, Entry, Key, Nodes};
use outflank::game::Game;
use redb::{ReadableTable, Table, TableDefinition, WriteTransaction};

use super::error::StoreError;

pub(super) const POSITIONS: TableDefinition<&[u8; Key::SIZE], &[u8; Entry::SIZE]> =
    TableDefinition::new("positions");
/// The games that were added, by their digest.
pub(super) const GAMES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("games");
/// The files that were added, by the digest of their content.
pub(super) const SOURCES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("sources");
/// Numbers of the whole book.
pub(super) const STATE: TableDefinition<&str, u64> = TableDefinition::new("state");

type Digests<'t> = Table<'t, &'static [u8; 16], ()>;

/// The tables of a transaction.
pub struct Edit<'t> {
    pub positions: Changes<Positions<'t>>,
    games: Digests<'t>,
    sources: Digests<'t>,
    pub(super) state: Table<'t, &'static str, u64>,
}

pub struct Positions<'t>(pub(super) Table<'t, &'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>);

impl<'t> Edit<'t> {
    pub(super) fn new(transaction: &'t WriteTransaction) -> Result<Edit<'t>, StoreError> {
        Ok(Edit {
            positions: Changes::new(Positions(transaction.open_table(POSITIONS)?)),
            games: transaction.open_table(GAMES)?,
            sources: transaction.open_table(SOURCES)?,
            state: transaction.open_table(STATE)?,
        })
    }

    /// Adds the first positions of a game, and its result if its end is among them. Returns `false` if the game was added
    /// before.
    pub fn add_new_game(&mut self, game: &Game, plies: usize) -> Result<bool, StoreError> {
        if self.games.insert(&identity(game), ())?.is_some() {
            return Ok(false);
        }
        self.positions.add_game(game, plies)?;
        Ok(true)
    }

    /// Records that the content with this digest is added in this transaction. Returns `false` if it was added before.
    pub fn add_source(&mut self, digest: &[u8; 16]) -> Result<bool, StoreError> {
        Ok(self.sources.insert(digest, ())?.is_none())
    }

    /// Records the games and the files of another store.
    pub fn add_origins(&mut self, [games, sources]: &[Vec<[u8; 16]>; 2]) -> Result<(), StoreError> {
        games.iter().try_for_each(|game| self.games.insert(game, ()).map(|_| ()))?;
        sources.iter().try_for_each(|source| self.sources.insert(source, ()).map(|_| ()))?;
        Ok(())
    }

    /// Returns a number of the table of states, 0 if it is not set.
    pub(super) fn number(&self, name: &str) -> Result<u64, StoreError> {
        Ok(self.state.get(name)?.map_or(0, |number| number.value()))
    }
}

impl Nodes for Positions<'_> {
    type Error = StoreError;

    fn get(&self, key: &Key) -> Result<Option<Entry>, StoreError> {
        Ok(self.0.get(key.bytes())?.map(|entry| Entry::from_bytes(entry.value())))
    }

    fn put(&mut self, key: &Key, entry: &Entry) -> Result<(), StoreError> {
        self.0.insert(key.bytes(), &entry.to_bytes())?;
        Ok(())
    }
}

/// Returns a digest of a game, which is the same for symmetric games.
fn identity(game: &Game) -> [u8; 16] {
    digest(game.positions().flat_map(|position| *Key::of(position.after_forced_pass().board()).0.bytes()))
}

/// Returns a digest that distinguishes games and files: FNV-1a, twice.
pub fn digest(bytes: impl IntoIterator<Item = u8>) -> [u8; 16] {
    let (mut one, mut two) = (0xcbf2_9ce4_8422_2325_u64, 0x6c62_272e_07bb_0142_u64);
    for byte in bytes {
        one = (one ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        two = (two ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(5);
    }
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one.to_le_bytes());
    bytes[8..].copy_from_slice(&two.to_le_bytes());
    bytes
}
