//! The commands, as types.

use std::fmt;
use std::str::SplitWhitespace;

use crate::board::{Move, Position};
use crate::notation::{moves, squares};
use crate::score::{Confidence, Score, Window};
use crate::search::{Depth, ExternalBounds, Goal, Limits};

/// A line Cassio may send.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// Get ready.
    Init,
    /// Tell name and version.
    GetVersion,
    /// Search a position, either way.
    Search(SearchCommand),
    /// Tell nodes and time.
    GetSearchInfos,
    /// Tell whether a search is under way.
    Blank,
    /// Stop searching.
    Stop,
    /// The next searches are independent of the last ones.
    NewPosition,
    /// Forget the transposition table.
    EmptyHash,
    /// Take over a value found elsewhere.
    FeedHash(ExternalBounds),
    /// Leave.
    Quit,
}

/// What a search command asks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SearchCommand {
    /// The position.
    pub(super) root: Position,
    /// The value in a window.
    pub(super) goal: Goal,
    /// Depth and precision.
    pub(super) limits: Limits,
}

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// The first word is not `ENGINE-PROTOCOL`, or nothing follows it.
    Foreign,
    /// Nobody knows this verb.
    UnknownVerb,
    /// A field of a known command cannot be read.
    Field {
        /// The verb.
        verb: &'static str,
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        error: String,
    },
}

impl Command {
    /// Reads a line. Words are split at any white space: Cassio likes to send two spaces.
    pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
        let mut words = line.split_whitespace();
        match words.next() {
            None => return Ok(Command::Blank),
            Some("ENGINE-PROTOCOL") => {}
            Some(_) => return Err(CommandError::Foreign),
        }
        Ok(match words.next().ok_or(CommandError::Foreign)? {
            "init" => Command::Init,
            "get-version" => Command::GetVersion,
            "midgame-search" => Command::Search(midgame_search(Fields { verb: "midgame-search", words })?),
            "endgame-search" => Command::Search(endgame_search(Fields { verb: "endgame-search", words })?),
            "get-search-infos" => Command::GetSearchInfos,
            "stop" => Command::Stop,
            "new-position" => Command::NewPosition,
            "empty-hash" => Command::EmptyHash,
            "feed-hash" => Command::FeedHash(feed_hash(Fields { verb: "feed-hash", words })?),
            "quit" => Command::Quit,
            _ => return Err(CommandError::UnknownVerb),
        })
    }

    /// Whether `line` asks for a search, well or badly: a client then waits for `ready.`.
    pub(super) fn asks_for_search(line: &str) -> bool {
        matches!(line.split_whitespace().nth(1), Some("midgame-search" | "endgame-search"))
    }
}

fn midgame_search(mut fields: Fields<'_>) -> Result<SearchCommand, CommandError> {
    let root = fields.position()?;
    let window = fields.window()?;
    let depth = fields.depth()?;
    let confidence = fields.precision()?;
    let limits = Limits { depth, exact_from: 0, confidence, nodes: None };
    Ok(SearchCommand { root, goal: Goal::Value(window), limits })
}

fn endgame_search(mut fields: Fields<'_>) -> Result<SearchCommand, CommandError> {
    let root = fields.position()?;
    let window = fields.window()?;
    let confidence = fields.precision()?;
    let limits = Limits { depth: Depth::MAX, exact_from: 64, confidence, nodes: None };
    Ok(SearchCommand { root, goal: Goal::Value(window), limits })
}

fn feed_hash(mut fields: Fields<'_>) -> Result<ExternalBounds, CommandError> {
    let position = fields.position()?;
    let lower = fields.score("lower bound")?;
    let upper = fields.score("upper bound")?;
    if lower > upper {
        return Err(fields.wrong("bounds", "the lower one is above the upper one"));
    }
    let depth = fields.depth()?;
    let confidence = fields.precision()?;
    let best = fields.best_move(&position)?;
    Ok(ExternalBounds { position, lower, upper, depth, confidence, best: best.and_then(Move::square) })
}

/// The words after the verb.
struct Fields<'a> {
    verb: &'static str,
    words: SplitWhitespace<'a>,
}

impl<'a> Fields<'a> {
    fn wrong(&self, field: &'static str, error: impl fmt::Display) -> CommandError {
        CommandError::Field { verb: self.verb, field, error: error.to_string() }
    }

