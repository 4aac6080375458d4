//! Bits of bitboards gathered into numbers: what patterns of moves look up.

/// Numbers that are gathered at once.
pub const GATHERED: usize = 20;
/// Most squares of a number.
const MOST_SQUARES: usize = 9;
/// Numbers whose squares one vector holds, sixteen for each.
const TOGETHER: usize = 4;

/// Which squares make up each number: from two bitboards comes `base`, more by what the squares hold in the first of
/// them, its first square the lowest bit, and then by what they hold in the second.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Gather {
    /// For each number its squares, sixteen places.
    pub(super) squares: [[u8; 16]; GATHERED],
    /// The places that are in use, four numbers in a word.
    pub(super) used: [u64; GATHERED / TOGETHER],
    pub(super) bases: [u32; GATHERED],
    /// How many squares a number has.
    pub(super) lengths: [u32; GATHERED],
    /// The squares as bitboards.
    pub(super) masks: [u64; GATHERED],
    /// For the bits of the squares in the order of the board: the same in the order of the number.
    pub(super) orders: [[u16; 1 << MOST_SQUARES]; GATHERED],
}

/// The squares of a number.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    /// The squares, of which the first `length` count.
    pub squares: [u8; MOST_SQUARES],
    /// How many they are.
    pub length: usize,
    /// What is added to the number.
    pub base: u32,
}

impl Gather {
    /// Numbers of these squares.
    pub const fn new(numbers: &[Gathered; GATHERED]) -> Gather {
        let mut gather = Gather {
            squares: [[0; 16]; GATHERED],
            used: [0; GATHERED / TOGETHER],
            bases: [0; GATHERED],
            lengths: [0; GATHERED],
            masks: [0; GATHERED],
            orders: [[0; 1 << MOST_SQUARES]; GATHERED],
        };
        let mut n = 0;
        while n < GATHERED {
            let Gathered { squares, length, base } = numbers[n];
            gather.bases[n] = base;
            gather.lengths[n] = length as u32;
            let mut place = 0;
            while place < length {
                gather.squares[n][place] = squares[place];
                gather.used[n / TOGETHER] |= 1 << (n % TOGETHER * 16 + place);
                gather.masks[n] |= 1 << squares[place];
                place += 1;
            }
            // The lowest bit of a state leads to a state that is known, and one bit more.
            let mut state = 1_usize;
            while state < 1 << length {
                let square = nth(gather.masks[n], state.trailing_zeros());
                gather.orders[n][state] =
                    gather.orders[n][state & (state - 1)] | 1 << position(&squares, square);
                state += 1;
            }
            n += 1;
        }
        gather
    }
}

/// The square number `n` of a set.
const fn nth(mut set: u64, n: u32) -> u8 {
    let mut before = 0;
    while before < n {
        set &= set - 1;
        before += 1;
    }
    set.trailing_zeros() as u8
}

const fn position(squares: &[u8; MOST_SQUARES], square: u8) -> usize {
    let mut place = 0;
    while squares[place] != square {
        place += 1;
    }
    place
}

/// Square by square.
#[inline(always)]
pub(super) fn portable(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let mut numbers = gather.bases;
    for (n, number) in numbers.iter_mut().enumerate() {
        let length = gather.lengths[n];
        for (place, &square) in (0..length).zip(&gather.squares[n]) {
            let (one, other) = ((first >> square) as u32 & 1, (second >> square) as u32 & 1);
            *number += one << place | other << (length + place);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelTask, Kernels};
    use crate::random::Random;

    /// Squares in any order, of any number.
    fn any() -> Gather {
        let mut random = Random::new(5);
        let mut numbers = [Gathered { squares: [0; 9], length: 0, base: 0 }; GATHERED];
        for (n, number) in numbers.iter_mut().enumerate() {
            number.length = n % 9 + 1;
            number.base = random.below(1 << 20);
            let mut left: Vec<u8> = (0..64).collect();
            for square in &mut number.squares {
                *square = left.swap_remove(random.below(left.len() as u32) as usize);
            }
        }
        Gather::new(&numbers)
    }

    struct Results<'a>(&'a Gather);

    impl KernelTask for Results<'_> {
        type Output = Vec<[u32; GATHERED]>;

        fn run<K: Kernels>(self) -> Vec<[u32; GATHERED]> {
            let mut random = Random::new(6);
            (0..3000)
                .map(|_| {
                    let (first, second) = (random.bits(), random.bits());
                    K::run(|| K::gather(self.0, first, second))
                })
                .collect()
        }
    }

    #[test]
    fn all_kernels_agree() {
        let gather = any();
        let expected = Kernel::Portable.dispatch(Results(&gather));
        for &kernel in Kernel::available() {
            assert_eq!(kernel.dispatch(Results(&gather)), expected, "{}", kernel.name());
        }
    }

    #[test]
    fn a_square_is_a_bit_of_its_number() {
        let mut numbers = [Gathered { squares: [0; 9], length: 1, base: 0 }; GATHERED];
        numbers[3] = Gathered { squares: [20, 63, 0, 5, 0, 0, 0, 0, 0], length: 4, base: 1000 };
        let gather = Gather::new(&numbers);
        assert_eq!(portable(&gather, 0, 0)[3], 1000);
        assert_eq!(portable(&gather, 1 << 63 | 1 << 5, 1 << 20 | 1)[3], 1000 + 0b0101_1010);
    }
}
