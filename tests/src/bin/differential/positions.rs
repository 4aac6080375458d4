//! Random boards and endgames, and the suites.

use std::path::Path;

use outflank::board::{Board, Color, Position, Status, Symmetry};
use outflank::notation::{obf, squares};

use super::Fault;
use super::plain::{Random, plain, random_board};

/// Most empty squares of a position of a suite. More of them take minutes on each side.
const MAX_EMPTIES: u32 = 22;

/// A position with its score, if it is known.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) position: String,
    pub(crate) score: Option<i64>,
}

/// Returns boards of random games and boards that no game reaches, in turn.
pub(crate) fn boards(seed: u64, count: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|n| match n % 2 {
            0 => {
                let plies = 1 + random.below(64);
                random.game(plies).position()
            }
            _ => Position::new(random.board(), Color::Black),
        })
        .collect()
}

/// Returns endgames of random games with at most 14 empty squares, each transformed by a symmetry, with the scores of a plain
/// alpha-beta search.
pub(crate) fn small_endgames(seed: u64, count: usize) -> Vec<Known> {
    let mut random = Random::new(seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut known = Vec::new();
    while known.len() < count {
        // Half of them have ten or more empty squares: there, tables and move ordering matter.
        let n = known.len();
        let empties = if n % 2 == 0 { 10 + n / 2 % 5 } else { 1 + n / 2 % 9 };
        let board = random_board(&mut random, empties as u32);
        let score = Some(plain(board, -64, 64).into());
        known.push(Known { position: transformed(board, n), score });
    }
    known
}

/// Returns endgames of random games with 15 to 20 empty squares.
pub(crate) fn large_endgames(seed: u64, count: usize) -> Vec<Known> {
    let mut random = Random::new(seed ^ 0x1234_5678_9abc_def1);
    let mut positions = Vec::new();
    while positions.len() < count {
        let n = positions.len();
        let board = random_board(&mut random, 15 + (n % 6) as u32);
        if !board.is_over() {
            positions.push(Known { position: transformed(board, n), score: None });
        }
    }
    positions
}

/// Returns a board transformed by symmetry `n`, with Black and White to move in turn.
fn transformed(board: Board, n: usize) -> String {
    let symmetry = Symmetry::all().nth(n % 8).unwrap_or_else(|| unreachable!("there are eight"));
    let side = if (n / 8).is_multiple_of(2) { Color::Black } else { Color::White };
    squares::write(&Position::new(symmetry.board(board), side))
}

/// Positions of the suites, sorted by empty squares.
pub(crate) struct Suites {
    positions: Vec<Known>,
    next: usize,
}

impl Suites {
    /// Reads the suites of the repository.
    pub(crate) fn read() -> Result<Suites, Fault> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders = [root.join("engine/tests/data"), root.join("tests/data/suites")];
        let mut found = Vec::new();
        for folder in &folders {
            for entry in folder.read_dir()? {
                let path = entry?.path();
                if path.extension().is_some_and(|ending| ending == "obf") {
                    found.extend(scored(&std::fs::read_to_string(path)?));
                }
            }
        }
        found.retain(|(empties, _)| *empties <= MAX_EMPTIES);
        found.sort_by(|one, other| (one.0, &one.1.position).cmp(&(other.0, &other.1.position)));
        found.dedup_by(|one, other| one.1.position == other.1.position);
        if found.is_empty() {
            return Err("no suite found".into());
        }
        Ok(Suites { positions: found.into_iter().map(|(_, known)| known).collect(), next: 0 })
    }

    pub(crate) fn total(&self) -> usize {
        self.positions.len()
    }

    /// Returns the next `count` positions, and starts again after the last.
    pub(crate) fn take(&mut self, count: usize) -> Vec<Known> {
        let total = self.positions.len();
        let taken = (0..count.min(total)).map(|n| self.positions[(self.next + n) % total].clone()).collect();
        self.next += count;
        taken
    }
}

/// Returns the positions of an OBF text with known scores, and their empty squares.
fn scored(text: &str) -> Vec<(u32, Known)> {
    let problems = obf::read(text).filter_map(|(_, problem)| problem.ok());
    problems
        .filter(|problem| problem.position.status() != Status::Over)
        .filter_map(|problem| {
            let score = Some(i64::from(problem.best()?.get()));
            let position = squares::write(&problem.position);
            Some((problem.position.empties(), Known { position, score }))
        })
        .collect()
}
