//! The positions that a move may have led from.
//!
//! A disc was placed on some square by the side that is not to move now, or by the side to move if the other one had to
//! pass. In each direction from that square it may have flipped any number of the discs in a row, as long as another disc
//! of its own ends the row; the ways of the eight directions combine freely.

use outflank::board::{Bitboard, Board, Square};

/// Calls `take` with every board from which one move, and perhaps a forced pass, leads to `board`. Boards that no game can
/// come to are among them: whoever looks them up does not find them.
pub(crate) fn predecessors(board: Board, mut take: impl FnMut(Board)) {
    // The side that moved, and the other one.
    before(board.opponent, board.player, &mut take);
    // The side to move has moved, and the other one had to pass.
    if board.after_pass().moves().is_empty() && !board.moves().is_empty() {
        before(board.player, board.opponent, &mut take);
    }
}

fn before(mover: Bitboard, other: Bitboard, take: &mut impl FnMut(Board)) {
    const MIDDLE: Bitboard = Bitboard(0x0000_0018_1800_0000);
    for square in mover & !MIDDLE {
        // It would have flipped what still lies between it and another disc of its own.
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

/// The sets of discs that may have been flipped in one direction, the empty one first.
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
                // The disc before this one may have been flipped: this one ends the row.
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

    use outflank::board::{Move, Position};
    use outflank::random::Random;

    use super::*;

    /// Along random games: the position before is among those found, and from each found one a move leads here.
    #[test]
    fn the_position_before_is_found_and_no_wrong_one() {
        let mut random = Random::new(3);
        let mut most = 0;
        for _ in 0..60 {
            let mut here = Position::START;
            while !here.moves().is_empty() {
                let squares: Vec<_> = here.moves().into_iter().collect();
                let square = squares[random.below(squares.len() as u32) as usize];
                let next = here.play(Move::Place(square)).unwrap().after_forced_pass();
                let mut found = HashSet::new();
                predecessors(next.board(), |board| {
                    found.insert(board);
                });
                assert!(found.contains(&here.board()), "{here:?}");
                most = most.max(found.len());
                for &board in found.iter().take(50) {
                    let position = Position::new(board, here.side());
                    let leads = position.moves().into_iter().any(|square| {
                        position
                            .play(Move::Place(square))
                            .is_ok_and(|after| after.after_forced_pass().board() == next.board())
                    });
                    assert!(leads, "{board:?} to {next:?}");
                }
                here = next;
            }
        }
        assert!(most > 100, "{most}");
    }
}
