//! The pool: where the threads of a search wait for work.
//!
//! The pool starts no thread. A host calls [`Helper::help`] on each thread that it provides.
//!
//! # Who waits for whom
//!
//! - A *helper* waits for work, or for the pool to be closed. Both become visible under the lock before [`Pool::notify`] is
//!   called under the same lock. A helper checks both under the lock and records the epoch. It sleeps only if, under the
//!   lock again, the epoch has not changed. So it misses no notification.
//! - The *owner* of a split point waits until its last helper has left, after its work or by a panic. A helper that leaves
//!   decrements the count and notifies, under the lock. The owner reads the count under the lock. A helper that joins
//!   increments the count under the lock, through the list of open split points. The owner removes its split point from that
//!   list before it reads the count. So a count of zero stays zero.
//! - No thread holds the lock while it searches, and no thread takes a second lock while it holds one.
//! - Waits never form a cycle: an owner waits for helpers that work below its split point, and these wait for helpers
//!   further below.
//! - A *halt* sends no notification. A thread that searches checks for it every few hundred nodes. An owner that waits is
//!   waiting for such threads. The first owner is the only thread whose monitor can stop the search. It naps for short times
//!   and calls its monitor between naps. After a halt it leaves without waiting. A late helper finds its split point cut,
//!   stores only true results in the table, and returns to the pool. The split point lives as long as a thread holds it.
//!
//! The tests in `model` try this in every order of the threads.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::split_point::{self, SplitPoint};
use super::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};
use crate::search::table::ThreadTables;

/// How long an idle owner naps before it checks again.
const NAP: Duration = Duration::from_micros(200);
/// How often an idle thread checks the epoch before it sleeps, about a third of a millisecond: the next split point mostly
/// comes sooner than the system would wake a thread. WebAssembly has no pause instruction, so its number is for slower
/// checks.
const SPINS: u32 = if cfg!(any(loom, miri)) {
    0
} else if cfg!(target_family = "wasm") {
    250_000
} else {
    20_000
};

/// The threads of a search and its open split points.
#[derive(Debug, Default)]
pub(in crate::search) struct Pool {
    state: Mutex<State>,
    wake: Condvar,
    /// Number of threads that wait for work.
    idle: AtomicUsize,
    /// Number of notifications: split points opened and left.
    epoch: AtomicUsize,
    /// `true` if the whole search must unwind.
    halted: AtomicBool,
    /// `true` if a helper has panicked: its result is missing.
    failed: AtomicBool,
    nodes: AtomicU64,
}

/// The part of a pool that is protected by its lock.
#[derive(Debug, Default)]
pub(super) struct State {
    open: Vec<Arc<SplitPoint>>,
    closed: bool,
}

/// A handle for a helper thread. It outlives single searches.
#[derive(Clone, Debug)]
pub struct Helper {
    pool: Arc<Pool>,
}

impl Helper {
    pub(in crate::search) fn of(pool: &Arc<Pool>) -> Helper {
        Helper { pool: Arc::clone(pool) }
    }

    /// Works for the search while it has open split points, and waits otherwise. Returns when the search is
    /// dropped or its helpers are closed (`Search::close_helpers`).
    pub fn help(&self) {
        let pool = &self.pool;
        let mut tables = ThreadTables::new();
        let mut idle = Idle::new(pool);
        let mut state = pool.lock();
        while !state.closed {
            if let Some(split) = state.join(|_| true) {
                drop(state);
                drop(idle);
                split_point::assist(pool, &split, &mut tables);
                idle = Idle::new(pool);
                state = pool.lock();
            } else {
                let epoch = pool.epoch();
                drop(state);
                pool.spin(epoch);
                state = pool.lock();
                if !state.closed && pool.epoch() == epoch {
                    state = pool.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// A thread that waits for work. It is counted as long as this value lives.
pub(super) struct Idle<'p> {
    pool: &'p Pool,
}

impl<'p> Idle<'p> {
    pub(super) fn new(pool: &'p Pool) -> Idle<'p> {
        pool.idle.fetch_add(1, Ordering::SeqCst);
        Idle { pool }
    }
}

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        self.pool.idle.fetch_sub(1, Ordering::SeqCst);
    }
}

impl State {
    /// Makes `split` available to threads that look for work.
    pub(super) fn open(&mut self, split: &Arc<SplitPoint>) {
        self.open.push(Arc::clone(split));
    }

    /// Removes `split` from the open split points.
    pub(super) fn close(&mut self, split: &Arc<SplitPoint>) {
        self.open.retain(|open| !Arc::ptr_eq(open, split));
    }

    /// Joins the largest open split point that `allowed` accepts. `None` if there is none.
    pub(super) fn join(&self, allowed: impl Fn(&SplitPoint) -> bool) -> Option<Arc<SplitPoint>> {
        let split = self
            .open
            .iter()
            .filter(|split| split.has_work() && allowed(split))
            .max_by_key(|split| split.empties())?;
        split.join();
        Some(Arc::clone(split))
    }
}

impl Pool {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies all waiting threads. Must be called under the lock, so that a thread that is about to sleep does not miss
    /// it.
    pub(super) fn notify(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        self.wake.notify_all();
    }

    /// Returns the number of notifications so far. It does not change under the lock.
    pub(super) fn epoch(&self) -> usize {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Waits briefly for a change of `epoch`, without sleeping.
    pub(super) fn spin(&self, epoch: usize) {
        for _ in 0..SPINS {
            if self.epoch.load(Ordering::Relaxed) != epoch {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Sleeps for a short time, at most until `epoch` changes.
    pub(super) fn nap<'s>(&'s self, state: MutexGuard<'s, State>, epoch: usize) -> MutexGuard<'s, State> {
        if self.epoch() != epoch {
            return state;
        }
        self.wake.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Records that a thread of the search has panicked.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
        self.halt();
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    #[inline(always)]
    pub(in crate::search) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    pub(in crate::search) fn begin(&self) {
        self.halted.store(false, Ordering::SeqCst);
        self.failed.store(false, Ordering::SeqCst);
        self.nodes.store(0, Ordering::SeqCst);
    }

    /// Lets a halted search continue.
    pub(in crate::search) fn go_on(&self) {
        self.halted.store(false, Ordering::SeqCst);
    }

    pub(in crate::search) fn halt(&self) {
        self.halted.store(true, Ordering::SeqCst);
    }

    pub(in crate::search) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Acquire)
    }

    pub(in crate::search) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Returns the published nodes of all threads since the search began.
    pub(in crate::search) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Ends all helpers.
    pub(in crate::search) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.notify();
    }
}
