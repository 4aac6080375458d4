//! One of the 64 squares.

use std::fmt;
use std::str::FromStr;

/// A square, numbered row by row: a1 is 0, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The error for a text that is not a square `a1` … `h8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSquareError {
    /// The rejected text.
    pub text: String,
}

impl Square {
    /// Returns the square with a number. `None` if `index` is above 63.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// Returns the square of the lowest six bits of `index`.
    pub(crate) const fn masked(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// Returns the square in a column (a is 0) and a row (1 is 0). `None` if one of them is above 7.
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square(row * 8 + column)) } else { None }
    }

    /// Returns the number, 0 for a1 to 63 for h8.
    pub const fn index(self) -> usize {
        // With the mask, tables of 64 entries need no bounds check.
        (self.0 & 63) as usize
    }

    /// Returns the column, 0 for a to 7 for h.
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// Returns the row, 0 for row 1 to 7 for row 8.
    pub const fn row(self) -> u8 {
        (self.0 >> 3) & 7
    }

    /// Returns the next square in a direction of columns and rows. `None` beyond the border.
    pub(crate) fn step(self, (columns, rows): (i8, i8)) -> Option<Square> {
        Square::at(self.column().checked_add_signed(columns)?, self.row().checked_add_signed(rows)?)
    }

    /// Returns all squares from a1 to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    /// In lower case: `f5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column()) as char, self.row() + 1)
    }
}

debug_as_display!(Square);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Parses two characters, the column and the row, in upper or lower case.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let error = || ParseSquareError { text: text.to_owned() };
        let &[column, row] = text.as_bytes() else { return Err(error()) };
        let column = column.to_ascii_lowercase().wrapping_sub(b'a');
        let row = row.wrapping_sub(b'1');
        Square::at(column, row).ok_or_else(error)
    }
}

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a square (a1 to h8)", self.text)
    }
}

impl std::error::Error for ParseSquareError {}
