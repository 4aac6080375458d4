//! The program itself, at the other end of two pipes.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::Engine;

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// Within this time after the end of its input the program has to be gone.
const TO_LEAVE: Duration = Duration::from_secs(10);

/// A running program. Ended when dropped.
#[derive(Debug)]
pub struct Spawned {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    errors: Receiver<Line>,
    /// Whether nobody reads what it says.
    unread: Arc<AtomicBool>,
}

/// A line, and when it was read.
type Line = (Instant, String);

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// None came in time.
    Late,
    /// None will come: the program has closed its output.
    Over,
}

/// The program of this build. Cargo builds it for the tests of its own package only, so it is built here, which
/// costs next to nothing when it is there, and once a test program.
///
/// # Errors
/// Where it cannot be built.
pub fn program() -> io::Result<&'static Path> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = PROGRAM.get_or_init(|| build().map_err(|error| error.to_string()));
    built.as_deref().map_err(|error| io::Error::other(error.clone()))
}

fn build() -> io::Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "outflank-cli", "--bin", "outflank"]);
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let here = std::env::current_exe()?;
    let profile = here.ancestors().nth(2).ok_or_else(|| io::Error::other("no target folder"))?;
    if profile.file_name() == Some(OsStr::new("release")) {
        cargo.arg("--release");
    }
    if let Some(target) = profile.parent() {
        cargo.arg("--target-dir").arg(target);
    }
    if !cargo.status()?.success() {
        return Err(io::Error::other("the program cannot be built"));
    }
    Ok(profile.join(format!("outflank{}", std::env::consts::EXE_SUFFIX)))
}

/// What the program says to these arguments, without input.
///
/// # Errors
/// Where it cannot be built or started.
pub fn output(arguments: &[&str]) -> io::Result<Output> {
    Command::new(program()?).args(arguments).stdin(Stdio::null()).output()
}

impl Spawned {
    /// Starts `program`.
    pub fn new<A: AsRef<OsStr>>(
        program: &Path,
        arguments: impl IntoIterator<Item = A>,
    ) -> io::Result<Spawned> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        let errors = child.stderr.take().ok_or_else(|| io::Error::other("no error output"))?;
        let unread = Arc::new(AtomicBool::new(false));
        let lines = lines_of(output, Arc::clone(&unread));
        let errors = lines_of(errors, Arc::default());
        Ok(Spawned { child, input, lines, errors, unread })
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // A program that has quit does not listen: the transcript will tell.
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// The next line, if it comes within `patience`.
    pub fn line_within(&mut self, patience: Duration) -> Option<String> {
        self.next_within(patience).ok().map(|(_, line)| line)
    }

    /// The next line and when it was read, if it comes within `patience`.
    ///
    /// # Errors
    /// When none comes.
    pub fn next_within(&mut self, patience: Duration) -> Result<(Instant, String), Silence> {
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Over,
        })
    }

    /// Reads what it says, as from the start, or does not: it goes on until the pipe is full.
    pub fn read_on(&mut self, reads: bool) {
        self.unread.store(!reads, Ordering::SeqCst);
    }

    /// What it has written to standard error so far.
    pub fn errors(&mut self) -> Vec<String> {
        self.errors.try_iter().map(|(_, line)| line).collect()
    }

    /// The number the system knows it by.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The most memory it has had, in bytes, where the system tells.
    pub fn peak_memory(&self) -> Option<u64> {
        self.memory("VmHWM:")
    }

    /// The memory it has now, in bytes, where the system tells.
    pub fn resident_memory(&self) -> Option<u64> {
        self.memory("VmRSS:")
    }

    fn memory(&self, what: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(what))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
    }

    /// Closes its input and waits for its end: how long it took, and its exit code.
    pub fn leave(&mut self) -> Option<(Duration, Option<i32>)> {
        self.input = None;
        let start = Instant::now();
        while start.elapsed() < TO_LEAVE {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some((start.elapsed(), status.code()));
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }
}

impl Engine for Spawned {
    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn next_line(&mut self) -> Option<String> {
        self.line_within(PATIENCE)
    }

    fn wait(&mut self, time: Duration) {
        thread::sleep(time);
    }

    fn close(&mut self) -> Option<Vec<String>> {
        let (_, code) = self.leave()?;
        if code != Some(0) {
            return Some(vec![format!("exit code {code:?}")]);
        }
        let mut lines: Vec<String> = self.lines.iter().map(|(_, line)| line).collect();
        lines.extend(self.errors.iter().map(|(_, line)| format!("standard error: {line}")));
        Some(lines)
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        self.read_on(true);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(output: impl Read + Send + 'static, unread: Arc<AtomicBool>) -> Receiver<Line> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { return };
            if send.send((Instant::now(), line)).is_err() {
                return;
            }
            while unread.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(1));
            }
        }
    });
    lines
}
