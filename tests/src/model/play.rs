//! A session and its model side by side.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use outflank::board::Move;
use outflank::book::Book;
use outflank::search::{HashSize, SearchId};
use outflank::session::{Conversation, Effect, Event, OpenBook, Session, SessionConfig, Timestamp};

use super::search::{legal, report};
use super::{Fault, Happening, Heard, Input, Model, News};

/// The table for which there is memory when there is little.
pub const SMALL: HashSize = HashSize(16);
/// The threads that can be had when there are few.
pub const FEW: usize = 3;

/// What happens next: something, and how long after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// A line or news. Which of several moves is played, and which of several old searches tells, is drawn by `dice`.
    pub what: Happening,
    /// Milliseconds since the last step.
    pub after: u16,
    /// What is drawn where something has to be drawn.
    pub dice: u16,
}

/// A session with its model.
pub struct Pair<M: Model> {
    session: Conversation,
    model: M,
    now: Timestamp,
    /// The searches the driver was told to start, and the last of them.
    started: Vec<SearchId>,
    /// The search that runs, from the driver's side: the last one, unless it has ended.
    running: Option<SearchId>,
    /// The last book that was opened.
    opened: Option<OpenBook>,
    /// Reports made up so far.
    reports: u32,
    has_quit: bool,
    /// What went in, as it was sent.
    sent: Vec<String>,
    /// Requests that were sent, less the answers to them.
    owed: i64,
}

/// The book of the tests: two lines from the start.
///
/// # Panics
/// Never: it can be read.
pub fn book(path: &str) -> OpenBook {
    let book = Book::read("f5d6c3d3c4 +0.50\nf5f6e6 -0.25\n").unwrap_or_default();
    OpenBook { path: path.to_owned(), book: Arc::new(book) }
}

fn config(book: Option<OpenBook>) -> SessionConfig {
    SessionConfig { max_threads: 4, book, ..SessionConfig::default() }
}

impl<M: Model> Pair<M> {
    /// At the start of a conversation, with a book or without.
    pub fn new(book: Option<OpenBook>) -> Pair<M> {
        Pair {
            session: Conversation::in_protocol(M::DIALECT, config(book.clone())),
            model: M::new(book),
            now: Timestamp::default(),
            started: Vec::new(),
            running: None,
            opened: None,
            reports: 0,
            has_quit: false,
            sent: Vec::new(),
            owed: 0,
        }
    }

    /// At the start of a conversation whose lines tell the dialect.
    pub fn open() -> Pair<M> {
        Pair { session: Conversation::new(config(None)), ..Pair::new(None) }
    }

    /// Goes on in another dialect, which `opening` opens: what was searched is stopped, and nobody waits for it any more.
    ///
    /// # Errors
    /// When something else happens.
    pub fn change<N: Model>(mut self, opening: &'static str) -> Result<Pair<N>, Fault> {
        let line = N::LINES.iter().find(|line| line.text == opening).ok_or("no such line")?;
        let mut effects = Vec::new();
        self.session.handle(self.now, &Event::Line(opening.to_owned()), &mut effects);
        let stops = effects.iter().take_while(|effect| matches!(effect, Effect::Stop(_))).count();
        let stopped: Vec<Effect> = effects.drain(..stops).collect();
        if let Some(running) = self.running
            && stopped != [Effect::Stop(running)]
        {
            return Err(format!("the search goes on: {stopped:?}"));
        }
        // A book outlives the dialect it was opened in.
        let mut model = N::new(self.opened.clone());
        let mut heard = Heard::new(effects);
        model.hears(Input::Line(line.meaning, None), &mut heard)?;
        heard.end()?;
        let Pair { session, now, started, opened, reports, mut sent, .. } = self;
        sent.push(format!("> {opening}"));
        Ok(Pair {
            session,
            model,
            now,
            started,
            running: None,
            opened,
            reports,
            has_quit: false,
            sent,
            owed: 0,
        })
    }

    /// Whether somebody waits for a search.
    pub fn is_asked(&self) -> bool {
        self.model.asked().is_some()
    }

