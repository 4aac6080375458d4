//! The memory of the rows, in large pages if the system has them: an evaluation reads up to 76 rows from random places.

use super::Network;
use super::indices::TABLE_SIZE;
use super::moves::{MOVE_PATTERNS, move_start};
use crate::kernel::Row;

/// Index of the first state of the patterns of moves. The feature indices ([`super::indices`]) come before.
pub(super) const MOVES_START: usize = TABLE_SIZE;
/// Number of states of the patterns of moves, rounded up so that a state is masked instead of checked.
const STATES: usize = move_start(MOVE_PATTERNS.len()).next_power_of_two();

/// The rows that the features add to the sums, by feature index. Unused rows are zero, and take no memory if they are never written.
pub struct Rows<const WIDTH: usize>(Memory);

#[cfg(all(unix, feature = "huge-pages"))]
type Memory = memmap2::MmapMut;

/// A row does not cross a cache line.
#[cfg(not(all(unix, feature = "huge-pages")))]
struct Memory {
    bytes: Vec<u8>,
    skipped: usize,
}

impl<const WIDTH: usize> Rows<WIDTH> {
    /// Number of rows, including unused ones.
    pub const COUNT: usize =
        MOVES_START + if Network::<WIDTH>::MOVE_PATTERNS.is_empty() { 0 } else { STATES };
    /// Size of all rows in bytes.
    pub(super) const BYTES: usize = Self::COUNT * WIDTH;

    pub(super) fn zero() -> Rows<WIDTH> {
        let failed = || std::alloc::handle_alloc_error(std::alloc::Layout::new::<Network<WIDTH>>());
        Rows::try_zero().unwrap_or_else(failed)
    }

    /// Returns rows of zeros. `None` if there is not enough memory.
    #[cfg(all(unix, feature = "huge-pages"))]
    pub(super) fn try_zero() -> Option<Rows<WIDTH>> {
        let memory = memmap2::MmapMut::map_anon(Self::BYTES).ok()?;
        // Without large pages everything works, more slowly. Miri does not support the call.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Rows(memory))
    }

    /// Returns rows of zeros. `None` if there is not enough memory.
    #[cfg(not(all(unix, feature = "huge-pages")))]
    pub(super) fn try_zero() -> Option<Rows<WIDTH>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(Self::BYTES + 64).ok()?;
        bytes.resize(Self::BYTES + 64, 0);
        let skipped = bytes.as_ptr().align_offset(64).min(64);
        Some(Rows(Memory { bytes, skipped }))
    }

    /// Returns a row.
    pub fn get(&self, index: usize) -> [i8; WIDTH] {
        self.all()[index].map(|number| number as i8)
    }

    /// Returns a row for writing.
    pub fn set(&mut self, index: usize, row: [i8; WIDTH]) {
        let bytes = &mut self.bytes_mut()[index * WIDTH..][..WIDTH];
        bytes.copy_from_slice(&row.map(|number| number as u8));
    }

    #[inline(always)]
    pub(super) fn of_features(&self) -> &[Row<WIDTH>; TABLE_SIZE] {
        self.all().first_chunk().unwrap_or_else(|| unreachable!("they are that many"))
    }

    #[inline(always)]
    pub(super) fn of_states(&self) -> &[Row<WIDTH>; STATES] {
        self.all()[MOVES_START..].first_chunk().unwrap_or_else(|| unreachable!("they are that many"))
    }

    #[inline(always)]
    fn all(&self) -> &[Row<WIDTH>] {
        self.bytes().as_chunks().0
    }

    #[cfg(all(unix, feature = "huge-pages"))]
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    #[cfg(not(all(unix, feature = "huge-pages")))]
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.0.bytes[self.0.skipped..][..Self::BYTES]
    }

    #[cfg(all(unix, feature = "huge-pages"))]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    #[cfg(not(all(unix, feature = "huge-pages")))]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0.bytes[self.0.skipped..][..Self::BYTES]
    }
}

impl<const WIDTH: usize> Clone for Rows<WIDTH> {
    fn clone(&self) -> Rows<WIDTH> {
        let mut rows = Rows::zero();
        let whole = rows.bytes_mut().as_chunks_mut::<WIDTH>().0;
        for (to, from) in whole.iter_mut().zip(self.all()) {
            // Pages of zeros are not touched.
            if *from != [0; WIDTH] {
                *to = *from;
            }
        }
        rows
    }
}

impl<const WIDTH: usize> PartialEq for Rows<WIDTH> {
    fn eq(&self, other: &Rows<WIDTH>) -> bool {
        self.bytes() == other.bytes()
    }
}

impl<const WIDTH: usize> std::fmt::Debug for Rows<WIDTH> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} rows", Self::COUNT)
    }
}
