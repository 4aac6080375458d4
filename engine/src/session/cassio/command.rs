//! The fields of Cassio's commands.

use std::fmt;
use std::str::SplitWhitespace;

use crate::board::{Move, Position};
use crate::notation::{ReadErrorCode, moves, squares};
use crate::score::{Confidence, Score, Window};
use crate::search::{Depth, ExternalBounds, Goal, Limits};

#[derive(Clone, Debug, PartialEq)]
pub(in crate::session) struct SearchCommand {
    pub(super) root: Position,
    /// The value in a window.
    pub(super) goal: Goal,
    pub(super) limits: Limits,
}

/// Reads the fields of `midgame-search` or `endgame-search`, which has no depth.
pub(super) fn search(mut fields: Fields<'_>) -> Result<SearchCommand, String> {
    let (root, goal) = (fields.position()?, Goal::Value(fields.window()?));
    let (depth, exact_from) = match fields.verb {
        "midgame-search" => (fields.depth()?, 0),
        _ => (Depth::MAX, 64),
    };
    let limits = Limits { depth, exact_from, confidence: fields.precision()?, nodes: None, only: None };
    Ok(SearchCommand { root, goal, limits })
}

pub(super) fn feed_hash(mut fields: Fields<'_>) -> Result<ExternalBounds, String> {
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
pub(super) struct Fields<'a> {
    pub(super) verb: &'a str,
    pub(super) words: SplitWhitespace<'a>,
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
