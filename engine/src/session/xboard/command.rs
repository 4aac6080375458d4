//! The commands of XBoard.

use std::time::Duration;

use super::clock::Control;
use crate::board::{Move, Position};
use crate::notation::{fen, moves};
use crate::search::HashSize;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command<'a> {
    /// `protover N`: asks for the features.
    ProtoVer,
    New,
    /// `variant NAME`, a name of Othello.
    Variant,
    /// `setboard FEN`.
    SetBoard(Position),
    /// `usermove MOVE`, or the bare move.
    UserMove {
        mv: Move,
        /// The move as it was sent.
        text: &'a str,
    },
    /// The engine plays the side to move.
    Go,
    /// The engine plays neither side.
    Force,
    /// The engine plays the side that is not to move.
    PlayOther,
    Analyze,
    /// `.`: asks for the state of the analysis.
    Stat,
    /// Ends the analysis.
    Exit,
    /// `level …` or `st …`.
    Time(Control),
    /// `sd PLIES`.
    Depth(u32),
    /// `time CENTISECONDS`: what the engine's clock shows.
    Remaining(Duration),
    /// `otim CENTISECONDS`: what the other clock shows.
    OtherRemaining(Duration),
    /// Turns pondering off.
    Easy,
    /// Turns pondering on.
    Hard,
    /// Shows the thinking.
    Post,
    NoPost,
    /// Takes one move back.
    Undo,
    /// Takes two moves back.
    Remove,
    /// Asks for a move to suggest to the user.
    Hint,
    /// `?`: the engine must move at once.
    MoveNow,
    /// `ping N`.
    Ping(u64),
    /// `memory MEBIBYTES`.
    Memory(HashSize),
    /// `cores N`.
    Cores(usize),
    /// `option NAME=VALUE`.
    SetOption(Setting),
    /// `bk`: asks for the moves of the book.
    Book,
    /// `result R {reason}`: the game has ended.
    Result,
    /// The opponent is an engine.
    Computer,
    Quit,
    /// A known command that changes nothing here.
    Ignored,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// `Margin`: time to leave on the clock in addition to the engine's own margin.
    Margin(Duration),
    /// `Selective`: `true` if deep midgame searches may use ProbCut.
    Selective(bool),
    /// `Book`: the file of the opening book. Empty for none.
    Book(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// The position cannot be read.
    Position(String),
    /// The move cannot be read.
    Move,
    /// Anything else, described for `Error (…): line`.
    Other(&'static str),
}

/// Largest `Margin`, in milliseconds.
pub(super) const MAX_MARGIN: u64 = 10_000;
/// Most memory for the transposition table, in mebibytes.
const MAX_MEMORY_MIB: u32 = 1 << 20;

impl<'a> Command<'a> {
    /// Reads a line. `None` if it is blank.
    pub(super) fn parse(line: &'a str) -> Result<Option<Command<'a>>, CommandError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(Some(match verb {
            "protover" => Command::ProtoVer,
            "new" => Command::New,
            "variant" => match rest {
                "othello" | "reversi" | "flipello" => Command::Variant,
                _ => return Err(CommandError::Other("unknown variant")),
            },
            "setboard" => {
                Command::SetBoard(fen::read(rest).map_err(|error| CommandError::Position(error.to_string()))?)
            }
            "usermove" => Command::UserMove { mv: read_move(rest).ok_or(CommandError::Move)?, text: rest },
            "go" => Command::Go,
            "force" => Command::Force,
            "playother" => Command::PlayOther,
            "analyze" => Command::Analyze,
            "." => Command::Stat,
            "exit" => Command::Exit,
            "level" => Command::Time(level(rest)?),
            "st" => Command::Time(Control::PerMove(
                clock_time(rest).ok_or(CommandError::Other("a time expected"))?,
            )),
            "sd" => match rest.parse::<u32>() {
                Ok(plies @ 1..) => Command::Depth(plies.min(60)),
                _ => return Err(CommandError::Other("a depth above 0 expected")),
            },
            "time" => Command::Remaining(centiseconds(rest)?),
            "otim" => Command::OtherRemaining(centiseconds(rest)?),
            "easy" => Command::Easy,
            "hard" => Command::Hard,
            "post" => Command::Post,
            "nopost" => Command::NoPost,
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "hint" => Command::Hint,
            "?" => Command::MoveNow,
            "ping" => {
                Command::Ping(rest.parse().map_err(|_| CommandError::Other("a whole number expected"))?)
            }
            "memory" => match rest.parse() {
                Ok(size) if (1..=MAX_MEMORY_MIB).contains(&size) => Command::Memory(HashSize(size)),
                _ => return Err(CommandError::Other("mebibytes expected")),
            },
            "cores" => match rest.parse() {
                Ok(number) if number > 0 => Command::Cores(number),
                _ => return Err(CommandError::Other("a number of cores expected")),
            },
            "bk" => Command::Book,
            "option" => Command::SetOption(option(rest)?),
            "result" => Command::Result,
            "computer" => Command::Computer,
            "quit" => Command::Quit,
            "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "draw" | "book"
            | "pause" | "resume" | "white" | "black" | "nps" | "egtpath" => Command::Ignored,
            _ => match read_move(line) {
                Some(mv) => Command::UserMove { mv, text: line },
                None => return Err(CommandError::Other("unknown command")),
            },
        }))
    }
}

/// Reads a move: `D@d3` with any letter, `d3`, or a pass.
fn read_move(text: &str) -> Option<Move> {
    if let Ok(mv) = moves::read(text) {
        return Some(mv);
    }
    let (piece, square) = text.split_once('@')?;
    let one_letter = piece.len() <= 1 && piece.chars().all(|c| c.is_ascii_alphabetic());
    square.parse().ok().filter(|_| one_letter).map(Move::Place)
}

/// Reads `MOVES BASE INC`. The base is in minutes (`5` or `0:20`), the increment in seconds.
fn level(text: &str) -> Result<Control, CommandError> {
    let error = CommandError::Other("MOVES BASE INCREMENT expected");
    let words: Vec<&str> = text.split_whitespace().collect();
    let &[moves, base, increment] = words.as_slice() else { return Err(error) };
    let moves = moves.parse::<u32>().map_err(|_| error.clone())?;
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => minutes
            .parse::<u32>()
            .ok()
            .map(|minutes| Duration::from_secs(u64::from(minutes) * 60))
            .and_then(|minutes| minutes.checked_add(clock_time(seconds)?)),
        None => clock_time(base).and_then(|minutes| minutes.checked_mul(60)),
    };
    let base = base.ok_or(error.clone())?;
    let increment = clock_time(increment).ok_or(error)?;
    Ok(Control::Level { moves: Some(moves).filter(|&moves| moves > 0), base, increment })
}

