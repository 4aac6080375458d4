//! The program itself, connected by pipes.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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
///
/// # Panics
/// If it cannot be built.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| env::var_os("OUTFLANK_PROGRAM").map_or_else(build, PathBuf::from))
}

fn build() -> PathBuf {
    let here = env::current_exe().expect("a test program");
    let profile = here.ancestors().nth(2).expect("a target folder");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    cargo.args(["build", "--quiet", "--package", "outflank-cli", "--bin", "outflank"]);
    cargo.args(profile.ends_with("release").then_some("--release"));
    cargo.arg("--target-dir").args(profile.parent());
    assert!(cargo.status().is_ok_and(|status| status.success()), "the program cannot be built");
    profile.join(format!("outflank{}", env::consts::EXE_SUFFIX))
}

/// Exit status and output of a program that has ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the program with these arguments and without input.
///
/// # Panics
/// If it cannot be run.
pub fn run(arguments: &[&str]) -> Ended {
    let mut command = Command::new(program());
    let output = command.args(arguments).env("TMPDIR", temporary()).stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ended { code: output.status.code(), out, err }
}

/// Runs the program with these arguments and returns its output.
///
/// # Panics
/// If it cannot be run or fails.
pub fn succeed(arguments: &[&str]) -> String {
    let Ended { code, out, err } = run(arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    out
}

/// Runs the program with these arguments and kills it once `is_reached` returns `true`. Returns `false` if it ends before.
///
/// # Panics
/// If it cannot be run.
pub fn kill_once(arguments: &[&str], mut is_reached: impl FnMut() -> bool) -> bool {
    let mut program = Spawned::new(arguments);
    while !is_reached() {
        if program.has_ended() {
            return false;
        }
        thread::yield_now();
    }
    true
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
    /// Starts the program.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn new<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Spawned {
        Spawned::of(program(), arguments)
    }

    /// Starts any program.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn of<A: AsRef<OsStr>>(program: &Path, arguments: impl IntoIterator<Item = A>) -> Spawned {
        let mut command = Command::new(program);
        command.args(arguments).env("TMPDIR", temporary());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let gate = Arc::<Gate>::default();
        let lines = lines_of(child.stdout.take(), Arc::clone(&gate));
        let errors = lines_of(child.stderr.take(), Arc::default());
        Spawned { input: child.stdin.take(), child, lines, errors, gate }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Returns the next line. `None` if no line arrives.
    pub fn next_line(&mut self) -> Option<String> {
        self.lines.recv_timeout(HANG_TIMEOUT).ok()
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

    /// Closes the input and waits for the end. Returns the lines that were not read, of both outputs, and an unusual exit code.
    pub fn close(&mut self) -> Vec<String> {
        let code = self.leave();
        let failure = (code != Some(0)).then(|| format!("exit code {code:?}"));
        self.rest().into_iter().chain(self.errors.iter()).chain(failure).collect()
    }

    /// Closes the output, after its next line.
    pub fn close_output(&mut self) {
        self.lines = mpsc::channel().1;
        self.read_on(true);
    }
}

impl Drop for Spawned {
    fn drop(&mut self) {
        self.read_on(true);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(output: Option<impl Read + Send + 'static>, gate: Arc<Gate>) -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()) {
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
