//! Random endgames.

use outflank::board::{Board, Color, Position, Symmetry};
use outflank::notation::squares;

use super::plain::{Random, random_board};

/// Returns endgames of random games. Half of the small ones have ten or more empty squares: there, tables and move ordering
/// matter.
pub(crate) fn endgames(random: &mut Random, count: usize, is_large: bool) -> Vec<String> {
    let empties = |n| if n % 2 == 0 { 10 + n / 2 % 5 } else { 1 + n / 2 % 9 };
    let endgame = |n| {
        let board = random_board(random, if is_large { 15 + n as u32 % 6 } else { empties(n) as u32 });
        transformed(board, n)
    };
    (0..count).map(endgame).collect()
}

/// Returns a board transformed by symmetry `n`, with Black and White to move in turn.
fn transformed(board: Board, n: usize) -> String {
    let symmetry = Symmetry::all().nth(n % 8).unwrap_or_else(|| unreachable!("there are eight"));
    let side = if (n / 8).is_multiple_of(2) { Color::Black } else { Color::White };
    squares::write(&Position::new(symmetry.board(board), side))
}
