//! Lines on their way out.
//!
//! A reader may be slow, or not read at all, and whoever writes to it waits. So a thread of its own writes; the session
//! only queues, and never waits. It looks at the [`QueueCapacity`] that is left instead.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// From this number of waiting bytes on the search's intermediate reports are kept back.
pub(super) const HOLD_REPORTS_AT: usize = 256 << 10;

/// From this number of waiting bytes on no line is taken: every answer would make it worse.
pub(super) const HOLD_INPUT_AT: usize = 4 << 20;

/// The most bytes written at once, longer lines apart. A write is over when the reader has taken nearly all of it, which
/// is what counts as progress.
const CHUNK: usize = 4 << 10;

/// How long to leave an output alone that is not ready although it should have waited.
const NOT_READY: Duration = Duration::from_millis(5);

/// How much the queue can still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum QueueCapacity {
    /// Nothing: no line is to be taken that may have an answer.
    Full,
    /// Answers only.
    Tight,
    /// Everything.
    Free,
}

/// How the queue came to its end.
#[derive(Debug)]
pub(super) enum End {
    /// Everything was written.
    Written,
    /// Nobody read any more of it.
    Unread,
    /// The output is closed or broken.
    Failed(io::Error),
}

/// The queue between the session's thread and the writer's.
#[derive(Debug, Default)]
pub(super) struct OutputQueue {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Bytes said and not yet written: what [`OutputQueue::room`] looks at without a lock.
    waiting: AtomicUsize,
}

#[derive(Debug, Default)]
struct Queue {
    /// Whole lines, put together to be written at once.
    chunks: VecDeque<Vec<u8>>,
    /// Whether the writer has a chunk in hand.
    is_writing: bool,
    /// Counts what was written, for whoever waits for progress.
    written: u64,
    /// Whether everything was said.
    is_finished: bool,
    /// Whether nothing more can be written.
    is_broken: bool,
    /// Why, until somebody has asked.
    error: Option<io::Error>,
}

impl OutputQueue {
    /// Queues a line; its end is added. Never waits.
    pub(super) fn say(&self, mut line: String) {
        line.push('\n');
        let mut queue = self.lock();
        if !queue.is_broken {
            self.waiting.fetch_add(line.len(), Ordering::SeqCst);
            match queue.chunks.back_mut() {
                Some(last) if last.len() + line.len() <= CHUNK => last.extend_from_slice(line.as_bytes()),
                _ => queue.chunks.push_back(line.into_bytes()),
            }
            self.changed.notify_all();
        }
    }

    /// How much can be said.
    pub(super) fn room(&self) -> QueueCapacity {
        match self.waiting.load(Ordering::SeqCst) {
            HOLD_INPUT_AT.. => QueueCapacity::Full,
            HOLD_REPORTS_AT.. => QueueCapacity::Tight,
            _ => QueueCapacity::Free,
        }
    }

