//! Options of a match.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};
use outflank::session::Protocol;

use super::sprt::{self, Sprt};
use crate::client::{MatchTimeControl, MoveLimits};
use crate::engine::Weights;
use crate::options::{duration, seconds};

/// Play two programs against each other
///
/// A and B are commands, with nboard:, cassio:, hub:, xboard: or gtp: before them (default nboard). A program that crashes,
/// hangs, exceeds its time or plays an illegal move loses the game and is restarted.
#[derive(Args, Clone, Debug)]
#[command(group(
    ArgGroup::new("limit").args(["time", "move_time", "depth", "nodes"]).required(true).multiple(true)
))]
pub(crate) struct Options {
    /// Program whose results are counted
    #[arg(value_name = "A", value_parser = player)]
    pub(super) first: PlayerOptions,
    /// Its opponent
    #[arg(value_name = "B", value_parser = player)]
    pub(super) second: PlayerOptions,
    /// More programs: each plays a match against each
    #[arg(value_name = "C", value_parser = player, conflicts_with = "sprt")]
    others: Vec<PlayerOptions>,
    /// Number of games of a match
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) games: u32,
    /// End the match when a sequential test accepts one of two differences in Elo, with errors of 5 %, at the latest after --games
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = sprt::read)]
    pub(super) sprt: Option<Sprt>,
    /// Seconds per game, and I seconds more after each move (whole seconds in NBoard)
    #[arg(long, value_name = "S[+I]", conflicts_with = "move_time", value_parser = clock)]
    time: Option<MatchTimeControl>,
    /// Seconds per move (not in NBoard)
    #[arg(long, value_name = "S", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Depth of each move in plies, 1 to 60; the only limit of Cassio's protocol
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes per move (only in Hub)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Play N games at the same time, each with its own pair of programs
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(super) jobs: u32,
    /// Start at the ends of the games, or at the positions, of FILE, each with both colors
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "seed"])]
    pub(super) openings: Option<PathBuf>,
    /// Start after N random moves that leave the game balanced
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(0..=40))]
    pub(super) plies: u32,
    /// Seed of the random openings
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) seed: u64,
    /// Weights for the choice of random openings
    #[command(flatten)]
    pub(super) weights: Weights,
    /// Record the games in FILE; an interrupted match resumes from it
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Append each game to FILE in PGN, with names, date, opening, limits, result and the reason of a loss
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Seconds of each move that are not counted
    #[arg(long, value_name = "S", default_value = "0", value_parser = margin)]
    pub(super) margin: Duration,
    /// Seconds a program may stay silent after its time is up before it counts as hung
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub(super) patience: Duration,
    /// Print the result as one JSON value, and events to standard error
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlayerOptions {
    pub(super) protocol: Protocol,
    pub(super) command: String,
}

impl Options {
    pub(super) fn limits(&self) -> MoveLimits {
        let time = match (self.time, self.move_time) {
            (Some(clock), _) => clock,
            (None, Some(time)) => MatchTimeControl::PerMove(time),
            (None, None) => MatchTimeControl::None,
        };
        MoveLimits { time, depth: self.depth, nodes: self.nodes }
    }

    pub(super) fn commands(&self) -> [&str; 2] {
        [&self.first.command, &self.second.command]
    }

    /// Returns the programs.
    pub(super) fn players(&self) -> Vec<&PlayerOptions> {
        [&self.first, &self.second].into_iter().chain(&self.others).collect()
    }

    /// Returns the match of two of more programs, with their numbers in the names of its files.
    pub(super) fn of_pair(&self, one: usize, other: usize) -> Options {
        let players = self.players();
        let numbered = |path: &PathBuf| {
            let mut name = path.file_stem().unwrap_or_default().to_owned();
            name.push(format!("-{}-{}", one + 1, other + 1));
            if let Some(ending) = path.extension() {
                name.push(".");
                name.push(ending);
            }
            path.with_file_name(name)
        };
        Options {
            first: players[one].clone(),
            second: players[other].clone(),
            others: Vec::new(),
            report: self.report.as_ref().map(numbered),
            pgn: self.pgn.as_ref().map(numbered),
            ..self.clone()
        }
    }

    /// Checks that all protocols can express the limits, and that no file is used twice.
    ///
    /// # Errors
    /// Each names the option.
    pub(super) fn check(&self) -> io::Result<()> {
        let wrong = |reason: String| Err(io::Error::other(reason));
        for player in self.players() {
            if let Some(reason) = self.unsupported_limit(player.protocol) {
                return wrong(reason.to_owned());
            }
        }
        match self.repeated_file() {
            Some([one, other]) => wrong(format!("{one} and {other} name the same file")),
            None => Ok(()),
        }
    }

    /// Returns two options that name the same file, `None` if all files differ.
    fn repeated_file(&self) -> Option<[&'static str; 2]> {
        let files = [("--openings", &self.openings), ("--report", &self.report), ("--pgn", &self.pgn)];
        let mut seen: Vec<(&str, PathBuf)> = Vec::new();
        for (option, path) in files {
            let Some(path) = path else { continue };
            let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            if let Some((other, _)) = seen.iter().find(|(_, known)| *known == path) {
                return Some([other, option]);
            }
            seen.push((option, path));
        }
        None
    }

    /// Returns why `protocol` cannot express a limit, `None` if it can express all of them.
    fn unsupported_limit(&self, protocol: Protocol) -> Option<&'static str> {
        let is_fraction = |time: Duration| time.subsec_nanos() > 0;
        match (protocol, self.limits().time) {
            (Protocol::Cassio, _) if self.depth.is_none() => {
                return Some("--depth is missing: Cassio's protocol has no clocks");
            }
            (Protocol::NBoard, MatchTimeControl::PerMove(_)) => {
                return Some("--move-time: NBoard has no time per move");
            }
            (Protocol::Gtp, MatchTimeControl::Clock { increment, .. }) if !increment.is_zero() => {
                return Some("--time: GTP has no increments");
            }
            (Protocol::Gtp, MatchTimeControl::Clock { main: time, .. } | MatchTimeControl::PerMove(time))
                if is_fraction(time) =>
            {
                return Some("GTP has only whole seconds");
            }
            (Protocol::NBoard, MatchTimeControl::Clock { main, increment })
                if is_fraction(main) || is_fraction(increment) =>
            {
                return Some("--time: NBoard has only whole seconds");
            }
            _ => {}
        }
        (self.nodes.is_some() && protocol != Protocol::Hub).then_some("--nodes: only Hub limits nodes")
    }
}

/// Reads `PROTOCOL:COMMAND`. NBoard is the default. A single letter before the colon is a drive of Windows. Protocol names
/// consist of letters.
fn player(text: &str) -> Result<PlayerOptions, String> {
    let (protocol, command) = match text.split_once(':') {
        Some((name, command)) if name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            (name.parse().map_err(|error| format!("unknown protocol `{name}`: {error}"))?, command)
        }
        _ => (Protocol::NBoard, text),
    };
    let command = command.trim().to_owned();
    if command.is_empty() {
        return Err("the command of the program is missing".to_owned());
    }
    Ok(PlayerOptions { protocol, command })
}

/// Reads `SECONDS` or `SECONDS+INCREMENT`.
pub(crate) fn clock(text: &str) -> Result<MatchTimeControl, &'static str> {
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (seconds(main), duration(increment)) {
        (Ok(main), Some(increment)) => Ok(MatchTimeControl::Clock { main, increment }),
        _ => Err("not a time in seconds like 60 or 60+0.5"),
    }
}

fn margin(text: &str) -> Result<Duration, &'static str> {
    duration(text).ok_or("not a time in seconds")
}
