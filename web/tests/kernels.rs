//! The engine's checks of kernels and rules against the naive ones, and of known evaluations, inside a real worker.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[path = "../../engine/tests/properties/board.rs"]
mod board;
#[path = "../../engine/tests/properties/evaluation.rs"]
mod evaluation;
#[path = "../../engine/tests/properties/kernels.rs"]
mod kernels;
#[path = "../../engine/tests/properties/naive.rs"]
mod naive;
#[path = "../../engine/tests/properties/random.rs"]
mod random;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn every_kernel_equals_the_portable_one() {
    kernels::every_kernel_equals_the_portable_one();
}

#[wasm_bindgen_test]
fn last_flip_equals_the_naive_one() {
    kernels::last_flip_equals_the_naive_one();
}

#[wasm_bindgen_test]
fn known_boards_have_known_values() {
    evaluation::known_boards_have_known_values();
}

#[wasm_bindgen_test]
fn every_kernel_finds_the_values_of_the_large_network() {
    evaluation::every_kernel_finds_the_values_of_the_large_network();
}

#[wasm_bindgen_test]
fn games_follow_the_naive_rules() {
    board::games_follow_the_naive_rules();
}
