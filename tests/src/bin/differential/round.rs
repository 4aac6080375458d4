//! One round: new positions for every side.

use outflank::board::Position;
use outflank::notation::squares;

use super::Fault;
use super::browser::Browser;
use super::native::Native;
use super::positions::{self, Known, Suites};
use super::reference;
use super::side::{Build, Endgames, Side, Solved};
use super::tally::{Subject, Tally};

const BOARDS: usize = 1000;
const SMALL: usize = 200;
const LARGE: usize = 6;
const SUITES: usize = 8;

pub(crate) struct Round {
    boards: Vec<Position>,
    small: Vec<Known>,
    large: Vec<String>,
    suites: Vec<Known>,
}

impl Round {
    /// Returns the round of a seed. Its positions are reproducible, except that the suites continue.
    pub(crate) fn new(seed: u64, suites: &mut Suites) -> Round {
        Round {
            boards: positions::boards(seed, BOARDS),
            small: positions::small_endgames(seed, SMALL),
            large: positions::large_endgames(seed, LARGE),
            suites: suites.take(SUITES),
        }
    }

    /// Asks all sides and counts their answers.
    ///
    /// # Errors
    /// If a side fails.
    pub(crate) fn ask(&self, tally: &mut Tally, mut browser: Option<&mut Browser>) -> Result<(), Fault> {
        let sides = tally.sides.clone();
        self.leaves(&sides, tally, browser.as_deref_mut())?;
        let known = |known: &[Known]| known.iter().map(|known| known.position.clone()).collect();
        let scores = |known: &[Known]| Some(known.iter().map(|known| known.score).collect());
        let keep_table = Endgames { positions: known(&self.small), keep_table: true };
        endgames(&sides, tally, browser.as_deref_mut(), Subject::Small, &keep_table, scores(&self.small))?;
        let suites = Endgames { positions: known(&self.suites), keep_table: false };
        endgames(&sides, tally, browser.as_deref_mut(), Subject::Suites, &suites, scores(&self.suites))?;
        let large = Endgames { positions: self.large.clone(), keep_table: false };
        endgames(&sides, tally, browser, Subject::Large, &large, None)?;
        Ok(())
    }

    fn leaves(
        &self,
        sides: &[Side],
        tally: &mut Tally,
        mut browser: Option<&mut Browser>,
    ) -> Result<(), Fault> {
        let texts: Vec<String> = self.boards.iter().map(squares::write).collect();
        let rules: Vec<String> = self.boards.iter().map(reference::rules).collect();
        let mut values: Option<Vec<String>> = None;
        for side in sides.iter().filter(|side| side.threads == 1) {
            let answers = match (side.build, browser.as_deref_mut()) {
                (Build::Native, _) => Native::leaves(side, &texts)?,
                (_, Some(browser)) => browser.leaves(side, &texts)?,
                (_, None) => continue,
            };
            complete(side, answers.len(), texts.len())?;
            let value = |answer: &String| answer.rsplit(' ').next().unwrap_or_default().to_owned();
            let values = values.get_or_insert_with(|| answers.iter().map(value).collect());
            for (n, answer) in answers.iter().enumerate() {
                tally.compare(
                    Subject::Leaves,
                    side,
                    &texts[n],
                    &format!("{} {}", rules[n], values[n]),
                    answer,
                );
            }
        }
        Ok(())
    }
}

/// Lets all sides solve `endgames`. The reference is `scores`, or the first side if that is `None`. The nodes of the first side
/// are the reference of all sides with one thread.
fn endgames(
    sides: &[Side],
    tally: &mut Tally,
    mut browser: Option<&mut Browser>,
    subject: Subject,
    endgames: &Endgames,
    scores: Option<Vec<i64>>,
) -> Result<(), Fault> {
    let mut first: Option<Vec<Solved>> = None;
    for side in sides {
        let solved = match (side.build, browser.as_deref_mut()) {
            (Build::Native, _) => Native::solve(side, endgames)?,
            (_, Some(browser)) => browser.solve(side, endgames)?,
            (_, None) => continue,
        };
        complete(side, solved.len(), endgames.positions.len())?;
        let first = first.get_or_insert_with(|| solved.clone());
        for (n, (position, solved)) in endgames.positions.iter().zip(&solved).enumerate() {
            let score = scores.as_ref().map_or(first[n].score, |scores| scores[n]);
            tally.compare(
                subject,
                side,
                position,
                &format!("score {score:+}"),
                &format!("score {:+}", solved.score),
            );
            if side.threads == 1 {
                let nodes = |solved: &Solved| format!("{} nodes", solved.nodes);
                tally.compare(Subject::Nodes, side, position, &nodes(&first[n]), &nodes(solved));
            }
        }
    }
    Ok(())
}

fn complete(side: &Side, answers: usize, questions: usize) -> Result<(), Fault> {
    if answers == questions {
        Ok(())
    } else {
        Err(format!("{side}: {answers} answers to {questions} questions").into())
    }
}
