//! A program at the other end of two pipes.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// A running program. It is ended when dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    /// What it says, and when.
    lines: Receiver<(Instant, String)>,
}

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// It has ended.
    Ended,
    /// It said nothing in time.
    Late,
}

impl Process {
    /// Starts `command`, which is split at white space as NBoard does it.
    pub(super) fn start(command: &str) -> io::Result<Process> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| io::Error::other("no command"))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipe = || io::Error::other("no pipe");
        let input = child.stdin.take().ok_or_else(pipe)?;
        let output = child.stdout.take().ok_or_else(pipe)?;
        let (send, lines) = mpsc::channel();
        let reader = thread::Builder::new().spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if send.send((Instant::now(), text)).is_err() {
                    return;
                }
                line.clear();
            }
        });
        // Made first: it is ended when it is dropped.
        let process = Process { child, input, lines };
        reader.map(|_| process)
    }

    /// Sends a line. One that does not listen any more will be found out by its silence.
    pub(super) fn send(&mut self, line: &str) {
        let _ = self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush());
    }

    /// The next line that comes before `deadline`, and when it came.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), Silence> {
        let patience = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// How it ended, if it has.
    pub(super) fn status(&mut self) -> String {
        // The end of its output comes a moment before its own.
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.to_string();
            }
            thread::sleep(Duration::from_millis(2));
        }
        "it closed its output".to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
