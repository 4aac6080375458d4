//! Counting the flips of the move that fills the board.
//!
//! With one empty square every other square is the mover's or the opponent's, so the flips along a line
//! depend only on the mover's discs on it: an eight-bit index into a table per place on the line.

use crate::board::Square;

/// `COUNT[place][discs]`: twice the discs flipped by a disc at `place` of a full line of eight that holds the
/// mover's `discs`.
static COUNT: [[u8; 256]; 8] = count_table();

/// For each square: masks of its row, column, diagonal (a1–h8 direction) and antidiagonal.
struct Lines {
    diagonal: [u64; 64],
    antidiagonal: [u64; 64],
}

static LINES: Lines = lines();

/// Columns' bits gathered into a byte by multiplication: a1…a8 to bits 0…7.
const COLUMN_TO_BYTE: u64 = 0x0102_0408_1020_4080;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// Twice the number of discs flipped, in plain integer code.
#[inline(always)]
pub(crate) fn portable(square: Square, player: u64) -> u32 {
    let index = square.index();
    let (column, row) = (index & 7, index >> 3);
    let line = |place: usize, discs: u64| u32::from(COUNT[place][(discs & 255) as usize]);
    // A diagonal has one square per column: multiplying by COLUMN_A piles its columns into the top byte.
    let pile = |mask: u64| (player & mask).wrapping_mul(COLUMN_A) >> 56;
    line(column, player >> (row * 8))
        + line(row, (player >> column & COLUMN_A).wrapping_mul(COLUMN_TO_BYTE) >> 56)
        + line(column, pile(LINES.diagonal[index]))
        + line(column, pile(LINES.antidiagonal[index]))
}

/// Twice the number of discs flipped, the column gathered by BMI2's bit extraction.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "bmi2")]
#[inline]
pub(crate) fn bmi2(square: Square, player: u64) -> u32 {
    use std::arch::x86_64::_pext_u64;
    let index = square.index();
    let (column, row) = (index & 7, index >> 3);
    let line = |place: usize, discs: u64| u32::from(COUNT[place][(discs & 255) as usize]);
    let pile = |mask: u64| (player & mask).wrapping_mul(COLUMN_A) >> 56;
    line(column, player >> (row * 8))
        + line(row, _pext_u64(player, COLUMN_A << column))
        + line(column, pile(LINES.diagonal[index]))
        + line(column, pile(LINES.antidiagonal[index]))
}

const fn count_table() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut discs = 0;
        while discs < 256 {
            let mut flipped = 0;
            let mut up = place + 1;
            while up < 8 && discs >> up & 1 == 0 {
                up += 1;
            }
            if up < 8 {
                flipped += up - place - 1;
            }
            let mut down = place as i32 - 1;
            while down >= 0 && discs >> down & 1 == 0 {
                down -= 1;
            }
            if down >= 0 {
                flipped += place - down as usize - 1;
            }
            table[place][discs] = 2 * flipped as u8;
            discs += 1;
        }
        place += 1;
    }
    table
}

const fn lines() -> Lines {
    let mut lines = Lines { diagonal: [0; 64], antidiagonal: [0; 64] };
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let mut other = 0;
        while other < 64 {
            let (r, c) = (other / 8, other % 8);
            if r + column == c + row {
                lines.diagonal[square] |= 1 << other;
            }
            if r + c == row + column {
                lines.antidiagonal[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    lines
}
