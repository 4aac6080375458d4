//! Fixed workloads, for comparing this build with the native one.

use outflank::board::{self, Kernel, Position};
use outflank::search;
use wasm_bindgen::prelude::*;

/// Leaves of the game tree at `depth` plies from the start position.
#[wasm_bindgen]
pub fn perft(depth: u32) -> u64 {
    board::perft(Kernel::best(), Position::START.board(), depth)
}

/// Nodes of the fixed search: the same number as `outflank bench` prints.
#[wasm_bindgen]
pub fn bench() -> u64 {
    search::bench(Kernel::best(), |_| {})
}
