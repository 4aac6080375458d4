//! The engine's clock.

use std::time::Duration;

use crate::search::time::{TimeBudget, TimeControl};

/// The settings of `level`, `st` and `time`, and the time that the engine's moves have taken since.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    /// The time at the start of the game. The number of moves is above 0.
    control: TimeControl,
    /// Time on the engine's clock.
    remaining: Duration,
    /// Time on the other side's clock, once the GUI has sent it.
    other: Option<Duration>,
}

impl Clock {
    pub(super) fn new(control: TimeControl) -> Clock {
        let (TimeControl::Clock { remaining, .. } | TimeControl::PerMove(remaining)) = control;
        Clock { control, remaining, other: None }
    }

    pub(super) fn set_remaining(&mut self, remaining: Duration) {
        self.remaining = remaining;
    }

    pub(super) fn set_other(&mut self, remaining: Duration) {
        self.other = Some(remaining);
    }

    /// Returns a budget with more time before the last iteration if this side has more time left than the other side. At
    /// most a quarter more, if the other side has no time left.
    pub(super) fn stretched(&self, budget: TimeBudget) -> TimeBudget {
        let (TimeControl::Clock { .. }, Some(other)) = (self.control, self.other) else { return budget };
        let lead =
            self.remaining.saturating_sub(other).as_secs_f64() / self.remaining.as_secs_f64().max(1e-3);
        let soft = budget.soft.mul_f64(1.0 + 0.25 * lead.clamp(0.0, 1.0));
        TimeBudget { soft: soft.min(budget.hard), ..budget }
    }

    /// Records the engine's move number `made` (from 1), which took `spent`. Some GUIs do not send the time before each
    /// move.
    pub(super) fn spend(&mut self, spent: Duration, made: u32) {
        if let TimeControl::Clock { moves, remaining: base, increment } = self.control {
            self.remaining = self.remaining.saturating_sub(spent).saturating_add(increment);
            if moves.is_some_and(|moves| made.is_multiple_of(moves)) {
                self.remaining = self.remaining.saturating_add(base);
            }
        }
    }

    /// Returns the time for the next move, after `made` moves.
    pub(super) fn time_control(&self, made: u32) -> TimeControl {
        match self.control {
            TimeControl::PerMove(time) => TimeControl::PerMove(time),
            TimeControl::Clock { moves, increment, .. } => TimeControl::Clock {
                remaining: self.remaining,
                increment,
                moves: moves.map(|moves| moves - made % moves),
            },
        }
    }
}

impl Default for Clock {
    /// XBoard's default: 40 moves in 5 minutes.
    fn default() -> Clock {
        let remaining = Duration::from_secs(300);
        Clock::new(TimeControl::Clock { remaining, increment: Duration::ZERO, moves: Some(40) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn clock(moves: Option<u32>, increment: Duration) -> Clock {
        Clock::new(time(MINUTE, increment, moves))
    }

    fn time(remaining: Duration, increment: Duration, moves: Option<u32>) -> TimeControl {
        TimeControl::Clock { remaining, increment, moves }
    }

    #[test]
    fn end_of_a_session_adds_its_time() {
        let mut clock = clock(Some(2), Duration::ZERO);
        assert_eq!(clock.time_control(0), time(MINUTE, Duration::ZERO, Some(2)));
        clock.spend(MINUTE / 2, 1);
        assert_eq!(clock.time_control(1), time(MINUTE / 2, Duration::ZERO, Some(1)));
        clock.spend(MINUTE / 4, 2);
        assert_eq!(clock.time_control(2), time(MINUTE * 5 / 4, Duration::ZERO, Some(2)));
    }

    #[test]
    fn lead_on_the_clock_is_used() {
        let stretched = |mut clock: Clock, other: Option<Duration>| {
            other.into_iter().for_each(|other| clock.set_other(other));
            clock.stretched(TimeBudget { soft: MINUTE / 60, hard: MINUTE / 50 }).soft.as_millis()
        };
        let level = clock(None, Duration::ZERO);
        assert_eq!(stretched(level, None), 1000);
        assert_eq!(stretched(level, Some(MINUTE * 2)), 1000);
        assert_eq!(stretched(level, Some(MINUTE / 2)), 1125);
        assert_eq!(stretched(level, Some(Duration::ZERO)), 1200, "at most the hard limit");
        assert_eq!(stretched(Clock::new(TimeControl::PerMove(MINUTE)), Some(Duration::ZERO)), 1000);
    }
}
