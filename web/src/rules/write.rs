//! Games of the page, written for other programs.

use outflank::game::{Ending, GameResult};
use outflank::notation::{ggf, transcript};
use outflank::score::Score;

use super::error::RulesError;
use super::look;
use super::read::GameValue;

pub(super) fn ggf(value: &GameValue) -> Result<String, RulesError> {
    let mut game = transcript::read_from(look::read(&value.start)?, &value.moves)?;
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
    Ok(ggf::write(&game))
}

#[cfg(test)]
mod tests {
    use super::super::read::games;
    use super::*;

    fn value(moves: &str) -> GameValue {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        GameValue { start, moves: moves.to_owned(), ..GameValue::default() }
    }

    #[test]
    fn written_games_can_be_read() {
        let text = ggf(&GameValue { black: Some("Ann".into()), ..value("f5d6c3") }).unwrap();
        let again = format!("{:?}", games(&text, 1000).unwrap());
        assert!(again.contains("f5d6c3") && again.contains("Ann"), "{again}");
    }

    #[test]
    fn result_is_written() {
        let finished = "e6f4e3f6g5d6e7f5c5";
        for (moves, result, ending, expected) in [
            (finished, None, None, "RE[+64.000]"),
            (finished, Some(-8.0), None, "RE[+64.000]"),
            (finished, Some(-8.0), Some("timed-out"), "RE[-8.000:t]"),
            ("f5d6", Some(-8.0), Some("resigned"), "RE[-8.000:r]"),
            ("f5d6", Some(-8.0), None, "RE[-8.000]"),
            ("f5d6", None, None, "RE[?]"),
            ("f5d6", None, Some("resigned"), "RE[?]"),
        ] {
            let text = ggf(&GameValue { result, ending: ending.map(str::to_owned), ..value(moves) }).unwrap();
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn illegal_moves_are_reported() {
        let error = ggf(&value("f5a1")).unwrap_err();
        assert_eq!((error.code, error.number, error.mv.as_deref()), ("illegal", Some(2), Some("a1")));
    }
}