/// Reads the time left on a clock. If it has run out, GUIs send a negative number.
fn centiseconds(text: &str) -> Result<Duration, CommandError> {
    let centis: i64 = text.parse().map_err(|_| CommandError::Other("centiseconds expected"))?;
    Ok(Duration::from_millis(centis.max(0).unsigned_abs().saturating_mul(10)))
}

/// Reads a number of seconds or minutes, at most a billion.
fn clock_time(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    if number.is_nan() || number < 0.0 { None } else { Duration::try_from_secs_f64(number.min(1e9)).ok() }
}

fn option(text: &str) -> Result<Setting, CommandError> {
    let (name, value) = text.split_once('=').ok_or(CommandError::Other("unknown option"))?;
    match (name.trim(), value.trim()) {
        ("Margin", value) => match value.parse() {
            Ok(millis @ 0..=MAX_MARGIN) => Ok(Setting::Margin(Duration::from_millis(millis))),
            _ => Err(CommandError::Other("0 to 10000 milliseconds expected")),
        },
        ("Selective", "0") => Ok(Setting::Selective(false)),
        ("Selective", "1") => Ok(Setting::Selective(true)),
        ("Book", path) => Ok(Setting::Book(path.to_owned())),
        ("Selective", _) => Err(CommandError::Other("0 or 1 expected")),
        _ => Err(CommandError::Other("unknown option")),
    }
}
