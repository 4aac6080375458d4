//! The records that an output already contains, so that they are skipped.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use outflank::game::Game;
use outflank::notation::{ggf, squares, transcript};
use serde_json::Value;

use super::analyzer::AnalysisLimits;
use super::output::Format;
use super::summary::Summary;
use crate::journal::{self, Journal};

/// The number of times that an output contains each record.
#[derive(Debug, Default)]
pub(super) struct Done(HashMap<String, usize>);

impl Done {
    /// Returns `true` if the output contains this record. Each of its lines counts once.
    pub(super) fn takes(
        &mut self,
        record: usize,
        game: &Result<Game, String>,
        limits: &AnalysisLimits,
    ) -> bool {
        let key = match game {
            Ok(game) => game_key(game, limits),
            Err(error) => error_key(record as u64, error),
        };
        let count = self.0.get_mut(&key).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }

    fn add(&mut self, key: String) {
        *self.0.entry(key).or_default() += 1;
    }
}

/// Opens an output to continue it, and adds its games to the summary.
///
/// # Errors
/// If the file contains anything but analyses. The file is then unchanged.
pub(super) fn open(
    path: &Path,
    format: Format,
    limits: &AnalysisLimits,
    summary: &mut Option<Summary>,
) -> io::Result<(Journal, Done)> {
    Journal::open(path, |whole, torn| {
        let done = match format {
            Format::Ggf => of_ggf(whole, limits)?,
            Format::Jsonl | Format::Csv | Format::Text => of_jsonl(whole, summary)?,
        };
        if is_own(format, whole, torn) {
            Ok(done)
        } else {
            let number = whole.lines().count() + 1;
            Err(format!(
                "line {number} has no end and is not an analysis of a game: --resume leaves it unchanged"
            ))
        }
    })
}

/// Returns `true` if `torn` may be the beginning of a line of an analysis. If there is no whole line before it, `torn` must
/// contain the marks of an analysis.
fn is_own(format: Format, whole: &str, torn: &[u8]) -> bool {
    let text = String::from_utf8_lossy(torn);
    let (head, marks): (_, &[&str]) = match format {
        Format::Ggf => ("(;GM[Othello]", &["]ANALYSIS[outflank "]),
        Format::Jsonl | Format::Csv | Format::Text => ("{\"", &["{\"file\":\"", "\",\"record\":"]),
    };
    let shows = !whole.is_empty() || marks.iter().all(|mark| text.contains(mark));
    torn.is_empty() || journal::begins(torn, head) && shows
}

fn of_jsonl(text: &str, summary: &mut Option<Summary>) -> Result<Done, String> {
    let mut done = Done::default();
    for (number, line) in (1..).zip(text.lines()) {
        let row: Value = serde_json::from_str(line).map_err(|error| foreign(number, &error.to_string()))?;
        let limits = || {
            let numbers = ["depth", "exact_from", "node_limit"].map(|name| row[name].as_u64());
            key(numbers, row["time"].as_f64(), row["book"].as_str(), row["reasons"] == true)
        };
        done.add(match ["start", "moves", "error"].map(|name| row[name].as_str()) {
            [Some(start), Some(moves), _] => {
                summary.iter_mut().for_each(|summary| summary.add(&row));
                format!("{start} {moves} {} {}", row["given"].as_u64().unwrap_or(0), limits())
            }
            [_, _, Some(error)] => error_key(row["record"].as_u64().unwrap_or_default(), error),
            _ => return Err(foreign(number, "neither a game nor an error")),
        });
    }
    Ok(done)
}

fn of_ggf(text: &str, limits: &AnalysisLimits) -> Result<Done, String> {
    let mut done = Done::default();
    for (number, line) in (1..).zip(text.lines()) {
        let game = ggf::read(line).map_err(|error| foreign(number, &error.to_string()))?;
        let words = game.tags.others.iter().rev().find(|(name, _)| name == "ANALYSIS");
        let words = words.map(|(_, words)| words).filter(|words| words.starts_with("outflank "));
        let words = words.ok_or_else(|| foreign(number, "the tag ANALYSIS is missing"))?;
        if *words == limits.words() {
            done.add(game_key(&game, limits));
        }
    }
    Ok(done)
}

fn foreign(number: usize, error: &str) -> String {
    format!("line {number} is not an analysis of a game: {error}")
}

fn game_key(game: &Game, limits: &AnalysisLimits) -> String {
    let (start, moves) = (squares::write(&game.start()), transcript::write(game));
    format!("{start} {moves} {} {}", limits.given(game), limits.key())
}

/// Leaves the name of the file out: a task that is started again may have its records in another file.
fn error_key(record: u64, error: &str) -> String {
    format!("{record} {error}")
}

fn key(numbers: [Option<u64>; 3], time: Option<f64>, book: Option<&str>, reasons: bool) -> String {
    format!("{numbers:?} {time:?} {book:?} {reasons}")
}

impl AnalysisLimits {
    fn key(&self) -> String {
        let time = self.time.map(|time| crate::json::rounded(time.as_secs_f64(), 3));
        let numbers = [Some(self.plan.depth.into()), self.plan.exact.map(u64::from), self.nodes];
        key(numbers, time, self.book.as_deref(), self.plan.reasons)
    }
}
