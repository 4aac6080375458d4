//! Output of `solve`: a table or JSON.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use outflank::score::Discs;
use outflank::search::Goal;
use serde_json::Value;

use super::{Entry, Solution};
use crate::json::{self, Json, object};
use crate::print;

/// Prints entries at once, or all of them at the end as one JSON value.
pub(super) struct Output {
    json: bool,
    /// Prints one line per entry, without head and total.
    lines: bool,
    entries: Vec<Entry>,
}

impl Output {
    pub(super) fn new(json: bool, lines: bool) -> io::Result<Output> {
        if !json && !lines {
            print::line("line | empties | score |     time |           nodes |    nodes/s | line of play")?;
            print::line("-----+---------+-------+----------+-----------------+------------+-------------")?;
        }
        Ok(Output { json, lines, entries: Vec::new() })
    }

    pub(super) fn add(&mut self, entry: Entry) -> io::Result<()> {
        if self.json && self.lines {
            json::print(&entry_row(&entry))?;
        } else if !self.json {
            match &entry {
                (line, Ok(solution)) => print::line(row(*line, solution))?,
                (line, Err(reason)) => print::line(format!("{line:4} | {reason}"))?,
            }
        }
        if !self.lines {
            self.entries.push(entry);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<()> {
        if self.lines {
            return Ok(());
        }
        if self.json { json::print(&suite(&self.entries)) } else { print::line(total(&self.entries)) }
    }
}

fn solutions(entries: &[Entry]) -> impl Iterator<Item = &Solution> {
    entries.iter().filter_map(|(_, outcome)| outcome.as_ref().ok())
}

fn row(line: usize, solution: &Solution) -> String {
    let Solution { empties, expected, agrees, nodes, time, line: moves, .. } = solution;
    let found = winner(solution).map_or_else(|| solution.score.to_string(), str::to_owned);
    let mut text = format!(
        "{line:4} | {empties:7} | {:>5} | {:>8.3} | {nodes:15} | {:10.0} | {}",
        found,
        time.as_secs_f64(),
        speed(*nodes, *time),
        moves.join(" ")
    );
    if let (false, Some(expected)) = (agrees, expected) {
        let _ = write!(text, "  WRONG: the file says {expected}");
    }
    text
}

fn total(entries: &[Entry]) -> String {
    let (nodes, time) = sum(entries);
    let solved = solutions(entries).count();
    let wrong = solutions(entries).filter(|solution| !solution.agrees).count();
    let invalid = entries.len() - solved;
    let mut text = format!(
        "total: {solved} solved in {:.3} s, {nodes} nodes, {:.0} nodes/s",
        time.as_secs_f64(),
        speed(nodes, time)
    );
    if wrong > 0 {
        let _ = write!(text, ", {wrong} disagree with the file");
    }
    if invalid > 0 {
        let _ = write!(text, ", {invalid} invalid lines");
    }
    text
}

fn suite(entries: &[Entry]) -> Json {
    let (nodes, time) = sum(entries);
    object! {
        "positions": entries.iter().map(entry_row).collect::<Vec<_>>(),
        "nodes": nodes,
        "seconds": json::rounded(time.as_secs_f64(), 6),
        "nodes_per_second": speed(nodes, time).round() as u64,
    }
}

pub(crate) fn entry_row((line, outcome): &Entry) -> Json {
    match outcome {
        Ok(solution) => object! {
            "line": line,
            "empties": solution.empties,
            "score": winner(solution).map_or_else(|| solution.score.get().into(), Value::from),
            "expected": solution.expected.map(Discs::get),
            "agrees": solution.agrees,
            "nodes": solution.nodes,
            "seconds": json::rounded(solution.time.as_secs_f64(), 6),
            "moves": solution.line.join(" "),
        },
        Err(error) => object! { "line": line, "error": error },
    }
}

/// Returns the winner for the side to move, `None` if the score is proven.
fn winner(solution: &Solution) -> Option<&'static str> {
    let outcomes = ["loss", "draw", "win"];
    let sign = solution.score.get().signum();
    (solution.goal == Goal::Outcome).then(|| outcomes[(sign + 1) as usize])
}

fn sum(entries: &[Entry]) -> (u64, Duration) {
    solutions(entries).fold((0, Duration::ZERO), |(nodes, time), s| (nodes + s.nodes, time + s.time))
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}
