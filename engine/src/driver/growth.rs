//! A table that grows with its searches: one that is over soon needs little memory.

use crate::search::{HashSize, Search, SearchConfig};

/// How the table grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableGrowth {
    /// The most memory for the table at the start.
    pub first: HashSize,
    /// Nodes of one search after which the table is made as large as it may be.
    pub after: u64,
}

impl TableGrowth {
    /// The table has its size from the start.
    pub const NONE: TableGrowth = TableGrowth { first: HashSize(u32::MAX), after: u64::MAX };
}

/// A search and the size its table may grow to.
#[derive(Debug)]
pub(super) struct GrowableSearch {
    pub(super) search: Search,
    growth: TableGrowth,
    /// The table's size once a search turns out to be long.
    most: HashSize,
}

impl GrowableSearch {
    /// An idle search, whose table may grow to the size in `config`.
    pub(super) fn new(config: SearchConfig, growth: TableGrowth) -> GrowableSearch {
        let most = config.hash;
        let search = Search::new(SearchConfig { hash: most.min(growth.first), ..config });
        GrowableSearch { search, growth, most }
    }

    /// The size the table has, where that is less than what it was to have by now.
    pub(super) fn shortage(&self) -> Option<HashSize> {
        let size = self.search.hash_size();
        (size < self.most.min(self.growth.first)).then_some(size)
    }

    /// Nodes of a search after which the table is to grow, if it is.
    pub(super) fn grows_after(&self) -> Option<u64> {
        (self.search.hash_size() < self.most).then_some(self.growth.after)
    }

    /// Makes the table of a suspended search as large as it may be. Where memory is short, what there was to be had has
    /// to do from now on: that is returned.
    pub(super) fn grow(&mut self) -> Option<HashSize> {
        self.search.grow(self.most);
        let size = self.search.hash_size();
        let short = (size < self.most).then_some(size);
        self.most = size;
        short
    }

    /// Changes the size at once: whoever names one wants it. Where memory is short, what it became is returned.
    pub(super) fn resize(&mut self, hash: HashSize) -> Option<HashSize> {
        self.search.resize(hash);
        let size = self.search.hash_size();
        self.most = size;
        (size < hash).then_some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(hash: u32) -> SearchConfig {
        SearchConfig { hash: HashSize(hash), ..SearchConfig::default() }
    }

    #[test]
    fn the_table_grows_once_and_never_beyond_what_it_may_be() {
        let mut table = GrowableSearch::new(config(5), TableGrowth { first: HashSize(2), after: 7 });
        assert_eq!((table.search.hash_size(), table.grows_after()), (HashSize(2), Some(7)));
        assert_eq!((table.shortage(), table.grow()), (None, None));
        assert_eq!((table.search.hash_size(), table.grows_after()), (HashSize(5), None));
        assert_eq!(table.resize(HashSize(3)), None);
        assert_eq!((table.search.hash_size(), table.grows_after()), (HashSize(3), None));
        let fixed = GrowableSearch::new(config(5), TableGrowth::NONE);
        assert_eq!((fixed.search.hash_size(), fixed.grows_after()), (HashSize(5), None));
    }
}
