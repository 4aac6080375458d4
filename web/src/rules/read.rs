//! Games out of what was pasted or dropped.

use outflank::board::Color;
use outflank::game::Game;
use outflank::game::notation::ggf::GgfError;
use outflank::game::notation::squares::SquaresError;
use outflank::game::notation::transcript::TranscriptError;
use outflank::game::notation::{self, IllegalAt, ReadError};
use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::look;

/// A game as the page keeps it. Passes are left out: they are forced, and `position_play` makes them.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct GameValue {
    /// The 65 characters of the first position.
    pub(super) start: String,
    /// The squares played, in lower case.
    pub(super) moves: Vec<String>,
    pub(super) black: Option<String>,
    pub(super) white: Option<String>,
    pub(super) date: Option<String>,
    pub(super) place: Option<String>,
    /// Black's discs over White's.
    pub(super) result: Option<f64>,
}

/// What was read.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Games {
    games: Vec<GameValue>,
}

pub(super) fn games(text: &str) -> Result<Games, Fault> {
    let games = notation::read(text).map_err(|error| fault(&error, text))?;
    Ok(Games { games: games.iter().map(game_value).collect() })
}

pub(super) fn game_value(game: &Game) -> GameValue {
    // A pass before the first move is part of the first position.
    let (start, _) = look::pass_if_forced(game.start());
    let name = |color| game.tags.player(color).name.clone().filter(|name| !name.is_empty());
    GameValue {
        start: look::write(&start),
        moves: game
            .moves()
            .iter()
            .filter_map(|played| played.mv.square())
            .map(|square| square.to_string())
            .collect(),
        black: name(Color::Black),
        white: name(Color::White),
        date: game.tags.date.clone(),
        place: game.tags.place.clone(),
        result: game.tags.result.map(|result| result.score.discs()),
    }
}

fn fault(error: &ReadError, text: &str) -> Fault {
    match error {
        ReadError::Empty => Fault::new("empty", error),
        ReadError::TooLong => Fault::new("too-long", error),
        ReadError::Squares(SquaresError::NoSide) => Fault::new("no-side", error),
        ReadError::Squares(_) => Fault::new("squares", error),
        ReadError::Transcript(TranscriptError::Illegal(at)) => illegal(at),
        ReadError::Transcript(TranscriptError::Unparsable { number: 1, text: rest }) => {
            Fault::new("unknown", error).with_text(rest)
        }
        ReadError::Transcript(TranscriptError::Unparsable { number, text: rest }) => {
            Fault { number: Some(*number), ..Fault::new("unreadable", error).with_text(rest) }
        }
        ReadError::Transcript(TranscriptError::Empty) => {
            Fault::new("unknown", error).with_text(text.trim().chars().take(24).collect::<String>())
        }
        ReadError::Ggf(inside) => match &inside.error {
            GgfError::Illegal(at) => illegal(at),
            _ => Fault::new("ggf", error),
        },
    }
}

fn illegal(at: &IllegalAt) -> Fault {
    Fault { number: Some(at.number), mv: Some(at.mv.to_string()), ..Fault::new("illegal", at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------X";

    fn one(text: &str) -> GameValue {
        let mut games = games(text).unwrap().games;
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    #[test]
    fn a_transcript_is_read_in_any_case() {
        let game = one("F5d6 C3");
        assert_eq!(game.start, START);
        assert_eq!(game.moves, ["f5", "d6", "c3"]);
    }

    #[test]
    fn ggf_brings_names_and_moves() {
        let game = one("(;GM[Othello]PC[GGS/os]DT[2014-02-21]PB[Ann]PW[Bob]RE[+4.000]TY[8]\
                        BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)");
        assert_eq!(game.black.as_deref(), Some("Ann"));
        assert_eq!(game.white.as_deref(), Some("Bob"));
        assert_eq!(game.moves, ["f5", "f6"]);
        assert_eq!(game.result, Some(4.0));
    }

    #[test]
    fn a_position_is_a_game_of_no_moves() {
        let game = one("---------------------------OX------XO--------------------------- O");
        assert!(game.moves.is_empty());
        assert!(game.start.ends_with('O'));
    }

    #[test]
    fn faults_name_the_move() {
        let illegal = games("f5d6a1").unwrap_err();
        assert_eq!((illegal.code, illegal.number, illegal.mv.as_deref()), ("illegal", Some(3), Some("a1")));
        let unreadable = games("f5d6 what?").unwrap_err();
        assert_eq!((unreadable.code, unreadable.number), ("unreadable", Some(3)));
        assert_eq!(games("hello there").unwrap_err().code, "unknown");
        assert_eq!(games("  ").unwrap_err().code, "empty");
        assert_eq!(games(&"-".repeat(64)).unwrap_err().code, "no-side");
        assert_eq!(games(&"-".repeat(30)).unwrap_err().code, "squares");
    }
}
