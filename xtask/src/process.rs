//! Runs other programs. Errors contain the command line.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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

/// The lowest priority for a program. The scheduler of Linux shares the cores among sessions first, if it groups them: a browser
/// starts one, and `nice` has no effect on other sessions. The program ends when its standard input is closed.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: &str = "{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec 3<&0; \
     { cat <&3 >/dev/null 2>&1; kill -KILL -$$; } & exec nice -n 19 \"$@\" </dev/null 3<&-";

/// Starts a program with the lowest priority in a separate session. It ends when the returned process is dropped. `None` if this
/// system does not support it.
pub(crate) fn start_low(program: &Path, arguments: &[&str], output: &File) -> Result<Option<Child>> {
    #[cfg(target_os = "linux")]
    if let Some(setsid) = find("setsid") {
        let mut command = Command::new(setsid);
        command.args(["sh", "-c", LOW_PRIORITY, "sh"]).arg(program).args(arguments);
        command.stdin(Stdio::piped()).stdout(output.try_clone()?).stderr(output.try_clone()?);
        let child = command.spawn().with_context(|| format!("cannot run `{}`", line(&command)))?;
        return Ok(Some(child));
    }
    let _ = (program, arguments, output);
    Ok(None)
}

/// Returns the processor time in seconds of all programs that have ended, with those that they started. `None` if this system does
/// not have the file.
pub(crate) fn processor_seconds() -> Option<f64> {
    // proc_pid_stat(5): the name, which is in parentheses, is the second field; `cutime` and `cstime` are the 16th and 17th.
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    // A tick is a hundredth of a second on all architectures.
    Some((ticks()? + ticks()?) / 100.0)
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn program_of_low_priority_ends_with_its_input() {
        let path = env::temp_dir().join(format!("outflank-low-{}", std::process::id()));
        let output = File::create(&path).unwrap();
        let started = start_low(Path::new("sh"), &["-c", "nice; sleep 600"], &output).unwrap();
        let Some(mut child) = started else { return println!("skipped: setsid is not installed") };
        while !fs::read_to_string(&path).unwrap().starts_with("19\n") {
            assert!(child.try_wait().unwrap().is_none(), "it runs");
        }
        drop(child.stdin.take());
        assert!(!child.wait().unwrap().success());
        fs::remove_file(&path).unwrap();
    }
}
