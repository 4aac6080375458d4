//! The search in workers of its own, as the native program has it on threads of its own.
//!
//! | worker | runs | waits for |
//! | --- | --- | --- |
//! | session | [`Engine`] | messages, as any worker does: it is always awake |
//! | search | [`search`], which never returns | jobs, asleep in the memory all share |
//! | helpers | [`help`], which never returns | searches to help, likewise |
//!
//! What the session wants of the search it writes into the shared memory, where the search sees it at once. What the search
//! tells goes into a queue there, and a message wakes the session's worker: it must not sleep in that memory, for lines come
//! to it as messages, and to wait for both at a time takes `Atomics.waitAsync`, which not all browsers have. A
//! message is posted at once even by a worker that never returns to its event loop.
//!
//! The locks of the queues are held for a push or a pop, so that the session's worker never waits for the search.

mod queue;

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use js_sys::Function;
use outflank::driver::{Clock, Driver, SearchHost, SearchThread, ThreadedSearcher};
use outflank::search::{HashSize, Helper, SearchConfig};
use outflank::session::{Conversation, Event, Timestamp};
use wasm_bindgen::prelude::*;

use super::page::{Page, PageClock};
use super::{GROWTH, evaluator, session_config};
use queue::Queue;

/// The work of the search's worker, until it comes for it.
static WORK: Queue<Work> = Queue::new();
/// Searches that want help.
static HELPERS: Queue<Helper> = Queue::new();
/// What the search has told and the session was not told yet.
static NEWS: Queue<Event> = Queue::new();
/// Workers that were asked for to help.
static ASKED_FOR: AtomicUsize = AtomicUsize::new(0);
/// Goes on whenever the search gets on.
static SIGNS: AtomicU32 = AtomicU32::new(0);
/// Nodes at its last sign of life.
static NODES: AtomicU64 = AtomicU64::new(0);

/// More news than wait where the session's worker is awake: from then on they make way for newer ones.
const MAX_PENDING_EVENTS: usize = 64;

/// What is for the search's worker to do.
struct Work {
    thread: SearchThread,
    weights: Option<Vec<u8>>,
    hash: HashSize,
    threads: usize,
    most_threads: usize,
    /// When the session's clock started.
    epoch: f64,
}

/// One engine: lines in by [`Engine::line`], lines out by the callback. There is one in a memory.
#[wasm_bindgen]
pub struct Engine {
    driver: Driver<Page, ThreadedSearcher>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that hands each line it says to `emit`. Its table may grow to `hash` mebibytes. It searches with
    /// `threads` workers and can be told to do it with up to `most_threads`. Without a file of weights it has those in
    /// the module, where there are some. Another worker has to call [`search`].
    ///
    /// # Errors
    /// Where there is no clock.
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
        let (lent, thread) = ThreadedSearcher::new();
        let epoch = clock.epoch();
        WORK.push(Work { thread, weights, hash: config.hash, threads, most_threads, epoch });
        Ok(Engine { driver: Driver::new(Page { emit, clock }, Conversation::new(config), lent) })
    }

    /// Takes one protocol line. The first one tells the dialect, as it does natively.
    pub fn line(&mut self, text: &str) {
        // What has happened before it is told before it.
        self.work();
        self.driver.handle(Event::Line(text.to_owned()));
    }

    /// Tells the session what the search has told. There is never more to do: the search works by itself.
    pub fn work(&mut self) -> bool {
        while let Some(event) = NEWS.pop() {
            self.driver.handle(event);
        }
        false
    }

    /// Whether the engine was told to quit: it takes no more lines.
    #[wasm_bindgen(getter)]
    pub fn ended(&self) -> bool {
        self.driver.has_ended()
    }

    /// A number that changes several times a second while something is searched. Where it does not, a worker is gone: who
    /// has searched a part of the tree and does not tell what came of it leaves the others waiting.
    #[wasm_bindgen(getter)]
    pub fn signs(&self) -> u32 {
        SIGNS.load(Ordering::Relaxed)
    }

    /// Whether something is being searched.
    #[wasm_bindgen(getter)]
    pub fn searching(&mut self) -> bool {
        self.driver.searcher().is_searching()
    }
}

/// Searches for the engine in this memory. `post` is called with
///
/// - `ready` once, when the weights are unpacked,
/// - `news` when [`Engine::work`] is to be called,
/// - `helper` when another worker is wanted to call [`help`].
///
/// Returns when the engine was told to quit.
///
/// # Errors
/// Where there is no clock, or the weights are of no use.
#[wasm_bindgen]
pub fn search(post: Function) -> Result<(), JsError> {
    let Work { thread, weights, hash, threads, most_threads, epoch } = WORK.wait();
    let evaluator = evaluator(weights.as_deref())?;
    drop(weights);
    let config = SearchConfig { hash, ..SearchConfig::with(evaluator) };
    let workers = Workers { clock: PageClock::since(epoch)?, post, most_threads };
    workers.post("ready");
    thread.work(config, GROWTH, threads, &workers);
    Ok(())
}

/// Helps whatever is searched in this memory, for ever.
#[wasm_bindgen]
pub fn help() {
    loop {
        HELPERS.wait().help();
    }
}

/// Has a worker that is or will be in [`help`] help a search.
pub(crate) fn spawn_helper(helper: Helper) {
    HELPERS.push(helper);
}

/// The surroundings of the search.
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

impl Clock for Workers {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl SearchHost for Workers {
    fn send_event(&self, event: Event) {
        let gets_on = match event {
            Event::Progress { nodes, .. } => NODES.swap(nodes, Ordering::Relaxed) != nodes,
            _ => true,
        };
        SIGNS.fetch_add(u32::from(gets_on), Ordering::Relaxed);
        if NEWS.push_over(event, MAX_PENDING_EVENTS, Event::replaces) == 1 {
            self.post("news");
        }
    }

    fn spawn_helper(&self, number: usize, helper: Helper) -> bool {
        if number >= self.most_threads {
            return false;
        }
        spawn_helper(helper);
        // One that helped a search that is over comes back for the next.
        if ASKED_FOR.fetch_max(number, Ordering::Relaxed) < number {
            self.post("helper");
        }
        true
    }
}
