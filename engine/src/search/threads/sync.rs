//! The locks and atomics of the threads of a search: the standard ones, or with `--cfg loom` those of a model checker that
//! tries every order of the threads (see `model`).

#[cfg(loom)]
pub(super) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
#[cfg(not(loom))]
pub(super) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
