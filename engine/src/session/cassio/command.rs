//! The commands of Cassio.

use std::fmt;
use std::str::SplitWhitespace;

use crate::board::{Move, Position};
use crate::notation::{ReadErrorCode, moves, squares};
use crate::score::{Confidence, Score, Window};
use crate::search::{Depth, ExternalBounds, Goal, Limits};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// Asks the engine to get ready.
    Init,
    /// Asks for name and version.
    GetVersion,
    /// A midgame or endgame search.
    Search(SearchCommand),
    /// Asks for nodes and time.
    GetSearchInfos,
    /// An empty line: asks if a search is running.
    Blank,
    /// Stops the search.
    Stop,
    /// The next searches do not continue the last ones.
    NewPosition,
    /// Empties the transposition table.
    EmptyHash,
    /// Stores bounds in the transposition table.
    FeedHash(ExternalBounds),
    Quit,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::session) struct SearchCommand {
    pub(super) root: Position,
    /// The value in a window.
    pub(super) goal: Goal,
    pub(super) limits: Limits,
}

const FOREIGN: &str = "not a command of the Othello Engine Protocol";

impl Command {
    /// Reads a line. Words are separated by any white space, since Cassio sends double spaces.
    pub(super) fn parse(line: &str) -> Result<Command, String> {
        let mut words = line.split_whitespace();
        match words.next() {
            None => return Ok(Command::Blank),
            Some("ENGINE-PROTOCOL") => {}
            Some(_) => return Err(FOREIGN.to_owned()),
        }
        Ok(match words.next().ok_or(FOREIGN)? {
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
            _ => return Err("unknown command".to_owned()),
        })
    }

    /// Returns `true` if `line` requests a search, even with errors. The client then waits for `ready.`.
    pub(super) fn asks_for_search(line: &str) -> bool {
        matches!(line.split_whitespace().nth(1), Some("midgame-search" | "endgame-search"))
    }
}

fn midgame_search(mut fields: Fields<'_>) -> Result<SearchCommand, String> {
    let root = fields.position()?;
    let window = fields.window()?;
    let depth = fields.depth()?;
    let confidence = fields.precision()?;
    let limits = Limits { depth, exact_from: 0, confidence, nodes: None };
    Ok(SearchCommand { root, goal: Goal::Value(window), limits })
}

fn endgame_search(mut fields: Fields<'_>) -> Result<SearchCommand, String> {
    let root = fields.position()?;
    let window = fields.window()?;
    let confidence = fields.precision()?;
    let limits = Limits { depth: Depth::MAX, exact_from: 64, confidence, nodes: None };
    Ok(SearchCommand { root, goal: Goal::Value(window), limits })
}

fn feed_hash(mut fields: Fields<'_>) -> Result<ExternalBounds, String> {
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
    fn wrong(&self, field: &'static str, error: impl fmt::Display) -> String {
        format!("{}: {field}: {error}", self.verb)
    }

    fn next(&mut self, field: &'static str) -> Result<&'a str, String> {
        self.words.next().ok_or_else(|| self.wrong(field, "missing"))
    }

    /// Reads 64 squares and the side to move, with or without a space before it.
    fn position(&mut self) -> Result<Position, String> {
        let board = self.next("position")?;
        let position = match squares::read(board) {
            Err(error) if error.code == ReadErrorCode::NoSide => {
                let side = self.next("side to move")?;
                squares::read(&format!("{board}{side}"))
            }
            read => read,
        };
        position.map_err(|error| self.wrong("position", error))
    }

    fn window(&mut self) -> Result<Window, String> {
        let alpha = self.score("alpha")?;
        let beta = self.score("beta")?;
        Window::new(alpha, beta).map_err(|_| self.wrong("window", "alpha is not below beta"))
    }

    /// Reads a number of discs, with or without decimals.
    fn score(&mut self, field: &'static str) -> Result<Score, String> {
        let word = self.next(field)?;
        let discs: f64 = word.replacen(',', ".", 1).parse().map_err(|_| self.wrong(field, "not a number"))?;
        Score::from_discs(discs).ok_or_else(|| self.wrong(field, "not a number"))
    }

    fn depth(&mut self) -> Result<Depth, String> {
        match self.next("depth")?.parse::<u32>() {
            Ok(plies @ 1..) => Ok(Depth::new(plies)),
            Ok(0) => Err(self.wrong("depth", "not above 0")),
            Err(_) => Err(self.wrong("depth", "not a whole number")),
        }
    }

    /// Reads a percentage. 100 means a search without selective cuts.
    fn precision(&mut self) -> Result<Confidence, String> {
        let word = self.next("precision")?;
        match word.strip_suffix('%').unwrap_or(word).parse::<u8>() {
            Ok(percent @ 1..=100) => Ok(Confidence::at_least(percent)),
            Ok(_) => Err(self.wrong("precision", "not between 1 and 100")),
            Err(_) => Err(self.wrong("precision", "not a whole number")),
        }
    }

    /// Reads the first move of a line `H8B3…`. `None` for `??` or if there is no further word.
    fn best_move(&mut self, position: &Position) -> Result<Option<Move>, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "--O-------OXXXX---OXXXXO--OXXXXO--OXXOXO--OXOXXO--OOOOXO--OOXXX-";

    #[test]
    fn best_move_is_optional() {
        let feed = |end: &str| match Command::parse(&format!(
            "ENGINE-PROTOCOL  feed-hash {BOARD}O -12.00 64.00 22 100 {end}"
        )) {
            Ok(Command::FeedHash(bounds)) => Ok(bounds.best.map(|square| square.to_string())),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error),
        };
        assert_eq!(feed("H8B3H1G1"), Ok(Some("h8".to_owned())));
        assert_eq!(feed("H8"), Ok(Some("h8".to_owned())));
        assert_eq!(feed("??"), Ok(None));
        assert_eq!(feed(""), Ok(None));
        assert!(feed("é").is_err());
        assert!(feed("éé").is_err());
    }
}
