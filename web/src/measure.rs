//! Fixed workloads, for comparing this build with the native one.

use outflank::board::{self, Position};
use outflank::game::notation::squares;
use outflank::kernel::Kernel;
use outflank::score::Confidence;
use outflank::search::{
    self, Goal, HashSize, Limits, Search, SearchConfig, SearchId, SearchRequest, Uninterrupted,
};
use wasm_bindgen::prelude::*;

use crate::engine::evaluator;
#[cfg(target_feature = "atomics")]
use crate::engine::lend;

/// Leaves of the game tree at `depth` plies from the start position.
#[wasm_bindgen]
pub fn perft(depth: u32) -> u64 {
    board::perft(Kernel::best(), Position::START.board(), depth)
}

/// Nodes of the fixed search with these weights: the same number as `outflank bench` prints.
///
/// # Errors
/// Where the weights are of no use.
#[wasm_bindgen]
pub fn bench(weights: Option<Vec<u8>>) -> Result<u64, JsError> {
    Ok(search::bench(Kernel::best(), evaluator(weights.as_deref())?, |_| {}))
}

/// Solves positions to the end, as `outflank solve` does.
#[wasm_bindgen]
pub struct Solver {
    search: Search,
}

/// What a [`Solver`] found.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    /// The final score for the side to move, in discs.
    pub score: i32,
    /// Nodes of the search.
    pub nodes: u64,
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.search.close_helpers();
    }
}

#[wasm_bindgen]
impl Solver {
    /// One with a table of this many mebibytes and these weights. `threads - 1` other workers are wanted to help it; the
    /// build without shared memory does without.
    ///
    /// # Errors
    /// Where the weights are of no use.
    #[wasm_bindgen(constructor)]
    pub fn new(
        weights: Option<Vec<u8>>,
        hash: u32,
        #[cfg_attr(not(target_feature = "atomics"), expect(unused_variables))] threads: usize,
    ) -> Result<Solver, JsError> {
        let evaluator = evaluator(weights.as_deref())?;
        let config = SearchConfig { hash: HashSize(hash.max(1)), ..SearchConfig::with(evaluator) };
        let search = Search::new(config);
        #[cfg(target_feature = "atomics")]
        (1..threads).for_each(|_| lend(search.helper()));
        Ok(Solver { search })
    }

    /// Forgets everything learnt, so that the next position is solved on its own.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Searches a position, given likewise, to a depth in plies.
    pub fn search(&mut self, position: &str, depth: u32) -> Result<Solution, JsError> {
        self.run(position, Limits::to_depth(depth, Confidence::LOWEST))
    }

    /// Solves a position given as 64 squares and the side to move.
    pub fn solve(&mut self, position: &str) -> Result<Solution, JsError> {
        self.run(position, Limits { solve_from: 64, ..Limits::NONE })
    }

    fn run(&mut self, position: &str, limits: Limits) -> Result<Solution, JsError> {
        let root = squares::read(position)?;
        self.search.start(SearchRequest { id: SearchId::default(), root, goal: Goal::BestMove, limits });
        let mut monitor = Uninterrupted::default();
        self.search.run(&mut monitor);
        let report = monitor.last.ok_or_else(|| JsError::new("the search told nothing"))?;
        let over = 100 * root.board().final_score();
        let centidiscs = report.best().map_or(over, |line| line.score.centidiscs());
        Ok(Solution { score: centidiscs / 100, nodes: report.nodes })
    }
}
