//! The driver as a JavaScript class.
//!
//! There are two of it, with the same methods. Where memory cannot be shared, lines and search share a worker
//! (`sliced`). Where it can, the search has workers of its own (`threaded`): that is a build of its own, with
//! atomic instructions.

mod page;
#[cfg(not(target_feature = "atomics"))]
mod sliced;
#[cfg(target_feature = "atomics")]
mod threaded;

use outflank::driver::TableGrowth;
use outflank::eval::Evaluator;
use outflank::search::HashSize;
use outflank::session::SessionConfig;
use wasm_bindgen::prelude::*;

#[cfg(not(target_feature = "atomics"))]
pub use sliced::Engine;
#[cfg(target_feature = "atomics")]
pub use threaded::{Engine, help, search};

#[cfg(target_feature = "atomics")]
pub(crate) use threaded::spawn_helper;

/// Table size of a new engine in mebibytes when the page does not say: a phone must bear it.
const DEFAULT_HASH: u32 = 8;

/// A page starts in little memory.
const GROWTH: TableGrowth = TableGrowth { first: HashSize(4), after: 3_000_000 };

/// The engine's name.
#[wasm_bindgen]
pub fn name() -> String {
    SessionConfig::default().name.into()
}

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    SessionConfig::default().version.into()
}

/// What tells its weights from others: the checksum of their file. Values under other weights mean something else.
/// Nothing stands for the weights in the module, where there are some.
#[wasm_bindgen]
pub fn weights(file: Option<Vec<u8>>) -> String {
    let checksum = match &file {
        Some(file) => Evaluator::checksum(file),
        #[cfg(feature = "embedded-weights")]
        None => Evaluator::checksum(Evaluator::embedded()),
        #[cfg(not(feature = "embedded-weights"))]
        None => 0,
    };
    format!("{checksum:016x}")
}

/// The weights in a file; nothing stands for those in the module, where there are some.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn evaluator(file: Option<&[u8]>) -> Result<Evaluator, JsError> {
    match file {
        Some(file) => Ok(Evaluator::from_bytes(file)?),
        #[cfg(feature = "embedded-weights")]
        None => Ok(Evaluator::default()),
        #[cfg(not(feature = "embedded-weights"))]
        None => Err(JsError::new("there are no weights")),
    }
}

/// What every session is told at the start.
fn session_config(hash: Option<u32>, threads: usize, most_threads: usize) -> SessionConfig {
    let hash = HashSize(hash.unwrap_or(DEFAULT_HASH).max(1));
    SessionConfig { hash, threads, max_threads: most_threads, ..SessionConfig::default() }
}
