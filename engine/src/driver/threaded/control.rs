//! What the session's thread tells the search's thread while it is searching.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::search::SearchId;
use crate::session::{Deadlines, Timestamp};

/// No search, as an id: sessions count from 1.
const NOBODY: u64 = 0;
/// No deadline, in microseconds.
const NEVER: u64 = u64::MAX;

/// The search that is wanted, and until when.
///
/// Written by one thread, read by the search thread at every poll. The id is written last and read first, so
/// that a search never takes another one's deadlines for its own.
#[derive(Debug)]
pub(super) struct Control {
    wanted: AtomicU64,
    latest: AtomicU64,
    soft: AtomicU64,
    hard: AtomicU64,
}

impl Control {
    pub(super) fn new() -> Control {
        Control {
            wanted: AtomicU64::new(NOBODY),
            latest: AtomicU64::new(NOBODY),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
        }
    }

    /// From now on `id` is wanted, and no search before it.
    pub(super) fn start(&self, id: SearchId, deadlines: Deadlines) {
        self.wanted.store(NOBODY, Ordering::SeqCst);
        self.store(deadlines);
        self.latest.store(id.0, Ordering::SeqCst);
        self.wanted.store(id.0, Ordering::SeqCst);
    }

    /// Changes the deadlines of `id` if it is the wanted one.
    pub(super) fn set_deadlines(&self, id: SearchId, deadlines: Deadlines) {
        if self.is_wanted(id) {
            self.store(deadlines);
        }
    }

    /// `id` shall end with what it has, or has ended.
    pub(super) fn stop(&self, id: SearchId) {
        let _ = self.wanted.compare_exchange(id.0, NOBODY, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Whatever is searching shall end with what it has.
    pub(super) fn stop_all(&self) {
        self.wanted.store(NOBODY, Ordering::SeqCst);
    }

    /// Whether `id` is to go on.
    pub(super) fn is_wanted(&self, id: SearchId) -> bool {
        self.wanted.load(Ordering::Relaxed) == id.0
    }

    /// Whether any search is to go on.
    pub(super) fn is_searching(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) != NOBODY
    }

    /// Whether another search has been started after `id`: then nobody waits for the answer of `id`.
    pub(super) fn is_superseded(&self, id: SearchId) -> bool {
        self.latest.load(Ordering::SeqCst) != id.0
    }

    /// The deadlines.
    pub(super) fn deadlines(&self) -> Deadlines {
        let read = |micros: &AtomicU64| match micros.load(Ordering::Relaxed) {
            NEVER => None,
            micros => Some(Timestamp(Duration::from_micros(micros))),
        };
        Deadlines { soft: read(&self.soft), hard: read(&self.hard) }
    }

    fn store(&self, deadlines: Deadlines) {
        let micros = |deadline: Option<Timestamp>| {
            deadline.map_or(NEVER, |now| u64::try_from(now.0.as_micros()).unwrap_or(NEVER))
        };
        self.soft.store(micros(deadlines.soft), Ordering::SeqCst);
        self.hard.store(micros(deadlines.hard), Ordering::SeqCst);
    }
}
