//! Games of the page, written for other programs.

use outflank::board::{Move, Square};
use outflank::game::{Ending, Game, GameResult};
use outflank::notation::ggf;
use outflank::score::Score;
use serde::Serialize;

use super::error::{RulesError, small};
use super::look;
use super::read::GameValue;

/// The written game.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Written {
    text: String,
}

pub(super) fn ggf(value: &GameValue) -> Result<Written, RulesError> {
    let mut game = Game::new(look::read(&value.start)?);
    for pair in value.moves.as_bytes().chunks(2) {
        let text = String::from_utf8_lossy(pair);
        let square: Square =
            text.parse().map_err(|error| RulesError::new("square", error).with_text(&text))?;
        let number = game.discs_placed() + 1;
        game.play_passing(Move::Place(square)).map_err(|error| RulesError {
            number: Some(small(number)),
            mv: Some(text.to_string()),
            ..RulesError::new("illegal", error)
        })?;
    }
    game.tags.place = value.place.clone().or_else(|| Some("Outflank".to_owned()));
    game.tags.date.clone_from(&value.date);
    game.tags.comments.clone_from(&value.comments);
    game.tags.black.name.clone_from(&value.black);
    game.tags.white.name.clone_from(&value.white);
    let written =
        value.result.and_then(Score::from_discs).map(|score| GameResult { score, ending: value.ending() });
    // The given result may be that of another line of the tree. For a finished game, the board decides.
    let end = game.final_score().filter(|_| value.ending() == Ending::Played);
    game.tags.result = end.or(written);
    Ok(Written { text: ggf::write(&game) })
}

#[cfg(test)]
mod tests {
    use super::super::read::games;
    use super::*;

    #[test]
    fn written_games_can_be_read() {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        let value =
            GameValue { start, moves: "f5d6c3".into(), black: Some("Ann".into()), ..GameValue::default() };
        let text = ggf(&value).unwrap().text;
        let again = games(&text, 1000).unwrap();
        let json = format!("{again:?}");
        assert!(json.contains("f5d6c3") && json.contains("Ann"), "{json}");
    }

    #[test]
    fn result_is_written() {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        let written = |moves: &str, result, ending: Option<&str>| {
            let value = GameValue {
                start: start.clone(),
                moves: moves.into(),
                result,
                ending: ending.map(str::to_owned),
                ..GameValue::default()
            };
            let text = ggf(&value).unwrap().text;
            text.split_once("RE[").unwrap().1.split(']').next().unwrap().to_owned()
        };
        let finished = "e6f4e3f6g5d6e7f5c5";
        assert_eq!(written(finished, None, None), "+64.000");
        assert_eq!(written(finished, Some(-8.0), None), "+64.000");
        assert_eq!(written(finished, Some(-8.0), Some("timed-out")), "-8.000:t");
        assert_eq!(written("f5d6", Some(-8.0), Some("resigned")), "-8.000:r");
        assert_eq!(written("f5d6", Some(-8.0), None), "-8.000");
        assert_eq!(written("f5d6", None, None), "?");
        assert_eq!(written("f5d6", None, Some("resigned")), "?");
    }

    #[test]
    fn illegal_moves_are_reported() {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        let value = GameValue { start, moves: "f5a1".into(), ..GameValue::default() };
        let fault = ggf(&value).unwrap_err();
        assert_eq!((fault.code, fault.number), ("illegal", Some(2)));
    }
}
