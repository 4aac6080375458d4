//! The engine with the search in separate workers, as the native program has it on separate threads.
//!
//! | worker | runs | waits for |
//! | --- | --- | --- |
//! | session | [`Engine`] | messages, like any worker |
//! | search | [`search`], which never returns | jobs, in the shared memory |
//! | helpers | [`help`], which never returns | searches to help, in the shared memory |
//!
//! The session's worker writes its orders into the shared memory, and the search reads them there at once. The search puts its
//! events into a queue in that memory and posts a message that wakes the session's worker. The session's worker does not
//! sleep in the shared memory, because lines arrive as messages. Waiting for both needs `Atomics.waitAsync`, which not all
//! browsers have. A worker that never returns to its event loop can still post messages.
//!
//! The locks of the queues are held only for a push or a pop, so the session's worker never waits for the search.

mod queue;

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use js_sys::Function;
use outflank::driver::{Clock as _, Driver, SearchHost, SearchThread, ThreadedSearcher};
use outflank::search::{HashSize, Helper, SearchConfig};
use outflank::session::{Conversation, Event, Timestamp};
use wasm_bindgen::prelude::*;

use super::page::{Page, PageClock};
use super::{GROWTH, evaluator, session_config};
use queue::Queue;

/// The work of the search worker, until that worker takes it.
static WORK: Queue<Work> = Queue::new();
/// Searches that need help.
static HELPERS: Queue<Helper> = Queue::new();
/// Events of the search that the session has not received.
static EVENTS: Queue<Event> = Queue::new();
/// Number of helper workers that were requested.
static REQUESTED: AtomicUsize = AtomicUsize::new(0);
/// A counter that changes when the search makes progress.
static SIGNS: AtomicU32 = AtomicU32::new(0);
/// Number of nodes at the last progress event.
static NODES: AtomicU64 = AtomicU64::new(0);

/// Number of queued events from which newer events replace older ones. Fewer wait if the session's worker is awake.
const MAX_PENDING_EVENTS: usize = 64;

/// The data that the search worker needs to start.
struct Work {
    thread: SearchThread,
    weights: Option<Vec<u8>>,
    hash: HashSize,
    threads: usize,
    most_threads: usize,
    /// Start of the session's clock.
    epoch: f64,
}

/// An engine: [`Engine::line`] takes lines, the callback receives lines. Each shared memory has one engine.
#[wasm_bindgen]
pub struct Engine {
    driver: Driver<Page, ThreadedSearcher>,
}

#[wasm_bindgen]
impl Engine {
    /// Returns an engine that passes each line to `emit`. Its table may grow to `hash` mebibytes. It searches with `threads`
    /// workers, and sessions can set up to `most_threads`. Without `weights`, it uses the weights in the module if there are
    /// any. Another worker must call [`search`].
    ///
    /// # Errors
    ///
    /// If the worker has no clock.
    #[wasm_bindgen(constructor)]
    pub fn new(
        emit: Function,
        weights: Option<Vec<u8>>,
        hash: Option<u32>,
        threads: Option<usize>,
        most_threads: Option<usize>,
    ) -> Result<Engine, JsError> {
        let threads = threads.unwrap_or(1).max(1);
        let most_threads = most_threads.unwrap_or(1).max(threads);
        let config = session_config(hash, threads, most_threads);
        let clock = PageClock::start()?;
        let (searcher, thread) = ThreadedSearcher::new();
        let epoch = clock.epoch();
        WORK.push(Work { thread, weights, hash: config.hash, threads, most_threads, epoch });
        Ok(Engine { driver: Driver::new(Page { emit, clock }, Conversation::new(config), searcher) })
    }

    /// Handles a line. The first one selects the protocol.
    pub fn line(&mut self, text: &str) {
        // Earlier events come first.
        self.work();
        self.driver.handle(Event::Line(text.to_owned()));
    }

    /// Passes the events of the search to the session. Returns `false`: there is no more work for this worker.
    pub fn work(&mut self) -> bool {
        while let Some(event) = EVENTS.pop() {
            self.driver.handle(event);
        }
        false
    }

    /// `true` once the session has quit. Further lines are ignored.
    #[wasm_bindgen(getter)]
    pub fn ended(&self) -> bool {
        self.driver.has_ended()
    }

    /// A number that changes several times a second while a search is running, unless a worker has crashed.
    #[wasm_bindgen(getter)]
    pub fn signs(&self) -> u32 {
        SIGNS.load(Ordering::Relaxed)
    }

    /// `true` while a search is running.
    #[wasm_bindgen(getter)]
    pub fn searching(&mut self) -> bool {
        self.driver.searcher().is_searching()
    }
}

/// Searches for the engine in this memory. `post` is called with
///
/// - `ready` once, when the weights are unpacked,
/// - `news` when [`Engine::work`] must be called,
/// - `helper` when another worker must call [`help`].
///
/// Returns when the session has quit.
///
/// # Errors
///
/// If the worker has no clock, or the weights are invalid.
#[wasm_bindgen]
pub fn search(post: Function) -> Result<(), JsError> {
    let Work { thread, weights, hash, threads, most_threads, epoch } = WORK.wait();
    let evaluator = evaluator(weights.as_deref())?;
    drop(weights);
    let config = SearchConfig::with(evaluator).with_hash(hash);
    let workers = Workers { clock: PageClock::since(epoch)?, post, most_threads };
    workers.post("ready");
    thread.work(config, GROWTH, threads, &workers);
    Ok(())
}

/// Helps the searches in this memory. Never returns.
#[wasm_bindgen]
pub fn help() {
    loop {
        HELPERS.wait().help();
    }
}

/// Lets a worker in [`help`] help a search.
pub(crate) fn spawn_helper(helper: Helper) {
    HELPERS.push(helper);
}

struct Workers {
    clock: PageClock,
    post: Function,
    most_threads: usize,
}

impl Workers {
    fn post(&self, what: &str) {
        let _ = self.post.call1(&JsValue::NULL, &what.into());
    }
}

impl SearchHost for Workers {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn send_event(&self, event: Event) {
        let has_progressed = match event {
            Event::Progress { nodes, .. } => NODES.swap(nodes, Ordering::Relaxed) != nodes,
            _ => true,
        };
        SIGNS.fetch_add(u32::from(has_progressed), Ordering::Relaxed);
        if EVENTS.push_over(event, MAX_PENDING_EVENTS, Event::replaces) == 1 {
            self.post("news");
        }
    }

    fn spawn_helper(&self, number: usize, helper: Helper) -> bool {
        if number >= self.most_threads {
            return false;
        }
        spawn_helper(helper);
        // A worker that helped an earlier search takes the next one.
        if REQUESTED.fetch_max(number, Ordering::Relaxed) < number {
            self.post("helper");
        }
        true
    }
}
