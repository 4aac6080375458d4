//! What is known around a game.

use std::time::Duration;

use crate::board::{Color, Move};
use crate::score::{Discs, Score};

/// Who played, where, when, with which clocks, and how it ended. The names of the GGF tags are given.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tags {
    /// Where: a server or a tournament (`PC`).
    pub place: Option<String>,
    /// When, as it was written (`DT`).
    pub date: Option<String>,
    /// Black (`PB`, `RB`, `TB`).
    pub black: Player,
    /// White (`PW`, `RW`, `TW`).
    pub white: Player,
    /// The clock of both players (`TI`).
    pub clock: Option<GameClock>,
    /// How it ended; nothing while it is unknown (`RE`).
    pub result: Option<GameResult>,
    /// The kind of game as it was written, `8` for the usual one (`TY`).
    pub kind: Option<String>,
    /// Comments in the order of the game, each with the number of discs placed before it (`CO`).
    pub comments: Vec<(usize, String)>,
    /// Final scores of moves of the start position, for the side to move, as suites of endgames give them.
    pub scores: Vec<(Move, Discs)>,
    /// Tags that have no field here, by their names and in the order they stood in.
    pub others: Vec<(String, String)>,
}

/// One of the two players.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Player {
    /// The name.
    pub name: Option<String>,
    /// The rating, on whatever scale the place uses.
    pub rating: Option<f64>,
    /// The player's clock where it differs from the common one.
    pub clock: Option<GameClock>,
}

/// Thinking time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameClock {
    /// Time for all moves.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Given once when the main time has run out.
    pub grace: Duration,
}

impl GameClock {
    /// The grace of clocks that tell none: two minutes, as on the GGS server and in NBoard.
    pub const USUAL_GRACE: Duration = Duration::from_secs(120);
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The difference in discs from Black's point of view.
    pub score: Score,
    /// What ended the game.
    pub ending: Ending,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Ending {
    /// It was played to its end.
    #[default]
    Played,
    /// One side resigned.
    Resigned,
    /// One side's time ran out.
    TimedOut,
    /// One side left.
    Left,
    /// The two agreed on the score.
    Agreed,
}

impl Tags {
    /// The value of the first tag without a field that has this name, in whatever case.
    pub fn other(&self, name: &str) -> Option<&str> {
        self.others
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Keeps a tag that has no field.
    pub fn keep(&mut self, name: &str, value: &str) {
        self.others.push((name.to_owned(), value.to_owned()));
    }

    /// The player of that colour.
    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The clock that counts for that colour: its own, else the common one.
    pub fn clock(&self, color: Color) -> Option<GameClock> {
        self.player(color).clock.or(self.clock)
    }
}
