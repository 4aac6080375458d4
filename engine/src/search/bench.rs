//! The fixed search: what it costs in nodes is the signature of everything that decides what is searched.
//!
//! Every kernel, the native program and the browser must come to the same number, with one thread and the
//! same size of the transposition table, and to the one in `bench-signature.txt`. A change of the search that changes the
//! number changes more than its speed: it changes the file, too, and its commit says `Bench: N`.

use super::{
    Depth, Goal, HashSize, KeepLastReport, Limits, Report, Search, SearchConfig, SearchId, SearchRequest,
};
use crate::board::Position;
use crate::eval::Evaluator;
use crate::kernel::Kernel;
use crate::notation::squares;
use crate::score::{Confidence, Score};

/// From the opening to the endgame: a depth in plies (60 solves the game), the squares, the side to move. The
/// games they come from were played at random with a liking for few replies.
const POSITIONS: &str = include_str!("bench.txt");

/// Size of the table, so that it is the same everywhere.
const HASH: HashSize = HashSize(16);

/// How sure the searches in the midgame are.
const CONFIDENCE: Confidence = Confidence::LOWEST;

/// One position of the fixed search.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchLine {
    /// The position.
    pub position: Position,
    /// To what depth it was searched, in plies.
    pub depth: Depth,
    /// Its value for the side to move.
    pub score: Score,
    /// What it took.
    pub nodes: u64,
}

/// Searches the fixed positions, each with an empty table, and hands every result to `each`. Returns the
/// number of nodes in all.
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
    fn every_position_can_be_read() {
        assert_eq!(positions().count(), POSITIONS.lines().count());
    }

    #[test]
    fn every_kernel_comes_to_the_committed_number() {
        let mut results = Kernel::available().iter().map(|&kernel| {
            let mut lines = Vec::new();
            (kernel, bench(kernel, Evaluator::default(), |line| lines.push(line.clone())), lines)
        });
        let (_, nodes, lines) = results.next().unwrap();
        let committed = include_str!("bench-signature.txt").trim();
        assert_eq!(
            nodes.to_string(),
            committed,
            "if the search was meant to change, write the new number there"
        );
        for (kernel, other_nodes, other_lines) in results {
            assert_eq!((other_nodes, &other_lines), (nodes, &lines), "{}", kernel.name());
        }
    }
}
