//! Tables of the lines through each square: the flips of the move that fills the board.

use crate::square::Square;

/// `COUNT[place][discs]`: twice the discs flipped by a disc at `place` of a full line of eight with the mover's `discs`.
static COUNT: [[u8; 256]; 8] = count_table();

/// For each square: masks of its diagonal (a1–h8 direction) and antidiagonal.
struct Lines {
    diagonal: [u64; 64],
    antidiagonal: [u64; 64],
}

static LINES: Lines = lines();

/// Gathers the bits of column a into a byte by multiplication: a1…a8 to bits 0…7.
const COLUMN_TO_BYTE: u64 = 0x0102_0408_1020_4080;
/// a1 to a8.
pub(super) const COLUMN_A: u64 = 0x0101_0101_0101_0101;

/// Returns twice the number of discs that a disc on `square`, the last empty one, flips. `column` contains the mover's discs
/// on its column, a1…a8 in bits 0…7.
#[inline(always)]
pub(super) fn last_flips(square: Square, player: u64, column: u64) -> u32 {
    let index = square.index();
    let (place, row) = (index & 7, index >> 3);
    let line = |place: usize, discs: u64| u32::from(COUNT[place][(discs & 255) as usize]);
    // A diagonal has one square per column: multiplying by COLUMN_A adds its columns in the top byte.
    let pile = |mask: u64| (player & mask).wrapping_mul(COLUMN_A) >> 56;
    line(place, player >> (row * 8))
        + line(row, column)
        + line(place, pile(LINES.diagonal[index]))
        + line(place, pile(LINES.antidiagonal[index]))
}

/// Returns the discs of `player` on the column of `square`, gathered by multiplication.
#[inline(always)]
pub(super) fn column_byte(square: Square, player: u64) -> u64 {
    (player >> square.column() & COLUMN_A).wrapping_mul(COLUMN_TO_BYTE) >> 56
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
