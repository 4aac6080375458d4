//! The clock of the native host.

use std::time::Instant;

use outflank::driver;
use outflank::session::Timestamp;

/// Counts from its start.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { start: Instant::now() }
    }
}

impl driver::Clock for Clock {
    fn now(&self) -> Timestamp {
        Timestamp(self.start.elapsed())
    }
}
