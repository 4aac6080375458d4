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

/// A vector of eight words.
pub(super) trait Eight: Copy {
    const ZERO: Self;

    fn or(self, words: &[u16; 8]) -> Self;

    /// Adds the products of four words of each vector, from `4 * half`, with their factors to the numbers.
    fn add(numbers: &mut [u32; 4], first: Self, second: Self, half: usize, factors: &[[i16; 2]; 4]);
}

impl Eight for [u16; 8] {
    const ZERO: Self = [0; 8];

    #[inline(always)]
    fn or(self, words: &[u16; 8]) -> Self {
        std::array::from_fn(|n| self[n] | words[n])
    }

    #[inline(always)]
    fn add(numbers: &mut [u32; 4], first: Self, second: Self, half: usize, factors: &[[i16; 2]; 4]) {
        for (n, number) in numbers.iter_mut().enumerate() {
            let [first, second] = [first, second].map(|words| u32::from(words[4 * half + n]));
            *number += first + second * factors[n][1] as u32;
        }
    }
}

/// Byte by byte, with tables of three vectors.
#[inline(always)]
pub(super) fn gather<V: Eight>(gather: &Gather, first: u64, second: u64) -> [u32; GATHERED] {
    let bits = |set: u64| {
        let mut all = [V::ZERO; 3];
        for (byte, table) in set.to_le_bytes().into_iter().zip(gather.bytes.iter()) {
            for (bits, given) in all.iter_mut().zip(table[usize::from(byte)].0.as_chunks().0) {
                *bits = bits.or(given);
            }
        }
        all
    };
    let (first, second) = (bits(first), bits(second));
    let mut numbers = gather.bases;
    let fours = numbers.as_chunks_mut().0.iter_mut().zip(gather.factors.as_chunks().0);
    for (n, (numbers, factors)) in fours.enumerate() {
        V::add(numbers, first[n / 2], second[n / 2], n % 2, factors);
    }
    numbers
}
