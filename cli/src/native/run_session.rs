//! A conversation: standard input to a session, what it says to standard output.

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use outflank::driver::{self, Clock as _, Driver, Host, Searcher, TableGrowth, ThreadedSearcher};
use outflank::game::Game;
use outflank::search::SearchConfig;
use outflank::session::{Event, OpenBook, Session, Timestamp};

use super::books;
use super::clock::Clock;
use super::event_queue::{EventQueue, QueueItem};
use super::lines::{InputLine, next_line};
use super::log::Log;
use super::output_queue::{self, End, OutputQueue};
use super::threads::{self, NativeSearchHost};

/// How long a session that was told to quit waits for a reader that takes nothing.
const GRACE: Duration = Duration::from_secs(2);

/// Runs `session` until it quits: one thread reads `input`, `threads` search, one writes `output`.
///
/// The search thread makes its configuration, which unpacks the weights, while the other threads start. The first line is
/// handled after that: an engine that answers, in whatever protocol, is ready to search. The lines that are there are
/// written and flushed together.
///
/// Nothing makes the session wait but that nothing happens. Where nobody reads the output, reports of a search are kept
/// back, then lines are left where they are, and so is whoever sends them. At the end the search is stopped, and what was
/// said is still written: after `quit` for as long as the reader goes on, at the end of the input for as long as it
/// takes. When `output` is closed the conversation is over. The other threads are left behind: the reader may be waiting
/// for a line that never comes.
pub fn run_session(
    session: impl Session + 'static,
    config: impl FnOnce() -> SearchConfig + Send + 'static,
    threads: usize,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    log: Log,
) -> io::Result<()> {
    let clock = Clock::start();
    let said = Arc::new(OutputQueue::default());
    let events = Arc::new(EventQueue::new(Arc::clone(&said)));
    let (lent, thread) = ThreadedSearcher::new();
    let (unpacked, ready) = mpsc::channel::<()>();
    {
        let events = Arc::clone(&events);
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || read(input, &events))
            .map_err(refused)?;
    }
    {
        let (said, events) = (Arc::clone(&said), Arc::clone(&events));
        thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || {
                if let Err(error) = output_queue::write(&said, output, || events.look_again()) {
                    said.fail(error);
                    events.close();
                }
            })
            .map_err(refused)?;
    }
    {
        let lender = NativeSearchHost { clock, events: Arc::clone(&events) };
        threads::builder("search".to_owned())
            .spawn(move || {
                let config = config();
                drop(unpacked);
                thread.work(config, TableGrowth::NONE, threads, &lender);
            })
            .map_err(refused)?;
    }
    // Nothing is ever sent: the search thread drops its end.
    let _ = ready.recv();

    let mut driver = Driver::new(NativeHost { clock, said: Arc::clone(&said), log }, session, lent);
    let mut grace = Some(GRACE);
    while !driver.has_ended() {
        match events.next() {
            QueueItem::Event(event) => {
                driver.host().note(&event);
                if event == Event::Eof {
                    grace = None;
                }
                driver.handle(event);
            }
            QueueItem::Abandoned => {
                driver.host().remark("end of input, with lines left that wait for a reader");
                driver.searcher().stop_all();
            }
            QueueItem::Closed => {
                driver.searcher().quit();
                return ignore_broken_pipe(said.error());
            }
        }
        if driver.searcher().is_disconnected() {
            return Err(io::Error::other("the search thread is gone"));
        }
    }
    match said.finish(grace) {
        End::Written => Ok(()),
        End::Unread => {
            driver.host().remark("nobody read the last lines");
            Ok(())
        }
        End::Failed(error) => ignore_broken_pipe(error),
    }
}

/// What the driver has around it.
#[derive(Debug)]
struct NativeHost {
    clock: Clock,
    said: Arc<OutputQueue>,
    log: Log,
}

impl NativeHost {
    /// Records what the session is going to be told, if it is worth a record.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Line(line) => self.log.received(self.clock.now(), line),
            Event::LineTooLong(line) => self.remark(&format!("a line that is too long: {line}")),
            Event::Eof => self.remark("end of input"),
            Event::Failed { message, .. } => self.remark(message),
            _ => {}
        }
    }

    fn remark(&mut self, text: &str) {
        self.log.note(self.clock.now(), text);
    }
}

impl driver::Clock for NativeHost {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

impl Host for NativeHost {
    fn send_line(&mut self, line: String) {
        self.log.said(self.clock.now(), &line);
        self.said.say(line);
    }

    fn open_book(&mut self, path: String) -> Result<OpenBook, String> {
        books::open(path)
    }

    fn learn(&mut self, book: &OpenBook, game: &Game) -> Result<OpenBook, String> {
        books::learn(book, game)
    }
}

/// Without its own threads there is no conversation.
fn refused(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("a thread cannot be started: {error}"))
}

/// An output that its reader has closed is no error.
fn ignore_broken_pipe(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}

fn read(mut input: impl BufRead, events: &EventQueue) {
    // An input that cannot be read is one that has ended.
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
    use std::sync::atomic::{AtomicBool, Ordering};

    use outflank::session::{Conversation, SessionConfig};

    use super::*;

    static UNPACKED: AtomicBool = AtomicBool::new(false);

    /// Records lines that are written before the weights are unpacked.
    struct Early(Arc<AtomicBool>);

    impl Write for Early {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if !UNPACKED.load(Ordering::SeqCst) {
                self.0.store(true, Ordering::SeqCst);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn no_dialect_is_ready_before_the_weights_are_unpacked() {
        for lines in [
            "nboard 2\nping 1\n",
            "ENGINE-PROTOCOL init\n",
            "hub\ninit\nping\n",
            "xboard\nprotover 2\nping 1\n",
        ] {
            UNPACKED.store(false, Ordering::SeqCst);
            let early = Arc::new(AtomicBool::new(false));
            let config = || {
                thread::sleep(Duration::from_millis(100));
                UNPACKED.store(true, Ordering::SeqCst);
                SearchConfig::default()
            };
            let session = Conversation::new(SessionConfig::default());
            let output = Early(Arc::clone(&early));
            assert!(run_session(session, config, 1, Cursor::new(lines), output, Log::NONE).is_ok());
            assert!(!early.load(Ordering::SeqCst), "{lines}");
        }
    }
}
