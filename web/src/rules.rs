//! The rules of the game, the notations and the values of games for the main thread of the page.
//!
//! Only [`Tree`] and [`Values`] have a state; nothing searches. A position is 65 characters: the squares a1 to h8 row by row
//! (`X` black, `O` white, `-` empty), then the side to move. Values are plain JavaScript objects. An error is
//! `{ error: { code, message, … } }`. The page has a sentence for each code in each of its languages.

mod error;
mod look;
mod overlay;
mod read;
mod tree;
mod values;
mod write;

use outflank::notation::MAX_TEXT_CHARS;
use wasm_bindgen::prelude::*;

use crate::exchange::value;
use error::RulesError;
pub use tree::Tree;
pub use values::Values;

/// Discs, side to move, legal moves and result of a position.
#[wasm_bindgen]
pub fn position_look(position: &str) -> JsValue {
    value(look::look(position))
}

/// The position after a move such as `f5`, the discs it flips, and whether the other side must pass.
#[wasm_bindgen]
pub fn position_play(position: &str, square: &str) -> JsValue {
    value(look::play(position, square))
}

/// The canonical form of a position: the same for all eight symmetric positions.
#[wasm_bindgen]
pub fn position_canonical(position: &str) -> JsValue {
    value(look::canonical(position))
}

/// Mobility, frontier, stable discs, empty regions and threatened discs.
#[wasm_bindgen]
pub fn position_overlays(position: &str) -> JsValue {
    value(overlay::overlays(position))
}

/// The games of a pasted text in any notation.
#[wasm_bindgen]
pub fn games_read(text: &str) -> JsValue {
    value(read::games(text, MAX_TEXT_CHARS))
}

/// The games of the text of a file, which may be longer.
#[wasm_bindgen]
pub fn games_read_file(text: &str) -> JsValue {
    value(read::games(text, read::MAX_FILE_CHARS))
}

/// A game of `games_read` in a notation: `sgf`, `pgn`, `ggf` or `moves`.
#[wasm_bindgen]
pub fn game_write(game: JsValue, notation: &str) -> JsValue {
    value(
        serde_wasm_bindgen::from_value(game)
            .map_err(|error| RulesError::new("game", error.to_string()))
            .and_then(|game| write::write(&game, notation)),
    )
}
