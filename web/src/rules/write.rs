//! Games as the page keeps them, written for other programs.

use outflank::board::{Move, Square};
use outflank::game::Game;
use outflank::game::notation::ggf;
use outflank::score::Score;
use serde::Serialize;

use super::error::RulesError;
use super::look;
use super::read::GameValue;

/// What was written.
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
            number: Some(number),
            mv: Some(text.to_string()),
            ..RulesError::new("illegal", error)
        })?;
    }
    game.tags.place = value.place.clone().or_else(|| Some("Outflank".to_owned()));
    game.tags.date.clone_from(&value.date);
    game.tags.black.name.clone_from(&value.black);
    game.tags.white.name.clone_from(&value.white);
    if let Some(score) = value.result.and_then(Score::from_discs) {
        game.tags.result = Some(outflank::game::GameResult { score, ending: Default::default() });
    }
    Ok(Written { text: ggf::write(&game) })
}

#[cfg(test)]
mod tests {
    use super::super::read::games;
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        let value =
            GameValue { start, moves: "f5d6c3".into(), black: Some("Ann".into()), ..GameValue::default() };
        let text = ggf(&value).unwrap().text;
        let again = games(&text).unwrap();
        let json = format!("{again:?}");
        assert!(json.contains("f5d6c3") && json.contains("Ann"), "{json}");
    }

    #[test]
    fn an_illegal_move_is_named() {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        let value = GameValue { start, moves: "f5a1".into(), ..GameValue::default() };
        let fault = ggf(&value).unwrap_err();
        assert_eq!((fault.code, fault.number), ("illegal", Some(2)));
    }
}
