//! The driver.

use std::collections::VecDeque;

use super::{Clock, Host, Searcher, SlicedSearcher};
use crate::session::{Effect, Event, Session};

/// A session, its host, and its search.
#[derive(Debug)]
pub struct Driver<H, S> {
    host: H,
    session: Box<dyn Session>,
    searcher: S,
    has_ended: bool,
}

impl<H: Host, S: Searcher> Driver<H, S> {
    /// A driver at the start of a conversation.
    pub fn new(host: H, session: impl Session + 'static, searcher: S) -> Driver<H, S> {
        Driver { host, session: Box::new(session), searcher, has_ended: false }
    }

    /// Tells the session what happened, and what follows from that.
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

    /// Whether the session asked to leave: nothing is done any more.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The surroundings.
    pub fn host(&mut self) -> &mut H {
        &mut self.host
    }

    /// The search.
    pub fn searcher(&mut self) -> &mut S {
        &mut self.searcher
    }

    /// Carries out one effect; the event that answers it, if there is one.
    fn carry_out(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Send(line) => self.host.send_line(line),
            Effect::Start(request, deadlines) => self.searcher.start(request, deadlines),
            Effect::SetDeadlines(id, deadlines) => self.searcher.set_deadlines(id, deadlines),
            Effect::Stop(id) => self.searcher.stop(id),
            Effect::Resize(hash) => self.searcher.resize(hash),
            Effect::Threads(threads) => self.searcher.set_threads(threads),
            Effect::Clear => self.searcher.clear(),
            Effect::AddBounds(bounds) => self.searcher.add_bounds(bounds),
            Effect::OpenBook(path) => return Some(Event::Book(self.host.open_book(path))),
            Effect::Learn(book, game) => return Some(Event::BookSaved(self.host.learn(&book, &game))),
            Effect::Quit => {
                self.searcher.quit();
                self.has_ended = true;
            }
        }
        None
    }
}

impl<H: Host, C: Clock> Driver<H, SlicedSearcher<C>> {
    /// Searches for one slice; whether there is more to do.
    pub fn work(&mut self) -> bool {
        if !self.has_ended {
            self.searcher.work();
            if let Some(event) = self.searcher.next_event() {
                self.handle(event);
            }
        }
        self.is_searching()
    }

    /// Whether a search is under way.
    pub fn is_searching(&self) -> bool {
        !self.has_ended && self.searcher.is_searching()
    }
}
