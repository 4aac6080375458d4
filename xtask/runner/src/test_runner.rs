//! `wasm-bindgen-test-runner`, built from its library. Runs a test module in a headless browser.

use std::env;

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(env::args_os())
}
