//! The program itself, connected by pipes.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::folder::temporary;

/// Ends a test that hangs. No test depends on a shorter time.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(600);

/// Interval between two checks of a state that sends no event.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A running program. It is killed when dropped.
#[derive(Debug)]
pub struct Spawned {
    child: Child,
    /// `None` closes it.
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    gate: Arc<Gate>,
}

/// Closed, it stops the thread that reads the output.
#[derive(Debug, Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

/// Returns the program of this build, or the one that `OUTFLANK_PROGRAM` names: a build for another system, as a script that
/// emulates it. Cargo builds the program only for the tests of its own package, so each test program builds it once. That takes
/// almost no time if it is up to date.
pub fn program() -> io::Result<&'static Path> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = PROGRAM.get_or_init(|| build().map_err(|error| error.to_string()));
    built.as_deref().map_err(|error| io::Error::other(error.clone()))
}

fn build() -> io::Result<PathBuf> {
    if let Some(program) = std::env::var_os("OUTFLANK_PROGRAM") {
        return Ok(program.into());
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "outflank-cli", "--bin", "outflank"]);
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
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

/// Returns the program with these arguments and the folder of temporary files.
fn command(arguments: &[&str]) -> io::Result<Command> {
    let mut command = Command::new(program()?);
    command.args(arguments).env("TMPDIR", temporary());
    Ok(command)
}

/// Exit status and output of a program that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program with these arguments and this input.
///
/// # Panics
/// If it cannot be run.
pub fn run(arguments: &[&str], input: &[u8]) -> Ended {
    let run = || {
        let mut command = command(arguments)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        thread::scope(|scope| {
            // A program may end without reading all of it.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output()
        })
    };
    let output = run().unwrap_or_else(|error: io::Error| panic!("{arguments:?}: {error}"));
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ended { code: output.status.code(), out, err }
}

/// Runs the program with these arguments and returns its output.
///
/// # Panics
/// If it cannot be run or fails.
pub fn succeed(arguments: &[&str]) -> String {
    let Ended { code, out, err } = run(arguments, b"");
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    out
}

/// Runs the program with these arguments and kills it once `is_reached` returns `true`. Returns its exit code if it ends before.
pub fn kill_once(arguments: &[&str], mut is_reached: impl FnMut() -> bool) -> io::Result<Option<i32>> {
    let null = Stdio::null;
    let mut child = command(arguments)?.stdin(null()).stdout(null()).stderr(null()).spawn()?;
    while !is_reached() {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        thread::yield_now();
    }
    child.kill()?;
    child.wait().map(|_| None)
}

/// Waits until `condition` holds.
///
/// # Panics
/// If it does not hold within [`HANG_TIMEOUT`].
#[track_caller]
pub fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < HANG_TIMEOUT, "{what} does not occur");
        thread::sleep(POLL_INTERVAL);
    }
}

impl Spawned {
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
        let gate = Arc::<Gate>::default();
        let lines = lines_of(output, Arc::clone(&gate));
        let errors = lines_of(errors, Arc::default());
        Ok(Spawned { child, input, lines, errors, gate })
    }

    /// Sends bytes without a line end.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // A program that has ended does not read. The missing answer shows it.
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Returns the lines up to the first one that starts with `end`, including it.
    ///
    /// # Panics
    /// If no such line arrives.
    pub fn until(&mut self, end: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(end)) {
            lines.push(self.next_line().unwrap_or_else(|| panic!("no `{end}` after {lines:?}")));
        }
        lines
    }

    /// Sets whether the output is read. A program whose output is not read continues until the pipe is full.
    pub fn read_on(&mut self, reads: bool) {
        *self.gate.is_closed.lock().unwrap_or_else(PoisonError::into_inner) = !reads;
        self.gate.opened.notify_all();
    }

    /// Returns the lines of standard error since the last call.
    pub fn errors(&mut self) -> Vec<String> {
        self.errors.try_iter().collect()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the peak of its resident memory in bytes, `None` if the system does not report it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.memory("VmHWM:")
    }

    /// Returns its resident memory in bytes, `None` if the system does not report it.
    pub fn resident_memory(&self) -> Option<u64> {
        self.memory("VmRSS:")
    }

    fn memory(&self, what: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(what))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
    }

    /// Closes the input, waits for the end and returns the exit code.
    #[track_caller]
    pub fn leave(&mut self) -> Option<i32> {
        self.input = None;
        self.exit_code()
    }

    /// Waits for the end and returns the exit code.
    #[track_caller]
    pub fn exit_code(&mut self) -> Option<i32> {
        until("the end of the program", || self.has_ended());
        self.child.wait().ok()?.code()
    }

    pub fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Returns all lines up to the end of the output.
    pub fn rest(&mut self) -> Vec<String> {
        self.read_on(true);
        self.lines.iter().collect()
    }

    /// Closes the output, after its next line.
    pub fn close_output(&mut self) {
        self.lines = mpsc::channel().1;
        self.read_on(true);
    }
}

impl Engine for Spawned {
    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn next_line(&mut self) -> Option<String> {
        self.lines.recv_timeout(HANG_TIMEOUT).ok()
    }

    fn wait(&mut self, time: Duration) {
        thread::sleep(time);
    }

    fn close(&mut self) -> Option<Vec<String>> {
        let code = self.leave();
        if code != Some(0) {
            return Some(vec![format!("exit code {code:?}")]);
        }
        let mut lines = self.rest();
        lines.extend(self.errors.iter().map(|line| format!("standard error: {line}")));
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

fn lines_of(output: impl Read + Send + 'static, gate: Arc<Gate>) -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { return };
            if send.send(line).is_err() {
                return;
            }
            let closed = gate.is_closed.lock().unwrap_or_else(PoisonError::into_inner);
            drop(gate.opened.wait_while(closed, |is_closed| *is_closed));
        }
    });
    lines
}
