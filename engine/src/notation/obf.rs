//! OBF, the format of endgame suites: a position per line, with the scores of its moves.
//!
//! `64 squares X; G8:+18; H1:+12;`: squares from a1 row by row, the side to move, then moves with their final
//! disc differences for the side to move. Lines that are blank or begin with `%` say nothing. Some suites fill
//! up with `--:-127`, which is skipped.

use std::fmt;

use super::error::excerpt;
use super::moves;
use super::squares::{self, SquaresError};
use crate::board::{IllegalMove, Move, Position};
use crate::score::Discs;

/// A line of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position to solve.
    pub position: Position,
    /// Moves with their final disc difference for the side to move, in the order of the line, perhaps none.
    pub scores: Vec<(Move, Discs)>,
}

/// A faulty line. Entries count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObfError {
    /// The position.
    Position(SquaresError),
    /// An entry that is not `move:score`.
    Entry {
        /// Which entry.
        entry: usize,
        /// How it begins.
        text: String,
    },
    /// An entry's move cannot be read.
    Move {
        /// Which entry.
        entry: usize,
        /// How it begins.
        text: String,
    },
    /// An entry's score is not a number from −64 to 64, in a suite a whole one.
    Score {
        /// Which entry.
        entry: usize,
        /// How it begins.
        text: String,
    },
    /// An entry's move is against the rules.
    Illegal {
        /// Which entry.
        entry: usize,
        /// The move.
        mv: Move,
        /// The rule.
        reason: IllegalMove,
    },
}

impl ScoredPosition {
    /// The best score of the line, if it gives any.
    pub fn best(&self) -> Option<Discs> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

/// Reads the lines of a suite with their numbers from 1; faulty lines do not keep the others from being read.
pub fn read(text: &str) -> impl Iterator<Item = (usize, Result<ScoredPosition, ObfError>)> + '_ {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines()
        .enumerate()
        .filter(|(_, line)| !is_silent(line))
        .map(|(index, line)| (index + 1, read_line(line)))
}

/// Reads one line.
pub fn read_line(line: &str) -> Result<ScoredPosition, ObfError> {
    let score = |text: &str| {
        let number = text.parse().ok().filter(|number| (-64..=64).contains(number))?;
        Some(Discs::new(number))
    };
    let (position, scores) = read_valued(line, score)?;
    Ok(ScoredPosition { position, scores })
}

/// Reads a line whose moves have values of another kind: `value` reads one.
pub(super) fn read_valued<V>(
    line: &str,
    value: impl Fn(&str) -> Option<V>,
) -> Result<(Position, Vec<(Move, V)>), ObfError> {
    let (position, rest) = squares::read_prefix(line).map_err(ObfError::Position)?;
    let mut values = Vec::new();
    let texts = rest.split(';').map(str::trim).filter(|text| !text.is_empty());
    for (entry, text) in (1..).zip(texts) {
        let (mv, text) =
            text.split_once(':').ok_or_else(|| ObfError::Entry { entry, text: excerpt(text) })?;
        let mv = moves::read(mv).map_err(|_| ObfError::Move { entry, text: excerpt(mv) })?;
        // Padding.
        if mv == Move::Pass && text.trim() == "-127" {
            continue;
        }
        let value = value(text.trim()).ok_or_else(|| ObfError::Score { entry, text: excerpt(text) })?;
        position.play(mv).map_err(|reason| ObfError::Illegal { entry, mv, reason })?;
        values.push((mv, value));
    }
    Ok((position, values))
}

/// Whether a line says nothing: blank, or a comment.
pub(super) fn is_silent(line: &str) -> bool {
    matches!(line.trim_start().chars().next(), None | Some('%'))
}

/// Writes a line, without its end.
pub fn write(problem: &ScoredPosition) -> String {
    let mut line = squares::write(&problem.position);
    line.push(';');
    for &(mv, score) in &problem.scores {
        line.push_str(&format!(" {}:{score};", moves::write_upper(mv)));
    }
    line
}

impl fmt::Display for ObfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObfError::Position(error) => write!(f, "position: {error}"),
            ObfError::Entry { entry, text } => write!(f, "entry {entry}: `{text}` is not `move:score`"),
            ObfError::Move { entry, text } => write!(f, "entry {entry}: `{text}` is not a move"),
            ObfError::Score { entry, text } => {
                write!(f, "entry {entry}: the score `{text}` is not a whole number from -64 to 64")
            }
            ObfError::Illegal { entry, mv, reason } => {
                write!(f, "entry {entry}: the move {mv} is illegal: {reason}")
            }
        }
    }
}

impl std::error::Error for ObfError {}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;";

    #[test]
    fn a_line_and_back() {
        let problem = read_line(LINE).unwrap();
        assert_eq!(problem.scores.len(), 8);
        assert_eq!(problem.best(), Some(Discs::new(18)));
        assert_eq!(write(&problem), LINE);
        assert_eq!(read_line(&LINE.replace("; G8", ";--:-127; G8")), Ok(problem.clone()));
        assert_eq!(read_line(&LINE[..66]).unwrap().position, problem.position);
        assert_eq!(read_line(&LINE[..67]).unwrap().best(), None);
    }

    #[test]
    fn the_fault_is_named_by_line_and_field() {
        let text = format!("% a suite\n\n{LINE}\n{}\n{LINE}", LINE.replace("H1:+12", "H1:+99"));
        let lines: Vec<_> = read(&text).collect();
        assert_eq!(lines.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4, 5]);
        assert!(lines[0].1.is_ok() && lines[2].1.is_ok());
        let error = |from: &str, to: &str| read_line(&LINE.replacen(from, to, 1)).unwrap_err().to_string();
        assert_eq!(error("+12", "+99"), "entry 2: the score `+99` is not a whole number from -64 to 64");
        assert_eq!(error("+12", "much"), "entry 2: the score `much` is not a whole number from -64 to 64");
        assert_eq!(error("H1:", "H1 "), "entry 2: `H1 +12` is not `move:score`");
        assert_eq!(error("H1:", "J1:"), "entry 2: `J1` is not a move");
        assert_eq!(error("H1:", "C1:"), "entry 2: the move c1 is illegal: c1 is occupied");
        assert_eq!(
            error(" X;", ";"),
            "position: `; G8:+18; H1:+12; H7:+6;...` is not a side to move (X or O)"
        );
        assert_eq!(error("--X", "--?"), "position: `?` stands for no square (character 3 of 64, c1)");
    }
}
