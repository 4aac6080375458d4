//! Reference: naive rules in the format of `outflank::eval::leaves`.

use outflank::board::{Bitboard, Color, Position, Square};

use super::naive::Naive;

/// Returns the answer of the naive rules for a position: all of `leaves` except the static value.
pub(crate) fn rules(position: &Position) -> String {
    let naive = Naive::of(position);
    let bits = |squares: Vec<Square>| squares.into_iter().collect::<Bitboard>().0;
    let moves = bits(naive.moves());
    let empty = position.board().empty();
    let flips: Vec<String> =
        empty.into_iter().map(|square| format!("{:x}", bits(naive.flips(square)))).collect();
    let flips = if flips.is_empty() { "-".to_owned() } else { flips.join(",") };
    let last: String = Square::all().map(|square| format!("{:02x}", last_flips(position, square))).collect();
    format!("{moves:x} {flips} {last}")
}

/// Returns twice the number of discs flipped on `square` if the opponent had all squares that the mover does not have.
fn last_flips(position: &Position, square: Square) -> usize {
    let player = position.board().player & !Bitboard::of(square);
    let opponent = !(player | Bitboard::of(square));
    let full = Position::from_discs(player, opponent, Color::Black);
    full.map_or(0, |full| 2 * Naive::of(&full).flips(square).len())
}
