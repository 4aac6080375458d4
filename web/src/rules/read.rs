//! Games from pasted or dropped text.

use std::collections::{BTreeMap, HashMap};

use outflank::board::Color;
use outflank::game::{Ending, Game};
use outflank::notation::{self, ReadError, ReadErrorCode, obf, transcript};
use serde::{Deserialize, Serialize};

use super::error::{RulesError, small};
use super::look;

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
    pub(super) date: Option<String>,
    pub(super) place: Option<String>,
    /// Black's discs over White's.
    pub(super) result: Option<f64>,
    /// The cause of the end if the game was not played to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ending: Option<EndingValue>,
    /// Comments, each with the number of discs placed before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) comments: Vec<(usize, String)>,
    /// Known scores of moves of the first position, in discs for the side to move.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) scores: BTreeMap<String, i32>,
}

/// The cause of an early end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EndingValue {
    Resigned,
    TimedOut,
    Left,
    Agreed,
}

impl EndingValue {
    fn of(ending: Ending) -> Option<EndingValue> {
        match ending {
            Ending::Played => None,
            Ending::Resigned => Some(EndingValue::Resigned),
            Ending::TimedOut => Some(EndingValue::TimedOut),
            Ending::Left => Some(EndingValue::Left),
            Ending::Agreed => Some(EndingValue::Agreed),
        }
    }
}

impl From<EndingValue> for Ending {
    fn from(value: EndingValue) -> Ending {
        match value {
            EndingValue::Resigned => Ending::Resigned,
            EndingValue::TimedOut => Ending::TimedOut,
            EndingValue::Left => Ending::Left,
            EndingValue::Agreed => Ending::Agreed,
        }
    }
}

/// The games of a text.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Games {
    games: Vec<GameValue>,
    /// The number of invalid games.
    skipped: usize,
    /// The first errors.
    faults: Vec<RulesError>,
}

/// The most characters of a file.
pub(super) const MAX_FILE_CHARS: usize = 16_000_000;

pub(super) fn games(text: &str, max_chars: usize) -> Result<Games, RulesError> {
    let mut games = Vec::new();
    let skipped = notation::read_each(text, max_chars, &mut |game| games.push(game_value(&game)))
        .map_err(|error| with_limit(error, max_chars))?;
    if games.iter().all(|game| game.moves.is_empty()) {
        let scores = scores(text);
        for game in &mut games {
            game.scores = scores.get(&game.start).cloned().unwrap_or_default();
        }
    }
    let faults = skipped.reported.into_iter().map(|error| with_limit(error, max_chars)).collect();
    Ok(Games { games, skipped: skipped.count, faults })
}

/// The scores of OBF lines, by position.
fn scores(text: &str) -> HashMap<String, BTreeMap<String, i32>> {
    let score = |problem: obf::ScoredPosition| {
        let known = problem.scores.iter();
        (look::write(&problem.position), known.map(|(mv, score)| (mv.to_string(), score.get())).collect())
    };
    obf::read(text).filter_map(|(_, problem)| problem.ok()).map(score).collect()
}

pub(super) fn game_value(game: &Game) -> GameValue {
    // A pass before the first move is part of the first position.
    let start = game.start().after_forced_pass();
    let result = game.result();
    let name = |color| game.tags.player(color).name.clone().filter(|name| !name.is_empty());
    GameValue {
        start: look::write(&start),
        moves: transcript::write(game),
        black: name(Color::Black),
        white: name(Color::White),
        date: game.tags.date.clone(),
        place: game.tags.place.clone(),
        result: result.map(|result| result.score.discs()),
        ending: result.and_then(|result| EndingValue::of(result.ending)),
        comments: game.tags.comments.clone(),
        scores: BTreeMap::new(),
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
        assert_eq!(game.moves, "f5d6c3");
    }

    #[test]
    fn a_finished_game_has_a_result_that_nobody_wrote() {
        let game = one("e6f4e3f6g5d6e7f5c5");
        assert_eq!((game.result, game.ending), (Some(64.0), None));
        assert_eq!(one("f5d6").result, None);
        let resigned = one("(;GM[Othello]RE[-12:r]TY[8]B[F5];)");
        assert_eq!((resigned.result, resigned.ending), (Some(-12.0), Some(EndingValue::Resigned)));
    }

    #[test]
    fn sgf_is_told_from_ggf() {
        let game = one("(;FF[4]GM[2]SZ[8]PB[Ann]RE[B+4];B[f5];W[d6];B[c3])");
        assert_eq!((game.moves.as_str(), game.black.as_deref()), ("f5d6c3", Some("Ann")));
        let error = games("(;GM[2];B[f5];W[a1])").unwrap_err();
        assert_eq!((error.code, error.number), ("illegal", Some(2)));
        let error = games("(;GM[1]FF[4]SZ[19];B[pd])").unwrap_err();
        assert_eq!((error.code, error.game), ("sgf", Some(1)));
    }

    #[test]
    fn ggf_brings_names_and_moves() {
        let game = one("(;GM[Othello]PC[GGS/os]DT[2014-02-21]PB[Ann]PW[Bob]RE[+4.000]TY[8]\
                        BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)");
        assert_eq!(game.black.as_deref(), Some("Ann"));
        assert_eq!(game.white.as_deref(), Some("Bob"));
        assert_eq!(game.moves, "f5f6");
        assert_eq!(game.result, Some(4.0));
    }

    #[test]
    fn a_position_is_a_game_of_no_moves() {
        let game = one("---------------------------OX------XO--------------------------- O");
        assert!(game.moves.is_empty());
        assert!(game.start.ends_with('O'));
    }

    #[test]
    fn obf_brings_scores() {
        let game = one(
            "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;",
        );
        assert_eq!(game.scores.get("h5"), Some(&6));
        assert_eq!(game.scores.len(), 4);
    }

    #[test]
    fn a_faulty_line_does_not_keep_the_others_from_being_read() {
        let read = games("f5d6c3\nhello\nf5f6e6\nf5d6a1\n").unwrap();
        assert_eq!((read.games.len(), read.skipped), (2, 2));
        let told: Vec<_> = read.faults.iter().map(|fault| (fault.code, fault.line, fault.number)).collect();
        assert_eq!(told, [("unknown", Some(2), None), ("illegal", Some(4), Some(3))]);
    }

    #[test]
    fn comments_come_along() {
        assert_eq!(one("(;GM[Othello]B[F5]CO[good]W[D6];)").comments, [(1, "good".to_owned())]);
    }

    #[test]
    fn faults_name_the_move() {
        let illegal = games("f5d6a1").unwrap_err();
        assert_eq!((illegal.code, illegal.number, illegal.mv.as_deref()), ("illegal", Some(3), Some("a1")));
        let unreadable = games("f5d6 what?").unwrap_err();
        assert_eq!((unreadable.code, unreadable.number), ("unreadable", Some(3)));
        assert_eq!(games("hello there").unwrap_err().code, "unknown");
        assert_eq!(games("  ").unwrap_err().code, "empty");
        assert_eq!(games(&format!("{}XO", "-".repeat(62))).unwrap_err().code, "no-side");
        assert_eq!(games(&"-".repeat(64)).unwrap_err().code, "no-side");
        // A line drawn across the page.
        assert_eq!(games(&"=".repeat(64)).unwrap_err().code, "empty");
        assert_eq!(games(&"-".repeat(30)).unwrap_err().code, "squares");
        assert_eq!(games("8/8/8/3OX3/3XO3/8/8/8 b").unwrap_err().code, "squares");
    }
}
