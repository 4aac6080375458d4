//! Positions before a move.
//!
//! The last disc was placed by the side that is not to move now, or by the side to move if the other side had to pass. In each
//! direction from its square it may have flipped any number of the discs in the row, if another disc of its color ends the row.
//! The numbers of the eight directions are independent.

use crate::board::{Bitboard, Board, Square};

/// Calls `take` with every board from which one move, and a forced pass if necessary, leads to `board`. Some of these boards
/// cannot occur in a game.
pub(super) fn predecessors(board: Board, mut take: impl FnMut(Board)) {
    // The other side has moved.
    before(board.opponent, board.player, &mut take);
    // The side to move has moved, and the other side had to pass.
    if board.after_pass().moves().is_empty() && !board.moves().is_empty() {
        before(board.player, board.opponent, &mut take);
    }
}

fn before(mover: Bitboard, other: Bitboard, take: &mut impl FnMut(Board)) {
    const MIDDLE: Bitboard = Bitboard(0x0000_0018_1800_0000);
    for square in mover & !MIDDLE {
        // The move would have flipped the discs that are still between it and another disc of its color.
        if !(Board { player: mover & !Bitboard::of(square), opponent: other }).flips(square).is_empty() {
            continue;
        }
        let mut ways: [Vec<u64>; 8] = Default::default();
        for (way, (east, south)) in ways.iter_mut().zip(DIRECTIONS) {
            *way = flips(square, mover, east, south);
        }
        combine(&ways, 0, &mut |flipped| {
            if flipped != 0 {
                let player = Bitboard(mover.0 & !flipped & !(1 << square.index()));
                take(Board { player, opponent: Bitboard(other.0 | flipped) });
            }
        });
    }
}

const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Returns the sets of discs that may have been flipped in one direction, the empty set first.
fn flips(square: Square, mover: Bitboard, east: i8, south: i8) -> Vec<u64> {
    let mut sets = vec![0];
    let (mut column, mut row) = (square.column() as i8, square.row() as i8);
    let (mut flipped, mut last) = (0_u64, 0_u64);
    loop {
        (column, row) = (column + east, row + south);
        let at = u8::try_from(column)
            .ok()
            .zip(u8::try_from(row).ok())
            .and_then(|(column, row)| Square::at(column, row));
        match at {
            Some(at) if mover.contains(at) => {
                // The disc before this one may have been flipped.
                if last != 0 {
                    flipped |= last;
                    sets.push(flipped);
                }
                last = 1 << at.index();
            }
            _ => return sets,
        }
    }
}

fn combine(ways: &[Vec<u64>], flipped: u64, take: &mut impl FnMut(u64)) {
    match ways.split_first() {
        None => take(flipped),
        Some((first, rest)) => first.iter().for_each(|set| combine(rest, flipped | set, take)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::board::{Color, Move, Position};
    use crate::samples::random_games;

    use super::*;

    /// Along random games, the position before is found, and a move leads here from every position found.
    #[test]
    fn position_before_is_found_and_no_wrong_one() {
        let after = |board, square| {
            let position = Position::new(board, Color::Black).play(Move::Place(square));
            position.map(|position| position.after_forced_pass().board())
        };
        let mut most = 0;
        for (here, played) in random_games(3, 60) {
            let Some((square, _)) = played else { continue };
            let next = after(here, square).unwrap();
            let mut found = HashSet::new();
            predecessors(next, |board| _ = found.insert(board));
            assert!(found.contains(&here), "{here:?}");
            most = most.max(found.len());
            for &board in found.iter().take(50) {
                let leads = board.moves().into_iter().any(|square| after(board, square) == Ok(next));
                assert!(leads, "{board:?} to {next:?}");
            }
        }
        assert!(most > 100, "{most}");
    }
}
