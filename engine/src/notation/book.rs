//! Opening books, as people write them.
//!
//! A line is one of three things; lines that are blank or begin with `%` say nothing.
//!
//! ```text
//! % moves from the start, then the value of the position they lead to, for Black
//! f5d6c3d3c4 +0.50
//! f5f6e6f4 -4
//! % a finished game needs no value
//! f5d6c3…h8
//! % a position with the values of some of its moves, for the side to move (OBF)
//! ---------------------------OX------XO--------------------------- X; F5:+0.20; E6:+0.20;
//! % a position with its own value, for the side to move
//! ---------------------------OX------XO--------------------------- X; +0.20;
//! % a finished game in GGF
//! (;GM[Othello]PB[a]PW[b]TY[8]BO[8 …]B[F5]W[D6]…;)
//! ```
//!
//! A value has a sign. Without decimals it is a final score that is proven, with decimals an estimate.

use std::borrow::Cow;
use std::fmt;

use super::error::excerpt;
use super::ggf::{self, InGame};
use super::number;
use super::obf::{self, ObfError};
use super::squares;
use super::transcript::{self, TranscriptError};
use crate::board::{Color, Move, Position};
use crate::game::Game;
use crate::score::{Discs, Score};

/// What a line of a book tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Moves, and what the position after them is worth to Black.
    Line(Box<Game>, BookValue),
    /// A position, what it is worth itself and what some of its moves are, to the side to move.
    Position(Position, Option<BookValue>, Vec<(Move, BookValue)>),
}

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookValue {
    /// The proven final score.
    Exact(Discs),
    /// A guess.
    Estimate(Score),
}

/// A faulty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookError {
    /// Which, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: BookErrorKind,
}

/// What is wrong with a line. Entries count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookErrorKind {
    /// The moves.
    Moves(TranscriptError),
    /// The value after the moves is not a number from −64 to 64.
    Value {
        /// How it begins.
        text: String,
    },
    /// The game goes on, and there is no value.
    Unfinished,
    /// A game in GGF.
    Game(InGame),
    /// A position with the values of its moves.
    Position(ObfError),
}

impl BookValue {
    /// As a score.
    pub fn score(self) -> Score {
        match self {
            BookValue::Exact(discs) => discs.into(),
            BookValue::Estimate(score) => score,
        }
    }
}

impl std::ops::Neg for BookValue {
    type Output = BookValue;

    fn neg(self) -> BookValue {
        match self {
            BookValue::Exact(discs) => BookValue::Exact(-discs),
            BookValue::Estimate(score) => BookValue::Estimate(-score),
        }
    }
}

/// Reads a book, up to its first fault.
pub fn read(text: &str) -> Result<Vec<Entry>, BookError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !obf::is_silent(line)) {
        read_line(line, &mut entries).map_err(|fault| BookError { line: index + 1, fault })?;
    }
    Ok(entries)
}

/// Writes a finished game as a line of a book, without its end; nothing when the game goes on.
pub fn write(game: &Game) -> Option<String> {
    game.is_over().then(|| ggf::write(game))
}

fn read_line(line: &str, entries: &mut Vec<Entry>) -> Result<(), BookErrorKind> {
    if ggf::begins(line) {
        for game in ggf::read_all(line).map_err(BookErrorKind::Game)? {
            let value = final_score(&game).ok_or(BookErrorKind::Unfinished)?;
            entries.push(Entry::Line(Box::new(game), value));
        }
    } else if squares::begins(line) {
        let (line, own) = split_own(line);
        let (position, values) = obf::read_valued(&line, read_value).map_err(BookErrorKind::Position)?;
        let read = |text| read_value(text).ok_or_else(|| BookErrorKind::Value { text: excerpt(text) });
        entries.push(Entry::Position(position, own.map(read).transpose()?, values));
    } else {
        let (moves, value) = split_value(line);
        let game = transcript::read(moves).map_err(BookErrorKind::Moves)?;
        let value = match value {
            Some(text) => read_value(text).ok_or_else(|| BookErrorKind::Value { text: excerpt(text) })?,
            None => final_score(&game).ok_or(BookErrorKind::Unfinished)?,
        };
        entries.push(Entry::Line(Box::new(game), value));
    }
    Ok(())
}

/// The final score of a finished game, for Black.
fn final_score(game: &Game) -> Option<BookValue> {
    let end = game.position();
    let score = Discs::new(end.board().final_score());
    game.is_over().then_some(BookValue::Exact(if end.side() == Color::Black { score } else { -score }))
}

/// A position's own value, the first entry if that begins with a sign and names no move, and the line without it.
fn split_own(line: &str) -> (Cow<'_, str>, Option<&str>) {
    if let Some((position, rest)) = line.split_once(';') {
        let (own, rest) = rest.split_once(';').unwrap_or((rest, ""));
        if own.trim().starts_with(['+', '-']) && !own.contains(':') {
            return (Cow::Owned(format!("{position};{rest}")), Some(own.trim()));
        }
    }
    (Cow::Borrowed(line), None)
}

