//! Runs a session on standard input and output.

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::{Arc, mpsc};
use std::thread::Builder;
use std::time::{Duration, Instant};

use outflank::driver::{Driver, Host, TableGrowth, ThreadedSearcher};
use outflank::game::Game;
use outflank::search::SearchConfig;
use outflank::session::{BookError, Event, OpenBook, Session, Timestamp};

use super::books;
use super::event_queue::{EventQueue, QueueItem};
use super::lines::{InputLine, next_line};
use super::log::Log;
use super::output_queue::{self, End, OutputQueue};
use super::threads::{self, NativeSearchHost};

/// Time to wait for a stalled reader after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Runs `session` until it quits: one thread reads `input`, `threads` threads search, one writes `output`.
///
/// The search thread makes its configuration, which unpacks the weights, while the other threads start. The first line is
/// processed after that: an engine that answers is ready to search. Waiting lines are written and flushed together.
///
/// The session thread waits only for events. If `output` is not read, intermediate reports are held back first. After that,
/// input lines stay in the queue and their sender blocks. At the end the search is stopped and the queued lines are written:
/// after `quit` while the reader makes progress, at the end of the input without a time limit. If `output` is closed, the
/// function returns. The other threads are not joined: the reader thread can be waiting for a line that never arrives.
///
/// # Errors
/// If a thread cannot be started, the search thread has ended, or `output` fails.
pub fn run_session(
    session: impl Session + 'static,
    config: impl FnOnce() -> SearchConfig + Send + 'static,
    threads: usize,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    log: Log,
) -> io::Result<()> {
    let start = Instant::now();
    let output_queue = Arc::new(OutputQueue::default());
    let events = Arc::new(EventQueue::new(Arc::clone(&output_queue)));
    let (searcher, search_thread) = ThreadedSearcher::new();
    let (unpacked, ready) = mpsc::channel::<()>();
    let queue = Arc::clone(&events);
    spawn(Builder::new().name("reader".to_owned()), move || read(input, &queue))?;
    let (lines, queue) = (Arc::clone(&output_queue), Arc::clone(&events));
    spawn(Builder::new().name("writer".to_owned()), move || {
        if let Err(error) = output_queue::write(&lines, output, || queue.recheck()) {
            lines.fail(error);
            queue.close();
        }
    })?;
    let host = NativeSearchHost { start, events: Arc::clone(&events) };
    spawn(threads::builder("search".to_owned()), move || {
        let config = config();
        drop(unpacked);
        search_thread.work(config, TableGrowth::NONE, threads, &host);
    })?;
    // Ends when the search thread drops its end of the channel.
    let _ = ready.recv();

    let mut driver =
        Driver::new(NativeHost { start, output_queue: Arc::clone(&output_queue), log }, session, searcher);
    let mut timeout = Some(QUIT_TIMEOUT);
    while !driver.has_ended() {
        match events.next() {
            QueueItem::Event(event) => {
                driver.host().note(&event);
                if event == Event::Eof {
                    timeout = None;
                }
                driver.handle(event);
            }
            QueueItem::Abandoned => {
                driver.host().remark("end of input, with lines that wait for a reader");
                driver.searcher().stop_all();
            }
            QueueItem::Closed => return ignore_broken_pipe(output_queue.error()),
        }
        if driver.searcher().is_disconnected() {
            return Err(io::Error::other("the search thread has ended"));
        }
    }
    finished(output_queue.finish(timeout), driver.host())
}

fn finished(end: End, host: &mut NativeHost) -> io::Result<()> {
    match end {
        End::Written => Ok(()),
        End::Unread => {
            host.remark("the last lines were not read");
            Ok(())
        }
        End::Failed(error) => ignore_broken_pipe(error),
    }
}

#[derive(Debug)]
struct NativeHost {
    start: Instant,
    output_queue: Arc<OutputQueue>,
    log: Log,
}

impl NativeHost {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Line(line) => self.log.write(self.now(), '>', line),
            Event::LineTooLong(line) => self.remark(&format!("line too long: {line}")),
            Event::Eof => self.remark("end of input"),
            Event::Failed { message, .. } => self.remark(message),
            _ => {}
        }
    }

    fn remark(&mut self, text: &str) {
        self.log.write(self.now(), '#', text);
    }
}

impl Host for NativeHost {
    fn now(&self) -> Timestamp {
        Timestamp(self.start.elapsed())
    }

    fn send_line(&mut self, line: String) {
        self.log.write(self.now(), '<', &line);
        self.output_queue.push(line);
    }

    fn open_book(&mut self, path: String) -> Result<OpenBook, BookError> {
        books::open(path)
    }

    fn learn(&mut self, book: &OpenBook, game: &Game) -> Result<OpenBook, BookError> {
        books::learn(book, game)
    }
}

fn spawn(builder: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let refused =
        |error: io::Error| io::Error::new(error.kind(), format!("could not start a thread: {error}"));
    builder.spawn(work).map(drop).map_err(refused)
}

/// Converts a closed output to success.
fn ignore_broken_pipe(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}

fn read(mut input: impl BufRead, events: &EventQueue) {
    // A read error counts as the end of the input.
    while let Ok(Some(line)) = next_line(&mut input) {
        match line {
            InputLine::Whole(line) => events.line(line),
            InputLine::TooLong(beginning) => events.too_long(beginning),
        }
    }
    events.eof();
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::mpsc::Sender;

    use outflank::session::{Conversation, SessionConfig};

    use super::*;

    /// Sends a message for each write.
    struct Output(Sender<&'static str>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send("line").map_err(|_| ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn weights_are_unpacked_before_the_first_answer() {
        for lines in ["nboard 2\nping 1\n", "hub\ninit\nping\n"] {
            let (send, order) = mpsc::channel();
            let unpacked = send.clone();
            let config = move || {
                // Threads that do not wait answer during this time.
                (0..1000).for_each(|_| std::thread::yield_now());
                let _ = unpacked.send("weights");
                SearchConfig::default()
            };
            let session = Conversation::new(SessionConfig::default());
            run_session(session, config, 1, Cursor::new(lines), Output(send), Log::NONE).unwrap();
            assert_eq!(order.iter().take(2).collect::<Vec<_>>(), ["weights", "line"], "{lines}");
        }
    }
}
