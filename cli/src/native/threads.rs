//! Search threads.

use std::sync::Arc;
use std::thread::{self, Builder};
use std::time::Instant;

use outflank::driver::SearchHost;
use outflank::search::{Helper, Search};
use outflank::session::{Event, Timestamp};

use super::event_queue::EventQueue;

/// Stack of a search thread in bytes.
const STACK: usize = 16 << 20;

pub(super) fn builder(name: String) -> Builder {
    thread::Builder::new().name(name).stack_size(STACK)
}

pub(super) struct NativeSearchHost {
    pub(super) start: Instant,
    pub(super) events: Arc<EventQueue>,
}

impl SearchHost for NativeSearchHost {
    fn now(&self) -> Timestamp {
        Timestamp(self.start.elapsed())
    }

    fn send_event(&self, event: Event) {
        self.events.search_event(event);
    }

    fn spawn_helper(&self, number: usize, helper: Helper) -> bool {
        start(number, helper)
    }
}

/// Starts the helper threads of a search with `threads` threads. Helpers sleep until there is work to share, and end when the
/// search is dropped. Returns the number of threads that search, including the caller's.
pub fn spawn_helpers(search: &Search, threads: usize) -> usize {
    1 + (1..threads).filter(|&number| start(number, search.helper())).count()
}

fn start(number: usize, helper: Helper) -> bool {
    builder(format!("helper {number}")).spawn(move || helper.help()).is_ok()
}