/// The moves of a line, and the value behind them: the last word, if it begins with a sign.
fn split_value(line: &str) -> (&str, Option<&str>) {
    let line = line.trim_end();
    match line.rsplit_once(|c: char| c.is_whitespace() || c == ':') {
        Some((moves, last)) if last.starts_with(['+', '-']) && last != "--" => (moves, Some(last)),
        _ => (line, None),
    }
}

fn read_value(text: &str) -> Option<BookValue> {
    let text = text.trim();
    if let Ok(discs) = text.parse::<i32>() {
        return (-64..=64).contains(&discs).then(|| BookValue::Exact(Discs::new(discs)));
    }
    let discs = number::read(text).filter(|discs| (-64.0..=64.0).contains(discs))?;
    Score::from_discs(discs).map(BookValue::Estimate)
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.fault)
    }
}

impl std::error::Error for BookError {}

impl fmt::Display for BookErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookErrorKind::Moves(error) => error.fmt(f),
            BookErrorKind::Value { text } => write!(f, "the value `{text}` is not a number from -64 to 64"),
            BookErrorKind::Unfinished => f.write_str("the value is missing, and the game is not over"),
            BookErrorKind::Game(error) => error.fmt(f),
            // Unlike a suite's its values may have decimals.
            BookErrorKind::Position(ObfError::Score { entry, text }) => {
                write!(f, "entry {entry}: the value `{text}` is not a number from -64 to 64")
            }
            BookErrorKind::Position(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BookErrorKind {}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    #[test]
    fn lines_of_every_kind() {
        let text = format!(
            "% a book\n\nf5d6c3 +0.50\nF5 F6: -4\n1. f5 d6 2. c5 -1,5\n{START} X; F5:+0.2; E6:-3;\n\
             {START} X; -0.50;\n{START} X;+2\n{START} X; +1.5; F5:+2;\nf4 +0\nd3 c5 f6 f5 e6 e3 c3 f3 c4 -0.00\n"
        );
        let entries = read(&text).unwrap();
        let values: Vec<_> = entries
            .iter()
            .map(|entry| match entry {
                Entry::Line(game, value) => (game.plies(), format!("{value:?}")),
                Entry::Position(_, None, values) => (values.len(), format!("{:?}", values[1].1)),
                Entry::Position(_, Some(own), values) => (values.len(), format!("{own:?}")),
            })
            .collect();
        let expected = [
            (3, "Estimate(+0.50)"),
            (2, "Exact(-4)"),
            (3, "Estimate(-1.50)"),
            (2, "Exact(-3)"),
            (0, "Estimate(-0.50)"),
            (0, "Exact(+2)"),
            (1, "Estimate(+1.50)"),
            (1, "Exact(+0)"),
            (9, "Estimate(+0.00)"),
        ];
        assert_eq!(values, expected.map(|(count, value)| (count, value.to_owned())));
    }

    #[test]
    fn a_finished_game_has_its_score() {
        // The shortest loss of White: nine moves, and no white disc is left.
        let moves = "e6f4e3f6g5d6e7f5c5";
        let Entry::Line(game, value) = &read(moves).unwrap()[0] else { panic!() };
        assert_eq!(*value, BookValue::Exact(Discs::new(64)));
        let line = write(game).unwrap();
        let Entry::Line(again, value) = &read(&line).unwrap()[0] else { panic!() };
        assert_eq!((again.plies(), *value), (game.plies(), BookValue::Exact(Discs::new(64))));
        assert_eq!(write(&game.prefix(3)), None);
    }

    #[test]
    fn the_fault_is_named_by_line_and_field() {
        let error = |line: &str| read(&format!("\n{line}\n")).unwrap_err().to_string();
        assert_eq!(error("f5d6c3"), "line 2: the value is missing, and the game is not over");
        assert_eq!(error("f5d6 +65"), "line 2: the value `+65` is not a number from -64 to 64");
        assert_eq!(error("f5d6 +x"), "line 2: the value `+x` is not a number from -64 to 64");
        assert_eq!(error("f5d6 -inf"), "line 2: the value `-inf` is not a number from -64 to 64");
        assert_eq!(error("f5d6a1 +0"), "line 2: move 3 (a1) is illegal: a1 flips nothing");
        assert_eq!(error("hello"), "line 2: move 1 cannot be read: `hello`");
        assert_eq!(error("+2"), "line 2: move 1 cannot be read: `+2`");
        assert_eq!(error(&format!("{START} X; F5 +2")), "line 2: entry 1: `F5 +2` is not `move:score`");
        assert_eq!(
            error(&format!("{START} X; +65;")),
            "line 2: the value `+65` is not a number from -64 to 64"
        );
        assert_eq!(error(&format!("{START} X; F5:+1; K5:1")), "line 2: entry 2: `K5` is not a move");
        assert_eq!(
            error(&format!("{START} X; F5:much")),
            "line 2: entry 1: the value `much` is not a number from -64 to 64"
        );
        assert_eq!(
            error(&format!("{START} X; A1:+1")),
            "line 2: entry 1: the move a1 is illegal: a1 flips nothing"
        );
        assert_eq!(
            error("(;GM[Othello]TY[8]B[F5]W[D6];)"),
            "line 2: the value is missing, and the game is not over"
        );
        assert!(error("(;GM[Othello]TY[8]B[F5]W[A1];)").starts_with("line 2: game 1: move 2 (a1)"));
    }
}
