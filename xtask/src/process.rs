//! Runs other programs. Errors contain the command line.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Runs `command` with the standard streams of this program.
///
/// # Errors
/// If the program does not exist or fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run `{}`", line(command)))?;
    ensure!(status.success(), "`{}` failed ({status})", line(command));
    Ok(())
}

/// Runs `command` and returns its standard output.
///
/// # Errors
/// If the program does not exist or fails, or if the output is not UTF-8.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    command.stderr(Stdio::inherit());
    let output = command.output().with_context(|| format!("cannot run `{}`", line(command)))?;
    ensure!(output.status.success(), "`{}` failed ({})", line(command), output.status);
    String::from_utf8(output.stdout).with_context(|| format!("output of `{}`", line(command)))
}

/// Returns the command as a user would type it.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Returns a command that runs `cargo` in the workspace root. Uses the cargo that started this program, if any.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::workspace::root());
    // A registry that is slow for a minute does not fail a run of twenty.
    if env::var_os("CARGO_NET_RETRY").is_none() {
        command.env("CARGO_NET_RETRY", "10");
    }
    command
}

/// Makes processes children of this program when their parent ends, as those of a browser do, so that their time is counted.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).ok();
}

/// Returns the processor time in seconds of all programs that have ended, with those that they started. Call it when this program
/// waits for no other one.
#[cfg(target_os = "linux")]
pub(crate) fn processor_seconds() -> Option<f64> {
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{WaitOptions, wait};
    // Adopted processes may be ending, in groups of their own. Those that stay are not counted.
    let end = Instant::now() + Duration::from_secs(1);
    while let Ok(ended) = wait(WaitOptions::NOHANG)
        && Instant::now() < end
    {
        if ended.is_none() {
            thread::sleep(Duration::from_millis(10));
        }
    }
    // proc_pid_stat(5): the name, which is in parentheses, is the second field; `cutime` and `cstime` are the 16th and 17th.
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    // A tick is a hundredth of a second on all architectures.
    Some((ticks()? + ticks()?) / 100.0)
}

/// Other systems do not count the time of all processes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() {}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_seconds() -> Option<f64> {
    None
}

/// The engine takes a quarter less time to compile as one unit than as sixteen, which are optimized together afterwards.
const ONE_UNIT: &str = "profile.dev.package.outflank.codegen-units=1";

/// Returns a command that runs `cargo` with a subcommand that builds tests.
///
/// The packages of the workspace are compiled by clippy, if it is installed. It compiles as rustc does and lints at the same time.
/// A separate run would check all dependencies again. A warning is an error. Each package is compiled once, so incremental
/// compilation would only cost time.
pub(crate) fn linting(subcommand: &[&str]) -> Command {
    let mut command = cargo();
    command.args(subcommand).args(["--locked", "--config", ONE_UNIT]);
    if let Some(clippy) = find("clippy-driver") {
        command.env("RUSTC_WORKSPACE_WRAPPER", clippy).env("CLIPPY_ARGS", "-Dwarnings");
    }
    if env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Returns a command that runs tests with nextest, which runs all test programs at the same time, or with cargo.
pub(crate) fn testing() -> Command {
    if has_nextest() {
        return linting(&[
            "nextest",
            "run",
            "--no-fail-fast",
            "--status-level=slow",
            "--final-status-level=fail",
        ]);
    }
    println!("cargo-nextest is not installed: using cargo test");
    linting(&["test", "--no-fail-fast"])
}

pub(crate) fn has_nextest() -> bool {
    find("cargo-nextest").is_some()
}

/// Returns the path of a program in `PATH`, or `None`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    file.with_extension("exe").is_file()
}
