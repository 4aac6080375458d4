//! Counts the checks of a step.

use std::fmt;
use std::io::{self, BufRead, BufReader};
use std::ops::AddAssign;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::process;

/// Tests or other checks of a step. Exit codes decide whether a program passes; the counts are for the reader.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CheckCounts {
    pub passed: u64,
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

    /// Runs a test program, prints its output and counts its tests. A program that fails without a failed test counts as one.
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
        let mut counts = Self::default();
        for text in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8_lossy(&text);
            println!("{text}");
            counts += summary(&text);
        }
        let status = child.wait().with_context(|| format!("waiting for `{line}`"))?;
        if !status.success() {
            println!("`{line}` failed ({status})");
            counts.failed = counts.failed.max(1);
        }
        ensure!(counts != Self::default(), "`{line}` ran no test");
        Ok(counts)
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

/// Returns the counts in a summary line of libtest, nextest or Node, or zeros for another line.
fn summary(line: &str) -> CheckCounts {
    // Indented summaries of libtest belong to failed tests that nextest repeats.
    let is_summary = line.starts_with("test result:") || line.trim_start().starts_with("Summary [");
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word.parse().unwrap_or_default();
    match words[..] {
        ["ℹ", "pass", count] => CheckCounts { passed: number(count), failed: 0 },
        ["ℹ", "fail" | "cancelled", count] => CheckCounts { passed: 0, failed: number(count) },
        _ if is_summary => {
            let before =
                |name| words.windows(2).find(|pair| pair[1] == name).map_or(0, |pair| number(pair[0]));
            CheckCounts { passed: before("passed"), failed: before("failed") }
        }
        _ => CheckCounts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_counted() {
        for (line, passed, failed) in [
            ("test result: FAILED. 12 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out", 12, 2),
            ("     Summary [   0.009s] 12 tests run: 12 passed, 1 skipped", 12, 0),
            ("Summary [1s] 9/10 tests run: 8 passed (1 slow), 1 failed", 8, 1),
            ("ℹ pass 7", 7, 0),
            ("ℹ cancelled 1", 0, 1),
            ("    test result: FAILED. 0 passed; 1 failed;", 0, 0),
            ("test a::passed ... ok", 0, 0),
        ] {
            assert_eq!(summary(line), CheckCounts { passed, failed }, "{line}");
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
