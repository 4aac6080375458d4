//! An adaptive binary range coder.
//!
//! The arithmetic is that of LZMA (Igor Pavlov's specification, "Range Decoder"). A probability is the mean of a fast and a
//! slow estimate. One trait serves encoding and decoding, so each file format is described once: an encoder gets each bit
//! and returns it, a decoder returns the bit that it reads.

/// Probability of a 0 bit, adapted to the bits of its context.
#[derive(Clone, Copy)]
pub(super) struct BitModel {
    fast: u16,
    slow: u16,
}

/// An encoder or a decoder.
pub(super) trait Coder {
    fn bit(&mut self, chance: &mut BitModel, bit: bool) -> bool;

    /// Codes the lowest `count` bits of a number, with equal probabilities.
    fn raw(&mut self, value: u32, count: u32) -> u32 {
        (0..count).rev().fold(0, |sum, n| {
            let mut even = BitModel::EVEN;
            sum << 1 | u32::from(self.bit(&mut even, value >> n & 1 != 0))
        })
    }
}

pub(super) struct RangeEncoder {
    low: u64,
    range: u32,
    pending: u64,
    cache: u8,
    bytes: Vec<u8>,
}

/// Decodes bytes. After the last byte it reads zeros.
pub(super) struct RangeDecoder<'a> {
    range: u32,
    code: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl BitModel {
    /// Equal probabilities.
    pub(super) const EVEN: BitModel = BitModel { fast: 1 << 15, slow: 1 << 15 };

    /// Returns the bound between 0 and 1 within a range.
    fn bound(self, range: u32) -> u32 {
        // 12 bits of the mean of both estimates, never 0.
        let mean = (u32::from(self.fast) + u32::from(self.slow)) >> 5;
        (range >> 12) * mean.clamp(1, 4095)
    }

    /// Without a branch, which the processor could not predict.
    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        let target = if bit { 0 } else { 65535 };
        self.fast = (i32::from(self.fast) + ((target - i32::from(self.fast)) >> 5)) as u16;
        self.slow = (i32::from(self.slow) + ((target - i32::from(self.slow)) >> 8)) as u16;
    }
}

impl RangeEncoder {
    pub(super) fn new() -> RangeEncoder {
        RangeEncoder { low: 0, range: u32::MAX, pending: 1, cache: 0, bytes: Vec::new() }
    }

    /// Returns the bytes of all bits.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        // The first byte comes from the empty cache.
        self.bytes.split_off(1)
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > 0xffff_ffff {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            for _ in 0..self.pending {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
            }
            self.pending = 0;
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }
}

impl Coder for RangeEncoder {
    fn bit(&mut self, chance: &mut BitModel, bit: bool) -> bool {
        let bound = chance.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

impl<'a> RangeDecoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> RangeDecoder<'a> {
        let mut reader = RangeDecoder { range: u32::MAX, code: 0, bytes: bytes.iter() };
        for _ in 0..4 {
            reader.code = reader.code << 8 | reader.byte();
        }
        reader
    }

    fn byte(&mut self) -> u32 {
        self.bytes.next().copied().unwrap_or(0).into()
    }
}

impl Coder for RangeDecoder<'_> {
    #[inline]
    fn bit(&mut self, chance: &mut BitModel, _: bool) -> bool {
        let bound = chance.bound(self.range);
        let bit = self.code >= bound;
        // Selected without a branch.
        let all = u32::from(bit).wrapping_neg();
        self.code -= bound & all;
        self.range = (self.range - bound) & all | bound & !all;
        chance.learn(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | self.byte();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn bits_come_back() {
        let mut random = Random::new(1);
        let bits: Vec<(usize, bool)> = (0..100_000)
            .map(|_| {
                let context = random.below(3) as usize;
                (context, random.below(256) < [1, 100, 255][context])
            })
            .collect();
        let mut writer = RangeEncoder::new();
        let mut chances = [BitModel::EVEN; 3];
        for &(context, bit) in &bits {
            writer.bit(&mut chances[context], bit);
        }
        writer.raw(12345, 17);
        let bytes = writer.finish();
        let mut reader = RangeDecoder::new(&bytes);
        let mut chances = [BitModel::EVEN; 3];
        for &(context, bit) in &bits {
            assert_eq!(reader.bit(&mut chances[context], false), bit);
        }
        assert_eq!(reader.raw(0, 17), 12345);
        assert!(bytes.len() < 100_000 / 8 / 2, "{}", bytes.len());
    }
}
