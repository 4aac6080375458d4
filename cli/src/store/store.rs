//! The file of a store.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank::board::Board;
use outflank::game::{Shelf, Shelved};
use redb::{
    Builder, ConcurrencyMode, Database, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, TableDefinition,
};

use super::entry::{Entry, Key};
use super::fault::Fault;
use super::settle::Edit;

const POSITIONS: TableDefinition<&[u8; Key::SIZE], &[u8; Entry::SIZE]> = TableDefinition::new("positions");
/// The games it was made of, by what tells them apart.
const GAMES: TableDefinition<&[u8; 16], ()> = TableDefinition::new("games");
/// Numbers about the whole.
const STATE: TableDefinition<&str, u64> = TableDefinition::new("state");

/// The version of what is kept, and whether values have to be backed up.
const VERSION: (&str, u64) = ("version", 1);
const UNSETTLED: &str = "unsettled";

/// How a file of this kind begins.
const MAGIC: &[u8] = b"redb";

/// A book in a file. Several programs may have it open, and see what each other changes.
pub struct Store {
    path: PathBuf,
    database: Database,
}

/// A state of the store, which stays as it is.
pub struct Snapshot {
    positions: ReadOnlyTable<&'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>,
    _transaction: ReadTransaction,
}

impl Store {
    /// Whether a file is a store, as its beginning tells.
    pub fn is_store(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Opens a store, or with `create` makes an empty one where there is no file. `cache` is in mebibytes.
    pub fn open(path: &Path, create: bool, cache: usize) -> Result<Store, Fault> {
        let named = |error: &str| Fault::new(format!("{}: {error}", path.display()));
        match fs::metadata(path).map(|data| (data.is_file(), data.len() > 0)) {
            Ok((true, true)) => {}
            Ok((false, _)) => return Err(named("not a file")),
            // A new file, or an empty one.
            _ if create => Store::create(path, cache).map_err(|fault| named(&fault.to_string()))?,
            Ok((true, false)) => return Err(named("the file is empty")),
            Err(error) => return Err(named(&error.to_string())),
        }
        Store::open_whole(path, cache).map_err(|fault| named(&fault.to_string()))
    }

    /// Makes an empty store. It is made beside its place and put there when it is whole: a program that is killed meanwhile
    /// leaves no half of one.
    fn create(path: &Path, cache: usize) -> Result<(), Fault> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        // Two programs that make the same book do not meet.
        name.push(format!(".new-{}", std::process::id()));
        let beside = path.with_file_name(name);
        let _ = fs::remove_file(&beside);
        let made = Store::open_whole(&beside, cache).and_then(|store| {
            drop(store);
            match fs::hard_link(&beside, path) {
                // Somebody else was quicker; an empty file is nobody's book.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if fs::metadata(path)?.len() == 0 {
                        fs::rename(&beside, path)?
                    }
                }
                // Where files have one name only.
                Err(_) => fs::rename(&beside, path)?,
                Ok(()) => {}
            }
            Ok(())
        });
        let _ = fs::remove_file(&beside);
        made
    }

    /// Opens a file that is a store, or makes it one.
    fn open_whole(path: &Path, cache: usize) -> Result<Store, Fault> {
        let mut builder = Builder::new();
        builder.set_cache_size(cache << 20);
        if cfg!(any(target_os = "linux", target_vendor = "apple", windows)) {
            builder.set_concurrency_mode(ConcurrencyMode::MultiWriter);
        }
        let database = builder.create(path).map_err(|error| Fault::new(words(&error)))?;
        let store = Store { path: path.to_owned(), database };
        store.begin()?;
        Ok(store)
    }

    /// Makes the tables, or looks at their version.
    fn begin(&self) -> Result<(), Fault> {
        let version = match self.database.begin_read()?.open_table(STATE) {
            Ok(state) => state.get(VERSION.0)?.map(|version| version.value()),
            Err(redb::TableError::TableDoesNotExist(_)) => None,
            Err(error) => return Err(error.into()),
        };
        match version {
            Some(version) if version == VERSION.1 => return Ok(()),
            Some(version) => {
                return Err(Fault::new(format!("a book of version {version}, not {}", VERSION.1)));
            }
            None => {}
        }
        let transaction = self.database.begin_write()?;
        transaction.open_table(STATE)?.insert(VERSION.0, VERSION.1)?;
        transaction.open_table(POSITIONS)?;
        transaction.open_table(GAMES)?;
        transaction.commit()?;
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the store: everything or, if something fails or the machine stops, nothing. Values are backed up.
    pub fn change<R>(&self, change: impl FnOnce(&mut Edit<'_>) -> Result<R, Fault>) -> Result<R, Fault> {
        self.write(change, true)
    }

    /// The same without backing values up, for many changes in turn; [`Store::settle`] has to follow.
    pub fn change_unsettled<R>(
        &self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        self.write(change, false)
    }

    fn write<R>(
        &self,
        change: impl FnOnce(&mut Edit<'_>) -> Result<R, Fault>,
        settle: bool,
    ) -> Result<R, Fault> {
        let done = || {
            let transaction = self.database.begin_write()?;
            let result = {
                let mut edit = Edit::new(transaction.open_table(POSITIONS)?, transaction.open_table(GAMES)?);
                let result = change(&mut edit)?;
                if settle {
                    edit.settle()?;
                } else {
                    edit.leave();
                    transaction.open_table(STATE)?.insert(UNSETTLED, 1)?;
                }
                result
            };
            transaction.commit()?;
            Ok(result)
        };
        done().map_err(|fault: Fault| self.named(fault))
    }

    /// Whether changes were made whose values are not backed up: a program was stopped before it came to that.
    pub fn is_unsettled(&self) -> Result<bool, Fault> {
        let state = self.database.begin_read()?.open_table(STATE)?;
        Ok(state.get(UNSETTLED)?.is_some_and(|value| value.value() != 0))
    }

    /// Backs all values up, a number of discs at a time; tells how far it is, in positions.
    pub fn settle(&self, mut told: impl FnMut(u64)) -> Result<(), Fault> {
        let mut done = 0;
        let mut run = || {
            for discs in (0..=64).rev() {
                let keys: Vec<Key> = self.snapshot()?.layer(discs)?.map(|(key, _)| key).collect();
                if keys.is_empty() {
                    continue;
                }
                let transaction = self.database.begin_write()?;
                {
                    let mut edit =
                        Edit::new(transaction.open_table(POSITIONS)?, transaction.open_table(GAMES)?);
                    for key in &keys {
                        let Some(mut entry) = edit.get(key)? else { continue };
                        let worth = edit.worth(key, &entry)?;
                        if worth != entry.worth {
                            entry.worth = worth;
                            edit.positions.insert(key.bytes(), &entry.to_bytes())?;
                        }
                        done += 1;
                        if done % 4096 == 0 {
                            told(done);
                        }
                    }
                }
                transaction.commit()?;
            }
            let transaction = self.database.begin_write()?;
            transaction.open_table(STATE)?.insert(UNSETTLED, 0)?;
            transaction.commit()?;
            Ok(())
        };
        run().map_err(|fault: Fault| self.named(fault))
    }

    /// Looks at every position: how many there are, and of how many the value does not follow from their children.
    pub fn check(&self) -> Result<(u64, u64), Fault> {
        let run = || {
            // In a transaction that is given up: the same code that settles.
            let transaction = self.database.begin_write()?;
            let (mut positions, mut wrong) = (0, 0);
            {
                let edit = Edit::new(transaction.open_table(POSITIONS)?, transaction.open_table(GAMES)?);
                for row in edit.positions.iter()? {
                    let (key, entry) = row?;
                    let (key, entry) = (Key::from_bytes(key.value()), Entry::from_bytes(entry.value()));
                    positions += 1;
                    let board = key.board();
                    let sound = Key::of(board).0 == key && (board.player & board.opponent).is_empty();
                    if !sound || edit.worth(&key, &entry)? != entry.worth {
                        wrong += 1;
                    }
                }
            }
            transaction.abort()?;
            Ok((positions, wrong))
        };
        run().map_err(|fault: Fault| self.named(fault))
    }

    /// The state as it is now.
    pub fn snapshot(&self) -> Result<Snapshot, Fault> {
        let transaction = self.database.begin_read()?;
        Ok(Snapshot { positions: transaction.open_table(POSITIONS)?, _transaction: transaction })
    }

    /// Number of games it was made of.
    pub fn games(&self) -> Result<u64, Fault> {
        Ok(self.database.begin_read()?.open_table(GAMES)?.len()?)
    }

    /// What tells the games apart that it was made of.
    pub fn identities(&self) -> Result<Vec<[u8; 16]>, Fault> {
        let games = self.database.begin_read()?.open_table(GAMES)?;
        games.iter()?.map(|row| Ok(*row?.0.value())).collect()
    }

    /// The book of this store.
    pub fn shelf(self: &Arc<Store>) -> Arc<dyn Shelf> {
        Arc::clone(self) as Arc<dyn Shelf>
    }

    fn named(&self, fault: Fault) -> Fault {
        Fault::new(format!("{}: {}", self.path.display(), fault))
    }
}

impl Snapshot {
    /// What is known of a position.
    pub fn get(&self, key: &Key) -> Result<Option<Entry>, Fault> {
        Ok(self.positions.get(key.bytes())?.map(|entry| Entry::from_bytes(entry.value())))
    }

    /// Number of positions.
    pub fn count(&self) -> Result<u64, Fault> {
        Ok(self.positions.len()?)
    }

    /// All positions, those with few discs first. What cannot be read ends them.
    pub fn entries(&self) -> Result<impl Iterator<Item = (Key, Entry)> + '_, Fault> {
        Ok(rows(self.positions.iter()?))
    }

    /// The positions with that many discs.
    pub fn layer(&self, discs: u8) -> Result<impl Iterator<Item = (Key, Entry)> + '_, Fault> {
        let bound = |discs: u8| {
            let mut bytes = [0; Key::SIZE];
            bytes[0] = discs;
            bytes
        };
        let (from, to) = (bound(discs), bound(discs + 1));
        Ok(rows(self.positions.range::<&[u8; Key::SIZE]>(&from..&to)?))
    }
}

fn rows<'t>(
    range: redb::Range<'t, &'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>,
) -> impl Iterator<Item = (Key, Entry)> + 't {
    range.map_while(|row| {
        let (key, entry) = row.ok()?;
        Some((Key::from_bytes(key.value()), Entry::from_bytes(entry.value())))
    })
}

impl Shelf for Store {
    /// A store that cannot be read any more knows nothing.
    fn look(&self, board: &Board) -> Option<Shelved> {
        self.snapshot().ok()?.get(&Key::canonical(*board)).ok()??.shelved()
    }

    fn len(&self) -> usize {
        self.snapshot().and_then(|snapshot| snapshot.count()).map_or(0, |count| count as usize)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

fn words(error: &redb::DatabaseError) -> String {
    match error {
        redb::DatabaseError::DatabaseAlreadyOpen => "another program has the book open".to_owned(),
        redb::DatabaseError::Storage(redb::StorageError::Io(error)) => match error.kind() {
            io::ErrorKind::InvalidData => "not a book in a store".to_owned(),
            _ => error.to_string(),
        },
        error => error.to_string(),
    }
}
