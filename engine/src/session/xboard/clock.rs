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

    /// Returns a budget with at most a quarter more time before the last iteration if this side has more time left.
    pub(super) fn stretched(&self, budget: TimeBudget) -> TimeBudget {
        let (TimeControl::Clock { .. }, Some(other)) = (self.control, self.other) else { return budget };
        let lead =
            self.remaining.saturating_sub(other).as_secs_f64() / self.remaining.as_secs_f64().max(1e-3);
        let soft = budget.soft.mul_f64(1.0 + 0.25 * lead.clamp(0.0, 1.0));
        TimeBudget { soft: soft.min(budget.hard), ..budget }
    }

    /// Records the engine's move number `made` (from 1), which took `spent`, for GUIs that do not send the time.
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
