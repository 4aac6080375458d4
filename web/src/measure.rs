//! Fixed workloads for comparison with the native program.

use outflank::analysis::ask;
use outflank::kernel::Kernel;
use outflank::notation::squares;
use outflank::score::Confidence;
use outflank::search::{self, Goal, HashSize, Limits, Search, SearchConfig};
use wasm_bindgen::prelude::*;

use crate::engine::evaluator;
#[cfg(target_feature = "atomics")]
use crate::engine::spawn_helper;

/// Returns the number of nodes of the fixed search with these weights, as `outflank bench` prints it.
///
/// # Errors
///
/// If the weights are invalid.
#[wasm_bindgen]
pub fn bench(weights: Option<Vec<u8>>) -> Result<u64, JsError> {
    Ok(search::bench(Kernel::best(), evaluator(weights.as_deref())?, |_| {}))
}

/// Returns the names of the available kernels.
#[wasm_bindgen]
pub fn kernels() -> Vec<String> {
    Kernel::available().iter().map(|kernel| kernel.name().to_owned()).collect()
}

fn named(name: &str) -> Result<Kernel, JsError> {
    let mut all = Kernel::available().iter().copied();
    all.find(|kernel| kernel.name() == name).ok_or_else(|| JsError::new("there are no such kernels"))
}

/// Solves positions, as `outflank solve` does.
#[wasm_bindgen]
pub struct Solver {
    search: Search,
}

/// The result of a [`Solver`].
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    /// The final score for the side to move, in discs.
    pub score: i32,
    /// Number of nodes.
    pub nodes: u64,
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.search.close_helpers();
    }
}

#[wasm_bindgen]
impl Solver {
    /// Returns a solver with a table of `hash` mebibytes. `threads - 1` other workers help it, if the build has shared memory.
    /// Without a `kernel`, the fastest one is used.
    ///
    /// # Errors
    ///
    /// If the weights are invalid, or the kernel is not available.
    #[wasm_bindgen(constructor)]
    pub fn new(
        weights: Option<Vec<u8>>,
        hash: u32,
        #[cfg_attr(not(target_feature = "atomics"), expect(unused_variables))] threads: usize,
        kernel: Option<String>,
    ) -> Result<Solver, JsError> {
        let evaluator = evaluator(weights.as_deref())?;
        let kernel = kernel.as_deref().map_or(Ok(Kernel::best()), named)?;
        let config = SearchConfig::with(evaluator).with_hash(HashSize(hash.max(1))).with_kernel(kernel);
        let search = Search::new(config);
        #[cfg(target_feature = "atomics")]
        (1..threads).for_each(|_| spawn_helper(search.helper()));
        Ok(Solver { search })
    }

    /// Empties the tables, so that the next search is independent.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Searches a position, 64 squares and the side to move, to a depth in plies.
    pub fn search(&mut self, position: &str, depth: u32) -> Result<Solution, JsError> {
        self.run(position, Limits::to_depth(depth, Confidence::LOWEST))
    }

    /// Solves a position, 64 squares and the side to move.
    pub fn solve(&mut self, position: &str) -> Result<Solution, JsError> {
        self.run(position, Limits::NONE)
    }

    fn run(&mut self, position: &str, limits: Limits) -> Result<Solution, JsError> {
        let root = squares::read(position)?;
        let report = ask(&mut self.search, root, Goal::BestMove, limits);
        let over = 100 * root.board().final_score();
        let centidiscs = report.best().map_or(over, |line| line.score.centidiscs());
        Ok(Solution { score: centidiscs / 100, nodes: report.nodes })
    }
}
