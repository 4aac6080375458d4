//! Counting checks from what the test programs print.

use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::ops::AddAssign;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result};

use crate::process;

/// How many checks passed and how many failed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub passed: u64,
    pub failed: u64,
}

impl Tally {
    /// One check that passed.
    pub(crate) const PASSED: Self = Self { passed: 1, failed: 0 };
    /// One check that failed.
    pub(crate) const FAILED: Self = Self { passed: 0, failed: 1 };

    /// Runs `command` as one check.
    pub(crate) fn of_check(command: &mut Command) -> Result<Self> {
        process::run(command)?;
        Ok(Self::PASSED)
    }

    /// Runs a test program, passing its output on and adding up the counts in its summaries.
    ///
    /// A program that fails without having counted a failure is one failure: it did not build, or died.
    pub(crate) fn of_tests(command: &mut Command) -> Result<Self> {
        let line = process::line(command);
        println!("$ {line}");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run `{line}`"))?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let mut tally = thread::scope(|scope| {
            let errors = scope.spawn(|| pass_on(stderr));
            let mut tally = pass_on(stdout);
            tally += errors.join().unwrap_or_default();
            tally
        });
        let status = child.wait().with_context(|| format!("waiting for `{line}`"))?;
        if !status.success() && tally.failed == 0 {
            println!("`{line}` failed ({status})");
            tally.failed = 1;
        }
        Ok(tally)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Prints the lines of a stream and adds up their counts.
fn pass_on(stream: Option<impl Read>) -> Tally {
    let mut tally = Tally::default();
    let Some(stream) = stream else { return tally };
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        if let Some(counts) = counts(&line) {
            tally += counts;
        }
    }
    tally
}

/// The counts in a summary line of libtest (also printed by the browser runner), nextest or
/// Node's `spec` reporter.
///
/// What nextest repeats of a failed test is indented, libtest's summary in it, too: that is no summary.
fn counts(line: &str) -> Option<Tally> {
    let libtest = line.starts_with("test result:");
    let line = line.trim();
    if let Some(count) = line.strip_prefix("ℹ pass ") {
        return Some(Tally { passed: count.parse().ok()?, failed: 0 });
    }
    if let Some(count) = line.strip_prefix("ℹ fail ").or_else(|| line.strip_prefix("ℹ cancelled ")) {
        return Some(Tally { passed: 0, failed: count.parse().ok()? });
    }
    let summary = libtest || (line.starts_with("Summary [") && line.contains(" run: "));
    summary.then(|| Tally { passed: before(line, "passed"), failed: before(line, "failed") })
}

/// The number just before `word`, 0 when there is none.
fn before(line: &str, word: &str) -> u64 {
    let words: Vec<_> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_counted_and_other_lines_are_not() {
        for (line, passed, failed) in [
            ("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out", 12, 0),
            ("test result: FAILED. 3 passed; 2 failed; 0 ignored", 3, 2),
            ("     Summary [   0.009s] 12 tests run: 12 passed, 1 skipped", 12, 0),
            ("     Summary [   1.5s] 1 test run: 0 passed, 1 failed, 0 skipped", 0, 1),
            ("Summary [1s] 9/10 tests run: 8 passed (1 slow), 1 failed", 8, 1),
            ("ℹ pass 7", 7, 0),
            ("ℹ fail 2", 0, 2),
            ("ℹ cancelled 1", 0, 1),
        ] {
            assert_eq!(counts(line), Some(Tally { passed, failed }), "{line}");
        }
        for line in [
            "",
            "test a::passed ... ok",
            "    test result: FAILED. 0 passed; 1 failed;",
            "ℹ tests 9",
            "5 passed",
            "ℹ pass many",
        ] {
            assert_eq!(counts(line), None, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_dies_is_a_failure() {
        let shell = |script: &str| Tally::of_tests(Command::new("sh").args(["-c", script])).unwrap();
        assert_eq!(shell("exit 3"), Tally::FAILED);
        assert_eq!(shell("echo 'ℹ pass 2'; echo 'ℹ fail 1' >&2; exit 1"), Tally { passed: 2, failed: 1 });
        assert_eq!(shell("echo 'ℹ pass 2'"), Tally { passed: 2, failed: 0 });
        assert!(Tally::of_tests(&mut Command::new("/no/such/program")).is_err());
    }
}
