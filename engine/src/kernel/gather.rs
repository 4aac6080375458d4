//! Bits of bitboards gathered into numbers: the lookup of patterns of moves.

/// Numbers that are gathered at once.
pub const GATHERED: usize = 20;
/// Most squares of a number.
const MAX_SQUARES: usize = 9;

/// The bits of all numbers in a bitboard, rounded up to whole vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub(super) struct Bits(pub(super) [u16; GATHERED.next_multiple_of(8)]);

/// The squares of each number. From two bitboards, a number is `base`, plus the bits of its squares in the first bitboard,
/// its first square as the lowest bit, plus then their bits in the second.
///
/// The tables are computed at run time: as constants they would make a page's module larger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gather {
    /// For each byte of a bitboard and each of its values, its part of the numbers.
    pub(super) bytes: Box<[[Bits; 256]; 8]>,
    pub(super) bases: [u32; GATHERED],
    /// The factors for the bits of both bitboards.
    pub(super) factors: [[i16; 2]; GATHERED],
    #[cfg(target_arch = "x86_64")]
    pub(super) squares: Squares,
}

/// The tables for processors that can pick any bits out of a word with one instruction.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Squares {
    /// The squares of each number, sixteen places.
    pub(super) places: [[u8; 16]; GATHERED],
    /// The places in use, four numbers in a word.
    pub(super) used: [u64; GATHERED / 4],
    /// Number of squares of each number.
    pub(super) lengths: [u32; GATHERED],
}

/// The squares of a number.
#[derive(Clone, Copy, Debug)]
pub struct Gathered {
    /// The squares, of which the first `length` are used.
    pub squares: [u8; MAX_SQUARES],
    /// Number of squares.
    pub length: usize,
    /// Added to the number.
    pub base: u32,
}

impl Gathered {
    fn squares(&self) -> &[u8] {
        &self.squares[..self.length]
    }
}

impl Gather {
    /// Returns the tables for numbers of these squares.
    pub fn new(numbers: &[Gathered; GATHERED]) -> Gather {
        let mut bytes = boxed([Bits::default(); 256]);
        for (byte, table) in bytes.iter_mut().enumerate() {
            for (n, number) in numbers.iter().enumerate() {
                for (place, &square) in number.squares().iter().enumerate() {
                    if usize::from(square >> 3) == byte {
                        let with = |&value: &usize| value >> (square & 7) & 1 != 0;
                        (0..256).filter(with).for_each(|value| table[value].0[n] |= 1 << place);
                    }
                }
            }
        }
        Gather {
            bytes,
            bases: numbers.map(|number| number.base),
            factors: numbers.map(|number| [1, 1 << number.length]),
            #[cfg(target_arch = "x86_64")]
            squares: Squares::new(numbers),
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Squares {
    fn new(numbers: &[Gathered; GATHERED]) -> Squares {
        let mut all = Squares {
            places: [[0; 16]; GATHERED],
            used: [0; GATHERED / 4],
            lengths: numbers.map(|number| number.length as u32),
        };
        for (n, number) in numbers.iter().enumerate() {
            for (place, &square) in number.squares().iter().enumerate() {
                all.places[n][place] = square;
                all.used[n / 4] |= 1 << (n % 4 * 16 + place);
            }
        }
        all
    }
}

/// Returns a large array without a copy on the stack.
fn boxed<T: Clone, const N: usize>(each: T) -> Box<[T; N]> {
    vec![each; N].try_into().unwrap_or_else(|_| unreachable!("it has that length"))
}

/// Byte by byte.
#[inline(always)]
pub(super) fn portable(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let bits = |set: u64| {
        let mut all = Bits::default().0;
        for (byte, table) in set.to_le_bytes().into_iter().zip(gather.bytes.iter()) {
            for (bits, given) in all.iter_mut().zip(&table[usize::from(byte)].0) {
                *bits |= given;
            }
        }
        all
    };
    let (first, second) = (bits(first), bits(second));
    let mut numbers = gather.bases;
    for (n, number) in numbers.iter_mut().enumerate() {
        *number += u32::from(first[n]) + u32::from(second[n]) * gather.factors[n][1] as u32;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Kernel, KernelTask, Kernels};
    use crate::random::Random;

    /// Squares in any order, of any number.
    fn any() -> [Gathered; GATHERED] {
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
        numbers
    }

    /// Square by square.
    fn plain(numbers: &[Gathered; GATHERED], first: u64, second: u64) -> [u32; GATHERED] {
        let bit = |set: u64, square: u8| (set >> square & 1) as u32;
        numbers.map(|number| {
            let bits =
                |set| number.squares().iter().rev().fold(0, |bits, &square| 2 * bits + bit(set, square));
            number.base + bits(first) + (bits(second) << number.length)
        })
    }

    /// The pair of bitboards.
    fn boards() -> Vec<(u64, u64)> {
        let mut random = Random::new(6);
        (0..3000).map(|_| (random.bits(), random.bits())).collect()
    }

    struct Results<'a>(&'a Gather);

    impl KernelTask for Results<'_> {
        type Output = Vec<[u32; GATHERED]>;

        fn run<K: Kernels>(self) -> Vec<[u32; GATHERED]> {
            let gathered = |(first, second)| K::run(|| K::gather(self.0, first, second));
            boards().into_iter().map(gathered).collect()
        }
    }

    #[test]
    fn every_kernel_gathers_square_by_square() {
        let numbers = any();
        let expected: Vec<_> =
            boards().into_iter().map(|(first, second)| plain(&numbers, first, second)).collect();
        let gather = Gather::new(&numbers);
        for &kernel in Kernel::available() {
            assert_eq!(kernel.dispatch(Results(&gather)), expected, "{}", kernel.name());
        }
    }

    #[test]
    fn square_is_a_bit_of_its_number() {
        let mut numbers = [Gathered { squares: [0; 9], length: 1, base: 0 }; GATHERED];
        numbers[3] = Gathered { squares: [20, 63, 0, 5, 0, 0, 0, 0, 0], length: 4, base: 1000 };
        let gather = Gather::new(&numbers);
        assert_eq!(portable(&gather, 0, 0)[3], 1000);
        assert_eq!(portable(&gather, 1 << 63 | 1 << 5, 1 << 20 | 1)[3], 1000 + 0b0101_1010);
    }
}
