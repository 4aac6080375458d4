//! Runs a session: passes events to it and carries out its effects.
//!
//! A [`Driver`] connects a session, a [`Host`] and a [`Searcher`]. It starts no thread and has no clock, output or files: the
//! host provides them. Two searchers are available. A session cannot tell which one runs:
//!
//! - [`SlicedSearcher`] searches on the caller's thread, one slice per call. It serves browsers without shared memory and tests
//!   with a virtual clock.
//! - [`ThreadedSearcher`] searches on a separate thread and on optional helper threads, all provided by a [`SearchHost`]. Its
//!   results arrive as events.
//!
//! The driver carries out all effects of an event before it passes on the search events that these effects cause.

mod growth;
mod sliced;
mod threaded;

use std::collections::VecDeque;
use std::time::Duration;

use crate::game::Game;
use crate::session::{BookError, Effect, Event, OpenBook, Session, Timestamp};

pub use growth::TableGrowth;
pub use sliced::{SliceConfig, SlicedSearcher};
pub use threaded::{SearchHost, SearchThread, ThreadedSearcher};

/// Restricts [`Searcher`] to the types of this module.
mod sealed {
    pub trait Sealed {}

    impl<C> Sealed for super::SlicedSearcher<C> {}
    impl Sealed for super::ThreadedSearcher {}
}

/// Time between two progress events of a search.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The clock of a [`SlicedSearcher`].
pub trait Clock {
    /// Returns the time since the start.
    fn now(&self) -> Timestamp;
}

/// The program around a driver.
pub trait Host {
    /// Returns the time since the start.
    fn now(&self) -> Timestamp;

    /// Sends a line to the GUI, without waiting.
    fn send_line(&mut self, line: String);

    /// Reads the book in a file.
    ///
    /// # Errors
    ///
    /// A message that names the file.
    fn open_book(&mut self, _path: String) -> Result<OpenBook, BookError> {
        Err(BookError("there are no files here".to_owned()))
    }

    /// Adds a game to the file of a book and returns the book in the file. The file never holds a partial change.
    ///
    /// # Errors
    ///
    /// A message that names the file.
    fn learn(&mut self, _book: &OpenBook, _game: &Game) -> Result<OpenBook, BookError> {
        Err(BookError("there are no files here".to_owned()))
    }
}

/// A search that a driver controls: [`SlicedSearcher`] or [`ThreadedSearcher`].
pub trait Searcher: sealed::Sealed {
    /// Carries out an effect on the search. No calls follow [`Effect::Quit`]. Ignores effects on the host.
    fn carry_out(&mut self, effect: Effect);

    /// Returns the next event. `None` if there is none, or if the events arrive by another way.
    fn next_event(&mut self) -> Option<Event>;
}

/// A session, its host and its search.
#[derive(Debug)]
pub struct Driver<H, S> {
    host: H,
    session: Box<dyn Session>,
    searcher: S,
    has_ended: bool,
}

impl<H: Host, S: Searcher> Driver<H, S> {
    /// Returns a driver at the start of a session.
    pub fn new(host: H, session: impl Session + 'static, searcher: S) -> Driver<H, S> {
        Driver { host, session: Box::new(session), searcher, has_ended: false }
    }

    /// Passes an event to the session, and the events that follow from its effects.
    pub fn handle(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while !self.has_ended
            && let Some(event) = events.pop_front().or_else(|| self.searcher.next_event())
        {
            let mut effects = Vec::new();
            self.session.handle(self.host.now(), &event, &mut effects);
            for effect in effects {
                events.extend(self.carry_out(effect));
                if self.has_ended {
                    return;
                }
            }
        }
    }

    /// Returns `true` if the session has quit. Further events are ignored.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns the host.
    pub fn host(&mut self) -> &mut H {
        &mut self.host
    }

    /// Returns the search.
    pub fn searcher(&mut self) -> &mut S {
        &mut self.searcher
    }

    /// Carries out an effect. Returns the event that answers it, if there is one.
    fn carry_out(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Send(line) => self.host.send_line(line),
            Effect::OpenBook(path) => return Some(Event::Book(self.host.open_book(path))),
            Effect::Learn(book, game) => return Some(Event::BookSaved(self.host.learn(&book, &game))),
            effect => {
                self.has_ended = effect == Effect::Quit;
                self.searcher.carry_out(effect);
            }
        }
        None
    }
}

impl<H: Host, C: Clock> Driver<H, SlicedSearcher<C>> {
    /// Searches for one slice. Returns `true` if a search is still running.
    pub fn work(&mut self) -> bool {
        if !self.has_ended {
            self.searcher.work();
            if let Some(event) = self.searcher.next_event() {
                self.handle(event);
            }
        }
        self.is_searching()
    }

    /// Returns `true` if a search is running.
    pub fn is_searching(&self) -> bool {
        !self.has_ended && self.searcher.is_searching()
    }
}
