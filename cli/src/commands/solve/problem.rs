//! Which positions are worth solving.

use std::fmt;

use outflank::board::{Bitboard, Position};

/// No game comes to this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Impossible {
    /// There is no disc.
    Empty,
    /// One of the four squares in the middle is empty, which are filled from the start.
    Middle,
    /// A disc has no neighbour: each was placed beside another.
    Alone,
}

/// Whether a game may come to `position`, as far as a glance tells.
pub(crate) fn check(position: &Position) -> Result<(), Impossible> {
    const MIDDLE: Bitboard = Bitboard(0x0000_0018_1800_0000);
    let discs = !position.board().empty();
    if discs.is_empty() {
        return Err(Impossible::Empty);
    }
    if discs & MIDDLE != MIDDLE {
        return Err(Impossible::Middle);
    }
    let mut joined = MIDDLE;
    loop {
        let grown = joined.dilated() & discs;
        if grown == joined {
            return if joined == discs { Ok(()) } else { Err(Impossible::Alone) };
        }
        joined = grown;
    }
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Impossible::Empty => "position: the board is empty",
            Impossible::Middle => "position: no game leaves a square in the middle empty",
            Impossible::Alone => "position: no game leaves discs apart from the others",
        })
    }
}

#[cfg(test)]
mod tests {
    use outflank::board::Color;

    use super::*;

    #[test]
    fn at_a_glance() {
        let of = |discs| check(&Position::from_discs(Bitboard(discs), Bitboard(0), Color::Black).unwrap());
        assert_eq!(check(&Position::START), Ok(()));
        assert_eq!(of(0), Err(Impossible::Empty));
        assert_eq!(of(1), Err(Impossible::Middle));
        assert_eq!(of(0x0000_0018_1800_0001), Err(Impossible::Alone));
        assert_eq!(of(0x0000_0018_1804_0201), Ok(()));
        assert_eq!(of(!0), Ok(()));
    }
}
