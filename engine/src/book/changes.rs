//! Changes of a book, and the values that follow from them.

use std::collections::BTreeMap;

use super::entry::{BackedUpValue, Entry, Key, OwnValue};
use super::predecessors::predecessors;
use crate::board::{Bitboard, Color, Position, Square};
use crate::game::Game;
use crate::notation::book::{self, BookValue};

/// Positions that can be changed.
pub trait Nodes {
    /// Error of the storage.
    type Error;

    /// Returns a position, `None` if it is not in the book.
    fn get(&self, key: &Key) -> Result<Option<Entry>, Self::Error>;

    /// Adds or replaces a position.
    fn put(&mut self, key: &Key, entry: &Entry) -> Result<(), Self::Error>;
}

/// Changes of positions that are not backed up yet.
#[derive(Debug)]
pub struct Changes<N> {
    /// The positions.
    pub nodes: N,
    /// The changed positions, and `true` for new ones.
    changed: BTreeMap<Key, bool>,
}

/// A position after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// The move, on the canonical board before it.
    pub mv: Square,
    /// The position after the move and a forced pass.
    pub key: Key,
    /// The side to move is the same, because the other side had to pass.
    pub same_side: bool,
}

impl Child {
    /// Returns the value of the move for the side that plays it, given the value of the position after it.
    pub fn value_before(&self, after: BackedUpValue) -> BackedUpValue {
        if self.same_side { after } else { after.negated() }
    }
}

impl Key {
    /// Returns the positions after all moves.
    pub fn children(&self) -> impl Iterator<Item = Child> {
        self.children_by(self.board().moves())
    }

    /// Returns the positions after some moves. Illegal ones are omitted.
    pub(super) fn children_by(&self, moves: Bitboard) -> impl Iterator<Item = Child> {
        let child = |(mv, after): (Square, Position)| {
            let same_side = after.side() == Color::Black;
            Child { mv, key: Key::of(after.board()).0, same_side }
        };
        Position::new(self.board(), Color::Black).successors_by(moves).map(child)
    }
}

impl<N: Nodes> Changes<N> {
    /// Returns an empty change.
    pub fn new(nodes: N) -> Changes<N> {
        Changes { nodes, changed: BTreeMap::new() }
    }

    /// Changes a position, which is added if it is not in the book.
    pub fn change(&mut self, key: &Key, change: impl FnOnce(&mut Entry)) -> Result<(), N::Error> {
        let old = self.nodes.get(key)?;
        let mut entry = old.unwrap_or_default();
        change(&mut entry);
        self.nodes.put(key, &entry)?;
        *self.changed.entry(*key).or_default() |= old.is_none();
        Ok(())
    }

    /// Adds the first positions of a game, and its result if its end is among them.
    pub fn add_game(&mut self, game: &Game, plies: usize) -> Result<(), N::Error> {
        self.count_positions(game, plies)?;
        let end = game.position().board();
        if game.is_over() && is_within(end.empties(), plies) {
            self.change(&Key::of(end).0, |entry| entry.give(OwnValue::of_end(end)))?;
        }
        Ok(())
    }

