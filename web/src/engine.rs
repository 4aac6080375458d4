//! The driver as a JavaScript class.

use std::time::Duration;

use js_sys::Function;
use outflank::driver::{Clock, Driver, Host, SliceConfig, Slices};
use outflank::eval::Evaluator;
use outflank::search::{HashSize, SearchConfig};
use outflank::session::{Conversation, Event, Now, SessionConfig};
use wasm_bindgen::prelude::*;
use web_sys::{Performance, WorkerGlobalScope};

/// Table size of a new engine in mebibytes when the page does not say: a phone must bear it.
const DEFAULT_HASH: u32 = 8;

/// How the worker's thread and memory are shared between lines and search: a stop has to wait for no more than a slice,
/// and a page starts in little memory.
const SLICES: SliceConfig = SliceConfig {
    length: Duration::from_millis(15),
    first: Duration::from_millis(3),
    first_table: HashSize(4),
    grow_after: 3_000_000,
};

/// The engine's name.
#[wasm_bindgen]
pub fn name() -> String {
    SessionConfig::default().name.into()
}

/// The engine's version.
#[wasm_bindgen]
pub fn version() -> String {
    SessionConfig::default().version.into()
}

/// What tells its weights from others: the checksum of their file. Values under other weights mean something
/// else.
#[wasm_bindgen]
pub fn weights() -> String {
    format!("{:016x}", Evaluator::embedded_checksum())
}

/// One engine: lines in by [`Engine::line`], lines out by the callback.
#[wasm_bindgen]
pub struct Engine {
    driver: Driver<Page, Slices<PageClock>>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that hands each line it says to `emit`. Its table may grow to `hash` mebibytes.
    ///
    /// # Errors
    /// Where there is no clock.
    #[wasm_bindgen(constructor)]
    pub fn new(emit: Function, hash: Option<u32>) -> Result<Engine, JsError> {
        let hash = HashSize(hash.unwrap_or(DEFAULT_HASH).max(1));
        let session = Conversation::new(SessionConfig { hash, ..SessionConfig::default() });
        let search = SearchConfig { hash, ..SearchConfig::default() };
        let clock = PageClock::start().ok_or_else(|| JsError::new("the worker has no clock"))?;
        let slices = Slices::new(clock.clone(), search, SLICES);
        Ok(Engine { driver: Driver::new(Page { emit, clock }, session, slices) })
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

/// The JavaScript side as the driver sees it.
struct Page {
    emit: Function,
    clock: PageClock,
}

/// The browser's clock.
#[derive(Clone)]
struct PageClock {
    performance: Performance,
    /// When the engine was made, in the browser's milliseconds.
    start: f64,
}

impl PageClock {
    /// A clock that starts now; nothing where the browser has none.
    fn start() -> Option<PageClock> {
        let performance = js_sys::global().unchecked_into::<WorkerGlobalScope>().performance()?;
        let start = performance.now();
        Some(PageClock { performance, start })
    }
}

impl Clock for PageClock {
    fn now(&self) -> Now {
        Now(Duration::try_from_secs_f64((self.performance.now() - self.start) / 1000.0).unwrap_or_default())
    }
}

impl Clock for Page {
    fn now(&self) -> Now {
        self.clock.now()
    }
}

impl Host for Page {
    fn say(&mut self, line: String) {
        // What the page's callback throws is the page's own fault and must not stop the engine.
        let _ = self.emit.call1(&JsValue::NULL, &line.into());
    }
}
