//! The memory of the transposition table.
//!
//! Where the system has large pages they are asked for: a probe goes to a random place, and with small pages
//! most of its time is the walk through the page tables.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

/// Zeroed 64-bit words, beginning on a cache line.
pub(super) struct Words(Memory);

#[cfg(unix)]
type Memory = memmap2::MmapMut;
#[cfg(not(unix))]
type Memory = Box<[[AtomicU64; 8]]>;

impl Words {
    /// `count` zeroed words, or nothing when there is no memory for them. `count` is a multiple of eight.
    pub(super) fn new(count: usize) -> Option<Words> {
        Words::allocate(count).map(Words)
    }

    #[cfg(unix)]
    fn allocate(count: usize) -> Option<Memory> {
        let memory = memmap2::MmapMut::map_anon(count.checked_mul(8)?.max(8)).ok()?;
        // Only a wish: without large pages everything works as well, only slower.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(memory)
    }

    #[cfg(not(unix))]
    fn allocate(count: usize) -> Option<Memory> {
        bytemuck::try_zeroed_slice_box(count / 8).ok()
    }
}

#[cfg(unix)]
#[allow(unsafe_code)]
impl Deref for Words {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is page-aligned, `len` bytes long and lives as long as `self`; any bits are a
        // valid `AtomicU64`, and nobody else has access to it.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() / 8) }
    }
}

#[cfg(not(unix))]
impl Deref for Words {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        self.0.as_flattened()
    }
}
