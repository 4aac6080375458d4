//! Fixed workloads, for comparing this build with the native one.

use outflank::board::{self, Position};
use outflank::game::notation::squares;
use outflank::kernel::Kernel;
use outflank::search::{
    self, Goal, HashSize, Limits, Search, SearchConfig, SearchId, SearchRequest, Uninterrupted,
};
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

#[wasm_bindgen]
impl Solver {
    /// One with a table of this many mebibytes.
    #[wasm_bindgen(constructor)]
    pub fn new(hash: u32) -> Solver {
        let config = SearchConfig { hash: HashSize(hash.max(1)), ..SearchConfig::default() };
        Solver { search: Search::new(config) }
    }

    /// Forgets everything learnt, so that the next position is solved on its own.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Solves a position given as 64 squares and the side to move.
    pub fn solve(&mut self, position: &str) -> Result<Solution, JsError> {
        let root = squares::read(position)?;
        self.search.start(SearchRequest {
            id: SearchId::default(),
            root,
            goal: Goal::BestMove,
            limits: Limits { solve_from: 64, ..Limits::NONE },
        });
        let mut monitor = Uninterrupted::default();
        self.search.run(&mut monitor);
        let report = monitor.last.ok_or_else(|| JsError::new("the search told nothing"))?;
        let over = 100 * root.board().final_score();
        let centidiscs = report.best().map_or(over, |line| line.score.centidiscs());
        Ok(Solution { score: centidiscs / 100, nodes: report.nodes })
    }
}
