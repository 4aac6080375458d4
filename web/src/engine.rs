//! The engine as a JavaScript class.
//!
//! There are two versions with the same methods. Without shared memory, session and search share a worker (`sliced`). With
//! shared memory, the search has separate workers (`threaded`), in a separate build with atomic instructions.

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

/// Default size of the table, in mebibytes. Small enough for a phone.
const DEFAULT_HASH: u32 = 8;

/// Growth of the table: a page starts with little memory.
const GROWTH: TableGrowth = TableGrowth { first: HashSize(4), after: 3_000_000 };

/// Returns the name of the engine.
#[wasm_bindgen]
pub fn name() -> String {
    SessionConfig::default().name.into()
}

/// Returns the version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    SessionConfig::default().version.into()
}

/// Returns the checksum of a weights file, or of the weights in the module. Values of other weights are not comparable.
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

/// Returns the evaluator of a weights file, or of the weights in the module.
///
/// # Errors
///
/// If the weights are invalid or missing.
pub(crate) fn evaluator(file: Option<&[u8]>) -> Result<Evaluator, JsError> {
    match file {
        Some(file) => Ok(Evaluator::from_bytes(file)?),
        #[cfg(feature = "embedded-weights")]
        None => Ok(Evaluator::default()),
        #[cfg(not(feature = "embedded-weights"))]
        None => Err(JsError::new("there are no weights")),
    }
}

fn session_config(hash: Option<u32>, threads: usize, most_threads: usize) -> SessionConfig {
    let hash = HashSize(hash.unwrap_or(DEFAULT_HASH).max(1));
    SessionConfig { hash, threads, max_threads: most_threads, ..SessionConfig::default() }
}
