//! File of the games of a match in PGN, which grows game by game.
//!
//! A game is written with the moves of its opening before its own moves. Words of `Termination` are those of Steven J.
//! Edwards, *Portable Game Notation Specification*, 1994.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::client::MatchTimeControl;
use crate::native::{KILLED_LOCK_TIMEOUT, in_file, locked};
use outflank::game::{Ending, Game, GameClock, GameResult};
use outflank::notation::{pgn, transcript};
use outflank::score::{Discs, Score};

use super::options::Options;
use super::report::{PlayedGame, Record};

const EVENT: &str = "Match of Outflank";
/// Beginning of a game.
const HEAD: &[u8] = b"[Event ";
/// Text between two games.
const SEPARATOR: &[u8] = b"\n\n";

#[derive(Debug)]
pub(super) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Opens or creates a file, and appends those of the games `played` that it lacks: the match may have been interrupted,
    /// or the file may be named only now. Other content of the file stays.
    pub(super) fn open(
        path: &Path,
        options: &Options,
        openings: &[Game],
        played: &[PlayedGame],
    ) -> io::Result<PgnFile> {
        let games: Vec<String> = played.iter().map(|game| write(game, openings, options)).collect();
        let file = open(path, &games).map_err(in_file(path))?;
        Ok(PgnFile { path: path.to_owned(), file })
    }

    pub(super) fn add(&mut self, game: &PlayedGame, openings: &[Game], options: &Options) -> io::Result<()> {
        let text = write(game, openings, options);
        self.file.write_all(text.as_bytes()).map_err(in_file(&self.path))
    }
}

/// Opens a file to append to, with all of `games` in it.
fn open(path: &Path, games: &[String]) -> io::Result<File> {
    let mut file = locked(path, true, KILLED_LOCK_TIMEOUT)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    // A game of this match of which only the beginning was written is removed.
    let last = starts(&bytes).last().copied().unwrap_or(0);
    let tail = &bytes[last..];
    let is_torn = |game: &String| game.len() > tail.len() && game.as_bytes().starts_with(tail);
    if !tail.is_empty() && games.iter().any(is_torn) {
        file.set_len(last as u64)?;
        file.seek(SeekFrom::End(0))?;
        bytes.truncate(last);
    }
    if !bytes.is_empty() && !bytes.ends_with(SEPARATOR) {
        file.write_all(SEPARATOR)?;
    }
    let starts = starts(&bytes);
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let known: HashSet<&[u8]> =
        starts.iter().zip(ends).map(|(&start, end)| bytes[start..end].trim_ascii_end()).collect();
    for game in games.iter().filter(|game| !known.contains(game.trim_ascii_end().as_bytes())) {
        file.write_all(game.as_bytes())?;
    }
    Ok(file)
}

/// Returns where games start in a file. A last line that may be the beginning of a game counts as one.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let is_torn = |line: &[u8]| !line.is_empty() && HEAD.starts_with(line);
    [0].into_iter()
        .chain(lines)
        .filter(|&at| bytes[at..].starts_with(HEAD) || is_torn(&bytes[at..]))
        .collect()
}

/// Returns a game with all its headers.
fn write(played: &PlayedGame, openings: &[Game], options: &Options) -> String {
    let PlayedGame { record, remark, game: own } = played;
    let opening = record.opening(openings);
    // Another version may have chosen other openings.
    let is_known = opening.position() == own.start();
    let mut game = Game::new(if is_known { opening.start() } else { own.start() });
    let before = if is_known { opening.moves() } else { &[] };
    for mv in before.iter().map(|played| played.mv.into()).chain(own.moves().iter().copied()) {
        // All moves were legal when they were played.
        let _ = game.play(mv);
    }
    if !remark.is_empty() {
        let placed = game.discs_placed();
        game.tags.comments.push((placed, remark.clone()));
    }
    let line = (!before.is_empty()).then(|| transcript::write(&game.prefix(before.len())));
    let tags = &mut game.tags;
    let mut names = options.commands();
    if !record.first_is_black {
        names.reverse();
    }
    tags.black.name = Some(names[0].to_owned());
    tags.white.name = Some(names[1].to_owned());
    tags.result = Some(result(*record, remark));
    tags.keep("Event", EVENT);
    tags.keep("Round", &record.number.to_string());
    let date = own.tags.date.as_deref().map(|date| date.trim_end_matches(" GMT"));
    if let Some((day, time)) = date.and_then(|date| date.split_once(' ')) {
        let day = day.replace('-', ".");
        tags.keep("UTCDate", &day);
        tags.keep("UTCTime", time);
        tags.date = Some(day);
    }
    if let Some(line) = line {
        tags.keep("Opening", &line);
    }
    let limits = options.limits();
    match limits.time {
        MatchTimeControl::Clock { main, increment } => {
            // The usual grace is not written. A match has none.
            tags.clock = Some(GameClock { main, increment, grace: GameClock::USUAL_GRACE });
        }
        // In the form of Cute Chess.
        MatchTimeControl::PerMove(time) => {
            tags.keep("TimeControl", &format!("{}/move", time.as_secs_f64()));
        }
        MatchTimeControl::None => {}
    }
    if let Some(depth) = limits.depth {
        tags.keep("Depth", &depth.to_string());
    }
    if let Some(nodes) = limits.nodes {
        tags.keep("Nodes", &nodes.to_string());
    }
    tags.keep("Termination", termination(remark));
    pgn::write(&game)
}

/// Returns the result from Black's point of view.
fn result(record: Record, remark: &str) -> GameResult {
    let score = if record.first_is_black { record.score } else { -record.score };
    let ending = match termination(remark) {
        "normal" => Ending::Played,
        "time forfeit" => Ending::TimedOut,
        _ => Ending::Left,
    };
    GameResult { score: Score::from(Discs::new(score)), ending }
}

/// Returns the word of PGN for the end of a game with this remark in the report.
fn termination(remark: &str) -> &'static str {
    let contains = |words: &str| remark.contains(words);
    if remark.is_empty() {
        "normal"
    } else if contains(" overstepped its time ") {
        "time forfeit"
    } else if contains(" played an illegal move: ") || contains(" answered with no move: ") {
        "rules infraction"
    } else {
        "abandoned"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_header_starts_a_game() {
        assert_eq!(starts(b"[Event \"a\"]\n[Site \"[Event \"]\n\n[Ev"), [0, 30]);
        assert_eq!(starts(b""), [0; 0]);
    }
}
