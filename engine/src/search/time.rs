//! Time management: from a clock and a number of empty squares to two durations.
//!
//! After the soft limit no iteration starts. At the hard limit the search stops. Othello games have a known length, and
//! their end is solved: the last dozen moves cost almost no time, so the time is spread over the moves before.
//!
//! Nothing here reads a clock.

use std::time::Duration;

/// The period that the time is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// For this move.
    PerMove(Duration),
    /// For the remaining moves, or for some of them.
    Clock {
        /// Remaining time on the clock.
        remaining: Duration,
        /// Added after each move.
        increment: Duration,
        /// Number of own moves for which the time must last. `None` for the rest of the game.
        moves: Option<u32>,
    },
}

/// The time that a search may take, from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// After this no iteration starts.
    pub soft: Duration,
    /// After this the search is stopped.
    pub hard: Duration,
}

/// Time of a move outside the search: pipes, scheduling, the GUI.
const OVERHEAD: Duration = Duration::from_millis(6);
/// Least time of a search, so that it finds a move at all.
const MIN_TIME: Duration = Duration::from_millis(1);
/// A clock with more than this sets no limit.
const MAX_TIME: Duration = Duration::from_secs(1 << 32);
/// Number of empty squares from which the moves cost almost no time.
const SOLVED: u32 = 12;

impl TimeControl {
    /// Returns the same time with `margin` less on the clock.
    #[must_use]
    pub fn less(self, margin: Duration) -> TimeControl {
        match self {
            TimeControl::PerMove(time) => TimeControl::PerMove(time.saturating_sub(margin)),
            TimeControl::Clock { remaining, increment, moves } => {
                TimeControl::Clock { remaining: remaining.saturating_sub(margin), increment, moves }
            }
        }
    }
}

