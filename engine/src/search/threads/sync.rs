//! The locks and atomics of the threads of a search: the standard ones, or in tests with `--cfg loom` those of a model checker
//! that tries every order of the threads (see `model`).

#[cfg(all(loom, test))]
pub(super) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
#[cfg(not(all(loom, test)))]
pub(super) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
