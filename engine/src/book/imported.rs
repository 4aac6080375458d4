//! The positions of a book of another program.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::entry::{Key, KeyHasher, OwnValue};
use crate::notation::foreign::ForeignEntry;
use crate::score::{Discs, Score};

/// Returns the key, the number of games and the own value of each position.
pub fn imported(positions: &[ForeignEntry]) -> impl Iterator<Item = (Key, u32, Option<OwnValue>)> {
    let keys: HashSet<Key, BuildHasherDefault<KeyHasher>> =
        positions.iter().map(|position| Key::of(position.board).0).collect();
    positions.iter().map(move |position| {
        let key = Key::of(position.board).0;
        let linked = key.children().any(|child| keys.contains(&child.key));
        (key, position.games, own(position, linked))
    })
}

/// Returns the value of the best move that is not in the book with that move, else that of a position without children in the book.
fn own(position: &ForeignEntry, linked: bool) -> Option<OwnValue> {
    if position.board.is_over() {
        return Some(OwnValue::of_end(position.board));
    }
    let (_, symmetry) = Key::of(position.board);
    let other = position.other.map(|(square, value)| (symmetry.square(square), value));
    let (value, best) = match (other, position.value) {
        (Some((square, value)), _) => (value, Some(square)),
        (None, Some(value)) if !linked => (value, None),
        (None, _) => return None,
    };
    let score = Score::from(Discs::new(value));
    Some(OwnValue { score, exact: false, best, depth: position.level.min(60) })
}
