//! What is printed: a table, or JSON.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use super::{Entry, Solution};
use crate::arguments::Wanted;

/// Prints entries as they come, or all at the end as JSON.
pub(crate) struct Table {
    json: bool,
    entries: Vec<Entry>,
}

impl Table {
    pub(crate) fn new(json: bool) -> io::Result<Table> {
        if !json {
            print("line | empties | score |     time |           nodes |    nodes/s | line of play")?;
            print("-----+---------+-------+----------+-----------------+------------+-------------")?;
        }
        Ok(Table { json, entries: Vec::new() })
    }

    pub(crate) fn add(&mut self, entry: Entry) -> io::Result<()> {
        if !self.json {
            match &entry.outcome {
                Ok(solution) => print(&row(entry.line, solution))?,
                Err(reason) => print(&format!("{:4} | {reason}", entry.line))?,
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        print(&if self.json { json(&self.entries) } else { total(&self.entries) })
    }
}

fn print(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

fn solutions(entries: &[Entry]) -> impl Iterator<Item = &Solution> {
    entries.iter().filter_map(|entry| entry.outcome.as_ref().ok())
}

fn row(line: usize, solution: &Solution) -> String {
    let Solution { empties, expected, agrees, nodes, time, line: moves, .. } = solution;
    let found = found(solution);
    let mut text = format!(
        "{line:4} | {empties:7} | {:>5} | {:>8.3} | {nodes:15} | {:10.0} | {}",
        found.trim_matches('"'),
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
    let faulty = entries.len() - solved;
    let mut text = format!(
        "total: {solved} solved in {:.3} s, {nodes} nodes, {:.0} nodes/s",
        time.as_secs_f64(),
        speed(nodes, time)
    );
    if wrong > 0 {
        let _ = write!(text, ", {wrong} disagree with the file");
    }
    if faulty > 0 {
        let _ = write!(text, ", {faulty} faulty lines");
    }
    text
}

fn json(entries: &[Entry]) -> String {
    let (nodes, time) = sum(entries);
    let entries: Vec<String> = entries.iter().map(entry_json).collect();
    format!(
        "{{\"positions\": [{}], \"nodes\": {nodes}, \"seconds\": {:.6}, \"nodes_per_second\": {:.0}}}",
        entries.join(", "),
        time.as_secs_f64(),
        speed(nodes, time)
    )
}

fn entry_json(entry: &Entry) -> String {
    let line = entry.line;
    match &entry.outcome {
        Ok(solution @ Solution { empties, expected, agrees, nodes, time, line: moves, .. }) => format!(
            "{{\"line\": {line}, \"empties\": {empties}, \"score\": {}, \"expected\": {}, \"agrees\": {agrees}, \
             \"nodes\": {nodes}, \"seconds\": {:.6}, \"moves\": {}}}",
            found(solution).trim_start_matches('+'),
            expected.map_or("null".to_owned(), |expected| expected.get().to_string()),
            time.as_secs_f64(),
            quoted(&moves.join(" "))
        ),
        Err(reason) => format!("{{\"line\": {line}, \"error\": {}}}", quoted(reason)),
    }
}

/// The score, or in quotes who wins.
fn found(solution: &Solution) -> String {
    match (solution.wanted, solution.score.get()) {
        (Wanted::Score, _) => solution.score.to_string(),
        (Wanted::Outcome, 1..) => "\"win\"".to_owned(),
        (Wanted::Outcome, 0) => "\"draw\"".to_owned(),
        (Wanted::Outcome, _) => "\"loss\"".to_owned(),
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn sum(entries: &[Entry]) -> (u64, Duration) {
    solutions(entries).fold((0, Duration::ZERO), |(nodes, time), s| (nodes + s.nodes, time + s.time))
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}

#[cfg(test)]
mod tests {
    use outflank::score::Discs;

    use super::*;

    fn entry(line: usize, expected: i32) -> Entry {
        let solution = Solution {
            empties: 20,
            wanted: Wanted::Score,
            score: Discs::new(4),
            expected: Some(Discs::new(expected)),
            agrees: expected == 4,
            nodes: 2_000,
            time: Duration::from_millis(1),
            line: vec!["f5".to_owned(), "pass".to_owned()],
        };
        Entry { line, outcome: Ok(solution) }
    }

    #[test]
    fn rows_and_their_sum() {
        let faulty = Entry { line: 3, outcome: Err("position: \"no\" good".to_owned()) };
        let entries = [entry(1, 4), entry(2, 6), faulty];
        let Ok(solution) = &entries[1].outcome else { panic!() };
        assert!(row(2, solution).ends_with("f5 pass  WRONG: the file says +6"));
        assert_eq!(
            total(&entries),
            "total: 2 solved in 0.002 s, 4000 nodes, 2000000 nodes/s, 1 disagree with the file, 1 faulty lines"
        );
        let json = json(&entries);
        assert!(json.contains("\"expected\": 6, \"agrees\": false"), "{json}");
        assert!(json.contains("\"line\": 3, \"error\": \"position: \\\"no\\\" good\""), "{json}");
    }
}
