//! The games of a match as other programs read them: files in PGN and GGF that grow game by game.
//!
//! A game is written with the moves of its opening before its own. What a header of PGN tells, GGF tells in comments, since
//! NBoard knows no other tags. Words of `Termination` are those of Steven J. Edwards, *Portable Game Notation
//! Specification*, 1994.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use outflank::game::{Ending, Game, GameClock, GameResult};
use outflank::notation::{ggf, pgn, transcript};
use outflank::score::{Discs, Score};
use outflank_cli::native::locked;

use super::clock::Control;
use super::options::MatchOptions;
use super::report::{PlayedGame, Record};
use crate::engine::of_file;

/// What the place or the event is called.
const EVENT: &str = "Match of Outflank";

/// The files of a match.
#[derive(Debug)]
pub(super) struct GameFiles {
    files: Vec<GameFile>,
}

#[derive(Debug)]
struct GameFile {
    path: PathBuf,
    file: File,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Pgn,
    Ggf,
}

impl GameFiles {
    /// Opens the files of a match. Of the games `played` already those are written that a file lacks: a match may have
    /// been broken off, or its files named only now. What else a file holds stays.
    pub(super) fn open(
        options: &MatchOptions,
        openings: &[Game],
        played: &[PlayedGame],
    ) -> io::Result<GameFiles> {
        let mut files = Vec::new();
        for (path, format) in [(&options.pgn, Format::Pgn), (&options.ggf, Format::Ggf)] {
            let Some(path) = path else { continue };
            let blocks: Vec<String> =
                played.iter().map(|game| write(game, openings, options, format)).collect();
            let file = open(path, &blocks, format).map_err(|error| of_file(path, &error))?;
            files.push(GameFile { path: path.clone(), file, format });
        }
        Ok(GameFiles { files })
    }

    /// Writes a game.
    pub(super) fn add(
        &mut self,
        game: &PlayedGame,
        openings: &[Game],
        options: &MatchOptions,
    ) -> io::Result<()> {
        for GameFile { path, file, format } in &mut self.files {
            let text = write(game, openings, options, *format);
            file.write_all(text.as_bytes()).map_err(|error| of_file(path, &error))?;
        }
        Ok(())
    }
}

/// Opens a file to be continued, with all of `blocks` in it.
fn open(path: &Path, blocks: &[String], format: Format) -> io::Result<File> {
    let mut file = locked(path, true, Duration::ZERO)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    // A game of this match of which only the beginning was written.
    let last = format.beginnings(&bytes).last().copied().unwrap_or(0);
    let tail = &bytes[last..];
    let is_torn = |block: &String| block.len() > tail.len() && block.as_bytes().starts_with(tail);
    if !tail.is_empty() && blocks.iter().any(is_torn) {
        file.set_len(last as u64)?;
        file.seek(SeekFrom::End(0))?;
        bytes.truncate(last);
    }
    let end = format.end();
    if !bytes.is_empty() && !bytes.ends_with(end.as_bytes()) {
        file.write_all(end.as_bytes())?;
    }
    let starts = format.beginnings(&bytes);
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let known: HashSet<&[u8]> =
        starts.iter().zip(ends).map(|(&start, end)| bytes[start..end].trim_ascii_end()).collect();
    for block in blocks.iter().filter(|block| !known.contains(block.trim_ascii_end().as_bytes())) {
        file.write_all(block.as_bytes())?;
    }
    Ok(file)
}

impl Format {
    /// Where games begin in a file.
    fn beginnings(self, bytes: &[u8]) -> Vec<usize> {
        let head: &[u8] = match self {
            Format::Pgn => b"[Event ",
            Format::Ggf => b"(;",
        };
        let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let torn = |line: &[u8]| !line.is_empty() && head.starts_with(line);
        [0].into_iter()
            .chain(lines)
            .filter(|&at| bytes[at..].starts_with(head) || torn(&bytes[at..]))
            .collect()
    }

    /// What stands between two games.
    fn end(self) -> &'static str {
        match self {
            Format::Pgn => "\n\n",
            Format::Ggf => "\n",
        }
    }
}

