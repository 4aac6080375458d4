//! Positions from books of other programs, and for them.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::entry::{BackedUpValue, Entry, Key, KeyHasher, OwnValue, rounded};
use crate::board::Square;
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

/// Returns a position as a record of another program's book, with values in whole discs. `children` are the values of its moves to
/// positions of the book, for the side to move. `None` if it has no value.
pub fn exported(
    key: &Key,
    entry: &Entry,
    children: &[(Square, BackedUpValue)],
) -> Option<(ForeignEntry, Vec<(u8, i8)>)> {
    let discs = |centidiscs| rounded(centidiscs, 100);
    let value = discs(entry.value?.centidiscs());
    let links: Vec<_> = children
        .iter()
        .map(|(square, value)| (square.index() as u8, discs(value.centidiscs()) as i8))
        .collect();
    let own = entry.own.and_then(|own| Some((own.best?, discs(own.score.centidiscs()))));
    let other = own.filter(|(best, _)| children.iter().all(|(square, _)| square != best));
    Some((
        ForeignEntry {
            board: key.board(),
            value: Some(value),
            other,
            level: entry.level(),
            games: entry.games,
        },
        links,
    ))
}
