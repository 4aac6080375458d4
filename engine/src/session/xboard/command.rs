//! The commands, as types.

use std::fmt;
use std::time::Duration;

use super::clock::Control;
use crate::board::{Move, Position};
use crate::notation::{fen, moves};
use crate::search::HashSize;

/// A line the GUI may send.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command<'a> {
    /// `protover N`: tell your features.
    ProtoVer,
    /// A new game.
    New,
    /// `variant NAME`, one of ours.
    Variant,
    /// `setboard FEN`.
    SetBoard(Position),
    /// `usermove MOVE`, or bare.
    UserMove {
        /// The move.
        mv: Move,
        /// As it was sent.
        text: &'a str,
    },
    /// Play the side to move.
    Go,
    /// Play neither side.
    Force,
    /// Play the side that is not to move.
    PlayOther,
    /// Analyse.
    Analyze,
    /// `.`: tell how the analysis stands.
    Stat,
    /// Analyse no more.
    Exit,
    /// `level …` or `st …`.
    Time(Control),
    /// `sd PLIES`.
    Depth(u32),
    /// `time CENTISECONDS`, on the engine's clock.
    Remaining(Duration),
    /// `otim CENTISECONDS`, on the other side's clock.
    OtherRemaining(Duration),
    /// Do not ponder.
    Easy,
    /// Ponder.
    Hard,
    /// Show what you think.
    Post,
    /// Do not.
    NoPost,
    /// Take a move back.
    Undo,
    /// Take two back.
    Remove,
    /// Suggest a move to the user.
    Hint,
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(u64),
    /// `memory MEBIBYTES`.
    Memory(HashSize),
    /// `cores N`.
    Cores(usize),
    /// `option NAME=VALUE`.
    SetOption(Setting),
    /// `bk`: show what the book knows.
    Book,
    /// `result R {why}`: the game has ended.
    Result,
    /// The other side is an engine, too.
    Computer,
    /// Leave.
    Quit,
    /// What does not concern us.
    Ignored,
}

/// An option of ours with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// `Margin`: time to leave on the clock besides the engine's own margin.
    Margin(Duration),
    /// `Selective`: whether deep midgame searches may prune on a guess.
    Selective(bool),
    /// `Book`: the file of the opening book; empty for none.
    Book(String),
}

/// A line that is no command, or one that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// Nobody knows it.
    Unknown,
    /// No variant of ours.
    Variant,
    /// A value cannot be read or is out of its range; this is what it has to be.
    Value(&'static str),
    /// No option of ours.
    UnknownOption,
    /// The position cannot be read.
    Position(String),
    /// The move cannot be read.
    Move,
}

/// The longest time margin, in milliseconds.
pub(super) const MAX_MARGIN: u64 = 10_000;
/// The most memory, in mebibytes.
const MAX_MEMORY_MIB: u32 = 1 << 20;

