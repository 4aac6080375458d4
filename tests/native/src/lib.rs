//! Common parts of the whole-program tests: conversations with the engine, in files.
//!
//! A [`transcript`] contains the lines to send and the expected answers. It is played to the [`spawned`] program, and in the
//! browser tests to the worker (`tests/page/harness/transcript.js`). Transitions that depend on timing are scripted instead
//! (`tests/programs/scripted.rs`): the file also contains the events of the search, and every effect of the session must match
//! it. `tests/properties` checks the sessions in every state.

pub mod folder;
pub mod games;
pub mod pattern;
pub mod spawned;
pub mod transcript;
