//! Client side of NBoard: the lines that a client sends, and the meaning of the engine's lines.
//!
//! The depth field of a line states how certain its value is. [`Certainty`] is written and read in this form:
//!
//! | field | value of |
//! | --- | --- |
//! | `12` | a search to 12 plies |
//! | `20@73%` | a search to 20 plies with cuts at this confidence, also to the end of the game |
//! | `84%` | a search to the end of the game with cuts at this confidence |
//! | `9@book` | a book with 9 more plies |
//! | `100%W` | a proven winner, or a proven draw |
//! | `100%` | a proven score |

use std::fmt;
use std::str::FromStr;

use crate::analysis::{Certainty, Kind, Known};
use crate::board::{Move, Position, Square};
use crate::game::{Game, GameClock};
use crate::notation::{ggf, moves};
use crate::score::Score;

/// The meaning of a line of an engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply<'a> {
    /// `search` or `book`: a move and its value. The line of the value has no passes.
    Value(Move, Known),
    /// `nodestats`: the nodes of a search and its seconds. It ends the lines of an iteration.
    Nodes(u64, f64),
    /// `pong`, with its number.
    Pong(u64),
    /// `status`.
    Status(&'a str),
    /// `===`: the move of a search. `None` if it is unreadable.
    Move(Option<Move>),
    /// Any other line, which a client ignores.
    Other,
}

/// Returns the meaning of a line of an engine.
pub fn read(line: &str) -> Reply<'_> {
    let line = line.trim();
    let (word, rest) = split_word(line);
    let read = match word {
        "search" | "book" => read_value(line).map(|(mv, known)| Reply::Value(mv, known)),
        "nodestats" => read_nodes(rest),
        "pong" => rest.parse().ok().map(Reply::Pong),
        "status" => Some(Reply::Status(rest)),
        _ => line.strip_prefix("===").map(|text| {
            let mv = text.trim().split([' ', '/']).next().unwrap_or_default();
            Reply::Move(moves::read(mv).ok())
        }),
    };
    read.unwrap_or(Reply::Other)
}

fn split_word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// Returns the move and the value of a line such as `search F5D6C3 1.23 0 12@73%`, `None` for any other line. Of a pair of values, the
/// first one is that of the mover. An invalid move ends the line of moves.
pub fn read_value(line: &str) -> Option<(Move, Known)> {
    let (word, rest) = split_word(line.trim());
    let is_book = word == "book";
    let mut words = Some(rest).filter(|_| is_book || word == "search")?.split_whitespace();
    let (line, value, depth) = (words.next()?.replace('-', ""), words.next()?, words.nth(1)?);
    let pairs =
        (0..line.len().min(128)).step_by(2).map_while(|at| line.get(at..at + 2)?.parse::<Move>().ok());
    let line: Vec<Move> = pairs.collect();
    let discs: f64 = value.split(',').next()?.parse().ok().filter(|discs: &f64| discs.abs() <= 64.0)?;
    let certainty = match depth.parse().ok()? {
        proof if is_book && proof == Certainty::EXACT => Certainty::book(100),
        certainty => certainty,
    };
    let squares = line.iter().filter_map(|mv| mv.square()).collect();
    let known = Known { score: Score::from_discs(discs)?, certainty, line: squares };
    Some((*line.first()?, known))
}

fn read_nodes(text: &str) -> Option<Reply<'_>> {
    let (nodes, seconds) = text.split_once(char::is_whitespace)?;
    let seconds = seconds.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite())?;
    Some(Reply::Nodes(nodes.parse().ok()?, seconds))
}

/// Writes the line of an engine that states a value, as [`read`] reads it.
pub fn write_value(known: &Known) -> String {
    let Known { score, certainty, line } = known;
    let word = if certainty.kind() == Kind::Book { "book" } else { "search" };
    let squares: String = line.iter().map(Square::to_string).collect();
    format!("{word} {squares} {:.2} 0 {certainty}", score.discs())
}

/// Returns the line that sets a position. `clock` is the remaining time of both sides.
pub fn set_position(position: &Position, clock: Option<GameClock>) -> String {
    let mut game = Game::new(*position);
    game.tags.clock = clock;
    format!("set game {}", ggf::write(&game))
}

/// Returns the lines that ask for the values of the best `count` moves of a position at a depth of `plies`.
pub fn hint(position: &Position, plies: u32, count: usize) -> [String; 3] {
    [set_position(position, None), format!("set depth {plies}"), format!("hint {count}")]
}

