//! The colors of the sides.

use std::fmt;
use std::ops::{Neg, Not};

/// The color of a disc or a player. Black moves first in the standard start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The dark discs.
    Black,
    /// The light discs.
    White,
}

impl Color {
    /// Returns `X` for black, `O` for white.
    pub const fn letter(self) -> char {
        match self {
            Color::Black => 'X',
            Color::White => 'O',
        }
    }

    /// Returns `value` for Black if it is for this side, and for this side if it is for Black.
    pub fn for_black<T: Neg<Output = T>>(self, value: T) -> T {
        if self == Color::Black { value } else { -value }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}
