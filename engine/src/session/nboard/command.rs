//! The commands of NBoard.

use crate::game::{Game, RecordedMove};
use crate::notation::ggf;
use crate::notation::moves;

#[derive(Clone, Debug)]
pub(super) enum Command {
    /// `nboard 2`: the version of the protocol.
    Version(Version),
    /// `set depth 12`: the midgame depth in plies.
    SetDepth(u32),
    /// `set game (;GM[Othello]…;)`.
    SetGame(Box<Game>),
    /// `set contempt 0`: the value of a draw for Black, in discs.
    SetContempt(i32),
    /// `move F5/1.23/0.45`, or the bare move in version 1.
    Move(RecordedMove),
    /// `hint 4`: asks for the best 4 moves.
    Hint(usize),
    /// `go`: asks for the move to play.
    Go,
    /// `ping 3`: ends the search. The answer contains the number.
    Ping(u64),
    /// `learn`: adds the game to the book.
    Learn,
    /// `analyze`: asks for the value of every position of the game.
    Analyze,
    /// `new`: the start position. Not in the protocol, but NTest accepts it.
    New,
    /// `clear`: empties the transposition table. Not in the protocol, but some clients send it.
    Clear,
    /// `quit`. Not in the protocol, but many users try it.
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    One,
    Two,
}

impl Command {
    /// Reads a line. `None` if it is not a command.
    ///
    /// # Errors
    ///
    /// A description of the invalid field of a known command.
    pub(super) fn parse(line: &str) -> Result<Option<Command>, String> {
        let line = line.trim();
        let (verb, rest) = split_word(line);
        Ok(Some(match verb {
            "nboard" => match rest.parse::<u32>() {
                Ok(1) => Command::Version(Version::One),
                Ok(2..) => Command::Version(Version::Two),
                _ => return Err("nboard: a version expected".to_owned()),
            },
            "set" => match split_word(rest) {
                ("depth", value) => match value.parse::<u32>() {
                    Ok(plies @ 1..) => Command::SetDepth(plies.min(60)),
                    _ => return Err("set depth: 1 to 60 expected".to_owned()),
                },
                ("contempt", value) => match value.parse::<i32>() {
                    Ok(discs @ -100..=100) => Command::SetContempt(discs),
                    _ => return Err("set contempt: -100 to 100 expected".to_owned()),
                },
                ("game", value) => Command::SetGame(Box::new(
                    ggf::read(value).map_err(|error| format!("set game: {error}"))?,
                )),
                _ => return Ok(None),
            },
            "move" => Command::Move(moves::read_played(rest).map_err(|error| format!("move: {error}"))?),
            "hint" if rest.is_empty() => Command::Hint(1),
            "hint" => match rest.parse::<usize>() {
                Ok(count @ 1..) => Command::Hint(count),
                _ => return Err("hint: a number of moves expected".to_owned()),
            },
            "ping" => Command::Ping(rest.parse().map_err(|_| "ping: a whole number expected")?),
            "go" => Command::Go,
            "learn" => Command::Learn,
            "analyze" => Command::Analyze,
            "new" => Command::New,
            "clear" => Command::Clear,
            "quit" => Command::Quit,
            _ => return Ok(moves::read_played(line).ok().map(Command::Move)),
        }))
    }
}

/// Returns the first word and the rest, without the white space around it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
