//! What was run in all, kept in a file.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

use super::data;
use super::turn::Ran;

/// Executions, time and findings of every target: of this run, and of all runs on this machine.
#[derive(Debug)]
pub(super) struct Totals {
    file: PathBuf,
    now: BTreeMap<String, Sum>,
    all: BTreeMap<String, Sum>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    executions: u64,
    time: Duration,
    coverage: u64,
    findings: usize,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.executions += other.executions;
        self.time += other.time;
        self.coverage = self.coverage.max(other.coverage);
        self.findings += other.findings;
    }
}

impl Totals {
    /// Those of the runs before this one.
    ///
    /// # Errors
    /// When their file is there and cannot be read.
    pub(super) fn open() -> Result<Totals> {
        let file = data("totals.tsv");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        Ok(Totals { all: parse(&text), now: BTreeMap::new(), file })
    }

    /// Adds a turn and writes the file anew, for the run may be broken off.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn add(&mut self, target: &str, ran: &Ran) -> Result<()> {
        let sum = Sum {
            executions: ran.executions,
            time: ran.time,
            coverage: ran.coverage,
            findings: ran.findings.len(),
        };
        self.now.entry(target.to_owned()).or_default().add(sum);
        self.all.entry(target.to_owned()).or_default().add(sum);
        let next = self.file.with_extension("next");
        fs::write(&next, text(&self.all))
            .and_then(|()| fs::rename(&next, &self.file))
            .with_context(|| format!("cannot write {}", self.file.display()))
    }

    /// Findings of this run.
    pub(super) fn findings(&self) -> usize {
        self.now.values().map(|sum| sum.findings).sum()
    }
}

/// `target executions seconds coverage findings` a line, between tabs.
fn text(sums: &BTreeMap<String, Sum>) -> String {
    let line = |(target, sum): (&String, &Sum)| {
        let seconds = sum.time.as_secs_f64();
        format!("{target}\t{}\t{seconds:.1}\t{}\t{}\n", sum.executions, sum.coverage, sum.findings)
    };
    sums.iter().map(line).collect()
}

/// What [`text`] has written; lines that are no such are left out.
fn parse(text: &str) -> BTreeMap<String, Sum> {
    let line = |line: &str| {
        let mut fields = line.split('\t');
        let target = fields.next()?.to_owned();
        let executions = fields.next()?.parse().ok()?;
        let time = Duration::try_from_secs_f64(fields.next()?.parse().ok()?).ok()?;
        let coverage = fields.next()?.parse().ok()?;
        let findings = fields.next()?.parse().ok()?;
        Some((target, Sum { executions, time, coverage, findings }))
    };
    text.lines().filter_map(line).collect()
}

impl fmt::Display for Totals {
    /// A table: this run, and all runs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, name: &str, now: Sum, all: Sum| {
            writeln!(
                f,
                "{name:16} {:>13} {:>8.1} {:>8} {:>8} {:>15} {:>8.2}",
                now.executions,
                now.time.as_secs_f64() / 60.0,
                now.coverage,
                now.findings,
                all.executions,
                all.time.as_secs_f64() / 3600.0
            )
        };
        writeln!(
            f,
            "{:16} {:>13} {:>8} {:>8} {:>8} {:>15} {:>8}",
            "target", "executions", "minutes", "coverage", "findings", "of all runs", "hours"
        )?;
        let mut sums = (Sum::default(), Sum::default());
        for (target, now) in &self.now {
            let all = self.all.get(target).copied().unwrap_or_default();
            row(f, target, *now, all)?;
            sums.0.add(*now);
        }
        self.all.values().for_each(|sum| sums.1.add(*sum));
        // Targets share code: the sum of what they reach says nothing.
        sums.0.coverage = 0;
        row(f, "in all", sums.0, sums.1)?;
        write!(f, "kept in {}", self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up() {
        let sum = |executions, seconds| Sum {
            executions,
            time: Duration::from_secs(seconds),
            coverage: executions,
            findings: 1,
        };
        let mut sums = BTreeMap::from([("ggf".to_owned(), sum(7, 60)), ("hub".to_owned(), sum(5, 3600))]);
        assert_eq!(parse(&text(&sums)), sums);
        sums.entry("ggf".to_owned()).or_default().add(sum(3, 30));
        let expected = Sum { executions: 10, time: Duration::from_secs(90), coverage: 7, findings: 2 };
        assert_eq!(parse(&text(&sums))["ggf"], expected);
        assert!(parse("ggf\tmany\nhub\n").is_empty());
    }
}