/// A game with everything that is told of it.
fn write(played: &PlayedGame, openings: &[Game], options: &MatchOptions, format: Format) -> String {
    let PlayedGame { record, remark, game: own } = played;
    let opening = record.opening(openings);
    // Another version may have chosen other openings.
    let is_known = opening.position() == own.start();
    let mut game = Game::new(if is_known { opening.start() } else { own.start() });
    let before = if is_known { opening.moves() } else { &[] };
    for mv in before.iter().map(|played| played.mv.into()).chain(own.moves().iter().copied()) {
        // They were legal when they were played.
        let _ = game.play(mv);
    }
    let line = opening_line(&game, before.len());
    let tags = &mut game.tags;
    let mut names = [&options.first.command, &options.second.command];
    if !record.first_is_black {
        names.reverse();
    }
    tags.black.name = Some(names[0].clone());
    tags.white.name = Some(names[1].clone());
    tags.result = Some(result(*record, remark));
    if let Control::Clock { main, increment } = options.control {
        // No word of a grace in either format: neither is there one in a match.
        let grace = if format == Format::Pgn { GameClock::USUAL_GRACE } else { Duration::ZERO };
        tags.clock = Some(GameClock { main, increment, grace });
    }
    let date = own.tags.date.as_deref();
    let limits = limits(options);
    if !remark.is_empty() {
        let placed = game.discs_placed();
        game.tags.comments.push((placed, remark.clone()));
    }
    let tags = &mut game.tags;
    match format {
        Format::Ggf => {
            tags.place = Some(EVENT.to_owned());
            tags.date = date.map(str::to_owned);
            let mut head = format!("game {}", record.number);
            for (name, value) in &limits {
                head.push_str(&format!(", {}: {value}", name.to_ascii_lowercase()));
            }
            if let Some(line) = line {
                head.push_str(&format!(", opening: {line}"));
            }
            tags.comments.insert(0, (0, head));
            ggf::write(&game) + "\n"
        }
        Format::Pgn => {
            tags.keep("Event", EVENT);
            tags.keep("Round", &record.number.to_string());
            if let Some((day, time)) = date.and_then(|date| date.trim_end_matches(" GMT").split_once(' ')) {
                tags.date = Some(day.replace('-', "."));
                tags.keep("UTCDate", &day.replace('-', "."));
                tags.keep("UTCTime", time);
            }
            if let Some(line) = line {
                tags.keep("Opening", &line);
            }
            for (name, value) in &limits {
                tags.keep(name, value);
            }
            tags.keep("Termination", termination(remark));
            pgn::write(&game)
        }
    }
}

/// The moves of the opening.
fn opening_line(game: &Game, plies: usize) -> Option<String> {
    (plies > 0).then(|| transcript::write(&game.prefix(plies)))
}

/// How it ended, from Black's point of view.
fn result(record: Record, remark: &str) -> GameResult {
    let score = if record.first_is_black { record.score } else { -record.score };
    let ending = match termination(remark) {
        "normal" => Ending::Played,
        "time forfeit" => Ending::TimedOut,
        _ => Ending::Left,
    };
    GameResult { score: Score::from(Discs::new(score)), ending }
}

/// What ended a game in the words of PGN, by what the report says of it.
fn termination(remark: &str) -> &'static str {
    let says = |words: &str| remark.contains(words);
    if remark.is_empty() {
        "normal"
    } else if says(" overstepped its time ") {
        "time forfeit"
    } else if says(" played an illegal move: ") || says(" answered with no move: ") {
        "rules infraction"
    } else {
        "abandoned"
    }
}

/// The limits of a move that are no clock of the game.
fn limits(options: &MatchOptions) -> Vec<(&'static str, String)> {
    let mut limits = Vec::new();
    if let Control::PerMove(time) = options.control {
        // As Cute Chess writes it.
        limits.push(("TimeControl", format!("{}/move", time.as_secs_f64())));
    }
    if let Some(depth) = options.depth {
        limits.push(("Depth", depth.to_string()));
    }
    if let Some(nodes) = options.nodes {
        limits.push(("Nodes", nodes.to_string()));
    }
    limits
}

#[cfg(test)]
mod tests {

    use outflank::board::{IllegalMove, Move};

    use super::super::NAMES;
    use super::super::player::PlayerError;
    use super::*;

    #[test]
    fn every_fault_has_its_word() {
        let second = Duration::from_secs(1);
        for (fault, word) in [
            (PlayerError::Missing("no".into()), "abandoned"),
            (PlayerError::Start("no".into()), "abandoned"),
            (PlayerError::Crash("exit status: 3".into()), "abandoned"),
            (PlayerError::Hang(second), "abandoned"),
            (PlayerError::Time(second), "time forfeit"),
            (PlayerError::NoMove("what".into()), "rules infraction"),
            (PlayerError::Illegal(Move::Pass, IllegalMove::GameOver), "rules infraction"),
        ] {
            assert_eq!(termination(&format!("{} {fault}", NAMES[1])), word, "{fault}");
        }
        assert_eq!(termination(""), "normal");
    }

    #[test]
    fn games_begin_where_their_first_line_does_also_a_torn_one() {
        assert_eq!(Format::Ggf.beginnings(b"x\n(;GM[a];)\n (;\n(;B[(;];)\n("), [2, 16, 26]);
        assert_eq!(Format::Pgn.beginnings(b"[Event \"a\"]\n[Site \"[Event \"]\n\n[Ev"), [0, 30]);
        assert_eq!(Format::Pgn.beginnings(b""), [0; 0]);
    }
}
