//! Random numbers that are equal on every machine: SplitMix64 (Steele, Lea and Flood, *Fast splittable
//! pseudorandom number generators*, 2014).
//!
//! Self-play, the openings of matches and tests use them. No search does.

/// A generator. Equal seeds give equal numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The step of the counter: the fraction of the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// Makes the generator of a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Makes a separate generator for every pair of numbers.
    pub const fn of_stream(seed: u64, stream: u64) -> Random {
        Random((seed ^ scatter(stream.wrapping_add(STEP))).wrapping_add(STEP))
    }

    /// Returns 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        scatter(self.0)
    }

    /// Returns a number below `limit`. 0 if `limit` is 0.
    pub const fn below(&mut self, limit: u32) -> u32 {
        ((self.bits() as u128 * limit as u128) >> 64) as u32
    }

    /// Returns a number of at least 0 and less than 1.
    pub const fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }
}

/// Mixes the bits of a number. Different numbers have different results.
pub const fn scatter(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
