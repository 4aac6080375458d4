//! Stable discs: discs that no sequence of moves can flip.
//!
//! Only a subset is found, quickly: discs on an edge that no play along that edge flips (from a table of all edges), discs
//! whose four lines are full, and then, in a few steps, discs that have a stable neighbor of their own color or a full line
//! in each of the four directions. The number is a lower bound, which is what a cutoff needs: if the opponent has `n` stable
//! discs, it gets at least `2n − 64`.

use crate::board::Bitboard;

/// Squares that are not on an edge.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
const ROW_1: u64 = 0xff;
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
/// Number of steps in which stable discs are added. They find nine of ten cutoffs that all steps would find.
const STEPS: u32 = 3;

/// Returns stable discs of `player`. The number of steps is fixed: a loop until no disc is added would be mispredicted,
/// which costs more than the last discs gain.
#[inline(always)]
pub(super) fn stable(player: Bitboard, opponent: Bitboard) -> Bitboard {
    let lines = FullLines::of(player.0 | opponent.0);
    let inner = player.0 & INNER;
    let mut stable = edges(player.0, opponent.0) | inner & lines.all();
    for _ in 0..STEPS {
        stable = lines.joined(stable, inner);
    }
    Bitboard(stable)
}

/// For each direction, the squares whose line is full.
struct FullLines {
    row: u64,
    column: u64,
    diagonal: u64,
    antidiagonal: u64,
}

impl FullLines {
    #[inline(always)]
    fn of(discs: u64) -> FullLines {
        let mut row = discs & discs >> 1;
        row &= row >> 2;
        row &= row >> 4;
        let row = (row & COLUMN_A) * 0xff;
        let mut column = discs & discs.rotate_right(8);
        column &= column.rotate_right(16);
        column &= column.rotate_right(32);
        // A square beyond the border counts as full.
        let mut from_up_left = discs & (discs << 9 | 0x0101_0101_0101_01ff);
        from_up_left &= from_up_left << 18 | 0x0303_0303_0303_ffff;
        from_up_left &= from_up_left << 36 | 0x0f0f_0f0f_ffff_ffff;
        let mut from_down_right = discs & (discs >> 9 | 0xff80_8080_8080_8080);
        from_down_right &= from_down_right >> 18 | 0xffff_c0c0_c0c0_c0c0;
        from_down_right &= from_down_right >> 36 | 0xffff_ffff_f0f0_f0f0;
        let mut from_up_right = discs & (discs << 7 | 0x8080_8080_8080_80ff);
        from_up_right &= from_up_right << 14 | 0xc0c0_c0c0_c0c0_ffff;
        from_up_right &= from_up_right << 28 | 0xf0f0_f0f0_ffff_ffff;
        let mut from_down_left = discs & (discs >> 7 | 0xff01_0101_0101_0101);
        from_down_left &= from_down_left >> 14 | 0xffff_0303_0303_0303;
        from_down_left &= from_down_left >> 28 | 0xffff_ffff_0f0f_0f0f;
        FullLines {
            row,
            column,
            diagonal: from_up_left & from_down_right,
            antidiagonal: from_up_right & from_down_left,
        }
    }

    fn all(&self) -> u64 {
        self.row & self.column & self.diagonal & self.antidiagonal
    }

    /// Returns `stable` and the discs of `inner`, off the edge, that have a stable neighbor or a full line in each
    /// direction.
    #[inline(always)]
    fn joined(&self, stable: u64, inner: u64) -> u64 {
        // Shifts that wrap around the board are harmless, since no square of the edge can be added.
        let row = stable >> 1 | stable << 1 | self.row;
        let column = stable >> 8 | stable << 8 | self.column;
        let diagonal = stable >> 9 | stable << 9 | self.diagonal;
        let antidiagonal = stable >> 7 | stable << 7 | self.antidiagonal;
        stable | inner & row & column & diagonal & antidiagonal
    }
}

