//! The queue of output lines.
//!
//! A write blocks if the reader is slow or stalled. So a dedicated thread writes. The session thread only queues lines and never
//! blocks. It checks the remaining [`QueueCapacity`] instead.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Waiting bytes from which intermediate reports of a search are held back.
pub(super) const HOLD_REPORTS_AT: usize = 256 << 10;

/// Waiting bytes from which no input line is processed, since each can have an answer.
pub(super) const HOLD_INPUT_AT: usize = 4 << 20;

/// Most bytes per write, except for longer lines. A write ends when the reader has taken almost all of it, so a short write shows
/// progress early.
const MAX_CHUNK: usize = 4 << 10;

/// Pause before a write is repeated on a non-blocking output that is not ready.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The remaining capacity of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum QueueCapacity {
    /// Nothing: no input line is processed.
    Full,
    /// Answers, but no intermediate reports.
    Tight,
    /// Everything.
    Free,
}

/// How the output ended.
#[derive(Debug)]
pub(super) enum End {
    Written,
    /// The reader stalled.
    Unread,
    /// The output is closed or failed.
    Failed(io::Error),
}

/// The queue between the session thread and the writer thread.
#[derive(Debug, Default)]
pub(super) struct OutputQueue {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Bytes queued and not written. [`OutputQueue::capacity`] reads them without the lock.
    waiting: AtomicUsize,
}

#[derive(Debug, Default)]
struct Queue {
    /// Whole lines, combined into chunks that are written at once.
    chunks: VecDeque<Vec<u8>>,
    /// The writer thread has taken a chunk.
    is_writing: bool,
    /// Number of writes, to detect progress.
    written: u64,
    /// No more lines will be queued.
    is_finished: bool,
    /// Writing has failed.
    is_broken: bool,
    /// The reason, until it is returned.
    error: Option<io::Error>,
}

impl OutputQueue {
    /// Queues a line and adds the line end. Never blocks.
    pub(super) fn push(&self, mut line: String) {
        line.push('\n');
        let mut queue = self.lock();
        if !queue.is_broken {
            self.waiting.fetch_add(line.len(), Ordering::SeqCst);
            match queue.chunks.back_mut() {
                Some(last) if last.len() + line.len() <= MAX_CHUNK => last.extend_from_slice(line.as_bytes()),
                _ => queue.chunks.push_back(line.into_bytes()),
            }
            self.changed.notify_all();
        }
    }

    pub(super) fn capacity(&self) -> QueueCapacity {
        match self.waiting.load(Ordering::SeqCst) {
            HOLD_INPUT_AT.. => QueueCapacity::Full,
            HOLD_REPORTS_AT.. => QueueCapacity::Tight,
            _ => QueueCapacity::Free,
        }
    }

