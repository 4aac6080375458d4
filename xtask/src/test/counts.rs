//! Runs the checks of a step and counts them.

use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};

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
    }
    let status = child.wait().with_context(|| format!("waiting for `{line}`"))?;
    ensure!(status.success(), "`{line}` failed ({status})");
    ensure!(count > 0, "`{line}` ran no test");
    Ok(count)
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
