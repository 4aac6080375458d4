//! Positions and results in the form that the page exchanges with the modules.

use outflank::board::Position;
use outflank::notation::squares;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// Returns a result as a JavaScript value, an error as `{ error }`.
pub(crate) fn value<T: Serialize, E: Serialize>(result: Result<T, E>) -> JsValue {
    match result {
        Ok(found) => plain(&found),
        Err(error) => {
            let failed = js_sys::Object::new();
            let _ = js_sys::Reflect::set(&failed, &"error".into(), &plain(&error));
            failed.into()
        }
    }
}

/// Returns a plain JavaScript value. Objects with plain fields always have one. Not inlined: one copy for each type.
#[inline(never)]
pub(crate) fn plain(value: &impl Serialize) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// Returns the 65 characters of a position: the squares, then the side to move.
pub(crate) fn write(position: &Position) -> String {
    squares::write(position).replace(' ', "")
}