    /// Waits until all lines are written. With a `timeout`, gives up if the reader takes nothing for that long.
    pub(super) fn finish(&self, timeout: Option<Duration>) -> End {
        let mut queue = self.lock();
        queue.is_finished = true;
        self.changed.notify_all();
        let mut stall = Stall { timeout, written: queue.written, since: Instant::now() };
        loop {
            if queue.is_broken {
                return End::Failed(queue.reason());
            }
            if queue.chunks.is_empty() && !queue.is_writing {
                return End::Written;
            }
            queue = match stall.remaining(queue.written, Instant::now()) {
                None => self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return End::Unread,
                Some(left) => {
                    self.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// The reason why writing has failed.
    pub(super) fn error(&self) -> io::Error {
        self.lock().reason()
    }

    /// Marks the output as failed. Queued lines are dropped, so that no thread waits for capacity.
    pub(super) fn fail(&self, error: io::Error) {
        let mut queue = self.lock();
        queue.is_broken = true;
        queue.error = Some(error);
        queue.chunks.clear();
        queue.is_writing = false;
        self.waiting.store(0, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// Waits for a chunk. `None` after the last one.
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

    /// Records that `count` bytes were written. Returns `true` if the capacity has grown.
    fn wrote(&self, count: usize, is_writing: bool) -> bool {
        let before = self.capacity();
        self.waiting.fetch_sub(count, Ordering::SeqCst);
        let mut queue = self.lock();
        queue.written += 1;
        queue.is_writing = is_writing;
        self.changed.notify_all();
        self.capacity() > before
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn reason(&mut self) -> io::Error {
        self.error.take().unwrap_or_else(|| ErrorKind::BrokenPipe.into())
    }
}

/// Measures how long a reader has taken nothing.
struct Stall {
    /// `None` if the reader may stall.
    timeout: Option<Duration>,
    /// Number of writes at the last progress, and its time.
    written: u64,
    since: Instant,
}

impl Stall {
    /// Returns the time until the reader counts as stalled, zero if it does. `None` if it never does.
    fn remaining(&mut self, written: u64, now: Instant) -> Option<Duration> {
        if written != self.written {
            (self.written, self.since) = (written, now);
        }
        Some(self.timeout?.saturating_sub(now - self.since))
    }
}

/// Writes all lines to `target`. Calls `on_capacity` whenever the [`QueueCapacity`] has grown.
pub(super) fn write(output: &OutputQueue, mut target: impl Write, on_capacity: impl Fn()) -> io::Result<()> {
    while let Some(bytes) = output.take() {
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let count = retrying(|| target.write(rest))?;
            if count == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
            rest = &rest[count..];
            if rest.is_empty() {
                retrying(|| target.flush())?;
            }
            if output.wrote(count, !rest.is_empty()) {
                on_capacity();
            }
        }
    }
    Ok(())
}

/// Repeats `work` while it is interrupted or not ready.
fn retrying<T>(mut work: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match work() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_INTERVAL),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

    use super::*;

    /// Accepts each write when the test receives it, and at most `most` bytes.
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
        let (grown, capacity): (Sender<()>, _) = channel();
        let shared = Arc::clone(&output);
        thread::spawn(move || {
            let on_capacity = || {
                let _ = grown.send(());
            };
            if let Err(error) = write(&shared, Tap { bytes, most }, on_capacity) {
                shared.fail(error);
            }
        });
        (output, written, capacity)
    }

    #[test]
    fn all_lines_are_written_in_order() {
        for most in [1, 7, 4096, usize::MAX] {
            let (output, written, _) = started(most);
            let reader = thread::spawn(move || written.iter().flatten().collect::<Vec<u8>>());
            let mut expected = String::new();
            for number in 0..3000 {
                output.push(format!("line {number}"));
                expected.push_str(&format!("line {number}\n"));
            }
            assert!(matches!(output.finish(None), End::Written), "{most}");
            assert_eq!(output.capacity(), QueueCapacity::Free);
            drop(output);
            assert_eq!(String::from_utf8(reader.join().unwrap()).unwrap(), expected, "{most}");
        }
    }

    #[test]
    fn capacity_shrinks_and_grows() {
        let (output, written, grown) = started(usize::MAX);
        let line = "x".repeat(1023);
        let mut capacities = vec![output.capacity()];
        for _ in 0..HOLD_INPUT_AT / 1024 {
            output.push(line.clone());
            if capacities.last() != Some(&output.capacity()) {
                capacities.push(output.capacity());
            }
        }
        assert_eq!(capacities, [QueueCapacity::Free, QueueCapacity::Tight, QueueCapacity::Full]);
        assert_eq!(output.waiting.load(Ordering::SeqCst), HOLD_INPUT_AT);
        assert!(grown.try_recv().is_err());
        let mut bytes = 0;
        while output.capacity() == QueueCapacity::Full {
            bytes += written.recv().unwrap().len();
        }
        assert!(bytes <= 2 * MAX_CHUNK, "{bytes}");
        grown.recv().unwrap();
        while output.capacity() == QueueCapacity::Tight {
            bytes += written.recv().unwrap().len();
        }
        assert!(
            HOLD_INPUT_AT - bytes < HOLD_REPORTS_AT + MAX_CHUNK
                && HOLD_INPUT_AT - bytes > HOLD_REPORTS_AT - 3 * MAX_CHUNK,
            "{bytes}"
        );
        grown.recv().unwrap();
        assert!(grown.try_recv().is_err(), "reported once for each change");
    }

    #[test]
    fn stalled_reader_is_abandoned() {
        let (since, millis) = (Instant::now(), Duration::from_millis);
        let mut stall = Stall { timeout: Some(millis(400)), written: 0, since };
        for (after, written, remaining) in
            [(0, 0, 400), (399, 0, 1), (450, 1, 400), (800, 1, 50), (850, 1, 0), (900, 2, 400)]
        {
            assert_eq!(
                stall.remaining(written, since + millis(after)),
                Some(millis(remaining)),
                "after {after} ms"
            );
        }
        assert_eq!(Stall { timeout: None, ..stall }.remaining(2, since + millis(1 << 30)), None);

        let (output, _written, _) = started(10);
        output.push("unread".to_owned());
        assert!(matches!(output.finish(Some(Duration::ZERO)), End::Unread));
    }

    #[test]
    fn failed_output_is_reported_and_has_capacity() {
        let (output, written, grown) = started(usize::MAX);
        output.push("x".repeat(HOLD_INPUT_AT));
        output.push("!".to_owned());
        output.push("y".repeat(HOLD_INPUT_AT));
        assert_eq!(output.capacity(), QueueCapacity::Full);
        written.recv().unwrap();
        while output.capacity() != QueueCapacity::Free {
            thread::yield_now();
        }
        assert!(grown.try_recv().is_err(), "it stayed full until it failed");
        assert!(matches!(output.finish(None), End::Failed(error) if error.kind() == ErrorKind::BrokenPipe));
        output.push("late".to_owned());
        assert!(matches!(output.finish(None), End::Failed(_)), "it does not wait for a write");
    }
}
