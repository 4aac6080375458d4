//! The engine as in `worker.js`, called by hand inside a real dedicated worker: its replies by the transcripts, and its slices.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use outflank_tests::corpus;
use outflank_tests::engine::{Engine as Partner, play};
use outflank_tests::transcript::Transcript;
use outflank_web::Engine;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::WorkerGlobalScope;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Size of the engine's table in mebibytes.
const HASH: u32 = 16;

/// Milliseconds since the worker started.
fn now() -> f64 {
    let scope = js_sys::global().unchecked_into::<WorkerGlobalScope>();
    scope.performance().expect("a worker has a clock").now()
}

/// An engine and the lines that it has sent.
struct Worker {
    engine: Engine,
    lines: Rc<RefCell<VecDeque<String>>>,
    _emit: Closure<dyn FnMut(String)>,
}

impl Worker {
    fn new() -> Worker {
        let lines = Rc::new(RefCell::new(VecDeque::new()));
        let queue = Rc::clone(&lines);
        let emit = Closure::<dyn FnMut(String)>::new(move |line| queue.borrow_mut().push_back(line));
        let function = emit.as_ref().unchecked_ref::<js_sys::Function>().clone();
        Worker {
            engine: Engine::new(function, None, Some(HASH), None, None).expect("a worker has a clock"),
            lines,
            _emit: emit,
        }
    }

    /// Returns the oldest unread line.
    fn take_line(&self) -> Option<String> {
        self.lines.borrow_mut().pop_front()
    }

    /// Returns all unread lines.
    fn all_lines(&self) -> Vec<String> {
        std::iter::from_fn(|| self.take_line()).collect()
    }
}

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

/// A native test limits the length of a slice.
#[wasm_bindgen_test]
fn line_between_two_slices_stops_the_search() {
    let mut worker = Worker::new();
    for line in ["nboard 2", "move F5", "set depth 60", "hint 64"] {
        worker.engine.line(line);
    }
    assert!((0..20).all(|_| worker.engine.work()), "the search has ended");
    worker.all_lines();
    worker.engine.line("ping 9");
    assert!(worker.all_lines().contains(&"pong 9".to_owned()));
    assert!(!worker.engine.work(), "the search continues");
}
