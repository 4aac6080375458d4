//! A set of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::Square;

/// A set of squares: bit `n` is square number `n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

/// The squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 64 squares.
    pub const ALL: Bitboard = Bitboard(!0);
    /// a1, h1, a8, h8.
    pub const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
    /// The outermost squares, corners included.
    pub const BORDER: Bitboard = Bitboard(0xff81_8181_8181_81ff);
    /// The four by four squares around a1, h1, a8, h8.
    pub const QUADRANTS: [Bitboard; 4] = [
        Bitboard(0x0000_0000_0f0f_0f0f),
        Bitboard(0x0000_0000_f0f0_f0f0),
        Bitboard(0x0f0f_0f0f_0000_0000),
        Bitboard(0xf0f0_f0f0_0000_0000),
    ];

    /// Returns the set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` if the set has no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if `square` is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Returns the square with the lowest number. `None` if the set is empty.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::masked(self.0.trailing_zeros())) }
    }

    /// Returns the whole quadrants that contain an odd number of squares of the set. If these are empty squares, the side that
    /// moves first in such a quadrant can also move last there.
    #[inline(always)]
    pub fn odd_quadrants(self) -> Bitboard {
        // The parity of each quadrant is collected in its first square, then spread over the quadrant.
        let mut sum = self.0;
        for step in [1, 2, 8, 16] {
            sum ^= sum >> step;
        }
        Bitboard((sum & 0x0000_0011_0000_0011) * 0x0f0f_0f0f)
    }

    /// Returns the connected regions of the set: squares touch in all eight directions.
    pub fn regions(self) -> impl Iterator<Item = Bitboard> + use<> {
        let mut left = self;
        std::iter::from_fn(move || {
            let mut region = Bitboard::of(left.first()?);
            while (region.dilated() & left) != region {
                region = region.dilated() & left;
            }
            left &= !region;
            Some(region)
        })
    }

    /// Returns the set with every square next to it, in all eight directions.
    #[inline(always)]
    pub const fn dilated(self) -> Bitboard {
        let sides = self.0 | (self.0 << 1 & 0xfefe_fefe_fefe_fefe) | (self.0 >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
        Bitboard(sides | sides << 8 | sides >> 8)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let first = Bitboard(self.0).first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl fmt::Debug for Bitboard {
    /// Eight rows of `#` and `.`, for failing tests.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            writeln!(f)?;
            for column in 0..8 {
                f.write_str(if self.0 >> (row * 8 + column) & 1 != 0 { " #" } else { " ." })?;
            }
        }
        Ok(())
    }
}

macro_rules! bit_operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

bit_operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
bit_operator!(BitOr bitor, BitOrAssign bitor_assign, |);
bit_operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}