    fn next(&mut self, field: &'static str) -> Result<&'a str, CommandError> {
        self.words.next().ok_or_else(|| self.wrong(field, "missing"))
    }

    /// 64 squares with the side to move glued on, or apart.
    fn position(&mut self) -> Result<Position, CommandError> {
        let board = self.next("position")?;
        let position = match squares::read(board) {
            Err(squares::SquaresError::NoSide) => {
                let side = self.next("side to move")?;
                squares::read(&format!("{board}{side}"))
            }
            read => read,
        };
        position.map_err(|error| self.wrong("position", error))
    }

    fn window(&mut self) -> Result<Window, CommandError> {
        let alpha = self.score("alpha")?;
        let beta = self.score("beta")?;
        Window::new(alpha, beta).map_err(|_| self.wrong("window", "alpha is not below beta"))
    }

    /// A number of discs, with or without decimals.
    fn score(&mut self, field: &'static str) -> Result<Score, CommandError> {
        let word = self.next(field)?;
        let discs: f64 = word.replacen(',', ".", 1).parse().map_err(|_| self.wrong(field, "not a number"))?;
        Score::from_discs(discs).ok_or_else(|| self.wrong(field, "not a number"))
    }

    fn depth(&mut self) -> Result<Depth, CommandError> {
        match self.next("depth")?.parse::<u32>() {
            Ok(plies @ 1..) => Ok(Depth::new(plies)),
            Ok(0) => Err(self.wrong("depth", "not above 0")),
            Err(_) => Err(self.wrong("depth", "not a whole number")),
        }
    }

    /// A percentage, 100 for a search without forward pruning.
    fn precision(&mut self) -> Result<Confidence, CommandError> {
        let word = self.next("precision")?;
        match word.strip_suffix('%').unwrap_or(word).parse::<u8>() {
            Ok(percent @ 1..=100) => Ok(Confidence::at_least(percent)),
            Ok(_) => Err(self.wrong("precision", "not between 1 and 100")),
            Err(_) => Err(self.wrong("precision", "not a whole number")),
        }
    }

    /// The first move of a line `H8B3…`, or nothing for `??` or where the words end.
    fn best_move(&mut self, position: &Position) -> Result<Option<Move>, CommandError> {
        let Some(word) = self.words.next() else { return Ok(None) };
        if word.starts_with('?') {
            return Ok(None);
        }
        let first = word.get(..2).unwrap_or(word);
        let mv = moves::read(first).map_err(|error| self.wrong("moves", error))?;
        position.play(mv).map_err(|error| self.wrong("moves", error))?;
        Ok(Some(mv))
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Foreign => f.write_str("not a command of the Othello Engine Protocol"),
            CommandError::UnknownVerb => f.write_str("unknown command"),
            CommandError::Field { verb, field, error } => write!(f, "{verb}: {field}: {error}"),
        }
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "--O-------OXXXX---OXXXXO--OXXXXO--OXXOXO--OXOXXO--OOOOXO--OOXXX-";

    #[test]
    fn searches_with_glued_and_separate_sides_and_double_spaces() {
        let glued = format!("ENGINE-PROTOCOL  endgame-search {BOARD}O -13 -12 100");
        let apart = format!("ENGINE-PROTOCOL endgame-search  {BOARD} O  -13  -12  100");
        let parsed = Command::parse(&glued).unwrap();
        assert_eq!(parsed, Command::parse(&apart).unwrap());
        let Command::Search(asked) = parsed else { panic!() };
        let Goal::Value(window) = asked.goal else { panic!() };
        assert_eq!((window.alpha().centidiscs(), window.beta().centidiscs()), (-1300, -1200));
        assert_eq!(asked.limits.confidence, Confidence::EXACT);
    }

    #[test]
    fn feed_hash_with_a_line_a_move_and_nothing() {
        let feed = |end: &str| match Command::parse(&format!(
            "ENGINE-PROTOCOL  feed-hash {BOARD}O -12.00 64.00 22 100 {end}"
        )) {
            Ok(Command::FeedHash(seed)) => Ok(seed.best.map(|square| square.to_string())),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        };
        assert_eq!(feed("H8B3H1G1"), Ok(Some("h8".to_owned())));
        assert_eq!(feed("H8"), Ok(Some("h8".to_owned())));
        assert_eq!(feed("??"), Ok(None));
        assert_eq!(feed(""), Ok(None));
        assert_eq!(feed("c1"), Err("feed-hash: moves: c1 is occupied".to_owned()));
        assert!(feed("é").is_err());
        assert!(feed("éé").is_err());
    }

    #[test]
    fn the_faulty_field_is_named() {
        let error = |rest: &str| Command::parse(&format!("ENGINE-PROTOCOL {rest}")).unwrap_err().to_string();
        assert_eq!(error("midgame-search"), "midgame-search: position: missing");
        assert_eq!(error(&format!("midgame-search {BOARD}")), "midgame-search: side to move: missing");
        assert_eq!(error(&format!("midgame-search {BOARD}X")), "midgame-search: alpha: missing");
        assert_eq!(
            error(&format!("midgame-search {BOARD}X nan 1 2 90")),
            "midgame-search: alpha: not a number"
        );
        assert_eq!(
            error(&format!("endgame-search {BOARD}X 3 3 100")),
            "endgame-search: window: alpha is not below beta"
        );
        assert_eq!(
            error(&format!("endgame-search {BOARD}X 3 5 0")),
            "endgame-search: precision: not between 1 and 100"
        );
        assert_eq!(
            error(&format!("midgame-search {BOARD}X 3 5 -4 90")),
            "midgame-search: depth: not a whole number"
        );
        assert_eq!(error(&format!("midgame-search {BOARD}X 3 5 0 90")), "midgame-search: depth: not above 0");
        assert_eq!(error("dance"), "unknown command");
        assert_eq!(error(""), CommandError::Foreign.to_string());
    }
}
