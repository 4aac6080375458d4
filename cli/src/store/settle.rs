//! Changes to a store, and the values that follow from them.

use std::collections::BTreeMap;

use outflank::board::{Board, Color, Move, Position, Square};
use outflank::game::Game;
use outflank::notation::book as text;
use redb::{ReadableTable, Table, WriteTransaction};

use super::entry::{Entry, Given, Key, Worth};
use super::fault::Fault;
use super::predecessors::predecessors;
#[cfg(test)]
use super::store::VERSION;
use super::store::{GAMES, POSITIONS, SOURCES, STATE};

pub(super) type Positions<'t> = Table<'t, &'static [u8; Key::SIZE], &'static [u8; Entry::SIZE]>;
pub(super) type Games<'t> = Table<'t, &'static [u8; 16], ()>;
pub(super) type State<'t> = Table<'t, &'static str, u64>;

/// The tables of a transaction, and which positions have to be valued anew.
pub struct Edit<'t> {
    pub(super) positions: Positions<'t>,
    pub(super) games: Games<'t>,
    /// The files whose content was added, by its digest.
    sources: Games<'t>,
    pub(super) state: State<'t>,
    /// The positions to value again, and whether they are new. The last keys come first: children before parents.
    touched: BTreeMap<Key, bool>,
}

