//! One round: new positions for every side.

use outflank::board::Position;
use outflank::notation::squares;

use super::Fault;
use super::positions::{self, Known, Suites};
use super::reference;
use super::side::{Sides, Solved};
use super::tally::{Subject, Tally};

const BOARDS: usize = 1000;
const SMALL: usize = 200;
const LARGE: usize = 6;
const SUITES: usize = 8;

/// Asks all sides about the positions of a seed, and counts their answers. The positions are reproducible, except that the suites
/// continue.
///
/// # Errors
/// If a side fails.
pub(crate) fn ask(seed: u64, suites: &mut Suites, sides: &mut Sides, tally: &mut Tally) -> Result<(), Fault> {
    leaves(&positions::boards(seed, BOARDS), sides, tally)?;
    endgames(Subject::Small, &positions::small_endgames(seed, SMALL), sides, tally)?;
    endgames(Subject::Suites, &suites.take(SUITES), sides, tally)?;
    endgames(Subject::Large, &positions::large_endgames(seed, LARGE), sides, tally)
}

fn leaves(boards: &[Position], sides: &mut Sides, tally: &mut Tally) -> Result<(), Fault> {
    let texts: Vec<String> = boards.iter().map(squares::write).collect();
    let rules: Vec<String> = boards.iter().map(reference::rules).collect();
    let mut values: Option<Vec<String>> = None;
    for side in sides.all.clone().iter().filter(|side| side.threads == 1) {
        let answers = sides.leaves(side, &texts)?;
        let value = |answer: &String| answer.rsplit(' ').next().unwrap_or_default().to_owned();
        let values = values.get_or_insert_with(|| answers.iter().map(value).collect());
        for (n, answer) in answers.iter().enumerate() {
            let expected = format!("{} {}", rules[n], values[n]);
            tally.compare(Subject::Leaves, side, &texts[n], &expected, answer);
        }
    }
    Ok(())
}

/// Lets all sides solve endgames. The reference of an unknown score is the first side. The nodes of the first side are the
/// reference of all sides with one thread.
fn endgames(subject: Subject, known: &[Known], sides: &mut Sides, tally: &mut Tally) -> Result<(), Fault> {
    let positions: Vec<String> = known.iter().map(|known| known.position.clone()).collect();
    let mut first: Option<Vec<Solved>> = None;
    for side in &sides.all.clone() {
        let solved = sides.solve(side, &positions, subject == Subject::Small)?;
        let first = first.get_or_insert_with(|| solved.clone());
        for ((known, solved), first) in known.iter().zip(&solved).zip(first) {
            let score = |score: i64| format!("score {score:+}");
            let expected = score(known.score.unwrap_or(first.score));
            tally.compare(subject, side, &known.position, &expected, &score(solved.score));
            if side.threads == 1 {
                let nodes = |solved: &Solved| format!("{} nodes", solved.nodes);
                tally.compare(Subject::Nodes, side, &known.position, &nodes(first), &nodes(solved));
            }
        }
    }
    Ok(())
}