/// Returns the time for one move with `empties` empty squares. `overrun` is the time by which recent searches ended after
/// their hard limit.
pub fn time_budget(control: TimeControl, empties: u32, overrun: Duration) -> TimeBudget {
    let overhead = OVERHEAD.max(overrun);
    match control {
        TimeControl::PerMove(time) => {
            let margin = (time / 20).clamp(OVERHEAD, Duration::from_millis(100)).max(overrun).min(time / 2);
            let all = (time - margin).max(MIN_TIME);
            TimeBudget { soft: all, hard: all }
        }
        TimeControl::Clock { remaining, increment, moves } => {
            let [remaining, increment] = [remaining.min(MAX_TIME), increment.min(MAX_TIME)];
            // If the game ends earlier, the time of `moves` must last for fewer moves.
            let left = empties.div_ceil(2).max(1);
            let thinking = (empties.saturating_sub(SOLVED) / 2 + 2).min(left);
            let (left, thinking) = match moves {
                Some(moves) => (left.min(moves.max(1)), thinking.min(moves.max(1))),
                None => (left, thinking),
            };
            // A busy machine occasionally delays a program for a good part of a second.
            let margin = (remaining / 8).clamp(Duration::from_millis(10), Duration::from_millis(500));
            let usable = remaining.saturating_sub(margin).saturating_sub(overhead * left);
            // A part of the future increments is spread as well.
            let future = increment * (thinking - 1) * 9 / 10;
            let share = (usable + future) / thinking;
            let hard = (usable * 3 / (thinking + 2)).max(share).min(usable);
            let soft = (share * 6 / 10).min(hard);
            TimeBudget { soft: soft.max(MIN_TIME), hard: hard.max(MIN_TIME) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(remaining: Duration, increment: Duration) -> TimeControl {
        TimeControl::Clock { remaining, increment, moves: None }
    }

    /// Plays a whole game in which every move takes its hard time and `overrun` more, of which `known` is known. Returns `true`
    /// if the clock never runs out.
    fn lasts(
        start: Duration,
        increment: Duration,
        moves: Option<u32>,
        overrun: Duration,
        known: Duration,
    ) -> bool {
        let (mut remaining, mut to_go) = (start, moves);
        (1..=60).rev().step_by(2).all(|empties| {
            let control = TimeControl::Clock { remaining, increment, moves: to_go };
            let spent = time_budget(control, empties, known).hard + overrun;
            let Some(left) = remaining.checked_sub(spent) else { return false };
            remaining = left + increment;
            to_go = to_go.map(|moves| moves - 1);
            if to_go == Some(0) {
                (remaining, to_go) = (remaining + start, moves);
            }
            true
        })
    }

    /// Seconds of a clock, of its increment, number of moves in its periods, and seconds by which every move exceeds its time, of
    /// which some are known.
    const CLOCKS: &str = "\
        1 0 - 0.005 0
        0.5 0 - 0.005 0
        1 0.1 - 0.005 0
        60 0 - 0.005 0
        900 0 - 0.005 0
        60 2 - 0.005 0
        10 0 10 0.005 0
        2 0 1 0.005 0
        5 0 40 0.005 0
        2 0 - 0.04 0.04
        1 0.05 - 0.04 0.04
        60 1 - 0.04 0.04";

    #[test]
    fn never_loses_on_time() {
        for clock in CLOCKS.lines() {
            let fields: Vec<_> = clock.split_whitespace().collect();
            let [start, increment, overrun, known] =
                [0, 1, 3, 4].map(|at: usize| Duration::from_secs_f64(fields[at].parse().unwrap()));
            assert!(lasts(start, increment, fields[2].parse().ok(), overrun, known), "{clock}");
        }
        let hard = |overrun| time_budget(clock(SECOND * 2, Duration::ZERO), 60, overrun).hard;
        assert!(hard(SECOND / 25) < hard(Duration::ZERO) / 2);
    }

    #[test]
    fn time_is_used() {
        // A game in which every move takes its soft time uses a good part of the clock.
        let soft = |remaining, increment, empties| {
            time_budget(clock(remaining, increment), empties, Duration::ZERO).soft
        };
        let mut remaining = SECOND * 900;
        for empties in (1..=60).rev().step_by(2) {
            remaining -= soft(remaining, Duration::ZERO, empties);
        }
        assert!(remaining < SECOND * 450, "{remaining:?}");
        assert!(soft(SECOND * 60, SECOND * 5, 50) > soft(SECOND * 60, Duration::ZERO, 50) + SECOND);
    }

    #[test]
    fn time_per_move_is_less_a_margin() {
        let budget = |time, overrun| time_budget(TimeControl::PerMove(time), 40, overrun);
        let expected = Duration::from_millis(950);
        assert_eq!(budget(SECOND, Duration::ZERO), TimeBudget { soft: expected, hard: expected });
        assert_eq!(budget(SECOND, SECOND / 5).hard, SECOND * 4 / 5);
        assert!(budget(SECOND / 20, Duration::ZERO).hard < SECOND / 20);
        assert_eq!(budget(Duration::ZERO, Duration::ZERO).hard, MIN_TIME);
        assert!(budget(Duration::MAX, Duration::ZERO).hard > SECOND);
    }

    #[test]
    fn every_clock_gives_a_soft_deadline_before_the_hard_one() {
        let times = [0, 1, 20, 1000, 123_456, 1 << 40].map(Duration::from_millis);
        for remaining in times.into_iter().chain([Duration::MAX]) {
            for empties in 0..=60 {
                for moves in [None, Some(0), Some(1), Some(40), Some(u32::MAX)] {
                    let control = TimeControl::Clock { remaining, increment: remaining / 30, moves };
                    let TimeBudget { soft, hard } = time_budget(control, empties, Duration::ZERO);
                    let is_ordered = MIN_TIME <= soft && soft <= hard && hard <= remaining.max(MIN_TIME);
                    assert!(is_ordered, "{remaining:?} {empties} {moves:?}");
                }
            }
        }
    }
}
