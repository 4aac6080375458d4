//! The commands of XBoard.

use std::ops::RangeInclusive;
use std::str::FromStr;
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
            "variant" if matches!(rest, "othello" | "reversi" | "flipello") => Command::Variant,
            "variant" => return Err(CommandError::Other("unknown variant")),
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
            "st" => Command::Time(Control::PerMove(expected(clock_time(rest), "a time expected")?)),
            "sd" => Command::Depth(number(rest, 1..=u32::MAX, "a depth above 0 expected")?.min(60)),
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
            "ping" => Command::Ping(number(rest, 0..=u64::MAX, "a whole number expected")?),
            "memory" => Command::Memory(HashSize(number(rest, 1..=MAX_MEMORY_MIB, "mebibytes expected")?)),
            "cores" => Command::Cores(number(rest, 1..=usize::MAX, "a number of cores expected")?),
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

fn expected<T>(value: Option<T>, error: &'static str) -> Result<T, CommandError> {
    value.ok_or(CommandError::Other(error))
}

fn number<T: FromStr + PartialOrd>(
    text: &str,
    range: RangeInclusive<T>,
    error: &'static str,
) -> Result<T, CommandError> {
    expected(text.parse().ok().filter(|number| range.contains(number)), error)
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
    let read = || {
        let mut words = text.split_whitespace();
        let (moves, base, increment) = (words.next()?.parse::<u32>().ok()?, words.next()?, words.next()?);
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => Duration::from_secs(60 * u64::from(minutes.parse::<u32>().ok()?))
                .checked_add(clock_time(seconds)?)?,
            None => clock_time(base)?.checked_mul(60)?,
        };
        let (moves, increment) = (Some(moves).filter(|&moves| moves > 0), clock_time(increment)?);
        words.next().is_none().then_some(Control::Level { moves, base, increment })
    };
    expected(read(), "MOVES BASE INCREMENT expected")
}

/// Reads the time left on a clock. If it has run out, GUIs send a negative number.
fn centiseconds(text: &str) -> Result<Duration, CommandError> {
    let centis: i64 = expected(text.parse().ok(), "centiseconds expected")?;
    Ok(Duration::from_millis(centis.max(0).unsigned_abs().saturating_mul(10)))
}

/// Reads a number of seconds or minutes, at most a billion.
fn clock_time(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    if number.is_nan() || number < 0.0 { None } else { Duration::try_from_secs_f64(number.min(1e9)).ok() }
}

fn option(text: &str) -> Result<Setting, CommandError> {
    let (name, value) = expected(text.split_once('='), "unknown option")?;
    match (name.trim(), value.trim()) {
        ("Margin", value) => number(value, 0..=MAX_MARGIN, "0 to 10000 milliseconds expected")
            .map(|millis| Setting::Margin(Duration::from_millis(millis))),
        ("Selective", "0") => Ok(Setting::Selective(false)),
        ("Selective", "1") => Ok(Setting::Selective(true)),
        ("Book", path) => Ok(Setting::Book(path.to_owned())),
        ("Selective", _) => Err(CommandError::Other("0 or 1 expected")),
        _ => Err(CommandError::Other("unknown option")),
    }
}
