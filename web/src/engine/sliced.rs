//! Lines and search in one worker.

use std::time::Duration;

use js_sys::Function;
use outflank::driver::{Driver, SliceConfig, SlicedSearcher};
use outflank::search::SearchConfig;
use outflank::session::{Conversation, Event};
use wasm_bindgen::prelude::*;

use super::page::{Page, PageClock};
use super::{GROWTH, evaluator, session_config};

/// How the worker's thread is shared between lines and search: a stop has to wait for no more than a slice.
const SLICES: SliceConfig =
    SliceConfig { length: Duration::from_millis(15), first: Duration::from_millis(3), growth: GROWTH };

/// One engine: lines in by [`Engine::line`], lines out by the callback.
#[wasm_bindgen]
pub struct Engine {
    driver: Driver<Page, SlicedSearcher<PageClock>>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that hands each line it says to `emit`. Its table may grow to `hash` mebibytes. Without a file of
    /// weights it has those in the module, where there are some. There is one thread, whatever is asked for.
    ///
    /// # Errors
    /// Where there is no clock, or the weights are of no use.
    #[wasm_bindgen(constructor)]
    pub fn new(
        emit: Function,
        weights: Option<Vec<u8>>,
        hash: Option<u32>,
        _threads: Option<usize>,
        _most_threads: Option<usize>,
    ) -> Result<Engine, JsError> {
        let config = session_config(hash, 1, 1);
        let search = SearchConfig { hash: config.hash, ..SearchConfig::with(evaluator(weights.as_deref())?) };
        let clock = PageClock::start()?;
        let slices = SlicedSearcher::new(clock.clone(), search, SLICES);
        Ok(Engine { driver: Driver::new(Page { emit, clock }, Conversation::new(config), slices) })
    }

    /// Takes one protocol line. The first one tells the dialect, as it does natively.
    pub fn line(&mut self, text: &str) {
        self.driver.handle(Event::Line(text.to_owned()));
    }

    /// Searches for one slice of time. Returns whether there is more to do.
    pub fn work(&mut self) -> bool {
        self.driver.work()
    }

    /// Whether the engine was told to quit: it takes no more lines.
    #[wasm_bindgen(getter)]
    pub fn ended(&self) -> bool {
        self.driver.has_ended()
    }
}
