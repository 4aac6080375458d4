//! A program that is connected by pipes, with all processes that it starts.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::print::printable;
use group::Group;

/// Most lines in the queue. A program that writes more blocks, as with a full pipe.
const MAX_QUEUED_LINES: usize = 1024;

/// Most bytes of a line. The rest of a longer line counts as the next line.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// Most lines of standard error in memory, and most characters of each.
const MAX_ERROR_LINES: usize = 5;
const MAX_ERROR_CHARS: usize = 200;

/// Time to wait for the end of a program after its output, and of its standard error output.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// Time that a program has to end after the request to quit.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A running program. When dropped, it receives the request to quit. After [`QUIT_TIMEOUT`] it and its children are killed.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Group,
    /// `None` after the request to quit.
    input: Option<ChildStdin>,
    quit: &'static str,
    /// Lines of the output, with the time at which each was read.
    lines: Receiver<(Instant, String)>,
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected when standard error is closed.
    errors_end: Receiver<()>,
}

impl Process {
    /// Starts `command`, which is split at white space, as NBoard does. `quit` is the line that ends the program.
    pub(super) fn start(command: &str, quit: &'static str) -> io::Result<Process> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| io::Error::other("no command"))?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, group) = Group::spawn(&mut command)?;
        let (input, output, error) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, lines) = mpsc::sync_channel(MAX_QUEUED_LINES);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        // The destructor ends the program if a step below fails.
        let (is_open, errors_end) = mpsc::channel();
        let process = Process { child, group, input, quit, lines, errors: Arc::clone(&errors), errors_end };
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
            drop::<mpsc::Sender<()>>(is_open);
        })?;
        Ok(process)
    }

    /// Sends a line. An error is ignored: a program that reads no more will not answer either.
    pub(super) fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        }
    }

    /// Returns the next line that arrives before `deadline`, and the time at which it was read.
    ///
    /// # Errors
    /// If no line arrived in time, or the program has closed its output.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), RecvTimeoutError> {
        let line = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))?;
        // A program that writes without end always has a line in the queue.
        if line.0 > deadline { Err(RecvTimeoutError::Timeout) } else { Ok(line) }
    }

    /// Returns how the program ended.
    pub(super) fn status(&mut self) -> String {
        // The output ends shortly before the program.
        let deadline = Instant::now() + END_TIMEOUT;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.to_string();
            }
            thread::sleep(Duration::from_millis(2));
        }
        "it closed its output".to_owned()
    }

    /// Returns the last lines of standard error that are not blank.
    pub(super) fn errors(&mut self) -> Vec<String> {
        // Lines written just before the end of the program are read a little later.
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.errors_end.recv_timeout(END_TIMEOUT);
        }
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
            // A program whose output is not read may never read its input.
            while self.lines.try_recv().is_ok() && Instant::now() < deadline {}
            thread::sleep(Duration::from_millis(2));
        }
        self.group.kill();
        let _ = self.child.wait();
    }
}

/// Passes each line, in a printable form, to `take` until that returns `false`.
fn each_line(output: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        if !take(printable(String::from_utf8_lossy(&line).trim_end())) {
            return;
        }
        line.clear();
    }
}

/// A program with its children, as one process group. Signals that end the match also end the groups: a terminal sends them
/// only to the group of the match.
#[cfg(unix)]
mod group {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::sync::{Mutex, Once, PoisonError};
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level;

    /// Groups that were started and not yet killed.
    static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    #[derive(Debug)]
    pub(super) struct Group(Pid);

    impl Group {
        pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
            static WATCH: Once = Once::new();
            WATCH.call_once(watch_signals);
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            let child = command.process_group(0).spawn()?;
            let group = Pid::from_child(&child);
            running.push(group);
            Ok((child, Group(group)))
        }

        pub(super) fn kill(&self) {
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|&running| running != self.0);
            let _ = kill_process_group(self.0, Signal::KILL);
        }
    }

    /// Starts a thread that waits for a signal, kills the groups and then carries out the default action of the signal.
    fn watch_signals() {
        let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
        let _ = thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                // The lock is not released: no further program is started.
                let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
                for &group in running.iter() {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                let _ = low_level::emulate_default_handler(signal);
            }
        });
    }
}

/// A program with its children, as one job. The system kills all processes of the job when its handle is closed, so they end
/// with the match however the match ends.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the standard library has no job objects")]
mod group {
    use std::io;
    use std::mem;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::process::{Child, Command};
    use std::ptr;

    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
        TerminateJobObject,
    };

    #[derive(Debug)]
    pub(super) struct Group(OwnedHandle);

    impl Group {
        pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
            let job = Group::new()?;
            let mut child = command.spawn()?;
            // SAFETY: both handles are open.
            if unsafe { AssignProcessToJobObject(job.0.as_raw_handle(), child.as_raw_handle()) } == 0 {
                let error = io::Error::last_os_error();
                let _ = child.kill();
                return Err(error);
            }
            Ok((child, job))
        }

        fn new() -> io::Result<Group> {
            // SAFETY: a job may have default attributes and no name.
            let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
            if job.is_null() {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: the handle is open and has no other owner.
            let job = Group(unsafe { OwnedHandle::from_raw_handle(job) });
            let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
            limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
            let size = mem::size_of_val(&limits) as u32;
            let limits = ptr::from_ref(&limits).cast();
            // SAFETY: the handle is open, and `limits` points to a value of this class and size.
            let done = unsafe {
                SetInformationJobObject(
                    job.0.as_raw_handle(),
                    JobObjectExtendedLimitInformation,
                    limits,
                    size,
                )
            };
            if done == 0 { Err(io::Error::last_os_error()) } else { Ok(job) }
        }

        pub(super) fn kill(&self) {
            // SAFETY: the handle is open.
            unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
        }
    }
}
