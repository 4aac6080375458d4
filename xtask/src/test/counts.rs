//! Runs the checks of a step and counts them.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

use crate::process;

/// Runs `command` as one check.
pub(super) fn check(command: &mut Command) -> Result<u64> {
    process::run(command)?;
    Ok(1)
}

/// Runs a test program, prints its output and returns the number of passed tests.
///
/// # Errors
/// If the program cannot be run, fails, or runs no test.
pub(super) fn tests(command: &mut Command) -> Result<u64> {
    let (status, count) = watched(command, |_| ())?;
    let line = process::line(command);
    ensure!(status.success(), "`{line}` failed ({status})");
    ensure!(count > 0, "`{line}` ran no test");
    Ok(count)
}

/// Most files that [`tests_in_files`] runs again.
const MAX_FILES_AGAIN: usize = 4;

/// Runs the tests of files with Node. Tests in browsers depend on the speed of the machine, so a few files with failed tests run
/// once more, one after the other, which is printed. A test that fails twice is a failure.
///
/// # Errors
/// As those of [`tests`].
pub(super) fn tests_in_files(node: &mut Command, files: &[&Path]) -> Result<u64> {
    let mut again = Command::new(node.get_program());
    again.args(node.get_args()).arg("--test-concurrency=1");
    for (name, value) in node.get_envs() {
        match value {
            Some(value) => again.env(name, value),
            None => again.env_remove(name),
        };
    }
    again.current_dir(node.get_current_dir().unwrap_or_else(|| Path::new(".")));
    let mut failed = Vec::new();
    let (status, count) = watched(node.args(files), |line| failed.extend(file_of(line)))?;
    let tests_failed = failed.len() as u64;
    failed.sort();
    failed.dedup();
    if status.success() || !(1..=MAX_FILES_AGAIN).contains(&failed.len()) {
        ensure!(status.success() && count > 0, "{tests_failed} tests failed, {count} passed ({status})");
        return Ok(count);
    }
    println!("\n{tests_failed} tests failed; their files run again: {}", failed.join(", "));
    tests(again.args(failed))?;
    Ok(count + tests_failed)
}

/// Returns the file of a failed test in a line of Node's list of them.
fn file_of(line: &str) -> Option<String> {
    Some(line.strip_prefix("test at ")?.split_once(':')?.0.to_owned())
}

/// Runs a test program, prints its output and passes each line to `each`. Returns its status and the number of passed tests.
fn watched(command: &mut Command, mut each: impl FnMut(&str)) -> Result<(ExitStatus, u64)> {
    let line = process::line(command);
    println!("$ {line}");
    let (reader, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn().with_context(|| format!("cannot run `{line}`"));
    // The pipe ends when its last writer is closed.
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let mut child = child?;
    let mut count = 0;
    for text in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        let text = String::from_utf8_lossy(&text);
        println!("{text}");
        count += passed(&text);
        each(&text);
    }
    Ok((child.wait().with_context(|| format!("waiting for `{line}`"))?, count))
}

/// Returns the number of passed tests in a summary line of libtest, nextest or Node, or 0 for another line.
fn passed(line: &str) -> u64 {
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let before_passed = || words.iter().zip(&words[1..]).find(|pair| *pair.1 == "passed").map(|pair| *pair.0);
    let count = match words[..] {
        ["ℹ", "pass", count] => Some(count),
        ["test", "result:", ..] | ["Summary", ..] => before_passed(),
        _ => None,
    };
    count.and_then(|count| count.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn summaries_are_counted() {
        for (line, count) in [
            ("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out", 12),
            ("     Summary [   0.009s] 12 tests run: 12 passed, 1 skipped", 12),
            ("     Summary [   0.009s] 12 tests run: 11 passed (1 slow), 1 skipped", 11),
            ("ℹ pass 7", 7),
            ("test a::passed ... ok", 0),
        ] {
            assert_eq!(passed(line), count, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn failed_files_run_once_more() {
        let folder = std::env::temp_dir().join(format!("outflank-again-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // Fails in the first `failures` runs.
        let run = |failures: usize| {
            std::fs::write(folder.join("runs"), "").unwrap();
            let script = format!(
                "echo >> runs; if [ $(wc -l < runs) -gt {failures} ]; then echo 'ℹ pass 2'; else \
                 echo 'ℹ pass 1'; echo 'test at a.test.js:7:1'; exit 1; fi"
            );
            tests_in_files(
                Command::new("sh").args(["-c", &script]).current_dir(&folder),
                &[Path::new("a.test.js")],
            )
        };
        assert_eq!(run(0).unwrap(), 2);
        assert_eq!(run(1).unwrap(), 2);
        assert!(run(2).unwrap_err().to_string().contains("failed (exit status: 1)"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn exit_codes_decide() {
        let shell = |script: &str| tests(Command::new("sh").args(["-c", script]));
        assert!(
            shell("echo 'ℹ pass 2'; exit 3").unwrap_err().to_string().contains("failed (exit status: 3)")
        );
        assert_eq!(shell("echo 'ℹ pass 2' >&2").unwrap(), 2);
        assert!(shell("true").unwrap_err().to_string().contains("no test"));
        assert!(tests(&mut Command::new("/no/such/program")).is_err());
    }
}
