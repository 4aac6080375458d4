//! The browser as a driver sees it.

use std::time::Duration;

use js_sys::Function;
use outflank::driver::{Clock, Host};
use outflank::session::Timestamp;
use wasm_bindgen::prelude::*;
use web_sys::{Performance, WorkerGlobalScope};

/// The JavaScript side.
pub(super) struct Page {
    pub(super) emit: Function,
    pub(super) clock: PageClock,
}

/// The browser's clock, the same in all workers of an engine.
#[derive(Clone)]
pub(super) struct PageClock {
    performance: Performance,
    /// What is to be taken from this worker's own milliseconds.
    start: f64,
}

impl PageClock {
    /// A clock that starts now.
    ///
    /// # Errors
    /// Where the browser has none.
    pub(super) fn start() -> Result<PageClock, JsError> {
        let mut clock = PageClock::since(0.0)?;
        clock.start = clock.performance.now();
        Ok(clock)
    }

    /// The clock of another worker that started at this time of [`PageClock::epoch`].
    ///
    /// # Errors
    /// Where the browser has none.
    pub(super) fn since(epoch: f64) -> Result<PageClock, JsError> {
        let scope = js_sys::global().unchecked_into::<WorkerGlobalScope>();
        let performance = scope.performance().ok_or_else(|| JsError::new("the worker has no clock"))?;
        // Every worker counts from its own start, which all know by one clock.
        let start = epoch - performance.time_origin();
        Ok(PageClock { performance, start })
    }

    /// When it started, for other workers.
    #[cfg(target_feature = "atomics")]
    pub(super) fn epoch(&self) -> f64 {
        self.performance.time_origin() + self.start
    }
}

impl Clock for PageClock {
    fn now(&self) -> Timestamp {
        Timestamp(
            Duration::try_from_secs_f64((self.performance.now() - self.start) / 1000.0).unwrap_or_default(),
        )
    }
}

impl Clock for Page {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl Host for Page {
    fn send_line(&mut self, line: String) {
        // What the page's callback throws is the page's own fault and must not stop the engine.
        let _ = self.emit.call1(&JsValue::NULL, &line.into());
    }
}
