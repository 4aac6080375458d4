//! The rules of the game, the notations and the values of games for the main thread of the page.
//!
//! Only [`Study`] has a state; nothing searches. A position is 65 characters: the squares a1 to h8 row by row
//! (`X` black, `O` white, `-` empty), then the side to move. Values are plain JavaScript objects. An error is
//! `{ error: { code, message, … } }`. The page has a sentence for each code in each of its languages.

mod error;
mod layout;
mod look;
mod overlay;
mod read;
mod study;
mod write;

use std::time::Duration;

use outflank::game::GameClock;
use outflank::notation::MAX_TEXT_CHARS;
use outflank::session::nboard;
use outflank::study::Plan;
use wasm_bindgen::prelude::*;

use crate::exchange::value;
use error::RulesError;
pub use study::Study;

/// Discs, side to move, legal moves and result of a position.
#[wasm_bindgen(unchecked_return_type = "Look | Failed")]
pub fn position_look(position: &str) -> JsValue {
    value(look::look(position))
}

/// The position after a move such as `f5`, the discs it flips, and whether the other side must pass.
#[wasm_bindgen(unchecked_return_type = "Played | Failed")]
pub fn position_play(position: &str, square: &str) -> JsValue {
    value(look::play(position, square))
}

/// The canonical form of a position: the same for all eight symmetric positions.
#[wasm_bindgen(unchecked_return_type = "string | Failed")]
pub fn position_canonical(position: &str) -> JsValue {
    value(look::canonical(position))
}

/// Mobility, frontier, stable discs, empty regions and threatened discs.
#[wasm_bindgen(unchecked_return_type = "Overlays | Failed")]
pub fn position_overlays(position: &str) -> JsValue {
    value(overlay::overlays(position))
}

/// The games of a pasted text in any notation.
#[wasm_bindgen(unchecked_return_type = "GamesRead | Failed")]
pub fn games_read(text: &str) -> JsValue {
    value(read::games(text, MAX_TEXT_CHARS))
}

/// The games of the text of a file, which may be longer.
#[wasm_bindgen(unchecked_return_type = "GamesRead | Failed")]
pub fn games_read_file(text: &str) -> JsValue {
    value(read::games(text, read::MAX_FILE_CHARS))
}

/// A game of `games_read` in a notation: `sgf`, `pgn`, `ggf` or `moves`.
#[wasm_bindgen(unchecked_return_type = "string | Failed")]
pub fn game_write(#[wasm_bindgen(unchecked_param_type = "Game")] game: JsValue, notation: &str) -> JsValue {
    value(
        serde_wasm_bindgen::from_value(game)
            .map_err(|error| RulesError::new("game", error.to_string()))
            .and_then(|game| write::write(&game, notation)),
    )
}

/// The lines that ask an engine about a position: at a depth in plies, with a clock of the side to move in seconds.
#[wasm_bindgen]
pub fn search_lines(
    position: &str,
    depth: u32,
    command: &str,
    seconds: Option<f64>,
    increment: Option<f64>,
) -> Vec<String> {
    let Ok(position) = look::read(position) else { return Vec::new() };
    let duration =
        |seconds: Option<f64>| Duration::try_from_secs_f64(seconds.unwrap_or(0.0)).unwrap_or_default();
    let clock = seconds.map(|_| GameClock {
        main: duration(seconds),
        increment: duration(increment),
        grace: Duration::ZERO,
    });
    vec![nboard::set_position(&position, clock), format!("set depth {depth}"), command.to_owned()]
}

/// The plies to which a position is searched at a depth: the leaves have an even number of empty squares, and positions with at most
/// `exact` empty squares are solved.
#[wasm_bindgen]
pub fn plan_depth(position: &str, depth: u32, exact: u32) -> u32 {
    let plan = Plan { depth, exact: Some(exact), ..Plan::default() };
    look::read(position).map_or(depth, |position| plan.depth_at(&position))
}

/// The values in lines of an engine.
#[wasm_bindgen(unchecked_return_type = "(Row & { depth: string })[]")]
pub fn values_read(lines: &str) -> JsValue {
    crate::exchange::plain(&lines.lines().filter_map(study::read_row).collect::<Vec<_>>())
}
