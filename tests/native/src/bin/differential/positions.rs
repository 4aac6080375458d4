//! Random endgames, and the suites.

use std::path::Path;

use outflank::board::{Board, Color, Position, Status, Symmetry};
use outflank::notation::{obf, squares};

use super::Fault;
use super::plain::{Random, random_board};

/// Most empty squares of a position of a suite. More of them take minutes on each side.
const MAX_EMPTIES: u32 = 22;

/// A position with its score, if it is known.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) position: String,
    pub(crate) score: Option<i64>,
}

/// Returns endgames of random games. Half of the small ones have ten or more empty squares: there, tables and move ordering
/// matter.
pub(crate) fn endgames(random: &mut Random, count: usize, is_large: bool) -> Vec<Known> {
    let empties = |n| if n % 2 == 0 { 10 + n / 2 % 5 } else { 1 + n / 2 % 9 };
    let endgame = |n| {
        let board = random_board(random, if is_large { 15 + n as u32 % 6 } else { empties(n) as u32 });
        Known { position: transformed(board, n), score: None }
    };
    (0..count).map(endgame).collect()
}

/// Returns a board transformed by symmetry `n`, with Black and White to move in turn.
fn transformed(board: Board, n: usize) -> String {
    let symmetry = Symmetry::all().nth(n % 8).unwrap_or_else(|| unreachable!("there are eight"));
    let side = if (n / 8).is_multiple_of(2) { Color::Black } else { Color::White };
    squares::write(&Position::new(symmetry.board(board), side))
}

/// Reads the positions of the suites of the repository that have a score, sorted by empty squares.
pub(crate) fn suites() -> Result<Vec<Known>, Fault> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["engine/tests/data", "tests/native/data/suites"] {
        for entry in root.join(folder).read_dir()? {
            let path = entry?.path();
            if path.extension().is_none_or(|ending| ending != "obf") {
                continue;
            }
            for (_, problem) in obf::read(&std::fs::read_to_string(path)?) {
                let Ok(problem) = problem else { continue };
                let (position, empties) = (problem.position, problem.position.empties());
                let Some(score) = problem.best() else { continue };
                if position.status() != Status::Over && empties <= MAX_EMPTIES {
                    found.push((empties, squares::write(&position), i64::from(score.get())));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found.into_iter().map(|(_, position, score)| Known { position, score: Some(score) }).collect())
}
