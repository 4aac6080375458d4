//! The browser as the host of a driver.

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

/// The browser's clock. All workers of an engine agree on the time.
#[derive(Clone)]
pub(super) struct PageClock {
    performance: Performance,
    /// Start, in milliseconds of this worker's clock.
    start: f64,
}

impl PageClock {
    /// Returns a clock that starts now.
    ///
    /// # Errors
    ///
    /// If the worker has no clock.
    pub(super) fn start() -> Result<PageClock, JsError> {
        let mut clock = PageClock::since(0.0)?;
        clock.start = clock.performance.now();
        Ok(clock)
    }

    /// Returns a clock that started at `epoch`, which another worker got from [`PageClock::epoch`].
    ///
    /// # Errors
    ///
    /// If the worker has no clock.
    pub(super) fn since(epoch: f64) -> Result<PageClock, JsError> {
        let scope = js_sys::global().unchecked_into::<WorkerGlobalScope>();
        let performance = scope.performance().ok_or_else(|| JsError::new("the worker has no clock"))?;
        // Every worker counts from its own start, the time origin.
        let start = epoch - performance.time_origin();
        Ok(PageClock { performance, start })
    }

    /// Returns the start of the clock, for other workers.
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

impl Host for Page {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn send_line(&mut self, line: String) {
        // An exception in the callback must not stop the engine.
        let _ = self.emit.call1(&JsValue::NULL, &line.into());
    }
}
