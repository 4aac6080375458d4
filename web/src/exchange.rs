//! Positions and results in the form that the page exchanges with the modules.

use std::collections::BTreeMap;

use outflank::board::Position;
use outflank::notation::squares;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Returns a result as a JavaScript value, an error as `{ error }`. Objects with plain fields always have a value.
pub(crate) fn value<T: Serialize, E: Serialize>(result: Result<T, E>) -> JsValue {
    let plain = Serializer::json_compatible();
    let value = match result {
        Ok(found) => found.serialize(&plain),
        Err(error) => BTreeMap::from([("error", error)]).serialize(&plain),
    };
    value.unwrap_or(JsValue::NULL)
}

/// Returns the 65 characters of a position: the squares, then the side to move.
pub(crate) fn write(position: &Position) -> String {
    squares::write(position).replace(' ', "")
}
