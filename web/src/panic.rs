//! A last word when the module dies.
//!
//! A panic ends a wasm module built with `panic = "abort"`: all that JavaScript sees is a trap. The hook
//! prints the message to the console and leaves it in a global variable, where `worker.js` finds it for the
//! page. The page then replaces the worker.

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
    // Where even this fails there is nobody left to tell.
    let _ = Reflect::set(&js_sys::global(), &VARIABLE.into(), &info.to_string().into());
    console_error_panic_hook::hook(info);
}
