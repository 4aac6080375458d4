//! The rules inside a real worker, with the vector kernel of WebAssembly.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn perft_counts_the_known_leaves() {
    let known = [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];
    for (depth, leaves) in known.into_iter().enumerate() {
        assert_eq!(outflank_web::perft(depth as u32), leaves, "depth {depth}");
    }
}
