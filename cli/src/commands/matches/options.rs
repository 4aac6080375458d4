//! The arguments of a match, as types.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use super::clock::Control;
use super::protocol::Protocol;
use crate::engine::Weights;

/// Play two programs against each other
///
/// A and B are commands, with nboard:, cassio:, hub: or xboard: before them (default nboard). A program that crashes,
/// hangs, oversteps its time or plays an illegal move loses the game and is started again.
#[derive(Args, Debug)]
#[command(group(
    ArgGroup::new("limit").args(["time", "move_time", "depth", "nodes"]).required(true).multiple(true)
))]
pub(crate) struct Options {
    /// The program whose results are counted
    #[arg(value_name = "A", value_parser = player)]
    first: PlayerOptions,
    /// The other one
    #[arg(value_name = "B", value_parser = player)]
    second: PlayerOptions,
    /// Number of games
    #[arg(long, value_name = "N", default_value = "100", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seconds for a game, and more for each move (whole ones in NBoard)
    #[arg(long, value_name = "S[+I]", conflicts_with = "move_time", allow_negative_numbers = true,
        value_parser = clock)]
    time: Option<Control>,
    /// Seconds for each move (not in NBoard)
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    move_time: Option<Duration>,
    /// Depth of each move in plies, 1 to 60; the only limit that Cassio's protocol knows
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes of each move (only in Hub)
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Begin where the games or positions of FILE end, each with both colours
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "seed"])]
    openings: Option<PathBuf>,
    /// Or after N random moves that leave the game balanced
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(0..=40))]
    plies: u32,
    /// Other random openings
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Weights for the choice of random openings
    #[command(flatten)]
    weights: Weights,
    /// Record the games in FILE; a match that was interrupted goes on
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Append each game to FILE in PGN, with names, date, opening, limits, result and what it was lost by
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// The same in GGF, as NBoard reads it, a game a line
    #[arg(long, value_name = "FILE")]
    ggf: Option<PathBuf>,
    /// What of each move is not counted, in seconds [default: 0]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    margin: Option<Duration>,
    /// A program that is silent for so many seconds beyond its time hangs
    #[arg(long, value_name = "S", default_value = "10", allow_negative_numbers = true, value_parser = seconds)]
    patience: Duration,
    /// Print the result as one JSON value; what happens meanwhile is told on standard error
    #[arg(long)]
    pub(super) json: bool,
}

