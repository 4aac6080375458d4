//! The search, as its callers see it.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::root::{Root, RootEnd};
use super::table::{Entry, HashSize, Key, Table, ThreadTables};
use super::threads::{Helper, Pool};
use super::worker::{Shared, Worker};
use super::{Decision, Depth, Goal, Monitor, SearchRequest, plan};
use crate::board::{Position, Square};
use crate::eval::{Evaluator, NetworkSize};
use crate::kernel::{Kernel, KernelTask, Kernels};
use crate::score::{Confidence, Score};

/// Number of earlier requests that a search keeps, of about three kilobytes each.
const MAX_EARLIER: usize = 512;

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
    /// Earlier requests, the latest last.
    earlier: VecDeque<Root>,
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
        Search {
            kernel: config.kernel,
            shared: Arc::new(shared),
            tables: ThreadTables::new(),
            root: None,
            earlier: VecDeque::new(),
        }
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
        self.earlier.clear();
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
        self.earlier.clear();
    }

    /// Stores bounds in the table.
    pub fn add_bounds(&mut self, bounds: &ExternalBounds) {
        self.earlier.clear();
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

    /// Returns a handle for a helper thread: see [`Helper::help`]. The thread ends when the search is dropped, also by a panic.
    ///
    /// A scope waits for its threads. The search must therefore be dropped inside it:
    ///
    /// ```
    /// use std::thread;
    ///
    /// use outflank::analysis::ask;
    /// use outflank::board::Position;
    /// use outflank::score::Confidence;
    /// use outflank::search::{Goal, Limits, Search, SearchConfig};
    ///
    /// let report = thread::scope(|scope| {
    ///     let mut search = Search::new(SearchConfig::default());
    ///     let helper = search.helper();
    ///     scope.spawn(move || helper.help());
    ///     ask(&mut search, Position::START, Goal::BestMove, Limits::to_depth(6, Confidence::EXACT))
    /// });
    /// assert!(report.best().is_some());
    /// ```
    pub fn helper(&self) -> Helper {
        Helper::of(&self.shared.pool)
    }

    /// Makes every [`Helper::help`] of this search return, as dropping the search does. Handles returned later work again.
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
    ///
    /// A request that was answered up to its limits has the same answer again, without a search. One without a limit of depth
    /// continues after the iterations of an earlier one about the same position. One to a depth has the same value whatever was
    /// asked before.
    pub fn start(&mut self, request: SearchRequest) {
        self.shared.table.new_search();
        // Of a move in play, no value is needed.
        let is_limited = request.limits.depth < Depth::MAX;
        let is_play = request.goal == Goal::BestMove && !is_limited;
        let empties = request.root.empties();
        let is_estimate = is_limited && !plan::goes_to_the_end(empties, request.goal, &request.limits);
        self.shared.table.serves_deeper.store(is_play, Relaxed);
        self.shared.table.forgets.store(is_estimate, Relaxed);
        self.shared.pool.begin();
        if let Some(abandoned) = self.root.take() {
            self.keep(abandoned);
        }
        let has_node_limit = request.limits.nodes.is_some();
        let mut root = Root::new(request);
        let same = self.earlier.iter().rfind(|earlier| earlier.is_answered && earlier.is_same_request(&root));
        if let Some(earlier) = same {
            root.take_answer(earlier);
        } else if !has_node_limit && !is_estimate {
            self.earlier.iter().for_each(|earlier| root.continue_after(earlier));
        }
        self.root = Some(root);
    }

    /// Keeps a request for later ones, in place of an earlier same one.
    fn keep(&mut self, mut root: Root) {
        if let Some(at) = self.earlier.iter().position(|earlier| earlier.is_same_request(&root)) {
            self.earlier.remove(at);
        } else if self.earlier.len() >= MAX_EARLIER {
            self.earlier.pop_front();
        }
        root.compact();
        self.earlier.push_back(root);
    }

    /// Works until the request is answered or `monitor` suspends it. Does nothing without a request. If `monitor` panics, the
    /// helpers end.
    ///
    /// Neither this function nor any function that it calls is generic, so that the whole search is compiled in this crate. A
    /// profile can optimize this crate alone (see the front page).
    pub fn run(&mut self, monitor: &mut dyn Monitor) -> Progress {
        let Some(mut root) = self.root.take() else { return Progress::Finished };
        let guard = CloseOnPanic(&self.shared.pool);
        self.shared.pool.go_on();
        let limit = root.node_limit();
        let mut worker = Worker::owner(&self.shared, &mut self.tables, monitor, limit);
        let end = self.kernel.dispatch(Run { root: &mut root, worker: &mut worker });
        worker.publish();
        if end == RootEnd::Halted && worker.decision == Decision::Yield {
            mem::forget(guard);
            self.root = Some(root);
            return Progress::Suspended;
        }
        root.is_answered |= self.shared.pool.nodes() >= limit;
        root.send_report(&mut worker, end == RootEnd::Finished && root.is_between_iterations());
        mem::forget(guard);
        self.keep(root);
        Progress::Finished
    }
}

