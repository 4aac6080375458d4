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
fn kernels_rules_and_evaluation_have_their_properties() {
    kernels::every_kernel_equals_the_portable_one();
    kernels::last_flips_and_score_equal_the_naive_ones();
    evaluation::known_boards_have_known_values();
    evaluation::every_kernel_finds_the_values_of_the_large_network();
    board::games_follow_the_naive_rules();
}
