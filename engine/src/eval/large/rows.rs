//! The memory of the rows, in large pages if the system has them: an evaluation reads 76 rows from random places.

use super::{LARGE_WIDTH, MOVES_START, ROWS, STATES};
use crate::eval::indices::TABLE_SIZE;
use crate::kernel::Row;

/// The rows that the features add to the sums, by feature index. Unused rows are zero, and take no memory if they are never written.
pub struct Rows(Memory);

#[cfg(all(unix, feature = "huge-pages"))]
type Memory = memmap2::MmapMut;

/// A row does not cross a cache line.
#[cfg(not(all(unix, feature = "huge-pages")))]
struct Memory {
    bytes: Vec<u8>,
    skipped: usize,
}

impl Rows {
    /// Size of all rows in bytes.
    pub(super) const BYTES: usize = ROWS * LARGE_WIDTH;

    pub(super) fn zero() -> Rows {
        let layout = std::alloc::Layout::new::<[u8; Rows::BYTES]>();
        Rows::try_zero().unwrap_or_else(|| std::alloc::handle_alloc_error(layout))
    }

    /// Returns rows of zeros. `None` if there is not enough memory.
    #[cfg(all(unix, feature = "huge-pages"))]
    pub(super) fn try_zero() -> Option<Rows> {
        let memory = memmap2::MmapMut::map_anon(Rows::BYTES).ok()?;
        // Without large pages everything works, more slowly. Miri does not support the call.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Rows(memory))
    }

    /// Returns rows of zeros. `None` if there is not enough memory.
    #[cfg(not(all(unix, feature = "huge-pages")))]
    pub(super) fn try_zero() -> Option<Rows> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(Rows::BYTES + 64).ok()?;
        bytes.resize(Rows::BYTES + 64, 0);
        let skipped = bytes.as_ptr().align_offset(64).min(64);
        Some(Rows(Memory { bytes, skipped }))
    }

    /// Returns a row.
    pub fn get(&self, index: usize) -> [i8; LARGE_WIDTH] {
        self.all()[index].map(|number| number as i8)
    }

    /// Returns a row for writing.
    pub fn set(&mut self, index: usize, row: [i8; LARGE_WIDTH]) {
        let bytes = &mut self.bytes_mut()[index * LARGE_WIDTH..][..LARGE_WIDTH];
        bytes.copy_from_slice(&row.map(|number| number as u8));
    }

    #[inline(always)]
    pub(super) fn of_features(&self) -> &[Row; TABLE_SIZE] {
        self.all()[..TABLE_SIZE].as_array().unwrap_or_else(|| unreachable!("they are that many"))
    }

    #[inline(always)]
    pub(super) fn of_states(&self) -> &[Row; STATES] {
        self.all()[MOVES_START..].as_array().unwrap_or_else(|| unreachable!("they are that many"))
    }

    #[inline(always)]
    fn all(&self) -> &[Row; ROWS] {
        let rows = self.bytes().as_chunks().0;
        rows.try_into().unwrap_or_else(|_| unreachable!("it has that size"))
    }

    #[cfg(all(unix, feature = "huge-pages"))]
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    #[cfg(not(all(unix, feature = "huge-pages")))]
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.0.bytes[self.0.skipped..][..Rows::BYTES]
    }

    #[cfg(all(unix, feature = "huge-pages"))]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    #[cfg(not(all(unix, feature = "huge-pages")))]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0.bytes[self.0.skipped..][..Rows::BYTES]
    }
}

impl Clone for Rows {
    fn clone(&self) -> Rows {
        let mut rows = Rows::zero();
        let whole = rows.bytes_mut().as_chunks_mut::<LARGE_WIDTH>().0;
        for (to, from) in whole.iter_mut().zip(self.all()) {
            // Pages of zeros are not touched.
            if *from != [0; LARGE_WIDTH] {
                *to = *from;
            }
        }
        rows
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Rows) -> bool {
        self.bytes() == other.bytes()
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{ROWS} rows")
    }
}
