//! Threads lent to a search.
//!
//! *Young brothers wait* (Feldmann, Monien, Mysliwietz, Vornberger, *Distributed game tree search*, ICCA
//! Journal 12:2, 1989): once the first move of a node has been searched without a cut-off, the others may be
//! searched side by side. A node is split only while some thread is idle, so one thread runs the same code
//! and never splits. The owner of a split point that has run out of moves helps its helpers until they are
//! done (a helpful master), so that nobody idles while there is work below.
//!
//! No thread is started here: whoever has one calls [`Helper::help`].

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::moves::Child;
use super::table::LocalTable;
use super::worker::{Core, Worker};
use super::{endgame, midgame};
use crate::board::{Board, Kernel, KernelTask, Kernels, Square};
use crate::eval::Features;

/// How long an idle owner waits before it looks round again, were a wake-up missed.
const NAP: Duration = Duration::from_micros(200);
/// Looks at the news before an idle thread sleeps, a third of a millisecond: the next split point mostly comes sooner
/// than the system would wake anyone.
const SPINS: u32 = 20_000;

/// Where idle threads and split points meet.
#[derive(Debug, Default)]
pub(super) struct Pool {
    state: Mutex<State>,
    wake: Condvar,
    /// Threads waiting for work.
    idle: AtomicUsize,
    /// Counts what may concern those who wait: split points opened and left.
    news: AtomicUsize,
    /// Set when the whole search is to unwind.
    halted: AtomicBool,
    /// A helper broke down: its result is missing.
    failed: AtomicBool,
    nodes: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    open: Vec<Arc<Split>>,
    closed: bool,
}

/// A node whose moves are shared out.
#[derive(Debug)]
pub(super) struct Split {
    core: Arc<Core>,
    parent: Option<Arc<Split>>,
    board: Board,
    features: Features,
    goal: NodeGoal,
    alpha: i32,
    level: u8,
    children: Vec<Child>,
    /// The next child nobody has taken.
    next: AtomicUsize,
    /// A child was better than the window: the others are of no use.
    cut: AtomicBool,
    /// Helpers at work here.
    active: AtomicUsize,
    best: Mutex<Best>,
}

/// The best of the children so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) score: i32,
    pub(super) square: Option<Square>,
}

/// What the children of a node are searched with.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedNode<'n> {
    pub(super) board: Board,
    pub(super) features: &'n Features,
    pub(super) goal: NodeGoal,
    /// The null window is `alpha` to `alpha + 1`, in the unit of the goal.
    pub(super) alpha: i32,
    pub(super) level: u8,
}

/// What kind of node is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeGoal {
    /// To the end of the game, in discs.
    Endgame,
    /// To a depth in plies, in centidiscs.
    Midgame(u32),
}

/// A handle by which a thread is lent to a search; it outlives single searches.
#[derive(Clone, Debug)]
pub struct Helper {
    pub(super) pool: Arc<Pool>,
    pub(super) kernel: Kernel,
}

impl Helper {
    /// Works for the search whenever it has something to share, and returns when the search is closed
    /// (`Search::close_helpers`).
    pub fn help(&self) {
        self.kernel.dispatch(self)
    }
}

impl KernelTask for &Helper {
    type Output = ();

