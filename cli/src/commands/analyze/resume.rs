//! What an output already holds, so that it is not made again.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use outflank::game::Game;
use outflank::notation::{ggf, squares};
use serde::Deserialize;

use super::output::Format;
use super::points;
use super::work::Effort;
use crate::journal::{self, Journal};

/// What tells one analysis from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Game {
        start: String,
        moves: String,
        effort: String,
    },
    /// The name of its file is not part of it: a task that is started again may have its records in another file.
    Fault {
        record: usize,
        error: String,
    },
}

/// The analyses that an output holds; of the same game as many as it holds of it.
#[derive(Debug, Default)]
pub(super) struct Done {
    keys: HashMap<Key, usize>,
}

/// The part of a line that tells what it is of.
#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    record: usize,
    start: Option<String>,
    moves: Option<String>,
    #[serde(default)]
    depth: u32,
    exact_from: Option<u32>,
    time: Option<f64>,
    error: Option<String>,
}

impl Done {
    /// Whether this game is there already; each one counts once.
    pub(super) fn takes(&mut self, game: &Game, effort: &Effort) -> bool {
        let moves = points::line_of(game).1;
        let moves = moves.iter().filter_map(|mv| mv.square()).map(|square| square.to_string()).collect();
        self.take(&Key::Game { start: squares::write(&game.start()), moves, effort: effort.key() })
    }

    /// Returns `true` if the error of this record is there already.
    pub(super) fn takes_fault(&mut self, record: usize, error: &str) -> bool {
        self.take(&Key::Fault { record, error: error.to_owned() })
    }

    fn take(&mut self, key: &Key) -> bool {
        match self.keys.get_mut(key) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    fn add(&mut self, key: Key) {
        *self.keys.entry(key).or_default() += 1;
    }
}

/// Opens an output to continue it. If it holds anything but analyses, it is refused and stays as it was.
pub(super) fn open(path: &Path, format: Format, effort: &Effort) -> io::Result<(Journal, Done)> {
    Journal::open(path, |whole, torn| {
        let done = match format {
            Format::Ggf => of_ggf(whole, effort)?,
            Format::Jsonl | Format::Text => of_jsonl(whole)?,
        };
        if is_own(format, whole, torn) {
            Ok(done)
        } else {
            let number = whole.lines().count() + 1;
            Err(format!("line {number} has no end and is no analysis of a game: --resume leaves it as it is"))
        }
    })
}

/// Returns `true` if `torn` may be the beginning of a line of an analysis. If there is no whole line before it, it must
/// show what only an analysis has.
fn is_own(format: Format, whole: &str, torn: &[u8]) -> bool {
    let text = String::from_utf8_lossy(torn);
    let (head, marks): (_, &[&str]) = match format {
        Format::Ggf => ("(;GM[Othello]", &["]ANALYSIS[outflank "]),
        Format::Jsonl | Format::Text => ("{\"", &["{\"file\":\"", "\",\"record\":"]),
    };
    let shows = !whole.is_empty() || marks.iter().all(|mark| text.contains(mark));
    torn.is_empty() || journal::begins(torn, head) && shows
}

fn of_jsonl(text: &str) -> Result<Done, String> {
    let mut done = Done::default();
    for (number, line) in (1..).zip(text.lines()) {
        let row: Row = serde_json::from_str(line).map_err(|error| foreign(number, &error.to_string()))?;
        done.add(match (row.start, row.moves, row.error) {
            (Some(start), Some(moves), _) => {
                Key::Game { start, moves, effort: key(row.depth, row.exact_from, row.time) }
            }
            (_, _, Some(error)) => Key::Fault { record: row.record, error },
            _ => return Err(foreign(number, "neither a game nor an error")),
        });
    }
    Ok(done)
}

fn of_ggf(text: &str, effort: &Effort) -> Result<Done, String> {
    let mut done = Done::default();
    for (number, line) in (1..).zip(text.lines()) {
        let game = ggf::read(line).map_err(|error| foreign(number, &error.to_string()))?;
        let words = game.tags.others.iter().rev().find(|(name, _)| name == "ANALYSIS");
        let words = words.map(|(_, words)| words).filter(|words| words.starts_with("outflank "));
        let words = words.ok_or_else(|| foreign(number, "the tag ANALYSIS is missing"))?;
        let moves = points::line_of(&game).1;
        let moves = moves.iter().filter_map(|mv| mv.square()).map(|square| square.to_string()).collect();
        let effort = if *words == effort.words() { effort.key() } else { String::new() };
        done.add(Key::Game { start: squares::write(&game.start()), moves, effort });
    }
    Ok(done)
}

/// The file holds something else.
fn foreign(number: usize, error: &str) -> String {
    format!("line {number} is no analysis of a game: {error}")
}

fn key(depth: u32, exact: Option<u32>, time: Option<f64>) -> String {
    format!("{depth} {exact:?} {time:?}")
}

impl Effort {
    fn key(&self) -> String {
        key(self.depth, self.exact, self.time.map(|time| crate::json::rounded(time.as_secs_f64(), 3)))
    }
}
