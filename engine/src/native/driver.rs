//! The driver: standard input to a session, its effects to the search and to standard output.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::books;
use super::clock::Clock;
use super::control::Control;
use super::lines::next_line;
use super::log::Log;
use super::searcher::{self, Job, News};
use crate::search::SearchConfig;
use crate::session::{Effect, Input, OpenBook, Session};

/// What can happen, in the order it happened.
#[derive(Debug)]
enum Event {
    Line(String),
    Eof,
    News(News),
}

impl From<News> for Event {
    fn from(news: News) -> Event {
        Event::News(news)
    }
}

/// Runs `session` until it quits: one thread reads `input`, `threads` search, and this one writes `output`.
///
/// The configuration of the search is made on its own thread: unpacking the weights takes a while, and the first
/// answers need none. Each line is flushed. When `output` is closed the conversation is over, as if the session had
/// quit. The other threads are left behind: the reader may be waiting for a line that never comes.
pub fn converse(
    session: &mut impl Session,
    config: impl FnOnce() -> SearchConfig + Send + 'static,
    threads: usize,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
    log: &mut Log,
) -> io::Result<()> {
    let clock = Clock::start();
    let control = Arc::new(Control::new());
    let (events, incoming) = mpsc::channel::<Event>();
    let (jobs, work) = mpsc::channel::<Job>();
    let lines = events.clone();
    thread::Builder::new().name("reader".to_owned()).spawn(move || read(input, &lines))?;
    let watched = Arc::clone(&control);
    thread::Builder::new()
        .name("search".to_owned())
        .stack_size(searcher::STACK)
        .spawn(move || searcher::work(config(), threads, &work, &events, &watched, clock))?;

    let mut effects = Vec::new();
    for event in incoming {
        let now = clock.now();
        match &event {
            Event::Line(line) => log.received(now, line),
            Event::Eof => log.note(now, "end of input"),
            Event::News(News::Failed { message, .. }) => log.note(now, message),
            Event::News(_) => {}
        }
        let input = match &event {
            Event::Line(line) => Input::Line(line),
            Event::Eof => Input::Eof,
            Event::News(News::Report(report)) => Input::Report(report),
            Event::News(News::Progress { id, nodes }) => Input::Progress { id: *id, nodes: *nodes },
            Event::News(News::Hash(size)) => Input::Hash(*size),
            Event::News(News::Done { id, nodes }) => Input::Done { id: *id, nodes: *nodes },
            Event::News(News::Failed { id, message }) => Input::Failed { id: *id, message },
        };
        session.handle(now, input, &mut effects);
        let mut effects: VecDeque<Effect> = effects.drain(..).collect();
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
                    match writeln!(output, "{line}").and_then(|()| output.flush()) {
                        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                        written => written?,
                    }
                }
                Effect::Start(request, budget) => {
                    control.start(request.id, budget);
                    send(&jobs, Job::Search(request))?;
                }
                Effect::SetBudget(id, budget) => control.set_budget(id, budget),
                Effect::Stop(id) => control.stop(id),
                Effect::Resize(hash) => {
                    control.stop_all();
                    send(&jobs, Job::Resize(hash))?;
                }
                Effect::Threads(threads) => {
                    control.stop_all();
                    send(&jobs, Job::Threads(threads))?;
                }
                Effect::Clear => {
                    control.stop_all();
                    send(&jobs, Job::Clear)?;
                }
                Effect::Seed(seed) => send(&jobs, Job::Seed(seed))?,
                Effect::Quit => {
                    control.stop_all();
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

fn send(jobs: &Sender<Job>, job: Job) -> io::Result<()> {
    jobs.send(job).map_err(|_| io::Error::other("the search thread is gone"))
}

fn read(mut input: impl BufRead, events: &Sender<Event>) {
    // An input that cannot be read is one that has ended.
    while let Ok(Some(line)) = next_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Eof);
}
