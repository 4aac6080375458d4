//! The driver: standard input to a session, its effects to the search and to standard output.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::books;
use super::clock::Clock;
use super::control::Control;
use super::inbox::{Event, Inbox};
use super::jobs::{Job, Jobs};
use super::lines::next_line;
use super::log::Log;
use super::output::{self, End, Output};
use super::searcher::{self, News};
use outflank::search::SearchConfig;
use outflank::session::{Effect, Input, OpenBook, Session};

/// How long a session that was told to quit waits for a reader that takes nothing.
const GRACE: Duration = Duration::from_secs(2);

/// Runs `session` until it quits: one thread reads `input`, `threads` search, one writes `output`.
///
/// The configuration of the search is made on its own thread: unpacking the weights takes a while, and the first
/// answers need none. The lines that are there are written and flushed together.
///
/// Nothing makes the session wait but that nothing happens. Where nobody reads the output, reports of a search are kept
/// back, then lines are left where they are, and so is whoever sends them. At the end the search is stopped, and what was
/// said is still written: after `quit` for as long as the reader goes on, at the end of the input for as long as it
/// takes. When `output` is closed the conversation is over. The other threads are left behind: the reader may be waiting
/// for a line that never comes.
pub fn converse(
    session: &mut impl Session,
    config: impl FnOnce() -> SearchConfig + Send + 'static,
    threads: usize,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    log: &mut Log,
) -> io::Result<()> {
    let clock = Clock::start();
    let said = Arc::new(Output::default());
    let inbox = Arc::new(Inbox::new(Arc::clone(&said)));
    let engine = Engine { control: Arc::new(Control::new()), jobs: Arc::new(Jobs::default()) };
    {
        let inbox = Arc::clone(&inbox);
        thread::Builder::new().name("reader".to_owned()).spawn(move || read(input, &inbox))?;
    }
    {
        let (said, inbox) = (Arc::clone(&said), Arc::clone(&inbox));
        thread::Builder::new().name("writer".to_owned()).spawn(move || {
            if let Err(error) = output::write(&said, output, || inbox.look_again()) {
                said.fail(error);
                inbox.close();
            }
        })?;
    }
    {
        let (jobs, control, inbox) =
            (Arc::clone(&engine.jobs), Arc::clone(&engine.control), Arc::clone(&inbox));
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(searcher::STACK)
            .spawn(move || searcher::work(config, threads, &jobs, &inbox, &control, clock))?;
    }

    let grace = loop {
        let event = inbox.next();
        let now = clock.now();
        let input = match &event {
            Event::Line(line) => {
                log.received(now, line);
                Input::Line(line)
            }
            Event::Eof => {
                log.note(now, "end of input");
                Input::Eof
            }
            Event::Abandoned => {
                log.note(now, "end of input, with lines left that wait for a reader");
                engine.control.stop_all();
                continue;
            }
            Event::Closed => return nobody_listens(said.error()),
            Event::News(News::Report(report)) => Input::Report(report),
            Event::News(News::Progress { id, nodes }) => Input::Progress { id: *id, nodes: *nodes },
            Event::News(News::Hash(size)) => Input::Hash(*size),
            Event::News(News::Done { id, nodes }) => Input::Done { id: *id, nodes: *nodes },
            Event::News(News::Failed { id, message }) => {
                log.note(now, message);
                Input::Failed { id: *id, message }
            }
        };
        let mut effects = Vec::new();
        session.handle(now, input, &mut effects);
        let mut effects = VecDeque::from(effects);
        let mut has_quit = false;
        while let Some(effect) = effects.pop_front() {
            let mut book = |told: Result<&OpenBook, &str>| {
                let mut more = Vec::new();
                session.handle(clock.now(), Input::Book(told), &mut more);
                effects.extend(more);
            };
            match effect {
                Effect::OpenBook(path) => match books::open(path) {
                    Ok(opened) => book(Ok(&opened)),
                    Err(problem) => book(Err(&problem)),
                },
                Effect::SaveBook(opened) => {
                    if let Err(problem) = books::save(&opened) {
                        book(Err(&problem));
                    }
                }
                Effect::Say(line) => {
                    log.said(clock.now(), &line);
                    said.say(line);
                }
                Effect::Quit => {
                    has_quit = true;
                    break;
                }
                wanted => engine.carry_out(wanted)?,
            }
        }
        if has_quit {
            break (!matches!(event, Event::Eof)).then_some(GRACE);
        }
    };
    engine.control.stop_all();
    engine.jobs.finish();
    match said.finish(grace) {
        End::Written => Ok(()),
        End::Unread => {
            log.note(clock.now(), "nobody read the last lines");
            Ok(())
        }
        End::Failed(error) => nobody_listens(error),
    }
}

/// The search's thread as the session's thread sees it.
struct Engine {
    control: Arc<Control>,
    jobs: Arc<Jobs>,
}

impl Engine {
    /// Carries out what concerns the search.
    fn carry_out(&self, effect: Effect) -> io::Result<()> {
        let job = match effect {
            Effect::Start(request, budget) => {
                self.control.start(request.id, budget);
                Job::Search(request)
            }
            Effect::SetBudget(id, budget) => {
                self.control.set_budget(id, budget);
                return Ok(());
            }
            Effect::Stop(id) => {
                self.control.stop(id);
                return Ok(());
            }
            Effect::Resize(hash) => self.after_stop(Job::Resize(hash)),
            Effect::Threads(threads) => self.after_stop(Job::Threads(threads)),
            Effect::Clear => self.after_stop(Job::Clear),
            Effect::Seed(seed) => Job::Seed(seed),
            Effect::Say(_) | Effect::OpenBook(_) | Effect::SaveBook(_) | Effect::Quit => return Ok(()),
        };
        if self.jobs.push(job) { Ok(()) } else { Err(io::Error::other("the search thread is gone")) }
    }

    fn after_stop(&self, job: Job) -> Job {
        self.control.stop_all();
        job
    }
}

/// An output that its reader has closed is no error.
fn nobody_listens(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}

fn read(mut input: impl BufRead, inbox: &Inbox) {
    // An input that cannot be read is one that has ended.
    while let Ok(Some(line)) = next_line(&mut input) {
        inbox.line(line);
    }
    inbox.eof();
}
