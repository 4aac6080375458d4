//! The locks and atomics that the threads of a search wait and count by: the standard ones, or in a build with
//! `--cfg loom` those of a model checker that tries every order in which threads may come to them (see `model`).

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
