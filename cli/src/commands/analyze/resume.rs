//! What an output already holds, so that it is not made again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use outflank::game::Game;
use outflank::game::notation::{ggf, squares};
use serde::Deserialize;

use super::output::Format;
use super::points;
use super::work::Effort;

/// What tells one analysis from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Game { start: String, moves: String, effort: String },
    Fault { file: String, record: usize },
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
    file: String,
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

    /// Whether this faulty record was told of already.
    pub(super) fn takes_fault(&mut self, file: &str, record: usize) -> bool {
        self.take(&Key::Fault { file: file.to_owned(), record })
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

/// Opens an output to go on with it: what is torn at its end, by a program that was killed, is cut off.
pub(super) fn open(path: &Path, format: Format, effort: &Effort) -> io::Result<(File, Done)> {
    if format == Format::Text {
        let message = "a report to read cannot be resumed: --format jsonl or ggf";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]);
    let mut done = Done::default();
    match format {
        Format::Jsonl => {
            for (number, line) in (1..).zip(text.lines()) {
                let row: Row =
                    serde_json::from_str(line).map_err(|error| foreign(path, number, &error.to_string()))?;
                done.add(match (row.start, row.moves, row.error) {
                    (Some(start), Some(moves), _) => {
                        Key::Game { start, moves, effort: key(row.depth, row.exact_from, row.time) }
                    }
                    (_, _, Some(_)) => Key::Fault { file: row.file, record: row.record },
                    _ => return Err(foreign(path, number, "neither a game nor an error")),
                });
            }
        }
        Format::Ggf => {
            for (number, _, game) in ggf::games(&text) {
                let game = game.map_err(|error| foreign(path, number, &error.to_string()))?;
                let moves = points::line_of(&game).1;
                let moves =
                    moves.iter().filter_map(|mv| mv.square()).map(|square| square.to_string()).collect();
                let words = game.tags.others.iter().rev().find(|(name, _)| name == "ANALYSIS");
                let same = words.is_some_and(|(_, words)| *words == effort.words());
                let effort = if same { effort.key() } else { String::new() };
                done.add(Key::Game { start: squares::write(&game.start()), moves, effort });
            }
        }
        Format::Text => {}
    }
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, done))
}

/// The file holds something else: nothing is written to it.
fn foreign(path: &Path, number: usize, error: &str) -> io::Error {
    let message = format!("{}: line {number} is no analysis of a game: {error}", path.display());
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn key(depth: u32, exact: Option<u32>, time: Option<f64>) -> String {
    format!("{depth} {exact:?} {time:?}")
}

impl Effort {
    fn key(&self) -> String {
        key(self.depth, self.exact, self.time.map(|time| crate::json::rounded(time.as_secs_f64(), 3)))
    }
}
