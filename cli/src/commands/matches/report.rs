//! The record of a match in a file: written game by game, so that a match can be interrupted and resumed.
//!
//! ```text
//! % A match of Outflank. Scores are those of the first program, in discs.
//! % first: nboard:./outflank nboard
//! …
//! game 1: first is black, score +4; (;GM[Othello]…;)
//! game 2: first is white, score +64, second overstepped its time by 0.012 s; (;GM[Othello]…;)
//! ```

use std::io;

use outflank::board::Color;
use outflank::game::Game;
use outflank::notation::ggf;

use super::clock::Control;
use super::options::{MatchOptions, Openings, PlayerOptions};
use crate::journal::{self, Journal};

/// What is remembered of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// From 1.
    pub(super) number: u32,
    /// Which side the first program had.
    pub(super) first_is_black: bool,
    /// In discs for the first program.
    pub(super) score: i32,
}

impl Record {
    /// Where the game began. Each opening is played twice, with both colours.
    pub(super) fn opening(self, openings: &[Game]) -> &Game {
        &openings[(self.number as usize - 1) / 2 % openings.len()]
    }

    /// Which program has that colour: 0 or 1.
    pub(super) fn seat(self, color: Color) -> usize {
        usize::from((color == Color::Black) != self.first_is_black)
    }
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlayedGame {
    pub(super) record: Record,
    /// By what it was lost, if not by its discs.
    pub(super) remark: String,
    /// Its moves from the end of the opening on, their times, and when it began.
    pub(super) game: Game,
}

/// The record, with a file or without.
#[derive(Debug)]
pub(super) struct Report {
    file: Option<Journal>,
    records: Vec<Record>,
    faults: [u32; 2],
    /// The games that were there already, if somebody wants them.
    earlier: Option<Vec<PlayedGame>>,
}

impl Report {
    /// The report of this match, with the games played already. A last line that was not finished is dropped; a report
    /// of another match is refused.
    pub(super) fn open(options: &MatchOptions) -> io::Result<Report> {
        let earlier = (options.pgn.is_some() || options.ggf.is_some()).then(Vec::new);
        let mut report = Report { file: None, records: Vec::new(), faults: [0; 2], earlier };
        let Some(path) = &options.report else { return Ok(report) };
        let head = head(options);
        let (mut file, written) = Journal::open(path, |whole, torn| report.read_all(&head, whole, torn))?;
        if written < head.len() {
            file.append(&head[written..])?;
        }
        report.file = Some(file);
        Ok(report)
    }

    /// Reads the whole lines of a report, and returns how much of its head is there. `torn` must be the beginning of the
    /// line that comes next.
    fn read_all(&mut self, head: &str, whole: &str, torn: &[u8]) -> Result<usize, String> {
        let mut lines = (1..).zip(whole.lines());
        let (mut written, mut next) = (0, None);
        for expected in head.lines() {
            match lines.next() {
                Some((_, line)) if line == expected => written += expected.len() + 1,
                Some((number, line)) => {
                    return Err(format!("line {number}: another match: `{line}`, not `{expected}`"));
                }
                None => {
                    next = Some(format!("{expected}\n"));
                    break;
                }
            }
        }
        for (number, line) in lines {
            self.read(line).map_err(|what| format!("line {number}: {what}"))?;
        }
        let next = next.unwrap_or_else(|| format!("game {}: first is ", self.records.len() + 1));
        if !journal::begins(torn, &next) {
            let line = String::from_utf8_lossy(torn);
            return Err(format!(
                "its last line has no end and is of no match: `{line}`, not `{}`",
                next.trim_end()
            ));
        }
        Ok(written)
    }

    /// The games that have been played.
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Those of them that were in the file, for the files of games.
    pub(super) fn take_earlier(&mut self) -> Vec<PlayedGame> {
        self.earlier.take().unwrap_or_default()
    }

    /// How many games each program lost by a fault.
    pub(super) fn faults(&self) -> [u32; 2] {
        self.faults
    }

    /// Records a game.
    pub(super) fn add(&mut self, played: &PlayedGame) -> io::Result<()> {
        let line = write(played);
        self.note(played.record, &played.remark);
        match &mut self.file {
            Some(file) => file.append(&line),
            None => Ok(()),
        }
    }

    fn note(&mut self, record: Record, remark: &str) {
        for (player, name) in ["first ", "second "].into_iter().enumerate() {
            self.faults[player] += u32::from(remark.starts_with(name));
        }
        self.records.push(record);
    }

    fn read(&mut self, line: &str) -> Result<(), String> {
        let (facts, game) =
            line.split_once("; ").filter(|(_, game)| game.starts_with("(;")).ok_or("the game is missing")?;
        let mut facts = facts.splitn(3, ", ");
        let mut next = |what: &str| facts.next().ok_or(format!("{what} is missing"));
        let (number, side) =
            next("the number of the game")?.split_once(": ").ok_or("the colour is missing")?;
        let number: Option<u32> = number.strip_prefix("game ").and_then(|number| number.parse().ok());
        if number != Some(self.records.len() as u32 + 1) {
            return Err(format!("the number of the game is not {}", self.records.len() + 1));
        }
        let first_is_black = match side {
            "first is black" => true,
            "first is white" => false,
            _ => return Err("the colour is neither black nor white".to_owned()),
        };
        let score = next("the score")?.strip_prefix("score ").and_then(|score| score.parse().ok());
        let score = score.filter(|score| (-64..=64).contains(score)).ok_or("the score is not -64 to 64")?;
        let record = Record { number: self.records.len() as u32 + 1, first_is_black, score };
        let remark = facts.next().unwrap_or_default();
        self.note(record, remark);
        if let Some(earlier) = &mut self.earlier {
            let game = ggf::read(game).map_err(|error| format!("the game: {error}"))?;
            earlier.push(PlayedGame { record, remark: remark.to_owned(), game });
        }
        Ok(())
    }
}

fn write(played: &PlayedGame) -> String {
    let PlayedGame { record: Record { number, first_is_black, score }, remark, game } = played;
    let side = if *first_is_black { "black" } else { "white" };
    let remark = if remark.is_empty() { String::new() } else { format!(", {remark}") };
    format!("game {number}: first is {side}, score {score:+}{remark}; {}\n", ggf::write(game))
}

/// What the games depend on.
fn head(options: &MatchOptions) -> String {
    let player = |player: &PlayerOptions| format!("{}:{}", player.protocol, player.command);
    let openings = match &options.openings {
        Openings::File(path) => path.display().to_string(),
        Openings::Random { plies, seed, .. } => format!("{plies} random plies, seed {seed}"),
    };
    let mut limits = match options.control {
        Control::Clock { main, increment } => {
            format!("{}+{} s a game", main.as_secs_f64(), increment.as_secs_f64())
        }
        Control::PerMove(time) => format!("{} s a move", time.as_secs_f64()),
        Control::None => "no clock".to_owned(),
    };
    if let Some(depth) = options.depth {
        limits.push_str(&format!(", depth {depth}"));
    }
    if let Some(nodes) = options.nodes {
        limits.push_str(&format!(", {nodes} nodes a move"));
    }
    format!(
        "% A match of Outflank. Scores are those of the first program, in discs.\n% first: {}\n% second: {}\n\
         % limits: {limits}\n% openings: {openings}\n",
        player(&options.first),
        player(&options.second)
    )
}