    fn run<K: Kernels>(self) {
        self.pool.idle.fetch_add(1, Ordering::SeqCst);
        let mut local = LocalTable::new();
        let mut state = self.pool.lock();
        while !state.closed {
            if let Some(split) = state.join(|_| true) {
                drop(state);
                self.pool.idle.fetch_sub(1, Ordering::SeqCst);
                assist::<K>(&self.pool, &split, &mut local);
                self.pool.idle.fetch_add(1, Ordering::SeqCst);
                state = self.pool.lock();
            } else {
                let heard = self.pool.heard();
                drop(state);
                self.pool.spin(heard);
                state = self.pool.lock();
                if !state.closed && self.pool.heard() == heard {
                    state = self.pool.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        drop(state);
        self.pool.idle.fetch_sub(1, Ordering::SeqCst);
    }
}

impl State {
    /// Joins the largest open split point that `allowed` lets through.
    fn join(&self, allowed: impl Fn(&Split) -> bool) -> Option<Arc<Split>> {
        let split = self
            .open
            .iter()
            .filter(|split| split.has_work() && allowed(split))
            .max_by_key(|split| split.board.empties())?;
        split.active.fetch_add(1, Ordering::SeqCst);
        Some(Arc::clone(split))
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells everybody that there is something to look at. To be called under the lock, so that nobody who is about to
    /// sleep misses it.
    fn tell(&self) {
        self.news.fetch_add(1, Ordering::SeqCst);
        self.wake.notify_all();
    }

    /// What has been told so far; steady under the lock.
    fn heard(&self) -> usize {
        self.news.load(Ordering::SeqCst)
    }

    /// Waits a little for more than `heard`, awake.
    fn spin(&self, heard: usize) {
        for _ in 0..SPINS {
            if self.news.load(Ordering::Relaxed) != heard {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Whether a thread waits for work.
    #[inline(always)]
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    pub(super) fn begin(&self) {
        self.halted.store(false, Ordering::SeqCst);
        self.failed.store(false, Ordering::SeqCst);
        self.nodes.store(0, Ordering::SeqCst);
    }

    /// Lets a search that was halted go on.
    pub(super) fn go_on(&self) {
        self.halted.store(false, Ordering::SeqCst);
    }

    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Nodes of all threads since the search began, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Sends all helpers home.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.tell();
    }
}

impl Split {
    /// Whether its result is of no more use.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_cut())
    }

    fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.is_cut()
    }

    fn is_below(&self, other: &Arc<Split>) -> bool {
        self.parent.as_ref().is_some_and(|parent| Arc::ptr_eq(parent, other) || parent.is_below(other))
    }

    fn best(&self) -> MutexGuard<'_, Best> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches `children`, of which the first has not been searched yet either, against the null window, by this
/// thread and every idle one; `best` is what older brothers gave. A child above the window ends it.
pub(super) fn share<K: Kernels>(
    worker: &mut Worker<'_>,
    node: SharedNode<'_>,
    children: Vec<Child>,
    best: Best,
) -> Best {
    let core = Arc::clone(worker.core);
    let parent = worker.split.take();
    let split = Arc::new(Split {
        core,
        parent: parent.clone(),
        board: node.board,
        features: *node.features,
        goal: node.goal,
        alpha: node.alpha,
        level: node.level,
        children,
        next: AtomicUsize::new(0),
        cut: AtomicBool::new(false),
        active: AtomicUsize::new(0),
        best: Mutex::new(best),
    });
    let pool = &worker.core.pool.clone();
    {
        let mut state = pool.lock();
        state.open.push(Arc::clone(&split));
        pool.tell();
    }

    worker.split = Some(Arc::clone(&split));
    work::<K>(worker, &split);
    let mut state = pool.lock();
    state.open.retain(|open| !Arc::ptr_eq(open, &split));
    if split.active.load(Ordering::SeqCst) > 0 {
        // Helpful master: work below the split point until its helpers are done.
        pool.idle.fetch_add(1, Ordering::SeqCst);
        while split.active.load(Ordering::SeqCst) > 0 {
            if pool.is_halted() {
                // Nobody wants the result any more, and on a busy machine a helper may have to wait before it can
                // leave: it finds its way out by itself.
                split.cut.store(true, Ordering::SeqCst);
                break;
            }
            if let Some(other) = state.join(|open| open.is_below(&split)) {
                drop(state);
                pool.idle.fetch_sub(1, Ordering::SeqCst);
                let here = worker.split.replace(Arc::clone(&other));
                let mut active = Active { pool, split: &other, finished: false };
                worker.halted = false;
                work::<K>(worker, &other);
                active.finished = true;
                drop(active);
                worker.split = here;
                pool.idle.fetch_add(1, Ordering::SeqCst);
                state = pool.lock();
            } else {
                let heard = pool.heard();
                drop(state);
                pool.spin(heard);
                worker.ask_monitor();
                state = pool.lock();
                if pool.heard() == heard {
                    state = pool.wake.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
        pool.idle.fetch_sub(1, Ordering::SeqCst);
    }
    drop(state);
    worker.split = parent;
    // This split point's own cut-off is no reason to unwind further.
    worker.halted = pool.is_halted() || worker.split.as_ref().is_some_and(|split| split.is_cut());
    let failed = pool.failed.load(Ordering::SeqCst);
    assert!(!failed, "a thread of the search broke down");
    *split.best()
}

/// A helper's part in a split point.
fn assist<K: Kernels>(pool: &Pool, split: &Arc<Split>, local: &mut LocalTable) {
    let mut active = Active { pool, split, finished: false };
    let mut worker = Worker::helper(&split.core, local, split.level);
    worker.split = Some(Arc::clone(split));
    work::<K>(&mut worker, split);
    worker.publish();
    active.finished = true;
}

/// Takes children one by one until none is left or one cuts.
fn work<K: Kernels>(worker: &mut Worker<'_>, split: &Split) {
    let level = std::mem::replace(&mut worker.level, split.level);
    let node = SharedNode {
        board: split.board,
        features: &split.features,
        goal: split.goal,
        alpha: split.alpha,
        level: split.level,
    };
    while !worker.halted {
        let Some(child) = split.children.get(split.next.fetch_add(1, Ordering::SeqCst)) else { break };
        let score = -search_child::<K>(worker, &node, child);
        worker.look();
        if worker.halted {
            break;
        }
        let mut best = split.best();
        if score > best.score {
            *best = Best { score, square: Some(child.square) };
        }
        if score > split.alpha {
            split.cut.store(true, Ordering::SeqCst);
            break;
        }
    }
    worker.level = level;
}

/// The value of the position after `child`, for its mover.
#[inline(always)]
pub(super) fn search_child<K: Kernels>(worker: &mut Worker<'_>, node: &SharedNode<'_>, child: &Child) -> i32 {
    match node.goal {
        NodeGoal::Endgame => endgame::search_child::<K>(worker, node, child),
        NodeGoal::Midgame(depth) => {
            let board = node.board.placed(child.square, child.flips);
            let features = worker.core.evaluator.placed::<K>(node.features, child.square, child.flips);
            let alpha = -node.alpha - 1;
            midgame::null_window::<K>(worker, board, &features, child.moves, child.still, alpha, depth - 1)
        }
    }
}

/// Counts a helper out when it leaves, be it by a panic.
struct Active<'a> {
    pool: &'a Pool,
    split: &'a Split,
    finished: bool,
}

impl Drop for Active<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.pool.failed.store(true, Ordering::SeqCst);
            self.pool.halt();
        }
        // Under the lock, so that an owner about to wait does not miss it.
        let _state = self.pool.lock();
        self.split.active.fetch_sub(1, Ordering::SeqCst);
        self.pool.tell();
    }
}