/// Returns the stable discs of `p` on the four edges.
#[inline(always)]
fn edges(p: u64, o: u64) -> u64 {
    let column = |bits: u64| ((bits & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize;
    let spread = |byte: u64| byte.wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A;
    // The multiplication above carries bit n to square 8n for n up to 6. Bit 7 is added separately.
    let spread = |byte: u64| spread(byte & 127) | (byte & 128) << 49;
    let top = edge((p & ROW_1) as usize, (o & ROW_1) as usize);
    let bottom = edge((p >> 56) as usize, (o >> 56) as usize) << 56;
    let left = spread(edge(column(p), column(o)));
    let right = spread(edge(column(p >> 7), column(o >> 7))) << 7;
    top | bottom | left | right
}

#[inline(always)]
fn edge(p: usize, o: usize) -> u64 {
    let index = TERNARY[p & 255] + 2 * TERNARY[o & 255];
    u64::from(EDGE[usize::from(index) % EDGES])
}

/// The bits of each byte, read as digits of base three.
static TERNARY: [u16; 256] = ternary();

/// For each edge (own disc 1, other disc 2, empty 0, base three), the own discs that stay whatever is played.
static EDGE: [u8; EDGES] = edge_table();

/// Number of edges, rounded up to a power of two so that an index is masked instead of checked.
const EDGES: usize = 3_usize.pow(8).next_power_of_two();

const fn ternary() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut weight) = (0, 1);
        while place < 8 {
            if byte >> place & 1 != 0 {
                table[byte] += weight;
            }
            place += 1;
            weight *= 3;
        }
        byte += 1;
    }
    table
}

/// The stable discs of an edge are those that are stable after each way to fill one of its squares. A full edge comes first,
/// then edges with one empty square, and so on: filling a square changes the index in both directions.
#[allow(long_running_const_eval)]
const fn edge_table() -> [u8; EDGES] {
    let ternary = ternary();
    let mut table = [0; EDGES];
    let mut empties = 0;
    while empties <= 8 {
        let mut discs: usize = 0;
        while discs < 256 {
            if 8 - discs.count_ones() == empties {
                // Each way to color these discs.
                let mut p = discs;
                loop {
                    let o = discs & !p;
                    let index = (ternary[p] + 2 * ternary[o]) as usize;
                    table[index] = stable_on_edge(p, o, &table, &ternary);
                    if p == 0 {
                        break;
                    }
                    p = (p - 1) & discs;
                }
            }
            discs += 1;
        }
        empties += 1;
    }
    table
}

const fn stable_on_edge(p: usize, o: usize, table: &[u8; EDGES], ternary: &[u16; 256]) -> u8 {
    let mut stable = p as u8;
    let mut place = 0;
    while place < 8 && stable != 0 {
        if (p | o) >> place & 1 == 0 {
            let flips = edge_flips(place, p, o);
            let (p1, o1) = (p | 1 << place | flips, o & !flips);
            stable &= table[(ternary[p1] + 2 * ternary[o1]) as usize];
            let flips = edge_flips(place, o, p);
            let (p2, o2) = (p & !flips, o | 1 << place | flips);
            stable &= table[(ternary[p2] + 2 * ternary[o2]) as usize];
        }
        place += 1;
    }
    stable
}

const fn edge_flips(place: usize, p: usize, o: usize) -> usize {
    let mut flips = 0;
    let mut run = 0;
    let mut at = place + 1;
    while at < 8 && o >> at & 1 != 0 {
        run |= 1 << at;
        at += 1;
    }
    if at < 8 && p >> at & 1 != 0 {
        flips |= run;
    }
    run = 0;
    let mut at = place;
    while at > 0 && o >> (at - 1) & 1 != 0 {
        at -= 1;
        run |= 1 << at;
    }
    if at > 0 && p >> (at - 1) & 1 != 0 {
        flips |= run;
    }
    flips
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::samples::random_games;

    /// Every disc found stable must still be there in every position of random games played from there.
    #[test]
    fn no_stable_disc_is_ever_flipped() {
        let (mut found, mut mine, mut theirs) = (0, Bitboard::EMPTY, Bitboard::EMPTY);
        for (board, _) in random_games(1, 2000) {
            if board == Board::START {
                (mine, theirs) = (Bitboard::EMPTY, Bitboard::EMPTY);
            }
            (mine, theirs) = (theirs, mine);
            assert_eq!((mine & board.player, theirs & board.opponent), (mine, theirs), "{board:?}");
            mine = stable(board.player, board.opponent);
            theirs = stable(board.opponent, board.player);
            found += mine.count();
        }
        assert!(found > 100_000, "{found}");
    }
}