    /// Says that nothing more will be said and waits until everything is written. With a `grace`, not for a reader that
    /// takes nothing for so long.
    pub(super) fn finish(&self, grace: Option<Duration>) -> End {
        let mut queue = self.lock();
        queue.is_finished = true;
        self.changed.notify_all();
        let mut written = queue.written;
        let mut since = Instant::now();
        loop {
            if queue.is_broken {
                return End::Failed(queue.why());
            }
            if queue.chunks.is_empty() && !queue.is_writing {
                return End::Written;
            }
            if queue.written != written {
                (written, since) = (queue.written, Instant::now());
            }
            queue = match grace.map(|grace| grace.saturating_sub(since.elapsed())) {
                None => self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return End::Unread,
                Some(left) => {
                    self.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Why nothing more can be written.
    pub(super) fn error(&self) -> io::Error {
        self.lock().why()
    }

    /// Says that nothing more can be written. What was said is dropped, for whoever waits for room shall not wait.
    pub(super) fn fail(&self, error: io::Error) {
        let mut queue = self.lock();
        queue.is_broken = true;
        queue.error = Some(error);
        queue.chunks.clear();
        queue.is_writing = false;
        self.waiting.store(0, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// Waits for lines; nothing when there will be no more.
    fn take(&self) -> Option<Vec<u8>> {
        let mut queue = self.lock();
        loop {
            if let Some(chunk) = queue.chunks.pop_front() {
                queue.is_writing = true;
                return Some(chunk);
            }
            if queue.is_finished {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes note that `count` bytes were written of what is in hand; whether there is more room than before.
    fn wrote(&self, count: usize, is_writing: bool) -> bool {
        let before = self.room();
        self.waiting.fetch_sub(count, Ordering::SeqCst);
        let mut queue = self.lock();
        queue.written += 1;
        queue.is_writing = is_writing;
        self.changed.notify_all();
        self.room() > before
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn why(&mut self) -> io::Error {
        self.error.take().unwrap_or_else(|| ErrorKind::BrokenPipe.into())
    }
}

/// Writes what is said to `target` until all is written. Calls `roomier` whenever there is more [`QueueCapacity`] than before.
pub(super) fn write(output: &OutputQueue, mut target: impl Write, roomier: impl Fn()) -> io::Result<()> {
    while let Some(bytes) = output.take() {
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let count = patiently(|| target.write(rest))?;
            if count == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
            rest = &rest[count..];
            if rest.is_empty() {
                patiently(|| target.flush())?;
            }
            if output.wrote(count, !rest.is_empty()) {
                roomier();
            }
        }
    }
    Ok(())
}

/// Tries again what was only interrupted, or not ready.
fn patiently<T>(mut work: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match work() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(NOT_READY),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

    use super::*;

    /// Takes each write when the test asks for it, and only `most` bytes of it.
    struct Tap {
        bytes: SyncSender<Vec<u8>>,
        most: usize,
    }

    impl Write for Tap {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.most);
            match bytes[0] {
                b'!' => return Err(ErrorKind::BrokenPipe.into()),
                _ => self.bytes.send(bytes[..count].to_vec()).map_err(|_| ErrorKind::BrokenPipe)?,
            }
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn started(most: usize) -> (Arc<OutputQueue>, Receiver<Vec<u8>>, Receiver<()>) {
        let output = Arc::new(OutputQueue::default());
        let (bytes, written) = sync_channel(0);
        let (told, roomier): (Sender<()>, _) = channel();
        let shared = Arc::clone(&output);
        thread::spawn(move || {
            let roomier = || {
                let _ = told.send(());
            };
            if let Err(error) = write(&shared, Tap { bytes, most }, roomier) {
                shared.fail(error);
            }
        });
        (output, written, roomier)
    }

    #[test]
    fn everything_is_written_in_order_whatever_a_write_takes() {
        for most in [1, 7, 4096, usize::MAX] {
            let (output, written, _) = started(most);
            let reader = thread::spawn(move || written.iter().flatten().collect::<Vec<u8>>());
            let mut wanted = String::new();
            for number in 0..3000 {
                output.say(format!("line {number}"));
                wanted.push_str(&format!("line {number}\n"));
            }
            assert!(matches!(output.finish(None), End::Written), "{most}");
            assert_eq!(output.room(), QueueCapacity::Free);
            drop(output);
            assert_eq!(String::from_utf8(reader.join().unwrap()).unwrap(), wanted, "{most}");
        }
    }

    #[test]
    fn room_shrinks_as_nobody_reads_and_comes_back() {
        let (output, written, roomier) = started(usize::MAX);
        let line = "x".repeat(1023);
        let mut rooms = vec![output.room()];
        for _ in 0..HOLD_INPUT_AT / 1024 {
            output.say(line.clone());
            if rooms.last() != Some(&output.room()) {
                rooms.push(output.room());
            }
        }
        assert_eq!(rooms, [QueueCapacity::Free, QueueCapacity::Tight, QueueCapacity::Full]);
        assert_eq!(output.waiting.load(Ordering::SeqCst), HOLD_INPUT_AT);
        assert!(roomier.try_recv().is_err());
        let mut bytes = 0;
        while output.room() == QueueCapacity::Full {
            bytes += written.recv().unwrap().len();
        }
        assert!(bytes <= 2 * CHUNK, "{bytes}");
        roomier.recv().unwrap();
        while output.room() == QueueCapacity::Tight {
            bytes += written.recv().unwrap().len();
        }
        assert!(
            HOLD_INPUT_AT - bytes < HOLD_REPORTS_AT + CHUNK
                && HOLD_INPUT_AT - bytes > HOLD_REPORTS_AT - 3 * CHUNK,
            "{bytes}"
        );
        roomier.recv().unwrap();
        assert!(roomier.try_recv().is_err(), "told once for each change");
    }

    #[test]
    fn a_reader_that_goes_on_is_waited_for_and_another_is_not() {
        let grace = Duration::from_millis(400);
        let (output, written, _) = started(10);
        let has_read = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&has_read);
        output.say("0123456789".repeat(10));
        let reader = thread::spawn(move || {
            for _ in 0..11 {
                thread::sleep(Duration::from_millis(100));
                written.recv().unwrap();
            }
            flag.store(true, Ordering::SeqCst);
            written
        });
        assert!(matches!(output.finish(Some(grace)), End::Written));
        assert!(has_read.load(Ordering::SeqCst), "longer than the grace, but never without progress");
        drop(reader);

        let (output, _written, _) = started(10);
        output.say("nobody reads this".to_owned());
        let start = Instant::now();
        assert!(matches!(output.finish(Some(grace)), End::Unread));
        assert!(start.elapsed() >= grace);
    }

    #[test]
    fn a_broken_output_is_told_of_and_makes_room() {
        let (output, written, roomier) = started(usize::MAX);
        output.say("x".repeat(HOLD_INPUT_AT));
        output.say("!".to_owned());
        output.say("y".repeat(HOLD_INPUT_AT));
        assert_eq!(output.room(), QueueCapacity::Full);
        written.recv().unwrap();
        while output.room() != QueueCapacity::Free {
            thread::yield_now();
        }
        assert!(roomier.try_recv().is_err(), "it stayed full until it broke");
        assert!(matches!(output.finish(None), End::Failed(error) if error.kind() == ErrorKind::BrokenPipe));
        output.say("late".to_owned());
        assert!(matches!(output.finish(None), End::Failed(_)), "and does not wait for what is never written");
    }
}
