//! Split points: nodes whose moves several threads search.
//!
//! *Young brothers wait* (Feldmann, Monien, Mysliwietz, Vornberger, *Distributed game tree search*, ICCA Journal 12:2,
//! 1989): once the first move of a node has been searched without a cutoff, the others may be searched in parallel. A node
//! is split only while a thread is idle, so a single thread runs the same code and never splits. The owner of a split point
//! without remaining moves helps its helpers until they are done (helpful master), so that no thread is idle while there is
//! work below.
//!
//! The kind of node is not known here: the search of a child is a parameter.

use std::sync::{Arc, PoisonError};

use super::pool::{Idle, Pool};
use super::sync::{AtomicBool, AtomicUsize, Mutex, MutexGuard, Ordering};
use crate::board::{Board, Square};
use crate::eval::Features;
use crate::score::Confidence;
use crate::search::moves::{Child, Children};
use crate::search::table::ThreadTables;
use crate::search::value::{Centidiscs, Discs, Value};
use crate::search::worker::{Shared, Worker};

/// A node, as the search of its children sees it.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Parent<'n, V> {
    pub(in crate::search) board: Board,
    pub(in crate::search) features: &'n Features,
    /// The null window is above this value.
    pub(in crate::search) alpha: V,
    /// Depth in plies.
    pub(in crate::search) depth: u32,
}

/// The search of a child. Returns its value for its own mover.
pub(in crate::search) type SearchChild<V> = fn(&mut Worker<'_>, &Parent<'_, V>, &Child) -> V;

#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Best<V> {
    pub(in crate::search) value: V,
    pub(in crate::search) square: Option<Square>,
}

/// A split point. Its values are in the unit of the search of its children.
#[derive(Debug)]
pub(in crate::search) struct SplitPoint {
    shared: Arc<Shared>,
    above: Option<Arc<SplitPoint>>,
    board: Board,
    features: Features,
    alpha: i32,
    depth: u32,
    confidence: Confidence,
    to_end: bool,
    search: AnySearch,
    children: Vec<Child>,
    next: AtomicUsize,
    /// `true` if a child was above the window: the other children are not needed.
    cut: AtomicBool,
    active: AtomicUsize,
    best: Mutex<Best<i32>>,
}

/// The search of a child, in either unit.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum AnySearch {
    Discs(SearchChild<Discs>),
    Centidiscs(SearchChild<Centidiscs>),
}

/// A unit of values in which nodes can be split.
pub(in crate::search) trait SplitValue: Value {
    fn any(search: SearchChild<Self>) -> AnySearch;
}

impl SplitValue for Discs {
    fn any(search: SearchChild<Discs>) -> AnySearch {
        AnySearch::Discs(search)
    }
}

impl SplitValue for Centidiscs {
    fn any(search: SearchChild<Centidiscs>) -> AnySearch {
        AnySearch::Centidiscs(search)
    }
}

impl<V: Value> Best<V> {
    /// The state before any child was searched.
    pub(in crate::search) const NONE: Best<V> = Best { value: V::LOWEST, square: None };
}

impl SplitPoint {
    /// Returns `true` if the result is no longer needed.
    pub(in crate::search) fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Acquire) || self.above.as_ref().is_some_and(|above| above.is_cut())
    }

    pub(super) fn empties(&self) -> u32 {
        self.board.empties()
    }

    pub(super) fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.is_cut()
    }

    /// Counts a helper. Must be called under the lock of the pool.
    pub(super) fn join(&self) {
        self.active.fetch_add(1, Ordering::SeqCst);
    }

    fn is_below(&self, other: &Arc<SplitPoint>) -> bool {
        self.above.as_ref().is_some_and(|above| Arc::ptr_eq(above, other) || above.is_below(other))
    }

    fn best(&self) -> MutexGuard<'_, Best<i32>> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search_child(&self, worker: &mut Worker<'_>, child: &Child) -> i32 {
        fn of<V: Value>(
            split: &SplitPoint,
            search: SearchChild<V>,
            worker: &mut Worker<'_>,
            child: &Child,
        ) -> i32 {
            let SplitPoint { board, ref features, alpha, depth, .. } = *split;
            search(worker, &Parent { board, features, alpha: V::new(alpha), depth }, child).number()
        }
        match self.search {
            AnySearch::Discs(search) => of(self, search, worker, child),
            AnySearch::Centidiscs(search) => of(self, search, worker, child),
        }
    }
}

/// Searches the children of a node in their order against the null window above its alpha, until one is above it. After the
/// first child and if `may_split`, all idle threads help. `None` if the worker was halted.
///
/// `search` and `handed` are the same search, for this thread and for others.
#[inline(always)]
pub(in crate::search) fn search_children<V: SplitValue>(
    worker: &mut Worker<'_>,
    node: &Parent<'_, V>,
    children: &mut Children,
    may_split: bool,
    search: impl Fn(&mut Worker<'_>, &Parent<'_, V>, &Child) -> V,
    handed: SearchChild<V>,
) -> Option<Best<V>> {
    let mut best = Best::NONE;
    for place in 0..children.len() {
        if place > 0 && may_split && children.len() - place > 1 && worker.shared.pool.has_idle() {
            return share(worker, node, children.rest(), best, handed);
        }
        let Some(child) = children.next() else { break };
        let value = -search(worker, node, child);
        if worker.halted {
            return None;
        }
        if value > best.value {
            best = Best { value, square: Some(child.square) };
            if value > node.alpha {
                break;
            }
        }
    }
    Some(best)
}

