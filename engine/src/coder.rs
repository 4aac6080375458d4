//! An entropy coder of whole numbers.
//!
//! A number is coded in a context. Each context has its own frequencies of tokens, which are the same for the whole file. The
//! method is a range asymmetric numeral system (Jarek Duda, *Asymmetric numeral systems*, arXiv:1311.2540, 2013). A token is a
//! small number, or the three highest bits of a larger one, whose other bits follow.
//!
//! One trait serves encoding and decoding, so each file format is described once: an encoder gets each number and returns it, a
//! decoder returns the number that it reads.
//!
//! ```text
//! for each context  1       number of tokens
//!                   1 or 2  for each token but the last one: its frequency in 2048ths. If it is 128 or more, the
//!                           first byte is 128 plus its higher bits, the second one its seven lower ones
//! then              4       the first state of the decoder, little-endian as the words
//!                   2 each  words that are appended to the state when it is small
//! ```

/// Bits of a frequency.
const SCALE_BITS: u32 = 11;
/// Sum of the frequencies of a context.
const SCALE: u32 = 1 << SCALE_BITS;
/// Frequencies below this take one byte.
const TWO_BYTES: u16 = 128;
/// Numbers below this are tokens.
const DIRECT_TOKENS: u32 = 16;
/// Number of tokens of all 32-bit numbers.
const MAX_TOKENS: usize = 128;
/// Smallest state between two numbers.
const MIN_STATE: u32 = 1 << 16;

/// An encoder or a decoder.
pub(crate) trait Coder {
    /// Codes a number in one of the contexts.
    fn number(&mut self, context: usize, number: i32) -> i32;

    /// Codes the lowest `count` bits of a number, with equal probabilities.
    fn raw(&mut self, value: u32, count: u32) -> u32;

    /// Codes a number that is not negative.
    fn unsigned(&mut self, context: usize, number: u32) -> u32 {
        zigzag(self.number(context, from_zigzag(number)))
    }
}

/// The states that belong to a token, of each [`SCALE`] states.
#[derive(Clone, Copy, Default)]
struct Span {
    start: u16,
    frequency: u16,
}

/// Collects numbers. They are coded from the last one to the first.
pub(crate) struct Encoder {
    parts: Vec<Part>,
    /// How often each context has each token.
    counts: Vec<[u32; MAX_TOKENS]>,
}

enum Part {
    Token { context: u8, token: u8 },
    Raw { value: u32, bits: u32 },
}

/// Decodes bytes. After the last byte it reads zeros.
pub(crate) struct Decoder<'a> {
    state: u32,
    words: &'a [[u8; 2]],
    /// Number of words that were read.
    read: usize,
    contexts: Vec<Context>,
}

struct Context {
    /// The token of each state.
    tokens: [u8; SCALE as usize],
    spans: [Span; MAX_TOKENS],
}

/// Returns the token of a number, and the number of bits that follow it.
fn token(number: u32) -> (u32, u32) {
    if number < DIRECT_TOKENS {
        return (number, 0);
    }
    let rest = number.ilog2() - 2;
    (DIRECT_TOKENS + ((rest - 2) << 2 | number >> rest & 3), rest)
}

/// 0, -1, 1, -2, 2 and so on as 0, 1, 2, 3, 4.
fn zigzag(number: i32) -> u32 {
    (number << 1 ^ number >> 31) as u32
}

fn from_zigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

impl Encoder {
    pub(crate) fn new(contexts: usize) -> Encoder {
        Encoder { parts: Vec::new(), counts: vec![[0; MAX_TOKENS]; contexts] }
    }

    /// Returns the bytes of all numbers.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut contexts = Vec::new();
        for counts in &self.counts {
            let frequencies = frequencies(counts);
            bytes.push(frequencies.len() as u8);
            let (_, stated) = frequencies.split_last().unwrap_or((&0, &[]));
            for &frequency in stated {
                bytes.extend((frequency >= TWO_BYTES).then_some((TWO_BYTES | frequency >> 7) as u8));
                bytes.push((frequency % TWO_BYTES) as u8);
            }
            contexts.push(Context::of(stated.iter().copied()));
        }
        let mut words = Vec::new();
        let mut state = MIN_STATE;
        // Before a part, the state must be so small that it fits into 32 bits after it.
        let mut shrink = |state: &mut u32, frequency: u32| {
            if u64::from(*state) >= u64::from(frequency) << (32 - SCALE_BITS) {
                words.push(*state as u16);
                *state >>= 16;
            }
        };
        for part in self.parts.iter().rev() {
            match *part {
                Part::Token { context, token } => {
                    let Span { start, frequency } = contexts[usize::from(context)].spans[usize::from(token)];
                    let frequency = u32::from(frequency);
                    shrink(&mut state, frequency);
                    state = ((state / frequency) << SCALE_BITS) + state % frequency + u32::from(start);
                }
                Part::Raw { value, bits } => {
                    shrink(&mut state, SCALE >> bits);
                    state = state << bits | value;
                }
            }
        }
        bytes.extend(state.to_le_bytes());
        bytes.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
        bytes
    }
}

