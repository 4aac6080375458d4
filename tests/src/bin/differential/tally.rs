//! Counts of answers and differences.

use super::Fault;
use super::side::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Moves, flips, last flips, static value.
    Leaves,
    /// Endgames that a plain solver also solves.
    Small,
    /// Positions of suites.
    Suites,
    /// Endgames that only the engine solves.
    Large,
    /// Nodes of one thread.
    Nodes,
}

/// Names of the subjects, in their order.
const NAMES: [&str; 5] = ["leaf answers", "plain endgames", "suites", "15-20 empties", "equal nodes"];

const MAX_PRINTED: usize = 20;

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) differences: usize,
    answers: [usize; NAMES.len()],
}

impl Tally {
    /// Counts an answer of a side, and prints it if it differs from the reference.
    pub(crate) fn compare(
        &mut self,
        subject: Subject,
        side: &Side,
        about: &str,
        expected: &str,
        found: &str,
    ) {
        self.answers[subject as usize] += 1;
        if expected != found {
            if self.differences < MAX_PRINTED {
                println!("difference: {side}\n  about    {about}\n  expected {expected}\n  found    {found}");
            }
            self.differences += 1;
        }
    }

    pub(crate) fn answers(&self) -> usize {
        self.answers.iter().sum()
    }

    /// Prints the counts.
    ///
    /// # Errors
    /// If there are differences.
    pub(crate) fn end(&self) -> Result<(), Fault> {
        for (name, answers) in NAMES.iter().zip(self.answers) {
            println!("{name:14} {answers:>9} answers compared");
        }
        match self.differences {
            0 => Ok(()),
            differences => Err(format!("{differences} differences, the first is above").into()),
        }
    }
}
