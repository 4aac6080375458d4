//! A transposition table that grows: a short search needs little memory.

use crate::search::{HashSize, Search, SearchConfig};

/// When the table grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableGrowth {
    /// Largest size of the table at the start.
    pub first: HashSize,
    /// Number of nodes of one search after which the table gets its full size.
    pub after: u64,
}

impl TableGrowth {
    /// The table has its full size from the start.
    pub const NONE: TableGrowth = TableGrowth { first: HashSize(u32::MAX), after: u64::MAX };
}

#[derive(Debug)]
pub(super) struct GrowableSearch {
    pub(super) search: Search,
    growth: TableGrowth,
    full_size: HashSize,
}

impl GrowableSearch {
    /// Returns an idle search. `config` contains the full size of the table.
    pub(super) fn new(config: SearchConfig, growth: TableGrowth) -> GrowableSearch {
        let full_size = config.hash;
        let search = Search::new(SearchConfig { hash: full_size.min(growth.first), ..config });
        GrowableSearch { search, growth, full_size }
    }

    /// Returns the table size if memory ran short and the table is smaller than requested; `None` otherwise.
    pub(super) fn shortage(&self) -> Option<HashSize> {
        let size = self.search.hash_size();
        (size < self.full_size.min(self.growth.first)).then_some(size)
    }

    /// Returns the number of nodes of a search after which the table grows. `None` if it has its full size.
    pub(super) fn grows_after(&self) -> Option<u64> {
        (self.search.hash_size() < self.full_size).then_some(self.growth.after)
    }

    /// Gives the table of a suspended search its full size. If memory is short, returns the size that was possible, which is
    /// the full size from then on.
    pub(super) fn grow(&mut self) -> Option<HashSize> {
        self.search.grow(self.full_size);
        let size = self.search.hash_size();
        let short = (size < self.full_size).then_some(size);
        self.full_size = size;
        short
    }

    /// Empties all tables and gives the transposition table its full size: the searches that follow visit the nodes of a host whose
    /// table does not grow. If memory is short, returns the size that was possible.
    pub(super) fn clear(&mut self) -> Option<HashSize> {
        let short = self.grows_after().and_then(|_| self.resize(self.full_size));
        self.search.clear();
        short
    }

    /// Changes the size of the table at once. If memory is short, returns the size that was possible.
    pub(super) fn resize(&mut self, hash: HashSize) -> Option<HashSize> {
        self.search.resize(hash);
        self.full_size = self.search.hash_size();
        (self.full_size < hash).then_some(self.full_size)
    }
}
