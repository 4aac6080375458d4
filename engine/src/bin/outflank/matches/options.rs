//! The arguments of a match, as types.

use std::path::PathBuf;
use std::time::Duration;

use outflank::session::Dialect;

use super::clock::Control;
use crate::arguments::ArgumentError;

/// A whole match.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MatchOptions {
    /// The program whose results are counted.
    pub(crate) first: PlayerOptions,
    /// The other one.
    pub(crate) second: PlayerOptions,
    /// Number of games.
    pub(crate) games: u32,
    /// Where they begin.
    pub(crate) openings: Openings,
    /// The clocks.
    pub(crate) control: Control,
    /// Depth of each move in plies.
    pub(crate) depth: Option<u32>,
    /// Nodes of each move.
    pub(crate) nodes: Option<u64>,
    /// What of each move is not counted on the clock.
    pub(crate) margin: Duration,
    /// How long beyond its time a program may be silent before it is taken for hung.
    pub(crate) patience: Duration,
    /// The file the games are recorded in.
    pub(crate) report: Option<PathBuf>,
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlayerOptions {
    /// What it speaks.
    pub(crate) dialect: Dialect,
    /// How it is started.
    pub(crate) command: String,
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Openings {
    /// At the ends of the games of a file, in turn.
    File(PathBuf),
    /// After so many random moves.
    Random {
        /// Number of moves.
        plies: u32,
        /// Another number, other openings.
        seed: u64,
    },
}

/// The options of a match as they were given.
#[derive(Debug, Default)]
pub(crate) struct MatchWords {
    pub(crate) games: Option<String>,
    pub(crate) openings: Option<PathBuf>,
    pub(crate) plies: Option<String>,
    pub(crate) seed: Option<String>,
    pub(crate) time: Option<String>,
    pub(crate) move_time: Option<String>,
    pub(crate) margin: Option<String>,
    pub(crate) patience: Option<String>,
    pub(crate) report: Option<PathBuf>,
}

impl MatchWords {
    /// Whether any was given.
    pub(crate) fn is_given(&self) -> bool {
        let texts = [&self.games, &self.plies, &self.seed, &self.time, &self.move_time, &self.margin];
        let others = self.patience.is_some() || self.openings.is_some() || self.report.is_some();
        others || texts.iter().any(|text| text.is_some())
    }

    /// The match between two programs, `depth` and `nodes` as they were given.
    pub(crate) fn options(
        self,
        [first, second]: [&str; 2],
        depth: Option<&str>,
        nodes: Option<&str>,
    ) -> Result<MatchOptions, ArgumentError> {
        let control = match (&self.time, &self.move_time) {
            (Some(_), Some(_)) => return Err(ArgumentError::Foreign("--move-time beside --time")),
            (Some(text), None) => clock("--time", text)?,
            (None, Some(text)) => Control::PerMove(seconds("--move-time", text)?),
            (None, None) => Control::None,
        };
        let options = MatchOptions {
            first: player(first)?,
            second: player(second)?,
            games: number("--games", self.games.as_deref(), 1, 1_000_000)?.unwrap_or(100) as u32,
            openings: match (self.openings, &self.plies, &self.seed) {
                (Some(_), Some(_), _) => return Err(ArgumentError::Foreign("--plies beside --openings")),
                (Some(_), _, Some(_)) => return Err(ArgumentError::Foreign("--seed beside --openings")),
                (Some(path), None, None) => Openings::File(path),
                (None, plies, seed) => Openings::Random {
                    plies: number("--plies", plies.as_deref(), 0, 40)?.unwrap_or(8) as u32,
                    seed: number("--seed", seed.as_deref(), 0, u64::MAX)?.unwrap_or(1),
                },
            },
            control,
            depth: number("--depth", depth, 1, 60)?.map(|depth| depth as u32),
            nodes: number("--nodes", nodes, 1, u64::MAX)?,
            margin: self.margin.map_or(Ok(Duration::ZERO), |text| seconds("--margin", &text))?,
            patience: self
                .patience
                .map_or(Ok(Duration::from_secs(10)), |text| seconds("--patience", &text))?,
            report: self.report,
        };
        if options.control == Control::None && options.depth.is_none() && options.nodes.is_none() {
            return Err(ArgumentError::Missing("one of --time, --move-time, --depth and --nodes"));
        }
        for player in [&options.first, &options.second] {
            if options.depth.is_none() && player.dialect == Dialect::Cassio {
                return Err(ArgumentError::Missing("--depth (Cassio knows no clocks)"));
            }
            if options.nodes.is_some() && player.dialect != Dialect::Hub {
                return Err(ArgumentError::Foreign("--nodes (only Hub can tell them)"));
            }
            if matches!(options.control, Control::PerMove(_)) && player.dialect == Dialect::NBoard {
                return Err(ArgumentError::Foreign("--move-time (NBoard cannot tell it)"));
            }
        }
        if let Control::Clock { main, increment } = options.control
            && [main, increment].iter().any(|time| time.subsec_nanos() > 0)
            && [&options.first, &options.second].iter().any(|player| player.dialect == Dialect::NBoard)
        {
            return Err(ArgumentError::Foreign("--time with a fraction of a second (NBoard cannot tell it)"));
        }
        Ok(options)
    }
}

/// Reads `PROTOCOL:COMMAND`; without a protocol it is NBoard's.
fn player(text: &str) -> Result<PlayerOptions, ArgumentError> {
    let (dialect, command) = text
        .split_once(':')
        .and_then(|(name, command)| Some((name.parse().ok()?, command)))
        .unwrap_or((Dialect::NBoard, text));
    let command = command.trim().to_owned();
    if command.is_empty() {
        return Err(ArgumentError::Missing("the command of a program"));
    }
    Ok(PlayerOptions { dialect, command })
}

/// Reads `SECONDS` or `SECONDS+INCREMENT`.
fn clock(what: &'static str, text: &str) -> Result<Control, ArgumentError> {
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let wrong =
        ArgumentError::Value { what, text: text.to_owned(), expected: "a time in seconds like 60 or 60+0.5" };
    match (seconds(what, main), increment.parse::<f64>().ok().and_then(duration)) {
        (Ok(main), Some(increment)) => Ok(Control::Clock { main, increment }),
        _ => Err(wrong),
    }
}

fn seconds(what: &'static str, text: &str) -> Result<Duration, ArgumentError> {
    let expected = "a time in seconds above 0";
    let time = text.parse::<f64>().ok().and_then(duration).filter(|time| !time.is_zero());
    time.ok_or_else(|| ArgumentError::Value { what, text: text.to_owned(), expected })
}

/// A time of up to a year.
fn duration(seconds: f64) -> Option<Duration> {
    (seconds <= 3.2e7).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}

fn number(
    what: &'static str,
    text: Option<&str>,
    least: u64,
    most: u64,
) -> Result<Option<u64>, ArgumentError> {
    let Some(text) = text else { return Ok(None) };
    let expected = "a whole number in its range";
    match text.parse().ok().filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(ArgumentError::Value { what, text: text.to_owned(), expected }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_clocks() {
        assert_eq!(player("hub:/bin/x hub").unwrap().dialect, Dialect::Hub);
        let windows = player(r"C:\engines\x.exe nboard").unwrap();
        assert_eq!(
            (windows.dialect, windows.command.as_str()),
            (Dialect::NBoard, r"C:\engines\x.exe nboard")
        );
        assert!(player("cassio: ").is_err());
        let millis = Duration::from_millis;
        assert_eq!(
            clock("--time", "1+0.05").ok(),
            Some(Control::Clock { main: millis(1000), increment: millis(50) })
        );
        for text in ["", "0", "-1", "1+x", "1+-1", "nan", "inf", "1e300"] {
            assert!(clock("--time", text).is_err(), "{text}");
        }
    }
}
