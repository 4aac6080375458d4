//! The tags of a game.

use std::time::Duration;

use crate::board::{Color, Move};
use crate::score::{Discs, Score};

/// Players, place, date, clocks and result of a game. The names in parentheses are GGF tags.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tags {
    /// A server or a tournament (`PC`).
    pub place: Option<String>,
    /// The date as it was written (`DT`).
    pub date: Option<String>,
    /// Black (`PB`, `RB`, `TB`).
    pub black: Player,
    /// White (`PW`, `RW`, `TW`).
    pub white: Player,
    /// The clock of both players (`TI`).
    pub clock: Option<GameClock>,
    /// The result (`RE`). `None` if it is unknown.
    pub result: Option<GameResult>,
    /// The kind of game as it was written, `8` for the usual one (`TY`).
    pub kind: Option<String>,
    /// Comments in the order of the game, each with the number of discs placed before it (`CO`).
    pub comments: Vec<(usize, String)>,
    /// Final scores of moves of the start position, for the side to move, as suites of endgames give them.
    pub scores: Vec<(Move, Discs)>,
    /// Names and values of tags without a field, in their order.
    pub others: Vec<(String, String)>,
    /// The parts of the text that the reader did not keep: of each kind the first, with its place.
    pub dropped: Vec<(&'static str, String)>,
}

/// One of the two players.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Player {
    /// The name.
    pub name: Option<String>,
    /// The rating, on the scale of the place.
    pub rating: Option<f64>,
    /// The player's clock if it differs from the common one.
    pub clock: Option<GameClock>,
}

/// Thinking time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameClock {
    /// Time for all moves.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Added once when the main time is used up.
    pub grace: Duration,
}

impl GameClock {
    /// The grace of a clock that states none: two minutes, as on the GGS server and in NBoard.
    pub const USUAL_GRACE: Duration = Duration::from_secs(120);
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The difference in discs for Black.
    pub score: Score,
    /// The cause of the end.
    pub ending: Ending,
}

/// The cause of the end of a game.
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
    /// The value of the first tag without a field that has this name, in any case.
    pub fn other(&self, name: &str) -> Option<&str> {
        self.others
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Stores a tag without a field.
    pub fn keep(&mut self, name: &str, value: &str) {
        self.others.push((name.to_owned(), value.to_owned()));
    }

    /// Notes that the reader does not keep a part of the text. `place` describes the part, and is used if it is the first of its
    /// kind.
    pub(crate) fn drop_part(&mut self, kind: &'static str, place: impl FnOnce() -> String) {
        if self.dropped.iter().all(|(known, _)| *known != kind) {
            self.dropped.push((kind, place()));
        }
    }

    /// The player of a color.
    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    pub(crate) fn player_mut(&mut self, color: Color) -> &mut Player {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// The clock of the player of a color, by default the common one.
    pub fn clock(&self, color: Color) -> Option<GameClock> {
        self.player(color).clock.or(self.clock)
    }
}
