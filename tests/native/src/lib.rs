//! Common parts of the whole-program tests: conversations with the engine, in files.
//!
//! A [`transcript`] contains the lines to send and the expected answers. It is played to an [`engine::Engine`]: the spawned
//! program ([`spawned`]) or, in the browser tests, the worker. Transitions that depend on timing are scripted instead
//! (`tests/programs/scripted.rs`): the file also contains the events of the search, and every effect of the session must match
//! it.
//!
//! [`corpus`] lists the files, so that tests without a file system can also use them. `tests/properties` checks the sessions in
//! every state.

pub mod corpus;
pub mod engine;
#[cfg(not(target_family = "wasm"))]
pub mod folder;
pub mod games;
pub mod pattern;
#[cfg(not(target_family = "wasm"))]
pub mod spawned;
pub mod transcript;