    /// Whether there is a search that nobody waits for any more.
    pub fn has_stale(&self) -> bool {
        self.started.len() > usize::from(self.is_asked())
    }

    /// Whether the session has left.
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// What went in, a line each.
    pub fn sent(&self) -> &[String] {
        &self.sent
    }

    /// Checks, without the model, that every request of a conversation that has come to rest was answered once.
    ///
    /// # Errors
    /// When an answer is missing, or there is one too many.
    fn settled(&self) -> Result<(), Fault> {
        if self.has_quit || self.owed == 0 {
            Ok(())
        } else {
            Err(format!("{} answers are missing", self.owed))
        }
    }

    /// Lets something happen; what was owed and came. Nothing where it cannot happen: news without a search.
    ///
    /// # Errors
    /// When something else came than was owed.
    pub fn step(&mut self, step: Step) -> Result<Option<Vec<String>>, Fault> {
        if self.has_quit {
            return Ok(None);
        }
        self.now = self.now + Duration::from_millis(u64::from(step.after));
        let (event, input) = match step.what {
            Happening::Say(text) => {
                let line = M::LINES
                    .iter()
                    .find(|line| line.text == text)
                    .ok_or(format!("no such line: `{text}`"))?;
                let (text, mv) = self.fill(text, step.dice);
                (Event::Line(text), Some(Input::Line(line.meaning, mv)))
            }
            Happening::News(news) => match self.news(news, step.dice) {
                Some(news) => news,
                None => return Ok(None),
            },
        };
        if let Event::Line(line) = &event
            && M::asks(line)
        {
            self.owed += 1;
        }
        self.sent.push(match &event {
            Event::Line(line) => format!("+{} ms > {line}", step.after),
            event => format!("+{} ms * {event:?}", step.after),
        });
        self.handle(&event, input).map(Some)
    }

    /// Lines without end, stale or not: everything must have an end, in so many steps.
    ///
    /// # Errors
    /// When something comes that is not owed, or what is owed does not.
    pub fn conclude(&mut self, end: News) -> Result<(), Fault> {
        let step = |what| Step { what, after: 10, dice: 0 };
        for news in [News::StaleReport, News::StaleDone, News::StaleFailed] {
            self.step(step(Happening::News(news)))?;
        }
        let mut left = 200;
        while self.is_asked() && !self.has_quit {
            self.step(step(Happening::News(if end == News::Done { News::Report } else { News::Progress })))?;
            self.step(step(Happening::News(end)))?;
            left -= 1;
            if left == 0 {
                return Err("one search follows another without end".to_owned());
            }
        }
        self.settled()?;
        for line in M::SIGN_OF_LIFE {
            self.step(step(Happening::Say(line)))?;
        }
        Ok(())
    }

    /// The line with a move in it.
    fn fill(&self, text: &str, dice: u16) -> (String, Option<Move>) {
        let moves = legal(&self.model.position());
        let some = moves.get(usize::from(dice) % moves.len().max(1)).copied().unwrap_or(Move::Pass);
        for (hole, mv) in [("{move}", some), ("{reply}", self.model.expected().unwrap_or(some))] {
            if text.contains(hole) {
                return (text.replace(hole, &M::write(mv)), Some(mv));
            }
        }
        (text.to_owned(), None)
    }

