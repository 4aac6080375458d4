//! Reports the message of a panic.
//!
//! A panic ends a wasm module built with `panic = "abort"`, and JavaScript sees only a trap. The hook prints the message to the
//! console and stores it in a global variable, from which `worker.js` sends it to the page. The page then replaces the worker.

use std::panic::PanicHookInfo;

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

/// The global variable with the message.
const VARIABLE: &str = "outflankPanic";

#[wasm_bindgen(start)]
fn set_hook() {
    std::panic::set_hook(Box::new(hook));
}

fn hook(info: &PanicHookInfo<'_>) {
    // If this fails, the console still shows the message.
    let _ = Reflect::set(&js_sys::global(), &VARIABLE.into(), &info.to_string().into());
    console_error_panic_hook::hook(info);
}