/// Searches `children`, none of which has been searched yet, against the null window of `node`, with all idle threads.
/// `best` is the best of the children before them. A child above the window ends the search. `None` if the worker was
/// halted.
///
/// # Panics
///
/// If a helper has panicked.
pub(in crate::search) fn share<V: SplitValue>(
    worker: &mut Worker<'_>,
    node: &Parent<'_, V>,
    children: Vec<Child>,
    best: Best<V>,
    search: SearchChild<V>,
) -> Option<Best<V>> {
    let shared = Arc::clone(worker.shared);
    let above = worker.split.take();
    let split = Arc::new(SplitPoint {
        shared,
        above: above.clone(),
        board: node.board,
        features: *node.features,
        alpha: node.alpha.number(),
        depth: node.depth,
        confidence: worker.confidence,
        to_end: worker.to_end,
        search: V::any(search),
        children,
        next: AtomicUsize::new(0),
        cut: AtomicBool::new(false),
        active: AtomicUsize::new(0),
        best: Mutex::new(Best { value: best.value.number(), square: best.square }),
    });
    let pool = &worker.shared.pool.clone();
    {
        let mut state = pool.lock();
        state.open(&split);
        pool.notify();
    }

    worker.split = Some(Arc::clone(&split));
    work(worker, &split);
    let mut state = pool.lock();
    state.close(&split);
    if split.active.load(Ordering::SeqCst) > 0 {
        // Helpful master: works below the split point until its helpers are done.
        let mut idle = Idle::new(pool);
        while split.active.load(Ordering::SeqCst) > 0 {
            if pool.is_halted() {
                // The result is no longer needed, and on a busy machine a helper may need long to leave. It leaves on its
                // own.
                split.cut.store(true, Ordering::SeqCst);
                break;
            }
            if let Some(other) = state.join(|open| open.is_below(&split)) {
                drop(state);
                drop(idle);
                let here = worker.split.replace(Arc::clone(&other));
                let mut active = Active { pool, split: &other, finished: false };
                worker.halted = false;
                work(worker, &other);
                active.finished = true;
                drop(active);
                worker.split = here;
                idle = Idle::new(pool);
                state = pool.lock();
            } else {
                let epoch = pool.epoch();
                drop(state);
                pool.spin(epoch);
                worker.ask_monitor();
                state = pool.nap(pool.lock(), epoch);
            }
        }
        drop(idle);
    }
    drop(state);
    worker.split = above;
    // The cutoff of this split point is no reason to unwind further. An owner that was halted has cut its split points
    // before it continues: in this order, one of the two is seen.
    worker.halted = pool.is_halted() || worker.split.as_ref().is_some_and(|split| split.is_cut());
    assert!(!pool.has_failed(), "a thread of the search broke down");
    let Best { value, square } = *split.best();
    (!worker.halted).then_some(Best { value: V::new(value), square })
}

/// The part of a helper in a split point.
pub(super) fn assist(pool: &Pool, split: &Arc<SplitPoint>, tables: &mut ThreadTables) {
    let mut active = Active { pool, split, finished: false };
    let mut worker = Worker::helper(&split.shared, tables, split.confidence);
    worker.to_end = split.to_end;
    worker.split = Some(Arc::clone(split));
    work(&mut worker, split);
    worker.publish();
    active.finished = true;
}

/// Takes children one by one until none is left or one is above the window.
fn work(worker: &mut Worker<'_>, split: &SplitPoint) {
    let confidence = std::mem::replace(&mut worker.confidence, split.confidence);
    while !worker.halted {
        let Some(child) = split.children.get(split.next.fetch_add(1, Ordering::SeqCst)) else { break };
        let value = -split.search_child(worker, child);
        worker.look();
        if worker.halted {
            break;
        }
        let mut best = split.best();
        if value > best.value {
            *best = Best { value, square: Some(child.square) };
        }
        if value > split.alpha {
            split.cut.store(true, Ordering::SeqCst);
            break;
        }
    }
    worker.confidence = confidence;
}

/// Counts a helper out when it leaves, also by a panic.
struct Active<'a> {
    pool: &'a Pool,
    split: &'a SplitPoint,
    finished: bool,
}

impl Drop for Active<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.pool.fail();
        }
        // Under the lock, so that an owner that is about to wait does not miss it.
        let _state = self.pool.lock();
        self.split.active.fetch_sub(1, Ordering::SeqCst);
        self.pool.notify();
    }
}