/// A whole match, whose parts fit each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MatchOptions {
    /// The program whose results are counted.
    pub(super) first: PlayerOptions,
    /// The other one.
    pub(super) second: PlayerOptions,
    /// Number of games.
    pub(super) games: u32,
    /// Where they begin.
    pub(super) openings: Openings,
    /// The clocks.
    pub(super) control: Control,
    /// Depth of each move in plies.
    pub(super) depth: Option<u32>,
    /// Nodes of each move.
    pub(super) nodes: Option<u64>,
    /// What of each move is not counted on the clock.
    pub(super) margin: Duration,
    /// How long beyond its time a program may be silent before it is taken for hung.
    pub(super) patience: Duration,
    /// The file the games are recorded in.
    pub(super) report: Option<PathBuf>,
    /// The file they are written to for others, in PGN.
    pub(super) pgn: Option<PathBuf>,
    /// And in GGF.
    pub(super) ggf: Option<PathBuf>,
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlayerOptions {
    /// What it speaks.
    pub(super) protocol: Protocol,
    /// How it is started.
    pub(super) command: String,
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Openings {
    /// At the ends of the games of a file, in turn.
    File(PathBuf),
    /// After so many random moves.
    Random {
        /// Number of moves.
        plies: u32,
        /// Another number, other openings.
        seed: u64,
        /// What tells whether they are balanced.
        weights: Weights,
    },
}

impl Options {
    /// The match, if both programs can be told of its limits.
    pub(super) fn checked(&self) -> io::Result<MatchOptions> {
        let control = match (self.time, self.move_time) {
            (Some(clock), _) => clock,
            (None, Some(time)) => Control::PerMove(time),
            (None, None) => Control::None,
        };
        for player in [&self.first, &self.second] {
            if let Some(reason) = self.untold(control, player.protocol) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
            }
        }
        if let Some([one, other]) = self.doubled() {
            let reason = format!("{one} and {other} name the same file");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        Ok(MatchOptions {
            first: self.first.clone(),
            second: self.second.clone(),
            games: self.games,
            openings: match &self.openings {
                Some(path) => Openings::File(path.clone()),
                None => {
                    Openings::Random { plies: self.plies, seed: self.seed, weights: self.weights.clone() }
                }
            },
            control,
            depth: self.depth,
            nodes: self.nodes,
            margin: self.margin.unwrap_or_default(),
            patience: self.patience,
            report: self.report.clone(),
            pgn: self.pgn.clone(),
            ggf: self.ggf.clone(),
        })
    }

    /// Two options that name the same file, of which one would spoil the other.
    fn doubled(&self) -> Option<[&'static str; 2]> {
        let files = [
            ("--openings", &self.openings),
            ("--report", &self.report),
            ("--pgn", &self.pgn),
            ("--ggf", &self.ggf),
        ];
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

    /// Which limit cannot be told in `protocol`.
    fn untold(&self, control: Control, protocol: Protocol) -> Option<&'static str> {
        let is_fraction = |time: Duration| time.subsec_nanos() > 0;
        match (protocol, control) {
            (Protocol::Cassio, _) if self.depth.is_none() => {
                return Some("--depth is missing: Cassio knows no clocks");
            }
            (Protocol::NBoard, Control::PerMove(_)) => {
                return Some("--move-time does not go with NBoard, which cannot tell it");
            }
            (Protocol::NBoard, Control::Clock { main, increment })
                if is_fraction(main) || is_fraction(increment) =>
            {
                return Some("--time: NBoard cannot tell a fraction of a second");
            }
            _ => {}
        }
        (self.nodes.is_some() && protocol != Protocol::Hub)
            .then_some("--nodes can be told to programs that speak Hub only")
    }
}

/// Reads `PROTOCOL:COMMAND`; without a protocol it is NBoard's. A single letter before the colon is a drive of Windows, and
/// no protocol has anything but letters in its name.
fn player(text: &str) -> Result<PlayerOptions, String> {
    let (protocol, command) = match text.split_once(':') {
        Some((name, command)) if name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            let known = || {
                let names: Vec<String> = Protocol::ALL.iter().map(ToString::to_string).collect();
                format!("`{name}` is none of the protocols {}", names.join(", "))
            };
            (Protocol::named(name).ok_or_else(known)?, command)
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
fn clock(text: &str) -> Result<Control, &'static str> {
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (seconds(main), increment.parse::<f64>().ok().and_then(duration)) {
        (Ok(main), Some(increment)) => Ok(Control::Clock { main, increment }),
        _ => Err("not a time in seconds like 60 or 60+0.5"),
    }
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let time = text.parse::<f64>().ok().and_then(duration).filter(|time| !time.is_zero());
    time.ok_or("not a time in seconds above 0")
}

/// A time of up to a year.
fn duration(seconds: f64) -> Option<Duration> {
    (seconds <= 3.2e7).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn checked(line: &str) -> Result<MatchOptions, String> {
        let line = Line::try_parse_from(line.split(' ')).map_err(|error| error.to_string())?;
        line.options.checked().map_err(|error| error.to_string())
    }

    #[test]
    fn players_and_clocks() {
        assert_eq!(player("hub:/bin/x hub").unwrap().protocol, Protocol::Hub);
        let windows = player(r"C:\engines\x.exe nboard").unwrap();
        assert_eq!(
            (windows.protocol, windows.command.as_str()),
            (Protocol::NBoard, r"C:\engines\x.exe nboard")
        );
        assert!(player("cassio: ").is_err());
        assert_eq!(player("./a:b").unwrap().command, "./a:b");
        let error = player("uci:/bin/x").unwrap_err();
        assert_eq!(error, "`uci` is none of the protocols nboard, cassio, hub, xboard");
        let millis = Duration::from_millis;
        assert_eq!(clock("1+0.05").ok(), Some(Control::Clock { main: millis(1000), increment: millis(50) }));
        for text in ["", "0", "-1", "1+x", "1+-1", "nan", "inf", "1e300"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_that_a_program_cannot_be_told_are_refused() {
        for (line, part) in [
            ("match a b --move-time 1", "NBoard"),
            ("match a cassio:b --time 1", "Cassio"),
            ("match a b --time 1+0.5", "NBoard"),
            ("match a b --nodes 5", "Hub"),
            ("match a b", "--time"),
            ("match a b --depth 4 --margin -1", "--margin"),
        ] {
            let error = checked(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
        let options = checked("match hub:a xboard:b --move-time 0.5 --openings f").unwrap();
        assert_eq!(options.control, Control::PerMove(Duration::from_millis(500)));
        assert_eq!(options.openings, Openings::File("f".into()));
        assert_eq!((options.games, options.margin), (100, Duration::ZERO));
    }
}
