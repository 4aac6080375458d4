//! The memory of the transposition table.
//!
//! Large pages are requested if the system has them: a probe goes to a random place, and with small pages most of its time
//! is spent in the page tables.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

/// Zeroed 64-bit words that start on a cache line.
pub(super) struct TableMemory(Memory);

// A raw mapping, since other threads write to the memory. `MmapMut` lends shared bytes, which must not change.
#[cfg(all(unix, feature = "huge-pages"))]
type Memory = memmap2::MmapRaw;
#[cfg(not(all(unix, feature = "huge-pages")))]
type Memory = Box<[[AtomicU64; 8]]>;

impl TableMemory {
    /// Returns `count` zeroed words. `None` if there is not enough memory. `count` is a multiple of eight.
    pub(super) fn new(count: usize) -> Option<TableMemory> {
        TableMemory::allocate(count).map(TableMemory)
    }

    #[cfg(all(unix, feature = "huge-pages"))]
    fn allocate(count: usize) -> Option<Memory> {
        let memory = memmap2::MmapMut::map_anon(count.checked_mul(8)?.max(8)).ok()?;
        let memory = Memory::from(memory);
        // Without large pages everything works, more slowly. Miri does not support the call.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(memory)
    }

    #[cfg(not(all(unix, feature = "huge-pages")))]
    fn allocate(count: usize) -> Option<Memory> {
        bytemuck::try_zeroed_slice_box(count / 8).ok()
    }
}

#[cfg(all(unix, feature = "huge-pages"))]
#[allow(unsafe_code)]
impl Deref for TableMemory {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is writable, page-aligned, `len` bytes long and lives as long as `self`. Any bits are a valid
        // `AtomicU64`. All access goes through such slices.
        unsafe { std::slice::from_raw_parts(self.0.as_mut_ptr().cast::<AtomicU64>(), self.0.len() / 8) }
    }
}

#[cfg(not(all(unix, feature = "huge-pages")))]
impl Deref for TableMemory {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        self.0.as_flattened()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    /// The tests of the table share it among threads.
    #[test]
    fn memory_is_empty_and_on_a_cache_line() {
        let words = TableMemory::new(64).expect("memory");
        assert!(words.len() == 64 && words.iter().all(|word| word.load(Relaxed) == 0));
        let is_aligned = words.as_ptr().addr().is_multiple_of(64);
        assert!(is_aligned || cfg!(not(all(unix, feature = "huge-pages"))));
    }
}
