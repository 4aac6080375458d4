//! Where the threads lent to a search meet.
//!
//! No thread is started here: whoever has one calls [`Helper::help`].
//!
//! # Who waits for whom
//!
//! - A *helper* waits for work or for the end. Both are told under the lock ([`Pool::notify`]) after they are there to be seen
//!   under it. A helper looks for both under the lock, notes what it has heard and sleeps only if, under the lock again,
//!   nothing more was told: so it misses nothing.
//! - An *owner* of a split point waits until the last of its helpers has left, by an end or by a panic. Who leaves counts
//!   itself out and tells, under the lock; an owner looks at the count under it. Who joins is counted in under the lock,
//!   too, by way of the list of open split points, and from there an owner takes its own before it looks at the count: a
//!   count of none stays none.
//! - Nobody holds the lock while searching, and nobody takes a second one while holding one.
//! - Waits never form a ring: an owner waits for helpers that work below its split point, and these for ones further below.
//! - A *halt* is told to nobody. Whoever searches asks for it every few hundred nodes; whoever waits as an owner waits for
//!   such threads, and the first owner, who alone may be asked to stop, naps for moments only and asks its monitor between
//!   them. It then leaves without waiting: a helper that is late finds its split point cut, writes what is true to the table
//!   or nothing, and goes back to the pool. The split point lives as long as anybody holds it.
//!
//! The tests in `model` try this in every order of the threads.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::split_point::{self, SplitPoint};
use super::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};
use crate::search::table::ThreadTables;

/// How long an idle owner waits before it looks round again, were a wake-up missed.
const NAP: Duration = Duration::from_micros(200);
/// Looks at the news before an idle thread sleeps, a third of a millisecond: the next split point mostly comes sooner
/// than the system would wake anyone. WebAssembly has no instruction to pause between two looks, so they take less.
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
    /// Threads waiting for work.
    idle: AtomicUsize,
    /// Counts what may concern those who wait: split points opened and left.
    epoch: AtomicUsize,
    /// Set when the whole search is to unwind.
    halted: AtomicBool,
    /// A helper broke down: its result is missing.
    failed: AtomicBool,
    nodes: AtomicU64,
}

/// What is changed under the lock of a pool.
#[derive(Debug, Default)]
pub(super) struct State {
    open: Vec<Arc<SplitPoint>>,
    closed: bool,
}

/// A handle by which a thread is lent to a search; it outlives single searches.
#[derive(Clone, Debug)]
pub struct Helper {
    pool: Arc<Pool>,
}

impl Helper {
    pub(in crate::search) fn of(pool: &Arc<Pool>) -> Helper {
        Helper { pool: Arc::clone(pool) }
    }

    /// Works for the search whenever it has something to share, and returns when the search is closed
    /// (`Search::close_helpers`).
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

/// A thread that waits for work, counted as long as this lives.
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
    /// Makes `split` known to those who look for work.
    pub(super) fn open(&mut self, split: &Arc<SplitPoint>) {
        self.open.push(Arc::clone(split));
    }

    /// The end of that.
    pub(super) fn close(&mut self, split: &Arc<SplitPoint>) {
        self.open.retain(|open| !Arc::ptr_eq(open, split));
    }

    /// Joins the largest open split point that `allowed` lets through.
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

    /// Tells everybody that there is something to look at. To be called under the lock, so that nobody who is about to
    /// sleep misses it.
    pub(super) fn notify(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        self.wake.notify_all();
    }

    /// What has been told so far; steady under the lock.
    pub(super) fn epoch(&self) -> usize {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Waits a little for more than `epoch`, awake.
    pub(super) fn spin(&self, epoch: usize) {
        for _ in 0..SPINS {
            if self.epoch.load(Ordering::Relaxed) != epoch {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Waits a moment for more than `epoch`, asleep.
    pub(super) fn nap<'s>(&'s self, state: MutexGuard<'s, State>, epoch: usize) -> MutexGuard<'s, State> {
        if self.epoch() != epoch {
            return state;
        }
        self.wake.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0
    }

    /// A thread of the search broke down.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
        self.halt();
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    /// Whether a thread waits for work.
    #[inline(always)]
    pub(in crate::search) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    pub(in crate::search) fn begin(&self) {
        self.halted.store(false, Ordering::SeqCst);
        self.failed.store(false, Ordering::SeqCst);
        self.nodes.store(0, Ordering::SeqCst);
    }

    /// Lets a search that was halted go on.
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

    /// Nodes of all threads since the search began, as far as they have told.
    pub(in crate::search) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Sends all helpers home.
    pub(in crate::search) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.notify();
    }
}
