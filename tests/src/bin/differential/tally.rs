//! Counts of answers and differences.

use std::fmt;

use super::browser::ReadGame;
use super::side::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Moves, flips, last flips, leaves, static value.
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

/// Titles of the columns, in the order of the subjects.
const COLUMNS: [(Subject, &str); 5] = [
    (Subject::Leaves, "leaf answers"),
    (Subject::Small, "plain endgames"),
    (Subject::Suites, "suites"),
    (Subject::Large, "15-20 empties"),
    (Subject::Nodes, "equal nodes"),
];

const MAX_PRINTED: usize = 20;

pub(crate) struct Tally {
    sides: Vec<Side>,
    rows: Vec<Row>,
    games: Count,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row([Count; COLUMNS.len()]);

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    answers: usize,
    differences: usize,
}

impl Count {
    fn add(&mut self, same: bool) {
        self.answers += 1;
        self.differences += usize::from(!same);
    }
}

impl Tally {
    pub(crate) fn new(sides: Vec<Side>) -> Tally {
        let rows = vec![Row::default(); sides.len()];
        Tally { sides, rows, games: Count::default() }
    }

    pub(crate) fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// Counts an answer of side number `place`, and prints it if it differs from the reference.
    pub(crate) fn compare(
        &mut self,
        subject: Subject,
        place: usize,
        about: &str,
        expected: &str,
        found: &str,
    ) {
        let same = expected == found;
        if !same {
            self.print(&self.sides[place].to_string(), about, expected, found);
        }
        self.rows[place].0[subject as usize].add(same);
    }

    /// Counts a text that the rules of the page have read.
    pub(crate) fn game(&mut self, text: &str, expected: &[ReadGame], found: &[ReadGame]) {
        let same = expected == found && !expected.is_empty();
        if !same {
            self.print("rules of the page", text, &format!("{expected:?}"), &format!("{found:?}"));
        }
        self.games.add(same);
    }

    fn print(&self, side: &str, about: &str, expected: &str, found: &str) {
        if self.differences() < MAX_PRINTED {
            println!("difference: {side}\n  about    {about}\n  expected {expected}\n  found    {found}");
        }
    }

    pub(crate) fn answers(&self) -> usize {
        self.counts().map(|count| count.answers).sum()
    }

    pub(crate) fn differences(&self) -> usize {
        self.counts().map(|count| count.differences).sum()
    }

    fn counts(&self) -> impl Iterator<Item = Count> {
        self.rows.iter().flat_map(|row| row.0).chain([self.games])
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:39}", "answers compared")?;
        for (_, head) in COLUMNS {
            write!(f, " | {head:>14}")?;
        }
        writeln!(f, " | {:>11}", "differences")?;
        for (side, row) in self.sides.iter().zip(&self.rows) {
            write!(f, "{:39}", side.to_string())?;
            for count in row.0 {
                write!(f, " | {:>14}", count.answers)?;
            }
            writeln!(f, " | {:>11}", row.0.iter().map(|count| count.differences).sum::<usize>())?;
        }
        let Count { answers, differences } = self.games;
        writeln!(f, "rules of the page: {answers} texts of games, {differences} differences")?;
        write!(f, "in all: {} answers, {} differences", self.answers(), self.differences())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::Build;

    #[test]
    fn difference_is_counted_for_its_side_and_subject() {
        let side = |threads| Side { build: Build::Native, kernel: "portable".to_owned(), threads };
        let mut tally = Tally::new(vec![side(1), side(2)]);
        tally.compare(Subject::Leaves, 0, "a board", "1", "1");
        tally.compare(Subject::Suites, 1, "a position", "score +2", "score +2");
        assert_eq!((tally.answers(), tally.differences()), (2, 0));
        tally.compare(Subject::Suites, 1, "a position", "score +2", "score +4");
        tally.game("f5", &[], &[]);
        assert_eq!((tally.answers(), tally.differences()), (4, 2));
        assert_eq!(tally.rows[1].0[Subject::Suites as usize].differences, 1);
        for (place, (subject, _)) in COLUMNS.into_iter().enumerate() {
            assert_eq!(subject as usize, place);
        }
    }
}
