//! The engine as in `worker.js`, for tests that call it by hand.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use outflank_web::Engine;
use wasm_bindgen::prelude::*;
use web_sys::WorkerGlobalScope;

/// Size of the engine's table in mebibytes.
const HASH: u32 = 16;

/// Milliseconds since the worker started.
pub(crate) fn now() -> f64 {
    let scope = js_sys::global().unchecked_into::<WorkerGlobalScope>();
    scope.performance().expect("a worker has a clock").now()
}

/// An engine and the lines that it has sent.
pub(crate) struct Worker {
    pub(crate) engine: Engine,
    lines: Rc<RefCell<VecDeque<String>>>,
    _emit: Closure<dyn FnMut(String)>,
}

impl Worker {
    pub(crate) fn new() -> Worker {
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
    pub(crate) fn take_line(&self) -> Option<String> {
        self.lines.borrow_mut().pop_front()
    }

    /// Returns all unread lines.
    pub(crate) fn all_lines(&self) -> Vec<String> {
        std::iter::from_fn(|| self.take_line()).collect()
    }
}
