//! What the whole-program tests share: conversations with the engine, written down in files.
//!
//! A [`transcript`] says what is sent and what must come back. It is played to an [`engine::Engine`]: the
//! session and the search in this process under a virtual clock ([`inside`]), the spawned program ([`spawned`]),
//! or, from the browser tests, the worker. Timing-sensitive transitions are scripted instead ([`scripted`]): the
//! file also says what the search tells and when, and every effect of the session must be as written.
//!
//! Long conversations with the program are in [`soak`]. `tests/properties` checks the sessions in every state.
//!
//! The files are listed in [`corpus`], so that tests without a file system have them, too.

pub mod corpus;
pub mod engine;
#[cfg(not(target_family = "wasm"))]
pub mod folder;
pub mod inside;
pub mod pattern;
pub mod scripted;
#[cfg(not(target_family = "wasm"))]
pub mod soak;
#[cfg(not(target_family = "wasm"))]
pub mod spawned;
pub mod transcript;
