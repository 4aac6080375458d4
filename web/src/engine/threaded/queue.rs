//! A queue between two workers, in shared memory.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Items in order of arrival.
pub(super) struct Queue<T> {
    waiting: Mutex<VecDeque<T>>,
    arrived: Condvar,
}

impl<T> Queue<T> {
    pub(super) const fn new() -> Queue<T> {
        Queue { waiting: Mutex::new(VecDeque::new()), arrived: Condvar::new() }
    }

    pub(super) fn push(&self, item: T) {
        self.lock().push_back(item);
        self.arrived.notify_one();
    }

    /// Adds an item. If `limit` items wait, first removes those that the item replaces. Returns how many items wait.
    pub(super) fn push_over(&self, item: T, limit: usize, replaces: impl Fn(&T, &T) -> bool) -> usize {
        let mut waiting = self.lock();
        if waiting.len() >= limit {
            waiting.retain(|old| !replaces(&item, old));
        }
        waiting.push_back(item);
        waiting.len()
    }

    /// Removes the first item. `None` if the queue is empty.
    pub(super) fn pop(&self) -> Option<T> {
        self.lock().pop_front()
    }

    /// Waits for an item.
    pub(super) fn wait(&self) -> T {
        let mut waiting = self.lock();
        loop {
            match waiting.pop_front() {
                Some(item) => return item,
                None => waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
