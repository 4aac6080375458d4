//! The squares of the rays from each square.

/// Columns b to g: a run of flipped discs along a row or a diagonal has no disc on an edge column.
pub(super) const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Row and column steps of the four rays towards higher squares: right, down, down-right, down-left.
/// The rays towards lower squares are their opposites.
const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// For each square the four rays towards higher squares, without the square itself, in the order right,
/// down, down-right, down-left.
#[repr(align(32))]
pub(super) struct Rays(pub(super) [[u64; 4]; 64]);

pub(super) static UP: Rays = Rays(rays(1));
/// The rays towards lower squares: left, up, up-left, up-right.
pub(super) static DOWN: Rays = Rays(rays(-1));

const fn rays(sign: i32) -> [[u64; 4]; 64] {
    let mut all = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (rows, columns) = STEPS[direction];
            let mut row = square as i32 / 8 + sign * rows;
            let mut column = square as i32 % 8 + sign * columns;
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                all[square][direction] |= 1 << (row * 8 + column);
                row += sign * rows;
                column += sign * columns;
            }
            direction += 1;
        }
        square += 1;
    }
    all
}
