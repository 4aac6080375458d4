//! The board as it goes over the line.

use crate::board::{Position, Status};
use crate::notation::fen;

/// The letter of a disc. One that XBoard knows as a piece of its own, and not the pawn's: a pawn may not be
/// dropped on the first and the last rank.
pub(super) const DISC: char = 'D';

/// What XBoard has to be told when it asks for the variant: which pieces there are, the size of the board, the
/// rules to start from, and the position with all discs in hand.
pub(super) fn variant() -> String {
    let start = fen::write(&Position::START, DISC);
    let (board, rest) = start.split_once(' ').unwrap_or((&start, "w - - 0 1"));
    let hand: String = [DISC.to_ascii_uppercase(), DISC.to_ascii_lowercase()]
        .into_iter()
        .map(|disc| disc.to_string().repeat(32))
        .collect();
    format!("setup (.D.....d....) 8x8+1_fairy {board}[{hand}] {rest}")
}

/// Whether a `setboard` of `sent` means a pass in `here`.
///
/// XBoard passes a pass on as the position on its own board, where no disc was ever flipped: the same squares are
/// occupied, the colours are wrong, and the other side is to move. So it is a pass when one has to be made.
pub(super) fn means_pass(here: &Position, sent: &Position) -> bool {
    here.status() == Status::MustPass
        && sent.side() != here.side()
        && sent.board().empty() == here.board().empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Color};

    #[test]
    fn as_xboard_takes_it() {
        assert_eq!(
            variant(),
            "setup (.D.....d....) 8x8+1_fairy 8/8/8/3Dd3/3dD3/8/8/8[DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD\
             dddddddddddddddddddddddddddddddd] w - - 0 1"
        );
    }

    #[test]
    fn a_pass_in_disguise() {
        // White has to pass; in XBoard's eyes b1 is still black.
        let here = Position::from_discs(Bitboard(1), Bitboard(2), Color::White).unwrap();
        let sent = Position::from_discs(Bitboard(3), Bitboard(0), Color::Black).unwrap();
        assert!(means_pass(&here, &sent));
        let other_side = Position::from_discs(Bitboard(3), Bitboard(0), Color::White).unwrap();
        assert!(!means_pass(&here, &other_side));
        let other_squares = Position::from_discs(Bitboard(7), Bitboard(0), Color::Black).unwrap();
        assert!(!means_pass(&here, &other_squares));
        assert!(!means_pass(&Position::START, &Position::new(Position::START.board(), Color::White)));
    }
}
