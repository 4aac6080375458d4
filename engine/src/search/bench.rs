//! The fixed search. Its node count is the signature of the search.
//!
//! With one thread and the same size of the transposition table, every kernel, the native program and the browser must reach the
//! number in `bench-signature.txt`. A commit that changes the visited nodes also changes the file and contains `Bench: N`.

use super::{
    Depth, Goal, HashSize, KeepLastReport, Limits, Report, Search, SearchConfig, SearchId, SearchRequest,
};
use crate::board::Position;
use crate::eval::Evaluator;
use crate::kernel::Kernel;
use crate::notation::squares;
use crate::score::{Confidence, Score};

/// Positions from the opening to the endgame: a depth in plies (60 solves the game), the squares, the side to move. The moves of
/// the games were random, with a preference for few replies.
const POSITIONS: &str = include_str!("bench.txt");

/// The number of nodes of the fixed search.
pub const BENCH_SIGNATURE: u64 = {
    let digits = include_bytes!("bench-signature.txt").trim_ascii();
    let (mut number, mut place) = (0, 0);
    while place < digits.len() {
        number = 10 * number + (digits[place] - b'0') as u64;
        place += 1;
    }
    number
};

/// The size of the table, equal on all machines.
const HASH: HashSize = HashSize(16);

/// The confidence of the searches in the midgame.
const CONFIDENCE: Confidence = Confidence::LOWEST;

/// One position of the fixed search.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchLine {
    /// The position.
    pub position: Position,
    /// The depth of its search in plies.
    pub depth: Depth,
    /// Its value for the side to move.
    pub score: Score,
    /// The nodes of its search.
    pub nodes: u64,
}

/// Searches the fixed positions, each with an empty table, and passes every result to `each`. Returns the total number of nodes.
pub fn bench(kernel: Kernel, evaluator: Evaluator, mut each: impl FnMut(&BenchLine)) -> u64 {
    let mut search = Search::new(SearchConfig { hash: HASH, kernel, evaluator });
    let mut total = 0;
    for (id, (position, depth)) in positions().enumerate() {
        let confidence = if depth == Depth::MAX { Confidence::EXACT } else { CONFIDENCE };
        search.clear();
        search.start(SearchRequest {
            id: SearchId(id as u64 + 1),
            root: position,
            goal: Goal::BestMove,
            limits: Limits::to_depth(depth.plies(), confidence),
        });
        let mut monitor = KeepLastReport::default();
        let _ = search.run(&mut monitor);
        let Some(report) = monitor.last else { continue };
        let score = report.best().map_or(Score::ZERO, |line| line.score);
        let Report { nodes, .. } = report;
        total += nodes;
        each(&BenchLine { position, depth, score, nodes });
    }
    total
}

fn positions() -> impl Iterator<Item = (Position, Depth)> {
    POSITIONS.lines().filter_map(|line| {
        let (depth, position) = line.split_once(' ')?;
        Some((squares::read(position).ok()?, Depth::new(depth.parse().ok()?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_reaches_the_signature() {
        let mut results = Kernel::available().iter().map(|&kernel| {
            let mut lines = Vec::new();
            (kernel, bench(kernel, Evaluator::default(), |line| lines.push(line.clone())), lines)
        });
        let (_, nodes, lines) = results.next().unwrap();
        assert_eq!(
            nodes, BENCH_SIGNATURE,
            "if the change of the search is intended, write the new number to the file"
        );
        for (kernel, other_nodes, other_lines) in results {
            assert_eq!((other_nodes, &other_lines), (nodes, &lines), "{}", kernel.name());
        }
    }
}