impl<'t> Edit<'t> {
    pub(super) fn new(transaction: &'t WriteTransaction) -> Result<Edit<'t>, Fault> {
        Ok(Edit {
            positions: transaction.open_table(POSITIONS)?,
            games: transaction.open_table(GAMES)?,
            sources: transaction.open_table(SOURCES)?,
            state: transaction.open_table(STATE)?,
            touched: BTreeMap::new(),
        })
    }

    /// What is known of a position.
    pub fn get(&self, key: &Key) -> Result<Option<Entry>, Fault> {
        Ok(self.positions.get(key.bytes())?.map(|entry| Entry::from_bytes(entry.value())))
    }

    /// Changes what is known of a position, which is new if it was not known.
    pub fn change(&mut self, key: &Key, change: impl FnOnce(&mut Entry)) -> Result<(), Fault> {
        let old = self.get(key)?;
        let mut entry = old.unwrap_or_default();
        change(&mut entry);
        self.positions.insert(key.bytes(), &entry.to_bytes())?;
        *self.touched.entry(*key).or_default() |= old.is_none();
        Ok(())
    }

    /// Adds the first positions of a game, and its result if its end is among them; whether it was new.
    pub fn add_game(&mut self, game: &Game, plies: usize) -> Result<bool, Fault> {
        if self.games.insert(&identity(game), ())?.is_some() {
            return Ok(false);
        }
        let mut last = None;
        for (ply, position) in game.positions().enumerate() {
            let position = position.after_forced_pass();
            if 64 - position.empties() as usize > 4 + plies {
                break;
            }
            let key = Key::of(position.board()).0;
            // A pass is no position of its own.
            if last == Some(key) {
                continue;
            }
            last = Some(key);
            let end = (ply == game.plies() && game.is_over()).then(|| Given::of_end(position.board()));
            self.change(&key, |entry| {
                entry.games = entry.games.saturating_add(1);
                if let Some(end) = end {
                    entry.give(end);
                }
            })?;
        }
        Ok(true)
    }

    /// Adds what a line of a book's text tells.
    pub fn add_text(&mut self, line: &text::Entry) -> Result<(), Fault> {
        let count = |entry: &mut Entry| entry.games = entry.games.saturating_add(1);
        match line {
            text::Entry::Line(game, value) => {
                let mut last = None;
                for position in game.positions().map(Position::after_forced_pass) {
                    let key = Key::of(position.board()).0;
                    if last != Some(key) {
                        self.change(&key, count)?;
                    }
                    last = Some(key);
                }
                let end = game.position().after_forced_pass();
                let own = if end.side() == Color::Black { *value } else { -*value };
                self.change(&Key::of(end.board()).0, |entry| entry.replace(own))
            }
            text::Entry::Position(position, own, values) => {
                let here = position.after_forced_pass();
                self.change(&Key::of(here.board()).0, |entry| {
                    count(entry);
                    if let Some(own) = own {
                        entry.replace(if here.side() == position.side() { *own } else { -*own });
                    }
                })?;
                for (mv, value) in values {
                    let Ok(child) = position.play(*mv).map(Position::after_forced_pass) else { continue };
                    let own = if child.side() == position.side() { *value } else { -*value };
                    self.change(&Key::of(child.board()).0, |entry| {
                        count(entry);
                        entry.replace(own);
                    })?;
                }
                Ok(())
            }
        }
    }

    /// Records that the content with this digest is added in this transaction. Returns `false` if it was added before.
    pub fn add_source(&mut self, digest: &[u8; 16]) -> Result<bool, Fault> {
        Ok(self.sources.insert(digest, ())?.is_none())
    }

    /// Records the games and the files that another store was made of.
    pub fn add_origins(&mut self, games: &[[u8; 16]], sources: &[[u8; 16]]) -> Result<(), Fault> {
        games.iter().try_for_each(|game| self.games.insert(game, ()).map(|_| ()))?;
        sources.iter().try_for_each(|source| self.sources.insert(source, ()).map(|_| ()))?;
        Ok(())
    }

    /// Returns a number about the whole, 0 where there is none.
    pub(super) fn number(&self, name: &str) -> Result<u64, Fault> {
        Ok(self.state.get(name)?.map_or(0, |number| number.value()))
    }

    /// Marks the values as those of a version.
    #[cfg(test)]
    pub(super) fn set_version(&mut self, version: u64) -> Result<(), Fault> {
        self.state.insert(VERSION.0, version)?;
        Ok(())
    }

    /// Returns `true` if a move leads to a position of the book that has no value.
    pub(super) fn has_open_child(&self, key: &Key) -> Result<bool, Fault> {
        for child in key.children() {
            if self.get(&child.key)?.is_some_and(|entry| entry.worth.is_none()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Values anew what has changed, and all that depends on it.
    pub(super) fn settle(&mut self) -> Result<(), Fault> {
        while let Some((key, new)) = self.touched.pop_last() {
            let Some(mut entry) = self.get(&key)? else { continue };
            let worth = self.worth(&key, &entry)?;
            // A new position without a value takes away that of the positions before it.
            if worth == entry.worth && !new {
                continue;
            }
            entry.worth = worth;
            self.positions.insert(key.bytes(), &entry.to_bytes())?;
            let mut parents = Vec::new();
            predecessors(key.board(), |board| parents.push(Key::of(board).0));
            parents.sort_unstable();
            parents.dedup();
            for parent in parents {
                if self.positions.get(parent.bytes())?.is_some() {
                    self.touched.entry(parent).or_default();
                }
            }
        }
        Ok(())
    }

    /// Forgets what has changed: everything is going to be valued anew.
    pub(super) fn leave(&mut self) {
        self.touched.clear();
    }

    /// What a position is worth by its own value and its children's. A child without a value bounds nothing: unless the
    /// position has a value of its own, which is that of the best of all such moves, it has none.
    pub(super) fn worth(&self, key: &Key, entry: &Entry) -> Result<Option<Worth>, Fault> {
        if let Some(given) = entry.given.filter(|given| given.exact) {
            return Ok(Some(given.worth()));
        }
        let mut best: Option<Worth> = None;
        let (mut known, mut open, mut proven) = (0, 0, true);
        let board = key.board();
        for child in key.children() {
            let Some(entry) = self.get(&child.key)? else { continue };
            let Some(worth) = entry.worth else {
                open += 1;
                continue;
            };
            known += 1;
            proven &= worth.proven;
            let worth = if child.same_side { worth } else { worth.turned() };
            best = Some(match best {
                None => worth,
                Some(best) => better(best, worth),
            });
        }
        let complete = known == board.moves().count();
        Ok(match (best, entry.given) {
            (Some(best), Some(given)) if !complete => {
                let given = Worth { exact: false, ..given.worth() };
                Some(Worth { proven: false, ..better(best, given) })
            }
            (Some(_), None) if open > 0 => None,
            (Some(best), _) => Some(Worth { proven: complete && proven, ..best }),
            (None, given) => given.map(Given::worth),
        })
    }
}

/// A position after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// The move, on the canonical board before it.
    pub mv: Square,
    /// The position after it, and the pass that may follow.
    pub key: Key,
    /// The other side had to pass.
    pub same_side: bool,
}

impl Key {
    /// The positions after its moves.
    pub fn children(&self) -> impl Iterator<Item = Child> {
        children(self.board())
    }
}

/// The positions after the moves of a board.
fn children(board: Board) -> impl Iterator<Item = Child> {
    let here = Position::new(board, Color::Black);
    here.moves().into_iter().filter_map(move |mv| {
        let after = here.play(Move::Place(mv)).ok()?.after_forced_pass();
        Some(Child { mv, key: Key::of(after.board()).0, same_side: after.side() == here.side() })
    })
}

/// The better of two for the mover, at every worth of a draw.
fn better(one: Worth, other: Worth) -> Worth {
    let first = one.value() >= other.value();
    Worth {
        low: one.low.max(other.low),
        high: one.high.max(other.high),
        exact: if first { one.exact } else { other.exact },
        proven: one.proven && other.proven,
    }
}

/// What tells one game from another, whichever way it was turned.
fn identity(game: &Game) -> [u8; 16] {
    // The canonical boards along symmetric games are the same.
    digest(game.positions().flat_map(|position| *Key::of(position.after_forced_pass().board()).0.bytes()))
}

/// FNV-1a twice, which tells files and games apart.
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

impl Entry {
    /// Takes a value of a text in, which may take back what an earlier line said.
    fn replace(&mut self, value: text::BookValue) {
        let exact = matches!(value, text::BookValue::Exact(_));
        if exact || !self.given.is_some_and(|given| given.exact) {
            self.given = Some(Given { score: value.score(), exact, best: None, depth: 0 });
        }
    }
}