impl fmt::Display for Certainty {
    /// Writes the depth field of a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.depth().unwrap_or_default();
        match (self.kind(), self.confidence()) {
            (Kind::Exact, _) => f.write_str("100%"),
            (Kind::Outcome, _) => f.write_str("100%W"),
            (Kind::Book, _) => write!(f, "{plies}@book"),
            (_, Some(percent)) if self.depth().is_none() => write!(f, "{percent}%"),
            (_, Some(percent)) => write!(f, "{plies}@{percent}%"),
            (_, None) => write!(f, "{plies}"),
        }
    }
}

/// The error for a text that is not the depth field of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDepth;

impl FromStr for Certainty {
    type Err = UnknownDepth;

    /// Reads the depth field of a line.
    fn from_str(text: &str) -> Result<Certainty, UnknownDepth> {
        let (number, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
        let number: u32 = number.parse().map_err(|_| UnknownDepth)?;
        Ok(match rest {
            "" => Certainty::at_depth(number, 100),
            "%" if number == 100 => Certainty::EXACT,
            "%W" if number == 100 => Certainty::OUTCOME,
            "%" => Certainty::solve(number),
            "@book" => Certainty::book(number),
            _ => {
                let percent = rest.strip_prefix('@').and_then(|rest| rest.strip_suffix('%'));
                let percent = percent.and_then(|percent| percent.parse().ok()).ok_or(UnknownDepth)?;
                Certainty::at_depth(number, percent)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_read_as_they_are_written() {
        let described = |text: &str| {
            let read = text.parse::<Certainty>();
            read.map(|c| format!("{c} {:?} {} {:?} {:?}", c.kind(), c.level(), c.depth(), c.confidence()))
        };
        for expected in [
            "22 Heuristic 22100 Some(22) None",
            "22@84% Selective 22084 Some(22) Some(84)",
            "84% Selective 284000 None Some(84)",
            "100%W Outcome 900000 Some(100) None",
            "100% Exact 1000000 Some(100) None",
            "9@book Book 109000 Some(9) None",
        ] {
            let text = expected.split(' ').next().unwrap_or_default();
            assert_eq!(described(text).as_deref(), Ok(expected));
        }
        assert!(described("100").is_ok_and(|found| found.ends_with(" Some(99) None")));
        for text in ["", "book", "W", "-1", "22@", "22%W", "99999999999999999999"] {
            assert_eq!(described(text), Err(UnknownDepth), "{text}");
        }
    }

    /// Lines, and their meaning as [`write_value`] and `Debug` write it.
    const LINES: &str = "\
        search F5d6C3PAe4 -1.23 0 22@84% freeform | f5, search f5d6c3e4 -1.23 0 22@84%
        search F5-D6-C3 -1.23,1.23 0 22@84% | f5, search f5d6c3 -1.23 0 22@84%
        search F5D6?? -1.23 0 22@84% | f5, search f5d6 -1.23 0 22@84%
        book F5 -1.23 3 9@book | f5, book f5 -1.23 0 9@book
        nodestats 35805 0.250 | Nodes(35805, 0.25)
        status Outflank is waiting | Status(\"Outflank is waiting\")
        pong 7 | Pong(7)
        === F5/1.23/0.45 | Move(Some(f5))
        ===pa | Move(Some(pass))
        === whatever | Move(None)
        search | Other
        search F5 what 0 9 | Other
        search F5 65 0 9 | Other
        search F5 1 0 x | Other
        search ?? 1 0 9 | Other
        pong x | Other
        nodestats N -nan | Other
        \u{e9}\u{e9} x | Other
         | Other";

    #[test]
    fn lines_of_engines_are_read() {
        for row in LINES.lines() {
            let (line, expected) = row.trim_start().split_once("| ").unwrap();
            let found = match read(line) {
                Reply::Value(mv, known) => {
                    let written = write_value(&known);
                    assert_eq!(read(&written), Reply::Value(Move::Place(known.line[0]), known));
                    format!("{mv}, {written}")
                }
                other => format!("{other:?}"),
            };
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn book_with_a_proof_is_a_book() {
        let Reply::Value(_, known) = read("book F5 2.00 1 100%") else { panic!() };
        assert_eq!((known.certainty.kind(), known.certainty.level()), (Kind::Book, 200_000));
    }
}
