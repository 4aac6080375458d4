//! The commands, as types.

use std::fmt;

use super::grammar::{ParsedLine, Unclosed};
use super::params::ParamError;
use crate::board::IllegalMove;
use crate::game::Game;
use crate::notation::moves::{self, MoveError};
use crate::notation::squares::{self, SquaresError};

/// A line the GUI may send.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command<'a> {
    /// Tell who you are and what can be set.
    Hub,
    /// Set a parameter.
    SetParam {
        /// Its name.
        name: &'a str,
        /// Its value.
        value: &'a str,
    },
    /// Get ready.
    Init,
    /// The position of the next search.
    Pos(Box<Game>),
    /// The limits of the next search.
    Level(ParsedLine<'a>),
    /// Search.
    Go(Mode),
    /// The expected move has been played: the search is for real now.
    PonderHit,
    /// End the search with a move.
    Stop,
    /// The next search has nothing to do with the last ones.
    NewGame,
    /// Give a sign of life.
    Ping,
    /// Leave.
    Quit,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A move to play.
    Think,
    /// A move to play should the expected move come.
    Ponder,
    /// Information.
    Analyze,
}

/// A known command with a faulty argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// A quotation mark is not closed.
    Unclosed(Unclosed),
    /// A parameter that cannot be set like this.
    Param(ParamError),
    /// `pos=` is missing.
    NoPosition,
    /// The side to move is neither `B` nor `W`.
    Side,
    /// The squares cannot be read.
    Squares(SquaresError),
    /// A move cannot be read.
    Move {
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
    /// A move is not allowed.
    Illegal {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: IllegalMove,
    },
}

impl<'a> Command<'a> {
    /// Reads a line; nothing when it is no command.
    pub(super) fn parse(line: &'a str) -> Result<Option<Command<'a>>, CommandError> {
        let Some(line) = ParsedLine::parse(line).map_err(CommandError::Unclosed)? else { return Ok(None) };
        Ok(Some(match line.command {
            "hub" => Command::Hub,
            "set-param" => {
                let missing = |what| CommandError::Param(ParamError::Missing(what));
                let name = line.value("name").ok_or(missing("name"))?;
                let value = line.value("value").ok_or(missing("value"))?;
                Command::SetParam { name, value }
            }
            "init" => Command::Init,
            "pos" => Command::Pos(Box::new(position(&line)?)),
            "level" => Command::Level(line),
            "go" => Command::Go(match line.names().find_map(Mode::named) {
                Some(mode) => mode,
                // Whoever says `go` waits for `done`.
                None => Mode::Think,
            }),
            "ponder-hit" => Command::PonderHit,
            "stop" => Command::Stop,
            "new-game" => Command::NewGame,
            "ping" => Command::Ping,
            "quit" => Command::Quit,
            _ => return Ok(None),
        }))
    }
}

impl Mode {
    fn named(name: &str) -> Option<Mode> {
        match name {
            "think" => Some(Mode::Think),
            "ponder" => Some(Mode::Ponder),
            "analyze" | "analyse" => Some(Mode::Analyze),
            _ => None,
        }
    }
}

/// Reads `pos=` and `moves=`; passes may be left out.
fn position(line: &ParsedLine<'_>) -> Result<Game, CommandError> {
    let text = line.value("pos").ok_or(CommandError::NoPosition)?;
    let mut characters = text.chars();
    let side = match characters.next() {
        Some('B' | 'b') => 'X',
        Some('W' | 'w') => 'O',
        _ => return Err(CommandError::Side),
    };
    let start = squares::read(&format!("{}{side}", characters.as_str())).map_err(CommandError::Squares)?;
    let mut game = Game::new(start);
    for (index, word) in line.value("moves").unwrap_or_default().split_whitespace().enumerate() {
        let number = index + 1;
        let mv = moves::read(word).map_err(|error| CommandError::Move { number, error })?;
        game.play_passing(mv).map_err(|reason| CommandError::Illegal { number, reason })?;
    }
    Ok(game)
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unclosed(error) => error.fmt(f),
            CommandError::Param(error) => error.fmt(f),
            CommandError::NoPosition => f.write_str("pos: pos is missing"),
            CommandError::Side => f.write_str("pos: pos has to begin with B or W"),
            CommandError::Squares(error) => write!(f, "pos: {error}"),
            CommandError::Move { number, error } => write!(f, "pos: move {number}: {error}"),
            CommandError::Illegal { number, reason } => write!(f, "pos: move {number} is illegal: {reason}"),
        }
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    const START: &str = "Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee";

    #[test]
    fn positions() {
        let read = |line: &str| match Command::parse(line) {
            Ok(Some(Command::Pos(game))) => Ok(*game),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        assert_eq!(read(&format!("pos pos={START}")).unwrap().position(), Position::START);
        let game = read(&format!("pos pos={START} moves=\"f5 d6 c3\"")).unwrap();
        assert_eq!(game.plies(), 3);
        assert_eq!(read("pos").unwrap_err(), "pos: pos is missing");
        assert_eq!(read("pos pos=").unwrap_err(), "pos: pos has to begin with B or W");
        assert_eq!(
            read(&format!("pos pos={}", &START[1..])).unwrap_err(),
            "pos: pos has to begin with B or W"
        );
        assert_eq!(read(&format!("pos pos={}", &START[..60])).unwrap_err().get(..4), Some("pos:"));
        assert_eq!(
            read(&format!("pos pos={START} moves=\"f5 f5\"")).unwrap_err(),
            "pos: move 2 is illegal: f5 is occupied"
        );
        assert!(
            read(&format!("pos pos={START} moves=\"f5 32-28\"")).unwrap_err().starts_with("pos: move 2: ")
        );
    }

    #[test]
    fn modes() {
        for (line, mode) in [
            ("go think", Mode::Think),
            ("go ponder", Mode::Ponder),
            ("go analyze", Mode::Analyze),
            ("go", Mode::Think),
            ("go fast", Mode::Think),
            ("go fast=1 ponder", Mode::Ponder),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(Command::Go(mode))), "{line}");
        }
        assert_eq!(Command::parse("uci"), Ok(None));
        assert_eq!(Command::parse("bad=\"x"), Ok(None));
        assert!(Command::parse("pos pos=\"x").is_err());
    }
}
