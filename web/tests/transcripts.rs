//! The transcripts of the protocols, inside a real dedicated worker.
#![cfg(target_arch = "wasm32")]

use std::time::Duration;

use outflank_tests::corpus;
use outflank_tests::engine::{Engine as Partner, play};
use outflank_tests::transcript::Transcript;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use worker::{Worker, now};

mod worker;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

impl Partner for Worker {
    fn send(&mut self, line: &str) {
        self.engine.line(line);
    }

    fn next_line(&mut self) -> Option<String> {
        loop {
            let line = self.take_line();
            if line.is_some() || !self.engine.work() {
                return line.or_else(|| self.take_line());
            }
        }
    }

    fn wait(&mut self, time: Duration) {
        let end = now() + time.as_secs_f64() * 1000.0;
        while now() < end {
            self.engine.work();
        }
    }

    /// The input of a worker has no end: it is dropped while it works.
    fn close(&mut self) -> Option<Vec<String>> {
        Some(self.all_lines())
    }
}

#[wasm_bindgen_test]
fn live_transcripts_are_replayed() {
    for (name, text) in corpus::LIVE {
        let transcript = Transcript::parse(name, text).unwrap_or_else(|error| panic!("live/{error}"));
        play(&transcript, &mut Worker::new()).unwrap_or_else(|error| panic!("live/{error}"));
    }
}
