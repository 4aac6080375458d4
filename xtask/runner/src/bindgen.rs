//! `wasm-bindgen`, built from its library.

use std::env;

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(env::args_os())
}
