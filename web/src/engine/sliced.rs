//! The engine with session and search in one worker.

use std::time::Duration;

use js_sys::Function;
use outflank::driver::{Driver, SliceConfig, SlicedSearcher};
use outflank::search::SearchConfig;
use outflank::session::{Conversation, Event};
use wasm_bindgen::prelude::*;

use super::page::{Page, PageClock};
use super::{GROWTH, evaluator, session_config};

/// Length of the slices. A stop waits for at most one slice.
const SLICES: SliceConfig =
    SliceConfig { length: Duration::from_millis(15), first: Duration::from_millis(3), growth: GROWTH };

/// An engine: [`Engine::line`] takes lines, the callback receives lines.
#[wasm_bindgen]
pub struct Engine {
    driver: Driver<Page, SlicedSearcher<PageClock>>,
}

#[wasm_bindgen]
impl Engine {
    /// Returns an engine that passes each line to `emit`. Its table may grow to `hash` mebibytes. Without `weights`, it uses the
    /// weights in the module if there are any. The numbers of threads are ignored.
    ///
    /// # Errors
    ///
    /// If the worker has no clock, or the weights are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(
        emit: Function,
        weights: Option<Vec<u8>>,
        hash: Option<u32>,
        _threads: Option<usize>,
        _most_threads: Option<usize>,
    ) -> Result<Engine, JsError> {
        let config = session_config(hash, 1, 1);
        let search = SearchConfig::with(evaluator(weights.as_deref())?).with_hash(config.hash);
        let clock = PageClock::start()?;
        let slices = SlicedSearcher::new(clock.clone(), search, SLICES);
        Ok(Engine { driver: Driver::new(Page { emit, clock }, Conversation::new(config), slices) })
    }

    /// Handles a line. The first one selects the protocol.
    pub fn line(&mut self, text: &str) {
        self.driver.handle(Event::Line(text.to_owned()));
    }

    /// Searches for one slice. Returns `true` if the search is still running.
    pub fn work(&mut self) -> bool {
        self.driver.work()
    }

    /// `true` once the session has quit. Further lines are ignored.
    #[wasm_bindgen(getter)]
    pub fn ended(&self) -> bool {
        self.driver.has_ended()
    }
}