impl Drop for Search {
    /// Ends the helpers.
    fn drop(&mut self) {
        self.shared.pool.close();
    }
}

/// Ends the helpers of a search when it is dropped, which a search without a panic prevents: a caller that panics may wait for the
/// threads of the helpers before it drops the search.
struct CloseOnPanic<'p>(&'p Pool);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        self.0.close();
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    use super::*;
    use crate::analysis::{ask, ask_while};
    use crate::score::Confidence;
    use crate::search::{Limits, Report, SearchId};

    struct Panics;

    impl Monitor for Panics {
        fn report(&mut self, _report: Report) {
            panic!("the monitor fails");
        }
    }

    fn small() -> Search {
        Search::new(SearchConfig::default().with_hash(HashSize(1)))
    }

    #[test]
    fn helpers_end_with_their_search() {
        let search = small();
        let helpers = [0; 2].map(|_| {
            let helper = search.helper();
            thread::spawn(move || helper.help())
        });
        drop(search);
        for helper in helpers {
            helper.join().unwrap();
        }
    }

    #[test]
    fn known_values_are_reported_before_a_deeper_search() {
        let mut search = small();
        let limits = |plies| Limits::to_depth(plies, Confidence::EXACT);
        let known = ask(&mut search, Position::START, Goal::Hints(4), limits(8));
        let mut first: Option<Report> = None;
        ask_while(&mut search, Position::START, Goal::Hints(4), limits(60), |_, last| {
            first = first.take().or(last.cloned());
            first.is_none()
        });
        assert_eq!(first.map(|first| (first.nodes, first.lines)), Some((0, known.lines)));
    }

    fn request(limits: Limits) -> SearchRequest {
        SearchRequest { id: SearchId::default(), root: Position::START, goal: Goal::BestMove, limits }
    }

    /// Whether each report is complete.
    impl Monitor for Vec<bool> {
        fn report(&mut self, report: Report) {
            self.push(report.complete);
        }
    }

    #[test]
    fn cut_off_iteration_is_incomplete_when_asked_again() {
        let mut search = small();
        let limits = Limits { nodes: Some(5_000), ..Limits::to_depth(20, Confidence::EXACT) };
        let mut ask = || {
            let mut complete = Vec::new();
            search.start(request(limits));
            let _ = search.run(&mut complete);
            complete
        };
        assert!(ask().ends_with(&[true, false]));
        assert_eq!(ask(), [true, false]);
    }

    #[test]
    fn helpers_end_when_the_monitor_panics() {
        let mut search = small();
        let request = request(Limits::to_depth(4, Confidence::EXACT));
        let end = catch_unwind(AssertUnwindSafe(|| {
            thread::scope(|scope| {
                let helper = search.helper();
                scope.spawn(move || helper.help());
                search.start(request);
                search.run(&mut Panics)
            })
        }));
        assert!(end.is_err());
    }
}
