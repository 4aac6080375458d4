//! Record of a match in a file, written game by game. An interrupted match resumes from it.
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

use super::options::{Options, PlayerOptions};
use crate::client::{MatchTimeControl, MoveLimits};
use crate::journal::{self, Journal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// From 1.
    pub(super) number: u32,
    pub(super) first_is_black: bool,
    /// In discs for the first program.
    pub(super) score: i32,
}

impl Record {
    /// Returns the opening of the game. Each opening is played twice, with both colors.
    pub(super) fn opening(self, openings: &[Game]) -> &Game {
        &openings[(self.number as usize - 1) / 2 % openings.len()]
    }

    /// Returns the program that plays a color, 0 or 1.
    pub(super) fn seat(self, color: Color) -> usize {
        usize::from((color == Color::Black) != self.first_is_black)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlayedGame {
    pub(super) record: Record,
    /// Error by which the game was lost, empty if there is none.
    pub(super) remark: String,
    /// Moves after the opening with their times, and the time of the start.
    pub(super) game: Game,
}

/// Record of a match, with or without a file.
#[derive(Debug)]
pub(super) struct Report {
    file: Option<Journal>,
    records: Vec<Record>,
    /// Games that each program lost by an error.
    errors: [u32; 2],
}

impl Report {
    /// Opens the report of this match, and returns the games that were played before. An incomplete last line is removed. A
    /// report of another match is refused.
    pub(super) fn open(options: &Options) -> io::Result<(Report, Vec<PlayedGame>)> {
        let mut report = Report { file: None, records: Vec::new(), errors: [0; 2] };
        let Some(path) = &options.report else { return Ok((report, Vec::new())) };
        let head = head(options);
        let (mut file, (written, games)) =
            Journal::open(path, |whole, torn| report.read_all(&head, whole, torn))?;
        if written < head.len() {
            file.append(&head[written..])?;
        }
        report.file = Some(file);
        Ok((report, games))
    }

    /// Reads the whole lines of a report. Returns the length of the part of its head that is present, and the games. `torn` must
    /// be the beginning of the line that comes next.
    fn read_all(&mut self, head: &str, whole: &str, torn: &[u8]) -> Result<(usize, Vec<PlayedGame>), String> {
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
        let mut games = Vec::new();
        for (number, line) in lines {
            games.push(self.read(line).map_err(|what| format!("line {number}: {what}"))?);
        }
        let next = next.unwrap_or_else(|| format!("game {}: first is ", self.records.len() + 1));
        if !journal::begins(torn, &next) {
            let line = String::from_utf8_lossy(torn);
            return Err(format!(
                "its last line has no end and belongs to no match: `{line}`, not `{}`",
                next.trim_end()
            ));
        }
        Ok((written, games))
    }

    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns the scores of the games for the first program.
    pub(super) fn scores(&self) -> Vec<i32> {
        self.records.iter().map(|record| record.score).collect()
    }

    /// Returns the number of games that each program lost by an error.
    pub(super) fn errors(&self) -> [u32; 2] {
        self.errors
    }

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
            self.errors[player] += u32::from(remark.starts_with(name));
        }
        self.records.push(record);
    }

    fn read(&mut self, line: &str) -> Result<PlayedGame, String> {
        let (facts, game) =
            line.split_once("; ").filter(|(_, game)| game.starts_with("(;")).ok_or("the game is missing")?;
        let mut facts = facts.splitn(3, ", ");
        let mut next = |what: &str| facts.next().ok_or(format!("{what} is missing"));
        let (number, side) =
            next("the number of the game")?.split_once(": ").ok_or("the color is missing")?;
        let number: Option<u32> = number.strip_prefix("game ").and_then(|number| number.parse().ok());
        if number != Some(self.records.len() as u32 + 1) {
            return Err(format!("the number of the game is not {}", self.records.len() + 1));
        }
        let first_is_black = match side {
            "first is black" => true,
            "first is white" => false,
            _ => return Err("the color is neither black nor white".to_owned()),
        };
        let score = next("the score")?.strip_prefix("score ").and_then(|score| score.parse().ok());
        let score = score.filter(|score| (-64..=64).contains(score)).ok_or("the score is not -64 to 64")?;
        let record = Record { number: self.records.len() as u32 + 1, first_is_black, score };
        let remark = facts.next().unwrap_or_default();
        self.note(record, remark);
        let game = ggf::read(game).map_err(|error| format!("the game: {error}"))?;
        Ok(PlayedGame { record, remark: remark.to_owned(), game })
    }
}

fn write(played: &PlayedGame) -> String {
    let PlayedGame { record: Record { number, first_is_black, score }, remark, game } = played;
    let side = if *first_is_black { "black" } else { "white" };
    let remark = if remark.is_empty() { String::new() } else { format!(", {remark}") };
    format!("game {number}: first is {side}, score {score:+}{remark}; {}\n", ggf::write(game))
}

/// Returns the first lines of the report: everything on which the games depend.
fn head(options: &Options) -> String {
    let player = |player: &PlayerOptions| format!("{}:{}", player.protocol, player.command);
    let openings = match &options.openings {
        Some(path) => path.display().to_string(),
        None => format!("{} random plies, seed {}", options.plies, options.seed),
    };
    let MoveLimits { time, depth, nodes } = options.limits();
    let time = match time {
        MatchTimeControl::Clock { main, increment } => {
            format!("{}+{} s a game", main.as_secs_f64(), increment.as_secs_f64())
        }
        MatchTimeControl::PerMove(time) => format!("{} s a move", time.as_secs_f64()),
        MatchTimeControl::None => "no clock".to_owned(),
    };
    let depth = depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
    let nodes = nodes.map(|nodes| format!(", {nodes} nodes a move")).unwrap_or_default();
    format!(
        "% A match of Outflank. Scores are those of the first program, in discs.\n% first: {}\n% second: {}\n\
         % limits: {time}{depth}{nodes}\n% openings: {openings}\n",
        player(&options.first),
        player(&options.second)
    )
}
