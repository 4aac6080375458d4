//! A program at the other end of two pipes, with all processes that it starts.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Most lines that wait to be read. A program that writes more blocks, as at any full pipe.
const MAX_QUEUED_LINES: usize = 1024;

/// Most bytes of a line. The rest of a longer one counts as the next line.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// Most lines of standard error that are kept, and most characters of each.
const MAX_ERROR_LINES: usize = 5;
const MAX_ERROR_CHARS: usize = 200;

/// Time a program has to end after it was asked to.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A running program. When dropped it is asked to quit; after [`QUIT_TIMEOUT`] it and its children are killed.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// `None` once the program was asked to quit.
    input: Option<ChildStdin>,
    /// Asks the program to quit.
    quit: &'static str,
    /// Lines of its output, with the time at which each was read.
    lines: Receiver<(Instant, String)>,
    /// Last lines of its standard error.
    errors: Arc<Mutex<VecDeque<String>>>,
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
    /// Starts `command`, which is split at white space as NBoard does it. `quit` is the line that ends the program.
    pub(super) fn start(command: &str, quit: &'static str) -> io::Result<Process> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| io::Error::other("no command"))?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = group::spawn(&mut command)?;
        let (input, output, error) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, lines) = mpsc::sync_channel(MAX_QUEUED_LINES);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        // Made first: it is ended when it is dropped.
        let process = Process { child, input, quit, lines, errors: Arc::clone(&errors) };
        let pipe = || io::Error::other("no pipe");
        let (output, error) = (output.ok_or_else(pipe)?, error.ok_or_else(pipe)?);
        thread::Builder::new()
            .spawn(move || each_line(output, |line| send.send((Instant::now(), line)).is_ok()))?;
        thread::Builder::new().spawn(move || {
            each_line(error, |line| {
                let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
                if errors.len() == MAX_ERROR_LINES {
                    errors.pop_front();
                }
                errors.push_back(line.chars().take(MAX_ERROR_CHARS).collect());
                true
            });
        })?;
        Ok(process)
    }

    /// Sends a line. One that does not listen any more will be found out by its silence.
    pub(super) fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        }
    }

    /// The next line that comes before `deadline`, and when it came.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), Silence> {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(patience) {
            // A program that writes without end always has a line in the queue.
            Ok((at, _)) if at > deadline => Err(Silence::Late),
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
        }
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

    /// Last lines of its standard error, without those that are empty.
    pub(super) fn errors(&self) -> Vec<String> {
        // What it wrote just before its end is read a moment later.
        thread::sleep(Duration::from_millis(20));
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.iter().filter(|line| !line.trim().is_empty()).cloned().collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(self.quit);
        self.input = None;
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            // A program whose output is not read may never come to its input.
            while self.lines.try_recv().is_ok() && Instant::now() < deadline {}
            thread::sleep(Duration::from_millis(2));
        }
        group::kill(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Passes each line on until `take` returns `false`. Control characters are escaped: lines are shown on terminals.
fn each_line(output: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let text = String::from_utf8_lossy(&line);
        let mut printable = String::with_capacity(text.len());
        for character in text.trim_end().chars() {
            if character.is_control() && character != '\t' {
                printable.extend(character.escape_default());
            } else {
                printable.push(character);
            }
        }
        if !take(printable) {
            return;
        }
        line.clear();
    }
}

/// A program with its children, as one process group. Signals that end the match end the groups as well: a terminal
/// sends them to the group of the match only.
#[cfg(unix)]
mod group {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, Once, PoisonError};
    use std::thread;
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    /// Groups that were started and not yet killed.
    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
        static WATCH: Once = Once::new();
        WATCH.call_once(watch_signals);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.process_group(0).spawn()?;
        running.push(Pid::from_child(&child));
        Ok(child)
    }

    pub(super) fn kill(child: &mut Child) {
        let group = Pid::from_child(child);
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|&running| running != group);
        let _ = kill_process_group(group, Signal::KILL);
    }

    /// Waits for a signal in a thread, kills the groups and lets the signal do what it does by default.
    fn watch_signals() {
        let received = Arc::new(AtomicUsize::new(0));
        let watched = Arc::clone(&received);
        let watcher = thread::Builder::new().spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(50));
                let signal = watched.load(Ordering::Relaxed);
                if signal != 0 {
                    // Stays locked: no further program is started.
                    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
                    for &group in running.iter() {
                        let _ = kill_process_group(group, Signal::KILL);
                    }
                    let _ = low_level::emulate_default_handler(signal as i32);
                }
            }
        });
        if watcher.is_ok() {
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                let _ = flag::register_usize(signal, Arc::clone(&received), signal as usize);
            }
        }
    }
}

#[cfg(not(unix))]
mod group {
    use std::io;
    use std::process::{Child, Command, Stdio};

    pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    /// Kills a program that still runs, with its children. Those of one that has ended cannot be found.
    pub(super) fn kill(child: &mut Child) {
        if matches!(child.try_wait(), Ok(None)) {
            let _ = Command::new("taskkill")
                .args(["/T", "/F", "/PID", &child.id().to_string()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
        let _ = child.kill();
    }
}
