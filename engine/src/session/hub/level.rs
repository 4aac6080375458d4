//! How far and how long to search.

use std::fmt;
use std::time::Duration;

use super::grammar::ParsedLine;
use crate::search::time::TimeControl;

/// The limits of the next search; nothing means none.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Level {
    /// In plies.
    pub(super) depth: Option<u32>,
    /// In nodes.
    pub(super) nodes: Option<u64>,
    /// In time.
    pub(super) time: Option<TimeControl>,
}

/// A limit that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LevelError {
    /// The argument.
    pub(super) argument: &'static str,
    /// What it has to be.
    pub(super) expected: &'static str,
}

impl Level {
    /// Returns this level with the limits of a `level` line: several lines add up, `infinite` takes all limits away. A limit
    /// that cannot be read is an error and is skipped. It never leaves the search without limits: then
    /// [`Level::FALLBACK`] applies.
    pub(super) fn with(mut self, line: &ParsedLine<'_>) -> (Level, Option<LevelError>) {
        let mut first = None;
        if line.names().any(|name| name == "infinite") {
            self = Level::default();
        }
        if let Some(depth) = valid(whole(line, "depth", 1), &mut first) {
            self.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX));
        }
        if let Some(nodes) = valid(whole(line, "nodes", 1), &mut first) {
            self.nodes = Some(nodes);
        }
        let per_move = valid(seconds(line, "move-time", 0.0), &mut first);
        // What is left on a clock may be less than nothing.
        let remaining = valid(seconds(line, "time", f64::NEG_INFINITY), &mut first);
        let increment = valid(seconds(line, "inc", 0.0), &mut first);
        // 0 stands for the rest of the game.
        let moves = valid(whole(line, "moves", 0), &mut first);
        match (per_move, remaining) {
            (Some(time), _) => self.time = Some(TimeControl::PerMove(time)),
            (None, Some(remaining)) => {
                self.time = Some(TimeControl::Clock {
                    remaining,
                    increment: increment.unwrap_or_default(),
                    moves: moves
                        .filter(|&moves| moves > 0)
                        .map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
                });
            }
            (None, None) if increment.is_some() || moves.is_some() => {
                first = first.or(Some(LevelError { argument: "time", expected: "given with moves or inc" }));
            }
            (None, None) => {}
        }
        if first.is_some() && self == Level::default() {
            self = Level::FALLBACK;
        }
        (self, first)
    }

    /// The level of a search whose limits could not be read: a second.
    const FALLBACK: Level =
        Level { depth: None, nodes: None, time: Some(TimeControl::PerMove(Duration::from_secs(1))) };
}

/// Returns the value of an argument. `None` if there is none or it is invalid; then the error is kept if it is the `first`.
fn valid<T>(read: Result<Option<T>, LevelError>, first: &mut Option<LevelError>) -> Option<T> {
    read.unwrap_or_else(|error| {
        first.get_or_insert(error);
        None
    })
}

fn whole(line: &ParsedLine<'_>, argument: &'static str, least: u64) -> Result<Option<u64>, LevelError> {
    let Some(value) = line.value(argument) else { return Ok(None) };
    let number = value.parse().ok().filter(|&number| number >= least);
    let expected = if least > 0 { "a whole number above 0" } else { "a whole number" };
    number.map(Some).ok_or(LevelError { argument, expected })
}

/// A time of at least `least` seconds; less than nothing is nothing.
fn seconds(
    line: &ParsedLine<'_>,
    argument: &'static str,
    least: f64,
) -> Result<Option<Duration>, LevelError> {
    let Some(value) = line.value(argument) else { return Ok(None) };
    let expected = if least < 0.0 { "a number of seconds" } else { "a number of seconds from 0" };
    let error = LevelError { argument, expected };
    let seconds: f64 = value.parse().map_err(|_| error)?;
    if seconds.is_nan() || seconds < least {
        return Err(error);
    }
    Ok(Some(Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).map_err(|_| error)?))
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "level: {} has to be {}", self.argument, self.expected)
    }
}

impl std::error::Error for LevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(line: &str) -> Result<Level, LevelError> {
        let (level, error) = after(Level::default(), line);
        error.map_or(Ok(level), Err)
    }

    fn after(level: Level, line: &str) -> (Level, Option<LevelError>) {
        level.with(&ParsedLine::parse(line).unwrap().unwrap())
    }

    #[test]
    fn every_form() {
        let clock = |remaining, increment, moves| {
            let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
            Some(TimeControl::Clock { remaining, increment, moves })
        };
        assert_eq!(level("level depth=12").unwrap().depth, Some(12));
        assert_eq!(level("level nodes=1000000").unwrap().nodes, Some(1_000_000));
        assert_eq!(
            level("level move-time=0.5").unwrap().time,
            Some(TimeControl::PerMove(Duration::from_millis(500)))
        );
        assert_eq!(level("level time=291.587").unwrap().time, clock(291_587, 0, None));
        assert_eq!(level("level moves=9 time=291.587").unwrap().time, clock(291_587, 0, Some(9)));
        assert_eq!(level("level time=60 inc=1.5").unwrap().time, clock(60_000, 1_500, None));
        assert_eq!(level("level time=-0.2").unwrap().time, clock(0, 0, None));
        assert_eq!(level("level infinite"), Ok(Level::default()));
        assert_eq!(level("level"), Ok(Level::default()));
        assert_eq!(level("level cheese=1"), Ok(Level::default()));
    }

    #[test]
    fn lines_add_up_until_infinity() {
        let (both, _) = after(level("level depth=5").unwrap(), "level move-time=1");
        assert!(both.depth.is_some() && both.time.is_some());
        assert_eq!(after(both, "level infinite"), (Level::default(), None));
    }

    #[test]
    fn invalid_limits_never_mean_no_limit() {
        let (level, error) = after(Level::default(), "level time=3 moves=0");
        assert_eq!((level.time, error), (level_time(3, None), None));
        let (level, error) = after(Level::default(), "level time=3 moves=-1");
        assert_eq!((level.time, error.unwrap().argument), (level_time(3, None), "moves"));
        for line in ["level depth=0", "level nodes=1e3", "level move-time=nan", "level infinite depth=x"] {
            let (level, error) = after(Level::default(), line);
            assert!(level == Level::FALLBACK && error.is_some(), "{line}");
        }
        let (level, _) = after(Level::default(), "level depth=9 move-time=x");
        assert_eq!((level.depth, level.time), (Some(9), None));
    }

    fn level_time(seconds: u64, moves: Option<u32>) -> Option<TimeControl> {
        let remaining = Duration::from_secs(seconds);
        Some(TimeControl::Clock { remaining, increment: Duration::ZERO, moves })
    }

    #[test]
    fn the_faulty_argument_is_named() {
        let argument = |line: &str| level(line).unwrap_err().argument;
        assert_eq!(argument("level depth=deep"), "depth");
        assert_eq!(argument("level depth=0"), "depth");
        assert_eq!(argument("level nodes=-1"), "nodes");
        assert_eq!(argument("level move-time"), "move-time");
        assert_eq!(argument("level time=nan"), "time");
        assert_eq!(argument("level move-time=-1"), "move-time");
        assert_eq!(argument("level time=5 inc=-0.5"), "inc");
        assert_eq!(argument("level inc=2"), "time");
        assert_eq!(argument("level moves=2"), "time");
    }
}