    /// Adds a line of a text.
    pub fn add_line(&mut self, line: &book::Entry) -> Result<(), N::Error> {
        match line {
            book::Entry::Line(game, value) => {
                self.count_positions(game, usize::MAX)?;
                self.set(game.position(), Some((*value, Color::Black)), None, 0)
            }
            book::Entry::Position(position, own, values) => {
                let side = position.side();
                let best = own.and_then(|(_, best)| best);
                self.set(*position, own.map(|(own, _)| (own, side)), best, 1)?;
                for (mv, value) in values {
                    if let Ok(child) = position.play(*mv) {
                        self.set(child, Some((*value, side)), None, 1)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Counts a game for its first positions.
    fn count_positions(&mut self, game: &Game, plies: usize) -> Result<(), N::Error> {
        let mut last = None;
        for position in game.positions().map(Position::after_forced_pass) {
            if !is_within(position.empties(), plies) {
                break;
            }
            let key = Key::of(position.board()).0;
            // A pass is not a position.
            if last != Some(key) {
                self.change(&key, |entry| entry.add(1, None))?;
            }
            last = Some(key);
        }
        Ok(())
    }

    /// Sets a value of a text, which is for a side, with its move, and counts `games`.
    fn set(
        &mut self,
        at: Position,
        value: Option<(BookValue, Color)>,
        best: Option<Square>,
        games: u32,
    ) -> Result<(), N::Error> {
        let at = at.after_forced_pass();
        let (key, symmetry) = Key::of(at.board());
        self.change(&key, |entry| {
            entry.add(games, None);
            if let Some((value, side)) = value {
                let value = if side == at.side() { value } else { -value };
                entry.replace(value, best.map(|best| symmetry.square(best)));
            }
        })
    }

    /// Backs up the values of all changed positions, and of all positions that depend on them.
    pub fn propagate(&mut self) -> Result<(), N::Error> {
        // Children come before parents.
        while let Some((key, is_new)) = self.changed.pop_last() {
            // A new position without a value invalidates that of the positions before it.
            if !self.back_up(&key)? && !is_new {
                continue;
            }
            let mut parents = Vec::new();
            predecessors(key.board(), |board| parents.push(Key::of(board).0));
            parents.sort_unstable();
            parents.dedup();
            for parent in parents {
                if self.nodes.get(&parent)?.is_some() {
                    self.changed.entry(parent).or_default();
                }
            }
        }
        Ok(())
    }

    /// Sets the value of a position to that which follows from its children. Returns `true` if it has changed.
    pub fn back_up(&mut self, key: &Key) -> Result<bool, N::Error> {
        self.back_up_from(key, key.children())
    }

    /// Like [`back_up`](Self::back_up). `children` contains all children that are in the book.
    pub(super) fn back_up_from(
        &mut self,
        key: &Key,
        children: impl Iterator<Item = Child>,
    ) -> Result<bool, N::Error> {
        let Some(mut entry) = self.nodes.get(key)? else { return Ok(false) };
        let value = self.value_from(key, &entry, children)?;
        if value == entry.value {
            return Ok(false);
        }
        entry.value = value;
        self.nodes.put(key, &entry)?;
        Ok(true)
    }

    /// Returns `true` if a move leads to a position of the book without a value.
    pub fn has_open_child(&self, key: &Key) -> Result<bool, N::Error> {
        for child in key.children() {
            if self.nodes.get(&child.key)?.is_some_and(|entry| entry.value.is_none()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the value that follows from the own value of a position and from its children. A child without a value bounds
    /// nothing: such a position has no value, unless it has an own value, which is that of the best of all such moves.
    pub fn value(&self, key: &Key, entry: &Entry) -> Result<Option<BackedUpValue>, N::Error> {
        self.value_from(key, entry, key.children())
    }

    /// Like [`value`](Self::value). `children` contains all children that are in the book.
    fn value_from(
        &self,
        key: &Key,
        entry: &Entry,
        children: impl Iterator<Item = Child>,
    ) -> Result<Option<BackedUpValue>, N::Error> {
        if let Some(own) = entry.own.filter(|own| own.exact) {
            return Ok(Some(own.backed_up()));
        }
        let mut best: Option<BackedUpValue> = None;
        let (mut known, mut open) = (0, 0);
        for child in children {
            let Some(entry) = self.nodes.get(&child.key)? else { continue };
            let Some(value) = entry.value else {
                open += 1;
                continue;
            };
            known += 1;
            let value = child.value_before(value);
            best = Some(best.map_or(value, |best| best.or_better(value)));
        }
        let is_complete = known == key.board().moves().count();
        Ok(match (best, entry.own) {
            // An exact own value is returned above, so this one is not proven.
            (Some(best), Some(own)) if !is_complete => Some(best.or_better(own.backed_up())),
            (Some(_), None) if open > 0 => None,
            (Some(best), _) => Some(BackedUpValue { proven: is_complete && best.proven, ..best }),
            (None, own) => own.map(OwnValue::backed_up),
        })
    }
}

/// Returns `true` if a position is among the first `plies` of a game.
fn is_within(empties: u32, plies: usize) -> bool {
    64 - empties as usize <= plies.saturating_add(4)
}
