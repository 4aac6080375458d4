//! NativeSearchHost for the search.

use std::sync::Arc;
use std::thread::{self, Builder};

use outflank::driver::SearchHost;
use outflank::search::{Helper, Search};
use outflank::session::{Event, Timestamp};

use super::clock::Clock;
use super::event_queue::EventQueue;

/// The stack of a thread that searches, in bytes.
const STACK: usize = 16 << 20;

/// A new thread to search on.
pub(super) fn builder(name: String) -> Builder {
    thread::Builder::new().name(name).stack_size(STACK)
}

/// What the search's thread is lent.
pub(super) struct NativeSearchHost {
    pub(super) clock: Clock,
    pub(super) events: Arc<EventQueue>,
}

impl outflank::driver::Clock for NativeSearchHost {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl SearchHost for NativeSearchHost {
    fn send_event(&self, event: Event) {
        self.events.news(event);
    }

    fn spawn_helper(&self, number: usize, helper: Helper) -> bool {
        start(number, helper)
    }
}

/// Starts all threads but this one. They sleep until there is work to share, and end when the helpers are closed;
/// where one cannot be started, the search is slower by it. How many there are with this one.
pub fn spawn_helpers(search: &Search, threads: usize) -> usize {
    1 + (1..threads).filter(|&number| start(number, search.helper())).count()
}

fn start(number: usize, helper: Helper) -> bool {
    builder(format!("helper {number}")).spawn(move || helper.help()).is_ok()
}
