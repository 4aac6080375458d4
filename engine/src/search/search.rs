//! The search, as its callers see it.

use std::sync::Arc;

use super::root::{Root, RootEnd};
use super::table::{Entry, HashSize, Key, Table, ThreadTables};
use super::threads::{Helper, Pool};
use super::worker::{Shared, Worker};
use super::{Decision, Monitor, SearchRequest};
use crate::board::{Position, Square};
use crate::eval::{Evaluator, NetworkSize};
use crate::kernel::{Kernel, KernelTask, Kernels};
use crate::score::{Confidence, Score};

/// The configuration of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchConfig {
    /// Size of the transposition table.
    pub hash: HashSize,
    /// The kernels.
    pub kernel: Kernel,
    /// The static evaluation.
    pub evaluator: Evaluator,
}

/// Bounds from elsewhere, such as Cassio's `feed-hash`. The search uses them when it reaches the position.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalBounds {
    /// The position.
    pub position: Position,
    /// The value is at least this.
    pub lower: Score,
    /// The value is at most this.
    pub upper: Score,
    /// Depth in plies.
    pub depth: super::Depth,
    /// Confidence of the bounds.
    pub confidence: Confidence,
    /// The best move, if it is known.
    pub best: Option<Square>,
}

/// Returned by [`Search::run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a suspended search has no answer yet"]
pub enum Progress {
    /// The search has ended. The last report was its answer.
    Finished,
    /// The monitor has suspended the search. Run it again to continue.
    Suspended,
}

/// A search: the transposition table and at most one request.
#[derive(Debug)]
pub struct Search {
    kernel: Kernel,
    shared: Arc<Shared>,
    /// The tables of the thread that owns the search.
    tables: ThreadTables,
    root: Option<Root>,
}

impl Search {
    /// Returns a search with an empty table. If there is too little memory, the size of the table is halved until it fits:
    /// see [`Search::hash_size`].
    pub fn new(config: SearchConfig) -> Search {
        let shared = Shared {
            table: Table::new(config.hash),
            evaluator: config.evaluator,
            pool: Arc::new(Pool::default()),
        };
        Search { kernel: config.kernel, shared: Arc::new(shared), tables: ThreadTables::new(), root: None }
    }

    /// Returns the network in use.
    pub fn network(&self) -> NetworkSize {
        self.shared.evaluator.network()
    }

    /// Returns the size of the table.
    pub fn hash_size(&self) -> HashSize {
        self.shared.table.size()
    }

    /// Touches part `part` (from 0) of the memory of the table, unless it was used before. Some systems provide memory so
    /// slowly that a search should not wait for it. Returns `false` if there is no such part.
    pub fn touch(&self, part: usize) -> bool {
        self.shared.table.touch(part)
    }

    /// Replaces the table by an empty one of another size, as [`Search::new`] does.
    pub fn resize(&mut self, hash: HashSize) {
        let evaluator = self.shared.evaluator.clone();
        let pool = Arc::clone(&self.shared.pool);
        // The old table is freed first: both together might not fit.
        self.shared = Arc::new(Shared {
            table: Table::new(HashSize(0)),
            evaluator: evaluator.clone(),
            pool: Arc::clone(&pool),
        });
        self.shared = Arc::new(Shared { table: Table::new(hash), evaluator, pool });
    }

    /// Replaces the table by a larger one with the same content. A suspended search continues as before.
    pub fn grow(&mut self, hash: HashSize) {
        let table = Table::new(hash);
        table.take_over(&self.shared.table);
        let (evaluator, pool) = (self.shared.evaluator.clone(), Arc::clone(&self.shared.pool));
        self.shared = Arc::new(Shared { table, evaluator, pool });
    }

    /// Empties all tables.
    pub fn clear(&mut self) {
        self.shared.table.clear();
        self.tables = ThreadTables::new();
    }

    /// Stores bounds in the table.
    pub fn add_bounds(&mut self, bounds: &ExternalBounds) {
        let board = bounds.position.board();
        let to_the_end = bounds.depth.plies() >= board.empties();
        let (mut lower, mut upper) = (bounds.lower.centidiscs(), bounds.upper.centidiscs());
        if to_the_end {
            // Final scores are whole discs. Round outward, so that the bounds claim no more than before.
            lower = lower.div_euclid(100) * 100;
            upper = -(-upper).div_euclid(100) * 100;
        }
        if lower > upper {
            return;
        }
        let legal = board.moves();
        self.shared.table.insert(
            Key::of(board),
            Entry {
                lower: lower as i16,
                upper: upper as i16,
                depth: bounds.depth.plies().min(board.empties()) as u8,
                confidence: bounds.confidence,
                moves: [bounds.best.filter(|&best| legal.contains(best)), None],
            },
        );
    }

    /// Returns a handle for a helper thread: see [`Helper::help`].
    pub fn helper(&self) -> Helper {
        Helper::of(&self.shared.pool)
    }

    /// Makes every [`Helper::help`] of this search return. Handles returned later work again.
    pub fn close_helpers(&mut self) {
        self.shared.pool.close();
        let evaluator = self.shared.evaluator.clone();
        let pool = Arc::new(Pool::default());
        match Arc::get_mut(&mut self.shared) {
            Some(shared) => shared.pool = pool,
            // A helper still uses the old pool: the search gets a new table.
            None => {
                let hash = self.shared.table.size();
                self.shared = Arc::new(Shared { table: Table::new(hash), evaluator, pool });
            }
        }
    }

    /// Starts a request, which [`Search::run`] works on. A suspended request is abandoned.
    pub fn start(&mut self, request: SearchRequest) {
        self.shared.table.new_search();
        self.shared.pool.begin();
        self.root = Some(Root::new(request));
    }

    /// Works until the request is answered or `monitor` suspends it. Does nothing without a request.
    ///
    /// Neither this function nor any function that it calls is generic, so that the whole search is compiled in this crate,
    /// which is optimized in every profile.
    pub fn run(&mut self, monitor: &mut dyn Monitor) -> Progress {
        let Some(mut root) = self.root.take() else { return Progress::Finished };
        self.shared.pool.go_on();
        let limit = root.node_limit();
        let mut worker = Worker::owner(&self.shared, &mut self.tables, monitor, limit);
        let end = self.kernel.dispatch(Run { root: &mut root, worker: &mut worker });
        worker.publish();
        if end == RootEnd::Halted && worker.decision == Decision::Yield {
            self.root = Some(root);
            return Progress::Suspended;
        }
        root.send_report(&mut worker, end == RootEnd::Finished);
        Progress::Finished
    }
}

impl SearchConfig {
    /// Returns the default configuration with this evaluator.
    pub fn with(evaluator: Evaluator) -> SearchConfig {
        SearchConfig { hash: HashSize(64), kernel: Kernel::best(), evaluator }
    }

    /// Returns this configuration with another size of the transposition table.
    #[must_use]
    pub fn with_hash(self, hash: HashSize) -> SearchConfig {
        SearchConfig { hash, ..self }
    }

    /// Returns this configuration with another kernel.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> SearchConfig {
        SearchConfig { kernel, ..self }
    }
}

#[cfg(feature = "embedded-weights")]
impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig::with(Evaluator::default())
    }
}

struct Run<'r, 'w, 'a> {
    root: &'r mut Root,
    worker: &'w mut Worker<'a>,
}

impl KernelTask for Run<'_, '_, '_> {
    type Output = RootEnd;

    fn run<K: Kernels>(self) -> RootEnd {
        self.root.run::<K>(self.worker)
    }
}
