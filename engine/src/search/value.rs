//! Values inside a search, for the mover.
//!
//! The midgame counts in centidiscs, the endgame in whole discs of the final difference. Values can be outside the range of
//! scores: the window of a search and the lowest value are.

use std::ops::{Add, Neg, Sub};

/// A value in hundredths of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Centidiscs(pub(super) i32);

/// A final disc difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Discs(pub(super) i32);

pub(super) trait Value: Copy + Ord + Neg<Output = Self> {
    const LOWEST: Self;

    fn new(number: i32) -> Self;

    fn number(self) -> i32;

    /// Returns the lower end of the null window above this value, as the opponent sees it.
    #[inline(always)]
    fn for_opponent(self) -> Self {
        Self::new(-self.number() - 1)
    }
}

impl Centidiscs {
    /// Returns the number of whole discs, rounded down.
    #[inline(always)]
    pub(super) fn floor(self) -> Discs {
        Discs(self.0.div_euclid(100))
    }
}

impl Add<i32> for Centidiscs {
    type Output = Centidiscs;

    #[inline(always)]
    fn add(self, more: i32) -> Centidiscs {
        Centidiscs(self.0 + more)
    }
}

impl Sub<i32> for Centidiscs {
    type Output = Centidiscs;

    /// Returns the value minus `centidiscs` hundredths of a disc.
    #[inline(always)]
    fn sub(self, less: i32) -> Centidiscs {
        Centidiscs(self.0 - less)
    }
}

impl Sub for Centidiscs {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Centidiscs) -> i32 {
        self.0 - other.0
    }
}

impl From<Discs> for Centidiscs {
    #[inline(always)]
    fn from(discs: Discs) -> Centidiscs {
        Centidiscs(discs.0 * 100)
    }
}

macro_rules! unit {
    ($name:ident) => {
        impl Value for $name {
            // Far enough from the limits to be negated and multiplied by 100.
            const LOWEST: $name = $name(-(1 << 20));

            #[inline(always)]
            fn new(number: i32) -> $name {
                $name(number)
            }

            #[inline(always)]
            fn number(self) -> i32 {
                self.0
            }
        }

        impl Neg for $name {
            type Output = $name;

            #[inline(always)]
            fn neg(self) -> $name {
                $name(-self.0)
            }
        }
    };
}

unit!(Centidiscs);
unit!(Discs);
