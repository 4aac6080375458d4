//! Values in the answers of engines.

use crate::analysis::Known;
use crate::board::Move;
use crate::search::Report;
use crate::session::nboard;

/// The answer of an engine to a question about a position.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// The last report of a search for the best moves.
    Report(&'a Report),
    /// The lines of an engine that speaks NBoard.
    Lines(&'a str),
}

impl<'a> From<&'a Report> for Answer<'a> {
    fn from(report: &'a Report) -> Answer<'a> {
        Answer::Report(report)
    }
}

impl<'a> From<&'a str> for Answer<'a> {
    fn from(lines: &'a str) -> Answer<'a> {
        Answer::Lines(lines)
    }
}

impl Answer<'_> {
    /// Returns all values, and the index of the first one of the last iteration.
    pub(super) fn values(self) -> (Vec<Known>, usize) {
        let (mut values, mut first) = (Vec::new(), 0);
        match self {
            Answer::Report(report) => values.extend(report.lines.iter().filter_map(Known::of)),
            Answer::Lines(lines) => {
                for (mv, known) in lines.lines().filter_map(nboard::read_value) {
                    // A pass is not a move of a position of a study.
                    if mv == Move::Pass {
                        continue;
                    }
                    // A repeated move or another depth starts the next iteration.
                    let follows = |row: &Known| {
                        row.line.first() != known.line.first() && row.certainty == known.certainty
                    };
                    if !values[first..].iter().all(follows) {
                        first = values.len();
                    }
                    values.push(known);
                }
            }
        }
        (values, first)
    }
}
