//! The delays of an engine that searches in slices, inside a real dedicated worker. The transcripts check its replies.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use worker::{Worker, now};

mod worker;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Most milliseconds of one slice. The slices are 15 ms long, the rest is for a busy machine. A benchmark measures the
/// delays.
const MAX_SLICE_MS: f64 = 400.0;

/// Most milliseconds until a stop takes effect on a busy machine.
const MAX_STOP_MS: f64 = 600.0;

#[wasm_bindgen_test]
fn line_between_two_slices_stops_the_search() {
    let mut worker = Worker::new();
    for line in ["nboard 2", "move F5", "set depth 60", "hint 64"] {
        worker.engine.line(line);
    }
    let (mut longest, end) = (0.0_f64, now() + 400.0);
    while now() < end {
        let start = now();
        assert!(worker.engine.work(), "the search has ended");
        longest = longest.max(now() - start);
    }
    assert!(longest < MAX_SLICE_MS, "a slice took {longest} ms");
    worker.all_lines();
    let start = now();
    worker.engine.line("ping 9");
    let taken = now() - start;
    assert!(worker.all_lines().contains(&"pong 9".to_owned()));
    assert!(longest + taken < MAX_STOP_MS, "{longest} ms to get in and {taken} ms to stop");
    assert!(!worker.engine.work(), "the search has ended");
}