    /// News as the session gets it, and as the model does: not at all where nobody waits for it.
    #[allow(clippy::type_complexity, reason = "an event for each of the two")]
    fn news(&mut self, news: News, dice: u16) -> Option<(Event, Option<Input<M::Meaning>>)> {
        let asked = self.model.asked();
        let stale = || {
            let old: Vec<_> =
                self.started.iter().filter(|&&id| asked.is_none_or(|asked| asked.id != id)).collect();
            old.get(usize::from(dice) % old.len().max(1)).map(|&&id| id)
        };
        let failed = |id| Event::Failed { id, message: "the roof fell in".to_owned() };
        let nodes = 100 * u64::from(self.reports) + 150;
        Some(match news {
            News::Report | News::Partial | News::Solved => {
                let report = report(&asked?, news, self.reports);
                self.reports += 1;
                (Event::Report(report.clone()), Some(Input::Report(report)))
            }
            News::Progress => (Event::Progress { id: asked?.id, nodes }, Some(Input::Progress(nodes))),
            News::Done => {
                // As many nodes as its last report had, or more.
                let nodes = if dice.is_multiple_of(2) { nodes } else { 100 * u64::from(self.reports) };
                (Event::Done { id: asked?.id, nodes }, Some(Input::Done(nodes)))
            }
            News::Failed => (failed(asked?.id), Some(Input::Failed)),
            News::StaleReport => {
                let mut report = report(
                    &asked.unwrap_or(super::Asked { id: SearchId(0), root: self.model.position(), lines: 1 }),
                    News::Report,
                    self.reports,
                );
                report.id = stale()?;
                self.reports += 1;
                (Event::Report(report), None)
            }
            News::StaleDone => (Event::Done { id: stale()?, nodes }, None),
            News::StaleFailed => (failed(stale()?), None),
            News::Hash => (Event::HashReduced(SMALL), Some(Input::Hash)),
            News::Threads => (Event::ThreadsReduced(FEW), Some(Input::Threads)),
            News::TooLong => (Event::LineTooLong(M::LONG.to_owned()), Some(Input::TooLong(M::LONG))),
            News::Eof => (Event::Eof, Some(Input::Eof)),
        })
    }

    /// One event: what the session does is looked at by the driver, taken by the model, and followed.
    fn handle(&mut self, event: &Event, input: Option<Input<M::Meaning>>) -> Result<Vec<String>, Fault> {
        let ended = match event {
            Event::Done { id, .. } | Event::Failed { id, .. } => Some(*id),
            _ => None,
        };
        if ended == self.running {
            self.running = None;
        }
        let mut effects = Vec::new();
        self.session.handle(self.now, event, &mut effects);
        let mut follow = Vec::new();
        for effect in &effects {
            self.follow(effect, &mut follow)?;
        }
        let mut heard = Heard::new(effects);
        if let Some(input) = input {
            self.model.hears(input, &mut heard)?;
        }
        let mut taken = heard.end()?;
        for (event, input) in follow {
            taken.extend(self.handle(&event, Some(input))?);
        }
        Ok(taken)
    }

    /// As a driver sees it: ids only grow, and nothing is wanted of a search that is not the last one.
    fn follow(&mut self, effect: &Effect, follow: &mut Vec<(Event, Input<M::Meaning>)>) -> Result<(), Fault> {
        let answer = |path: &str| (!path.contains("missing")).then(|| book(path));
        match effect {
            Effect::Start(request, _) => {
                if self.started.last().is_some_and(|&last| last >= request.id) {
                    return Err(format!("the search {:?} was there before", request.id));
                }
                self.started.push(request.id);
                self.running = Some(request.id);
            }
            Effect::Stop(id) | Effect::SetDeadlines(id, _) if self.running != Some(*id) => {
                return Err(format!("{effect:?}: there is no such search"));
            }
            Effect::Send(line) if M::answers(line) => self.owed -= 1,
            Effect::Send(line) if !line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
                return Err(format!("{line:?} is not printable"));
            }
            Effect::OpenBook(path) => {
                let opened = answer(path);
                self.opened = opened.clone().or(self.opened.take());
                follow.push((
                    Event::Book(opened.clone().ok_or("no such file".to_owned())),
                    Input::Book(opened),
                ));
            }
            Effect::Learn(open, _) => {
                let learnt = answer(&open.path);
                follow.push((
                    Event::BookSaved(learnt.clone().ok_or("a full disk".to_owned())),
                    Input::Learnt(learnt),
                ));
            }
            Effect::Quit => self.has_quit = true,
            _ => {}
        }
        Ok(())
    }
}

impl<M: Model> fmt::Debug for Pair<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").field("dialect", &M::DIALECT).field("sent", &self.sent).finish_non_exhaustive()
    }
}
