//! Counts the checks of a step.

use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::ops::AddAssign;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::process;

/// Tests or other checks of a step. Exit codes decide whether a step passes; the number of checks is for the reader.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CheckCounts {
    pub passed: u64,
    /// Programs that failed, not their failed tests.
    pub failed: u64,
}

impl CheckCounts {
    pub(crate) const PASSED: Self = Self { passed: 1, failed: 0 };
    pub(crate) const FAILED: Self = Self { passed: 0, failed: 1 };

    /// Runs `command` as one check.
    pub(crate) fn of_check(command: &mut Command) -> Result<Self> {
        process::run(command)?;
        Ok(Self::PASSED)
    }

    /// Runs a test program, prints its output and counts the tests that passed.
    ///
    /// # Errors
    /// If the program cannot be run, or succeeds without running a test.
    pub(crate) fn of_tests(command: &mut Command) -> Result<Self> {
        let line = process::line(command);
        println!("$ {line}");
        let (reader, writer) = io::pipe()?;
        command.stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn().with_context(|| format!("cannot run `{line}`"));
        // The pipe ends when its last writer is closed.
        command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
        let mut child = child?;
        let mut passed = 0;
        for text in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8_lossy(&text);
            println!("{text}");
            passed += passed_tests(&text).unwrap_or_default();
        }
        let status = child.wait().with_context(|| format!("waiting for `{line}`"))?;
        if !status.success() {
            println!("`{line}` failed ({status})");
            return Ok(Self { passed, failed: 1 });
        }
        ensure!(passed > 0, "`{line}` ran no test");
        Ok(Self { passed, failed: 0 })
    }
}

impl AddAssign for CheckCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for CheckCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Returns the number of passed tests if the line is a summary of libtest, nextest or Node.
fn passed_tests(line: &str) -> Option<u64> {
    if let Some(count) = line.strip_prefix("ℹ pass ") {
        return count.parse().ok();
    }
    // Indented summaries of libtest belong to failed tests that nextest repeats.
    let is_summary = line.starts_with("test result:") || line.trim_start().starts_with("Summary [");
    let (before, _) = line.split_once(" passed").filter(|_| is_summary)?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_counted() {
        for (line, passed) in [
            ("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out", Some(12)),
            ("     Summary [   0.009s] 12 tests run: 12 passed, 1 skipped", Some(12)),
            ("Summary [1s] 9/10 tests run: 8 passed (1 slow), 1 failed", Some(8)),
            ("ℹ pass 7", Some(7)),
            ("    test result: FAILED. 0 passed; 1 failed;", None),
            ("test a::passed ... ok", None),
            ("ℹ pass many", None),
        ] {
            assert_eq!(passed_tests(line), passed, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn exit_codes_decide() {
        let shell = |script: &str| CheckCounts::of_tests(Command::new("sh").args(["-c", script]));
        assert_eq!(shell("echo 'ℹ pass 2'; exit 3").unwrap(), CheckCounts { passed: 2, failed: 1 });
        assert_eq!(shell("echo 'ℹ pass 2' >&2").unwrap(), CheckCounts { passed: 2, failed: 0 });
        assert!(shell("true").unwrap_err().to_string().contains("no test"));
        assert!(CheckCounts::of_tests(&mut Command::new("/no/such/program")).is_err());
    }
}
