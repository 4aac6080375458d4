//! The commands, as types.

use std::fmt;

use crate::game::{Game, RecordedMove};
use crate::notation::ggf::{self, GgfError};
use crate::notation::moves::{self, MoveError};

/// A line NBoard may send.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// `nboard 2`: the version of the protocol.
    Version(Version),
    /// `set depth 12`: how deep the midgame is searched, in plies.
    SetDepth(u32),
    /// `set game (;GM[Othello]…;)`.
    SetGame(Box<Game>),
    /// `set contempt 0`: what a draw is worth to Black, in discs.
    SetContempt(i32),
    /// `move F5/1.23/0.45`, or bare in version 1.
    Move(RecordedMove),
    /// `hint 4`: the best so many moves.
    Hint(usize),
    /// `go`: the move to play.
    Go,
    /// `ping 3`: stop, and answer with the number.
    Ping(u64),
    /// `learn` the game.
    Learn,
    /// `analyze` the game, position by position.
    Analyze,
    /// `new`: the start position. No part of the protocol, but NTest has it.
    New,
    /// `clear` the transposition table. No part of the protocol, but some clients send it.
    Clear,
    /// `quit`. No part of the protocol, but everybody's first guess.
    Quit,
}

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    One,
    Two,
}

/// A known command with a faulty field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// A number that is none, or out of its range.
    Number {
        /// The command.
        command: &'static str,
        /// What it would have to be.
        expected: &'static str,
    },
    /// A game that cannot be read.
    Game(GgfError),
    /// A move that cannot be read.
    Move(MoveError),
}

impl Command {
    /// Reads a line; nothing when it is no command.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let line = line.trim();
        let (verb, rest) = split_word(line);
        let command = match verb {
            "nboard" => match rest.parse::<u32>() {
                Ok(1) => Command::Version(Version::One),
                Ok(2..) => Command::Version(Version::Two),
                _ => return Err(CommandError::Number { command: "nboard", expected: "a version" }),
            },
            "set" => match split_word(rest) {
                ("depth", value) => match value.parse::<u32>() {
                    Ok(plies @ 1..) => Command::SetDepth(plies.min(60)),
                    _ => return Err(CommandError::Number { command: "set depth", expected: "1 to 60" }),
                },
                ("contempt", value) => match value.parse::<i32>() {
                    Ok(discs @ -100..=100) => Command::SetContempt(discs),
                    _ => {
                        return Err(CommandError::Number {
                            command: "set contempt",
                            expected: "-100 to 100",
                        });
                    }
                },
                ("game", value) => Command::SetGame(Box::new(ggf::read(value).map_err(CommandError::Game)?)),
                _ => return Ok(None),
            },
            "move" => Command::Move(moves::read_played(rest).map_err(CommandError::Move)?),
            "hint" => match rest {
                "" => Command::Hint(1),
                count => match count.parse::<usize>() {
                    Ok(count @ 1..) => Command::Hint(count),
                    _ => return Err(CommandError::Number { command: "hint", expected: "a number of moves" }),
                },
            },
            "ping" => match rest.parse::<u64>() {
                Ok(number) => Command::Ping(number),
                Err(_) => return Err(CommandError::Number { command: "ping", expected: "a whole number" }),
            },
            "go" => Command::Go,
            "learn" => Command::Learn,
            "analyze" => Command::Analyze,
            "new" => Command::New,
            "clear" => Command::Clear,
            "quit" => Command::Quit,
            _ => match moves::read_played(line) {
                Ok(played) => Command::Move(played),
                Err(_) => return Ok(None),
            },
        };
        Ok(Some(command))
    }
}

/// The first word, and what follows it without the white space between.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Number { command, expected } => write!(f, "{command}: {expected} expected"),
            CommandError::Game(error) => write!(f, "set game: {error}"),
            CommandError::Move(error) => write!(f, "move: {error}"),
        }
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        for (line, expected) in [
            ("nboard 2", Command::Version(Version::Two)),
            ("nboard 1", Command::Version(Version::One)),
            ("nboard 3", Command::Version(Version::Two)),
            ("set depth 26", Command::SetDepth(26)),
            ("set depth 600", Command::SetDepth(60)),
            (" set   contempt  -100 ", Command::SetContempt(-100)),
            ("hint", Command::Hint(1)),
            ("hint 64", Command::Hint(64)),
            ("ping 17", Command::Ping(17)),
            ("go", Command::Go),
            ("learn", Command::Learn),
            ("analyze", Command::Analyze),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(expected)), "{line}");
        }
        for line in ["", "GO", "ponder", "set", "set volume 11", "Hint 2", "pong 1", "F9"] {
            assert_eq!(Command::parse(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn moves_bare_and_not() {
        let played = |line: &str| match Command::parse(line) {
            Ok(Some(Command::Move(played))) => (played.mv.to_string(), played.time.map(|t| t.as_millis())),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(played("F5"), ("f5".to_owned(), None));
        assert_eq!(played("move F5"), ("f5".to_owned(), None));
        assert_eq!(played("move D3/-0,50/1.2"), ("d3".to_owned(), Some(1200)));
        assert_eq!(played("move PA//3.1"), ("pass".to_owned(), Some(3100)));
    }

    #[test]
    fn the_faulty_field_is_named() {
        let error = |line: &str| Command::parse(line).unwrap_err().to_string();
        assert_eq!(error("set depth x"), "set depth: 1 to 60 expected");
        assert_eq!(error("set depth 0"), "set depth: 1 to 60 expected");
        assert_eq!(error("set contempt 101"), "set contempt: -100 to 100 expected");
        assert_eq!(error("set game"), "set game: there is no game in GGF, which begins with `(;`");
        assert_eq!(error("move X9"), "move: `X9` is neither a square (a1 to h8) nor a pass");
        assert_eq!(error("hint -1"), "hint: a number of moves expected");
        assert_eq!(error("ping x"), "ping: a whole number expected");
    }
}
