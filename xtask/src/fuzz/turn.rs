//! A turn of one target.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::output::{Finding, Gathered, Status};
use super::{build, data, kept};
use crate::process;

/// The longest inputs that are tried, in bytes: what is wrong shows in short ones, and they are tried more often.
const LONGEST_INPUT: u32 = 4096;
/// An input that takes so many seconds is a finding.
const TIMEOUT: u32 = 25;
/// An input that takes so many mebibytes is one, too.
const MEMORY: u32 = 2048;
/// How often is told how far it is.
const BETWEEN_NEWS: Duration = Duration::from_secs(15);
/// After so many findings, same or not, a turn gets no further.
const MOST_ENDS: usize = 5;
/// How long a finding is made smaller.
const MINIMISING: Duration = Duration::from_secs(30);

/// What a turn came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ran {
    /// Inputs that were tried.
    pub(super) executions: u64,
    /// How long it took.
    pub(super) time: Duration,
    /// Places in the code that all inputs together reach.
    pub(super) coverage: u64,
    /// Where it went wrong, each place once.
    pub(super) findings: Vec<String>,
}

/// Runs a target for so long; after a finding it goes on.
///
/// # Errors
/// When it cannot be run at all.
pub(super) fn run(target: &str, time: Duration) -> Result<Ran> {
    let mut ran = Ran::default();
    let start = Instant::now();
    let mut ends = 0;
    loop {
        let left = time.saturating_sub(start.elapsed());
        let found = stretch(target, left.max(Duration::from_secs(1)), &mut ran)?;
        ran.time = start.elapsed();
        let Some(found) = found else { break };
        ends += 1;
        // Another input that ends at the same place says nothing new.
        let place = found.what.split(": ").next().unwrap_or_default().to_owned();
        if !ran.findings.contains(&place) {
            ran.findings.push(place);
            let smaller = smaller(target, &found.input)?;
            println!("{target}: FOUND {}\n  the input is {smaller}", found.what);
        }
        if ran.time >= time || ends >= MOST_ENDS {
            break;
        }
    }
    Ok(ran)
}

/// One run of the program, up to its end or to a finding.
fn stretch(target: &str, time: Duration, ran: &mut Ran) -> Result<Option<Finding>> {
    let (corpus, findings) = (data("corpus").join(target), data("findings").join(target));
    for folder in [&corpus, &findings] {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut command = command(target)?;
    command.arg(format!("-max_total_time={}", time.as_secs()));
    command.arg(format!("-artifact_prefix={}/", findings.display()));
    // What is new goes to the first folder, and none of it into the tree.
    command.arg(corpus).arg(kept(target));
    let line = process::line(&command);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run `{line}`"))?;
    let before = ran.executions;
    let (mut gathered, mut last, mut told) = (Gathered::default(), Status::default(), Instant::now());
    for text in BufReader::new(child.stderr.take().context("no output")?).split(b'\n').map_while(Result::ok) {
        let text = String::from_utf8_lossy(&text);
        gathered.line(&text);
        // The sum of all that was tried, which is told at the end, is more exact.
        if let Some(sum) = text.strip_prefix("stat::number_of_executed_units:") {
            last.executions = sum.trim().parse().unwrap_or(last.executions);
        }
        let Some(status) = Status::parse(&text) else { continue };
        last = status;
        if told.elapsed() >= BETWEEN_NEWS {
            told = Instant::now();
            println!(
                "{target:16} {:>11} executions {:>7}/s  coverage {:>6}  {:>5} inputs",
                before + last.executions,
                last.speed,
                last.coverage,
                last.inputs
            );
        }
    }
    let status = child.wait().with_context(|| format!("waiting for `{line}`"))?;
    ran.executions += last.executions;
    ran.coverage = ran.coverage.max(last.coverage);
    match gathered.finding() {
        None if !status.success() => bail!("`{line}` failed ({status})"),
        finding => Ok(finding.filter(|_| !status.success())),
    }
}

/// Makes the input of a finding smaller; the name of the smallest one that still breaks the property.
fn smaller(target: &str, input: &str) -> Result<String> {
    if !input.contains("crash-") {
        // What is slow or large is so by its size.
        return Ok(input.to_owned());
    }
    let smaller = format!("{input}.min");
    // Without the limits of a run, under which libFuzzer leaves an empty file.
    let mut command = bare(target)?;
    command.arg("-minimize_crash=1").arg(format!("-max_total_time={}", MINIMISING.as_secs()));
    command.arg(format!("-exact_artifact_path={smaller}")).arg(input);
    // It fails once nothing is left to be taken away.
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    // What it leaves need not break anything: it is tried once more.
    let mut again = bare(target)?;
    let breaks = |status: std::io::Result<ExitStatus>| status.is_ok_and(|status| !status.success());
    if Path::new(&smaller).is_file()
        && breaks(again.arg(&smaller).stdout(Stdio::null()).stderr(Stdio::null()).status())
    {
        return Ok(smaller);
    }
    let _ = fs::remove_file(&smaller);
    Ok(input.to_owned())
}

/// The program of a target.
fn bare(target: &str) -> Result<Command> {
    let mut command = Command::new(build::program(target)?);
    // As cargo-fuzz has it: a rule that LLVM's own instrumentation breaks.
    command.env("ASAN_OPTIONS", "detect_odr_violation=0");
    Ok(command)
}

/// The program of a target with the limits of a run.
pub(super) fn command(target: &str) -> Result<Command> {
    let mut command = bare(target)?;
    command.arg("-print_final_stats=1").arg(format!("-max_len={LONGEST_INPUT}"));
    command.arg(format!("-timeout={TIMEOUT}")).arg(format!("-rss_limit_mb={MEMORY}"));
    Ok(command)
}
