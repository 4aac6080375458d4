//! Games of the page, written for other programs.

use outflank::game::{Ending, GameResult, GameTree, Tags};
use outflank::notation::{ggf, link, pgn, sgf, squares, transcript};
use outflank::score::Score;

use super::error::RulesError;
use super::look;
use super::read::GameValue;

/// A game in a notation: `sgf`, `pgn`, `ggf` or `moves`. The last two have its main line; GGF has the variations as comments, and moves
/// follow their start if they do not tell it.
pub(super) fn write(value: &GameValue, notation: &str) -> Result<String, RulesError> {
    let tags = Tags {
        place: value.place.clone().or_else(|| Some("Outflank".to_owned())),
        date: value.date.clone(),
        ..Tags::default()
    };
    let mut game = tree(value)?.game(tags);
    game.tags.black.name.clone_from(&value.black);
    game.tags.white.name.clone_from(&value.white);
    [game.tags.black.rating, game.tags.white.rating] = value.ratings;
    if value.given.is_some() {
        game.tags.keep("Variant", "xot");
    }
    let written =
        value.result.and_then(Score::from_discs).map(|score| GameResult { score, ending: value.ending() });
    // The given result may be that of another line of the tree. For a finished game, the board decides.
    let end = game.final_score().filter(|_| value.ending() == Ending::Played);
    game.tags.result = end.or(written);
    Ok(match notation {
        "sgf" => sgf::write(&game),
        "pgn" => pgn::write(&game),
        "moves" => {
            let moves = transcript::write(&game);
            let is_usual = transcript::read(&moves).is_ok_and(|again| again.start() == game.start());
            if is_usual { moves } else { format!("{} {moves}", squares::write(&game.start())) }
        }
        _ => ggf::write(&game),
    })
}

pub(super) fn tree(value: &GameValue) -> Result<GameTree, RulesError> {
    if let Some(text) = &value.tree {
        return Ok(link::read(text)?.0);
    }
    let mut game = transcript::read_from(look::read(&value.start)?, &value.moves)?;
    game.tags.comments.clone_from(&value.comments);
    Ok(game.tree())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(moves: &str) -> GameValue {
        let start = "---------------------------OX------XO---------------------------X".to_owned();
        GameValue { start, moves: moves.to_owned(), ..GameValue::default() }
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
            let text = write(&GameValue { result, ending: ending.map(str::to_owned), ..value(moves) }, "ggf")
                .unwrap();
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn ratings_are_written() {
        let text = write(&GameValue { ratings: [None, Some(1800.0)], ..value("f5d6") }, "ggf").unwrap();
        assert!(text.contains("RW[1800]") && !text.contains("RB["), "{text}");
    }

    #[test]
    fn illegal_moves_are_reported() {
        let error = write(&value("f5a1"), "ggf").unwrap_err();
        assert_eq!((error.code, error.number, error.mv.as_deref()), ("illegal", Some(2), Some("a1")));
    }
}
