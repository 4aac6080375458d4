//! What one worker leaves for another in the memory they share.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Things that wait, in the order they came.
pub(super) struct Queue<T> {
    waiting: Mutex<VecDeque<T>>,
    arrived: Condvar,
}

impl<T> Queue<T> {
    pub(super) const fn new() -> Queue<T> {
        Queue { waiting: Mutex::new(VecDeque::new()), arrived: Condvar::new() }
    }

    pub(super) fn push(&self, thing: T) {
        self.lock().push_back(thing);
        self.arrived.notify_one();
    }

    /// Adds a thing; where more than `most` wait, those go of which `replaces` says that it takes their place. How many wait
    /// now.
    pub(super) fn push_over(&self, thing: T, most: usize, replaces: impl Fn(&T, &T) -> bool) -> usize {
        let mut waiting = self.lock();
        if waiting.len() >= most {
            waiting.retain(|old| !replaces(&thing, old));
        }
        waiting.push_back(thing);
        waiting.len()
    }

    /// The first thing, if there is one.
    pub(super) fn pop(&self) -> Option<T> {
        self.lock().pop_front()
    }

    /// Waits for the first thing, asleep.
    pub(super) fn wait(&self) -> T {
        let mut waiting = self.lock();
        loop {
            match waiting.pop_front() {
                Some(thing) => return thing,
                None => waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
