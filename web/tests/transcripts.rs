//! The protocols' transcripts, played to the engine inside a real dedicated worker.
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

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen]
extern "C" {
    // By another name than the engine's own import: the two share a crate.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn clock() -> f64;
}

/// The engine as the worker has it, pumped by hand.
struct Worker {
    engine: Engine,
    said: Rc<RefCell<VecDeque<String>>>,
    _emit: Closure<dyn FnMut(String)>,
}

impl Worker {
    fn new() -> Worker {
        let said = Rc::new(RefCell::new(VecDeque::new()));
        let heard = Rc::clone(&said);
        let emit = Closure::<dyn FnMut(String)>::new(move |line| heard.borrow_mut().push_back(line));
        let function = emit.as_ref().unchecked_ref::<js_sys::Function>().clone();
        Worker { engine: Engine::new(function, Some(16)), said, _emit: emit }
    }
}

impl Partner for Worker {
    fn send(&mut self, line: &str) {
        self.engine.line(line);
    }

    fn next_line(&mut self) -> Option<String> {
        loop {
            let line = self.said.borrow_mut().pop_front();
            if line.is_some() || !self.engine.work() {
                return line.or_else(|| self.said.borrow_mut().pop_front());
            }
        }
    }

    fn wait(&mut self, time: Duration) {
        let end = clock() + time.as_secs_f64() * 1000.0;
        while clock() < end {
            self.engine.work();
        }
    }

    /// A worker has no end of input: it is dropped in the middle of whatever it does.
    fn close(&mut self) -> Option<Vec<String>> {
        Some(self.said.borrow_mut().drain(..).collect())
    }
}

fn play_all(dialect: &str) {
    for (name, text) in corpus::LIVE.iter().filter(|(name, _)| name.starts_with(dialect)) {
        let transcript = Transcript::parse(name, text).unwrap_or_else(|error| panic!("live/{error}"));
        play(&transcript, &mut Worker::new()).unwrap_or_else(|error| panic!("live/{error}"));
    }
}

#[wasm_bindgen_test]
fn nboard() {
    play_all("nboard");
}

#[wasm_bindgen_test]
fn cassio() {
    play_all("cassio");
}

#[wasm_bindgen_test]
fn hub() {
    play_all("hub");
}

#[wasm_bindgen_test]
fn xboard() {
    play_all("xboard");
}
