//! The memory of the rows, in large pages where the system has them: an evaluation reads 76 of them from all over.

use super::{LARGE_WIDTH, MOVES_START, ROWS, STATES};
use crate::eval::indices::TABLE_SIZE;
use crate::kernel::Row;

/// What each feature adds to the sums, by its index. Those of no feature are zero, and take no memory where they are
/// never written to.
pub struct Rows(Memory);

#[cfg(unix)]
type Memory = memmap2::MmapMut;

/// Rows do not lie across the border of a cache line.
#[cfg(not(unix))]
struct Memory {
    bytes: Vec<u8>,
    skipped: usize,
}

impl Rows {
    /// Bytes of all rows.
    pub(super) const BYTES: usize = ROWS * LARGE_WIDTH;

    /// Rows of zeros.
    pub(super) fn zero() -> Rows {
        let layout = std::alloc::Layout::new::<[u8; Rows::BYTES]>();
        Rows::try_zero().unwrap_or_else(|| std::alloc::handle_alloc_error(layout))
    }

    /// Rows of zeros, where there is memory for them.
    #[cfg(unix)]
    pub(super) fn try_zero() -> Option<Rows> {
        let memory = memmap2::MmapMut::map_anon(Rows::BYTES).ok()?;
        // Only a wish: without large pages everything works as well, only slower. Miri does not know it.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Rows(memory))
    }

    /// Rows of zeros, where there is memory for them.
    #[cfg(not(unix))]
    pub(super) fn try_zero() -> Option<Rows> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(Rows::BYTES + 64).ok()?;
        bytes.resize(Rows::BYTES + 64, 0);
        let skipped = bytes.as_ptr().align_offset(64).min(64);
        Some(Rows(Memory { bytes, skipped }))
    }

    /// A row.
    pub fn get(&self, index: usize) -> [i8; LARGE_WIDTH] {
        self.all()[index].map(|number| number as i8)
    }

    /// Changes a row.
    pub fn set(&mut self, index: usize, row: [i8; LARGE_WIDTH]) {
        let bytes = &mut self.bytes_mut()[index * LARGE_WIDTH..][..LARGE_WIDTH];
        bytes.copy_from_slice(&row.map(|number| number as u8));
    }

    /// The rows of the features.
    #[inline(always)]
    pub(super) fn of_features(&self) -> &[Row; TABLE_SIZE] {
        self.all()[..TABLE_SIZE].as_array().unwrap_or_else(|| unreachable!("they are that many"))
    }

    /// The rows of the states of the patterns of moves.
    #[inline(always)]
    pub(super) fn of_states(&self) -> &[Row; STATES] {
        self.all()[MOVES_START..].as_array().unwrap_or_else(|| unreachable!("they are that many"))
    }

    /// All rows.
    #[inline(always)]
    fn all(&self) -> &[Row; ROWS] {
        let rows = self.bytes().as_chunks().0;
        rows.try_into().unwrap_or_else(|_| unreachable!("it has that size"))
    }

    #[cfg(unix)]
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    #[cfg(not(unix))]
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.0.bytes[self.0.skipped..][..Rows::BYTES]
    }

    #[cfg(unix)]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    #[cfg(not(unix))]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0.bytes[self.0.skipped..][..Rows::BYTES]
    }
}

impl Clone for Rows {
    fn clone(&self) -> Rows {
        let mut rows = Rows::zero();
        let whole = rows.bytes_mut().as_chunks_mut::<LARGE_WIDTH>().0;
        for (to, from) in whole.iter_mut().zip(self.all()) {
            // Pages of zeros stay untouched.
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
