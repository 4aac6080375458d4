//! The eight symmetries of the board.

use super::{Bitboard, Board, Square};

/// A rotation or reflection of the board.
///
/// The three low bits are three steps, in this order: mirror the columns (a ↔ h), mirror the rows (1 ↔ 8), transpose (a8 ↔ h1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// Returns all eight symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Returns the symmetry that reverses this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        // After the transposition, a mirror applies to the other axis.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            other => Symmetry(other),
        }
    }

    /// Returns the image of a square.
    pub fn square(self, square: Square) -> Square {
        Square::masked(self.bitboard(Bitboard::of(square)).0.trailing_zeros())
    }

    /// Returns the image of a set of squares.
    pub fn bitboard(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.0 & 1 != 0 {
            bits = mirror_columns(bits);
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & 4 != 0 {
            bits = transpose(bits);
        }
        Bitboard(bits)
    }

    /// Returns the image of a board.
    pub fn board(self, board: Board) -> Board {
        Board { player: self.bitboard(board.player), opponent: self.bitboard(board.opponent) }
    }
}

impl Board {
    /// Returns the smallest of the eight symmetric boards, and the symmetry that maps this board to it.
    pub fn canonical(self) -> (Board, Symmetry) {
        let images = images(self.player.0);
        let smallest = images.iter().min();
        // The opponent's discs decide only between equal images, which are rare.
        Symmetry::all()
            .filter(|symmetry| images.get(usize::from(symmetry.0)) == smallest)
            .map(|symmetry| (symmetry.board(self), symmetry))
            .min_by_key(|(board, _)| *board)
            .unwrap_or((self, Symmetry::IDENTITY))
    }
}

/// Returns the images of a set under the eight symmetries, in their order, with one transposition.
const fn images(bits: u64) -> [u64; 8] {
    let [same, columns, rows, both] = mirrors(bits);
    // A mirror before a transposition is the mirror of the other axis after it.
    let [transposed, rows_transposed, columns_transposed, both_transposed] = mirrors(transpose(bits));
    [same, columns, rows, both, transposed, columns_transposed, rows_transposed, both_transposed]
}

/// Returns the set itself, and with mirrored columns, rows, and both.
const fn mirrors(bits: u64) -> [u64; 4] {
    let both = bits.reverse_bits();
    [bits, both.swap_bytes(), bits.swap_bytes(), both]
}

const fn mirror_columns(bits: u64) -> u64 {
    bits.swap_bytes().reverse_bits()
}

/// Exchanges rows and columns by three rounds of block swaps (Hacker's Delight, section 7-3).
const fn transpose(mut bits: u64) -> u64 {
    let mut t = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
    bits ^= t ^ (t << 7);
    t = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
    bits ^= t ^ (t << 14);
    t = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
    bits ^ t ^ (t << 28)
}