impl<'a> Command<'a> {
    /// Reads a line; nothing when it is blank.
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
                _ => return Err(CommandError::Variant),
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
            "st" => Command::Time(Control::PerMove(clock_time(rest).ok_or(CommandError::Value("a time"))?)),
            "sd" => match rest.parse::<u32>() {
                Ok(plies @ 1..) => Command::Depth(plies.min(60)),
                _ => return Err(CommandError::Value("a depth above 0")),
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
            "ping" => Command::Ping(rest.parse().map_err(|_| CommandError::Value("a whole number"))?),
            "memory" => match rest.parse() {
                Ok(size) if (1..=MAX_MEMORY_MIB).contains(&size) => Command::Memory(HashSize(size)),
                _ => return Err(CommandError::Value("mebibytes")),
            },
            "cores" => match rest.parse() {
                Ok(number) if number > 0 => Command::Cores(number),
                _ => return Err(CommandError::Value("a number of cores")),
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
                None => return Err(CommandError::Unknown),
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

/// Reads `MOVES BASE INC`: the base is in minutes, `5`, or `0:20`; the increment in seconds.
fn level(text: &str) -> Result<Control, CommandError> {
    let error = CommandError::Value("MOVES BASE INCREMENT");
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

/// Reads what is left on a clock. One that has run out is sent as a negative number.
fn centiseconds(text: &str) -> Result<Duration, CommandError> {
    let centis: i64 = text.parse().map_err(|_| CommandError::Value("centiseconds"))?;
    Ok(Duration::from_millis(centis.max(0).unsigned_abs().saturating_mul(10)))
}

/// Reads seconds, or minutes, with or without decimals; a billion is enough for anybody.
fn clock_time(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    if number.is_nan() || number < 0.0 { None } else { Duration::try_from_secs_f64(number.min(1e9)).ok() }
}

fn option(text: &str) -> Result<Setting, CommandError> {
    let (name, value) = text.split_once('=').ok_or(CommandError::UnknownOption)?;
    match (name.trim(), value.trim()) {
        ("Margin", value) => match value.parse() {
            Ok(millis @ 0..=MAX_MARGIN) => Ok(Setting::Margin(Duration::from_millis(millis))),
            _ => Err(CommandError::Value("0 to 10000 milliseconds")),
        },
        ("Selective", "0") => Ok(Setting::Selective(false)),
        ("Selective", "1") => Ok(Setting::Selective(true)),
        ("Book", path) => Ok(Setting::Book(path.to_owned())),
        ("Selective", _) => Err(CommandError::Value("0 or 1")),
        _ => Err(CommandError::UnknownOption),
    }
}

impl fmt::Display for CommandError {
    /// As it stands between the brackets of `Error (…): line`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown => f.write_str("unknown command"),
            CommandError::Variant => f.write_str("unknown variant"),
            CommandError::Value(expected) => write!(f, "{expected} expected"),
            CommandError::UnknownOption => f.write_str("unknown option"),
            CommandError::Position(error) => f.write_str(error),
            CommandError::Move => f.write_str("not a move"),
        }
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command<'_> {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn levels() {
        let level = |moves, base, increment: f64| {
            let increment = Duration::from_secs_f64(increment);
            Command::Time(Control::Level { moves, base: Duration::from_secs(base), increment })
        };
        assert_eq!(parsed("level 40 5 0"), level(Some(40), 300, 0.0));
        assert_eq!(parsed("level 0 0:20 1"), level(None, 20, 1.0));
        assert_eq!(parsed("level 0 2 0.5"), level(None, 120, 0.5));
        assert_eq!(parsed("st 0.05"), Command::Time(Control::PerMove(Duration::from_millis(50))));
        assert_eq!(parsed("time 12345"), Command::Remaining(Duration::from_millis(123_450)));
        assert_eq!(parsed("time -3"), Command::Remaining(Duration::ZERO));
        assert_eq!(parsed("otim 250"), Command::OtherRemaining(Duration::from_millis(2500)));
        for line in
            ["level", "level 40 5", "level x 5 0", "level 40 5:x 0", "level 0 nan 0", "level 0 -1 0", "st"]
        {
            assert!(matches!(Command::parse(line), Err(CommandError::Value(_))), "{line}");
        }
    }

    #[test]
    fn moves_in_all_hands() {
        for text in ["usermove D@d3", "usermove P@D3", "usermove d3", "d3", "D@d3", "@d3"] {
            let Command::UserMove { mv, .. } = parsed(text) else { panic!("{text}") };
            assert_eq!(mv.to_string(), "d3", "{text}");
        }
        for text in ["usermove @@@@", "pass", "PA", "0000", "--"] {
            let Command::UserMove { mv, .. } = parsed(text) else { panic!("{text}") };
            assert_eq!(mv, Move::Pass, "{text}");
        }
        for text in ["usermove", "usermove e2e4", "usermove QQ@d3", "usermove D@d9"] {
            assert_eq!(Command::parse(text), Err(CommandError::Move), "{text}");
        }
        assert_eq!(Command::parse("e2e4"), Err(CommandError::Unknown));
    }

    #[test]
    fn options() {
        assert_eq!(parsed("option Selective=0"), Command::SetOption(Setting::Selective(false)));
        assert_eq!(
            parsed("option Margin=250"),
            Command::SetOption(Setting::Margin(Duration::from_millis(250)))
        );
        assert_eq!(Command::parse("option Contempt=1"), Err(CommandError::UnknownOption));
        assert_eq!(Command::parse("option"), Err(CommandError::UnknownOption));
        assert!(Command::parse("option Selective=maybe").is_err());
    }

    #[test]
    fn what_is_no_command() {
        assert_eq!(Command::parse("  "), Ok(None));
        assert_eq!(Command::parse("uci"), Err(CommandError::Unknown));
        assert_eq!(Command::parse("variant chess960"), Err(CommandError::Variant));
        assert!(matches!(Command::parse("setboard 8/8"), Err(CommandError::Position(_))));
        assert_eq!(parsed("draw"), Command::Ignored);
    }
}