/// Returns frequencies in proportion to counts, at least 1 for each token that occurs.
fn frequencies(counts: &[u32; MAX_TOKENS]) -> Vec<u16> {
    let used = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    let all: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let scaled = |&count: &u32| match count {
        0 => 0,
        count => ((u64::from(count) * u64::from(SCALE) + all / 2) / all).max(1) as u32,
    };
    let mut found: Vec<u32> = counts[..used].iter().map(scaled).collect();
    // The most frequent tokens make up for the rounding.
    loop {
        let sum: u32 = found.iter().sum();
        match found.iter_mut().max() {
            Some(most) if sum > SCALE => *most -= 1,
            Some(most) if sum < SCALE => *most += 1,
            _ => break,
        }
    }
    found.into_iter().map(|frequency| frequency as u16).collect()
}

impl Coder for Encoder {
    fn number(&mut self, context: usize, number: i32) -> i32 {
        let folded = zigzag(number);
        let (token, rest) = token(folded);
        self.counts[context][token as usize] += 1;
        self.parts.push(Part::Token { context: context as u8, token: token as u8 });
        self.raw(folded & ((1 << rest) - 1), rest);
        number
    }

    fn raw(&mut self, value: u32, count: u32) -> u32 {
        for from in (0..count).step_by(SCALE_BITS as usize) {
            let bits = (count - from).min(SCALE_BITS);
            self.parts.push(Part::Raw { value: value >> from & ((1 << bits) - 1), bits });
        }
        value
    }
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8], contexts: usize) -> Decoder<'a> {
        let mut rest = bytes.iter();
        let mut byte = || u16::from(rest.next().copied().unwrap_or(0));
        let contexts = (0..contexts).map(|_| {
            let tokens = usize::from(byte()).clamp(1, MAX_TOKENS);
            Context::of((1..tokens).map(|_| match byte() {
                high @ TWO_BYTES.. => (high % TWO_BYTES) << 7 | byte(),
                frequency => frequency,
            }))
        });
        let contexts = contexts.collect();
        let (state, words) = rest.as_slice().split_first_chunk().unwrap_or((&[0; 4], &[]));
        Decoder { state: u32::from_le_bytes(*state), words: words.as_chunks().0, read: 0, contexts }
    }

    /// Appends a word to the state if it is small. Without a branch, which the processor could not predict.
    #[inline(always)]
    fn fill(&mut self) {
        let word = self.words.get(self.read).map_or(0, |&word| u16::from_le_bytes(word));
        let is_small = self.state < MIN_STATE;
        let filled = self.state << 16 | u32::from(word);
        self.state = std::hint::select_unpredictable(is_small, filled, self.state);
        self.read += usize::from(is_small);
    }
}

impl Context {
    /// `stated` are the frequencies of all tokens but the last one, which has the rest of [`SCALE`].
    fn of(stated: impl Iterator<Item = u16>) -> Context {
        let mut context = Context { tokens: [0; SCALE as usize], spans: [Span::default(); MAX_TOKENS] };
        let mut start = 0;
        for (token, frequency) in stated.chain([SCALE as u16]).enumerate() {
            let frequency = frequency.min(SCALE as u16 - start);
            context.tokens[usize::from(start)..usize::from(start + frequency)].fill(token as u8);
            context.spans[token] = Span { start, frequency };
            start += frequency;
        }
        context
    }
}

impl Coder for Decoder<'_> {
    #[inline(always)]
    fn number(&mut self, context: usize, _: i32) -> i32 {
        let Context { tokens, spans } = &self.contexts[context];
        let place = self.state % SCALE;
        let token = u32::from(tokens[place as usize]);
        let Span { start, frequency } = spans[token as usize % MAX_TOKENS];
        self.state = u32::from(frequency) * (self.state >> SCALE_BITS) + place - u32::from(start);
        self.fill();
        if token < DIRECT_TOKENS {
            return from_zigzag(token);
        }
        let rest = 2 + ((token - DIRECT_TOKENS) >> 2);
        let high = 4 | (token & 3);
        from_zigzag(high << rest | self.raw(0, rest))
    }

    fn raw(&mut self, _: u32, count: u32) -> u32 {
        let mut value = 0;
        for from in (0..count).step_by(SCALE_BITS as usize) {
            let bits = (count - from).min(SCALE_BITS);
            value |= (self.state & ((1 << bits) - 1)) << from;
            self.state >>= bits;
            self.fill();
        }
        value
    }
}

/// FNV-1a (Fowler, Noll and Vo) with 64 bits. For numbers larger than a byte it is a variant.
pub(crate) fn fnv1a(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0xcbf2_9ce4_8422_2325, |sum, number| (sum ^ number).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Returns the checksum of a file.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    fnv1a(bytes.iter().map(|&byte| u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn numbers_come_back() {
        let mut random = Random::new(1);
        let numbers: Vec<(usize, i32)> = (0..100_000)
            .map(|_| {
                let context = random.below(3) as usize;
                let bits = [1, 3, 32][context];
                (context, (random.below(1 << 16) << 16 | random.below(1 << 16)) as i32 >> (32 - bits))
            })
            .chain([i32::MIN, i32::MAX, 0, -1, 7, 8, -8, -9].map(|number| (3, number)))
            .collect();
        let mut writer = Encoder::new(4);
        for &(context, number) in &numbers {
            writer.number(context, number);
        }
        writer.raw(12345, 17);
        let bytes = writer.finish();
        let mut reader = Decoder::new(&bytes, 4);
        for &(context, number) in &numbers {
            assert_eq!(reader.number(context, 0), number);
        }
        assert_eq!(reader.raw(0, 17), 12345);
        let bits = 100_000 / 3 * (1 + 3 + 32);
        assert!(bytes.len() < bits / 8 + 3000, "{}", bytes.len());
    }
}
