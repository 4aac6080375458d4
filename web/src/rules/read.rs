//! Games from pasted or dropped text.

use std::collections::BTreeMap;

use outflank::board::Color;
use outflank::game::{Ending, Game};
use outflank::notation::{self, ReadError, ReadErrorCode, link, transcript};
use serde::{Deserialize, Serialize};

use super::error::{RulesError, small};
use crate::exchange;

/// A game as the page stores it. Passes are omitted: they are forced, and `position_play` plays them.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct GameValue {
    /// The 65 characters of the first position.
    pub(super) start: String,
    /// The squares played, in sequence: `f5d6c3`.
    pub(super) moves: String,
    pub(super) black: Option<String>,
    pub(super) white: Option<String>,
    /// Ratings of Black and of White on the scale of the place, if one is known.
    #[serde(skip_serializing_if = "no_rating")]
    pub(super) ratings: [Option<f64>; 2],
    pub(super) date: Option<String>,
    pub(super) place: Option<String>,
    /// Black's discs over White's.
    pub(super) result: Option<f64>,
    /// The cause of the end if the game was not played to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ending: Option<String>,
    /// The number of moves at the beginning that no player has chosen, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) given: Option<usize>,
    /// The game with its variations and comments as a link, if it has variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tree: Option<String>,
    /// The first part of a variation that was cut, with its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cut: Option<String>,
    /// Other parts of the text that the game does not contain: kinds, each with the first part.
    #[serde(rename = "notKept", skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub(super) not_kept: Vec<(&'static str, String)>,
    /// Comments, each with the number of discs placed before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) comments: Vec<(usize, String)>,
    /// Known scores of moves of the first position, in discs for the side to move.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) scores: BTreeMap<String, i32>,
}

/// The causes of an early end, as the page stores them.
const ENDINGS: [(Ending, &str); 4] = [
    (Ending::Resigned, "resigned"),
    (Ending::TimedOut, "timed-out"),
    (Ending::Left, "left"),
    (Ending::Agreed, "agreed"),
];

fn no_rating(ratings: &[Option<f64>; 2]) -> bool {
    *ratings == [None; 2]
}

impl GameValue {
    /// The cause of the end. `Played` if the page stores none.
    pub(super) fn ending(&self) -> Ending {
        let known = ENDINGS.iter().find(|(_, name)| self.ending.as_deref() == Some(*name));
        known.map_or(Ending::Played, |(ending, _)| *ending)
    }
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Games {
    games: Vec<GameValue>,
    /// The number of invalid games.
    skipped: usize,
    /// The number of them whose moves before the error are among the games.
    cut: usize,
    /// The first errors.
    faults: Vec<RulesError>,
}

/// The most characters of a file.
pub(super) const MAX_FILE_CHARS: usize = 16_000_000;

pub(super) fn games(text: &str, max_chars: usize) -> Result<Games, RulesError> {
    let (mut games, mut complete) = (Vec::new(), 0);
    let skipped = notation::read_records(text, max_chars, &mut |_, game| {
        complete += usize::from(game.is_ok());
        let game = game.map_or_else(|error| error.before.map(|game| *game), Some);
        games.extend(game.as_ref().map(game_value));
    })
    .map_err(|error| with_limit(error, max_chars))?;
    let faults = skipped.reported.into_iter().map(|error| with_limit(error, max_chars)).collect();
    Ok(Games { cut: games.len() - complete, games, skipped: skipped.count, faults })
}

pub(super) fn game_value(game: &Game) -> GameValue {
    // A pass before the first move is part of the first position.
    let start = game.start().after_forced_pass();
    let result = game.result();
    let scores = game.tags.scores.iter().filter(|_| game.plies() == 0 && start == game.start());
    let (cut, not_kept): (Vec<_>, Vec<_>) =
        game.tags.dropped.iter().cloned().partition(|(kind, _)| *kind == notation::CUT_VARIATIONS);
    let name = |color| game.tags.player(color).name.clone().filter(|name| !name.is_empty());
    GameValue {
        start: exchange::write(&start),
        moves: transcript::write(game),
        black: name(Color::Black),
        white: name(Color::White),
        ratings: [Color::Black, Color::White].map(|color| game.tags.player(color).rating),
        date: game.tags.date.clone(),
        place: game.tags.place.clone(),
        result: result.map(|result| result.score.discs()),
        ending: result.and_then(|result| {
            let known = ENDINGS.iter().find(|(ending, _)| *ending == result.ending);
            known.map(|(_, name)| (*name).to_owned())
        }),
        given: Some(game.given()).filter(|given| *given > 0),
        tree: game.variations().map(|_| link::write(&game.tree(), None)),
        cut: cut.into_iter().next().map(|(_, part)| part),
        not_kept,
        comments: game.tags.comments.clone(),
        scores: scores.map(|(mv, score)| (mv.to_string(), score.get())).collect(),
    }
}

/// The error of a text of at most `max_chars` characters, with the limit that it exceeds.
fn with_limit(error: ReadError, max_chars: usize) -> RulesError {
    let limit = match error.code {
        ReadErrorCode::TooLong => Some(max_chars),
        ReadErrorCode::TooMany => Some(notation::MAX_GAMES),
        _ => None,
    };
    RulesError { limit: limit.map(small), ..RulesError::from(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Result<Games, RulesError> {
        super::games(text, notation::MAX_TEXT_CHARS)
    }

    fn one(text: &str) -> GameValue {
        let mut games = games(text).unwrap().games;
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    #[test]
    fn games_have_start_moves_names_result_comments_and_scores() {
        let game =
            one("(;GM[Othello]PC[GGS/os]DT[2014-02-21]PB[Ann]RB[1712.5]RE[-12:r]TY[8]B[F5]CO[good]W[F6];)");
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        let expected = GameValue {
            start,
            moves: "f5f6".into(),
            black: Some("Ann".into()),
            ratings: [Some(1712.5), None],
            date: Some("2014-02-21".into()),
            place: Some("GGS/os".into()),
            result: Some(-12.0),
            ending: Some("resigned".into()),
            comments: vec![(1, "good".into())],
            ..GameValue::default()
        };
        assert_eq!(game, expected);
        let xot = "[Variant \"xot\"]\n\n1. f5 d6 2. c3 *";
        assert_eq!(one(xot).given, Some(3));
        let position =
            one("---------------------------OX------XO--------------------------- O; C5:+6; E3:-2;");
        assert!(position.moves.is_empty() && position.start.ends_with('O'));
        assert_eq!((position.scores.get("c5"), position.scores.len()), (Some(&6), 2));
    }
}
