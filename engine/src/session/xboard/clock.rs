//! The engine's clock.

use std::time::Duration;

use crate::search::time::{TimeBudget, TimeControl};

/// What `level`, `st` and `time` have told, and what the engine's own moves have cost since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    control: Control,
    /// On the clock, for a control with one.
    remaining: Duration,
    /// On the other side's clock, where the GUI has told.
    other: Option<Duration>,
}

/// How the time of the whole game is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// `level MOVES BASE INC`: `base` for each `moves` moves, or for the game, and an increment for each move.
    Level {
        /// Moves of a session; nothing for the whole game.
        moves: Option<u32>,
        /// Time of a session.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// `st SECONDS`: so much for each move.
    PerMove(Duration),
}

impl Clock {
    /// A clock at its start.
    pub(super) fn new(control: Control) -> Clock {
        let remaining = match control {
            Control::Level { base, .. } => base,
            Control::PerMove(time) => time,
        };
        Clock { control, remaining, other: None }
    }

    /// The GUI tells what is left.
    pub(super) fn set_remaining(&mut self, remaining: Duration) {
        self.remaining = remaining;
    }

    /// The GUI tells what the other side has left.
    pub(super) fn set_other(&mut self, remaining: Duration) {
        self.other = Some(remaining);
    }

    /// An allotment with more time before the last round where this side has more on its clock than the other: the
    /// lead is there to be used. At most a quarter more, where the other side has nothing left.
    pub(super) fn stretched(&self, budget: TimeBudget) -> TimeBudget {
        let (Control::Level { .. }, Some(other)) = (self.control, self.other) else { return budget };
        let lead =
            self.remaining.saturating_sub(other).as_secs_f64() / self.remaining.as_secs_f64().max(1e-3);
        let soft = budget.soft.mul_f64(1.0 + 0.25 * lead.clamp(0.0, 1.0));
        TimeBudget { soft: soft.min(budget.hard), ..budget }
    }

    /// The engine has made its move number `made` (from 1) in `spent`. A GUI that tells the time before each move
    /// makes this unnecessary, but not all do.
    pub(super) fn spend(&mut self, spent: Duration, made: u32) {
        if let Control::Level { moves, base, increment } = self.control {
            self.remaining = self.remaining.saturating_sub(spent).saturating_add(increment);
            if moves.is_some_and(|moves| moves > 0 && made.is_multiple_of(moves)) {
                self.remaining = self.remaining.saturating_add(base);
            }
        }
    }

    /// The time for the next move, `made` moves having been made.
    pub(super) fn time_control(&self, made: u32) -> TimeControl {
        match self.control {
            Control::PerMove(time) => TimeControl::PerMove(time),
            Control::Level { moves, increment, .. } => TimeControl::Clock {
                remaining: self.remaining,
                increment,
                moves: moves.filter(|&moves| moves > 0).map(|moves| moves - made % moves),
            },
        }
    }
}

impl Default for Clock {
    /// XBoard's own default: 40 moves in 5 minutes.
    fn default() -> Clock {
        let base = Duration::from_secs(300);
        Clock::new(Control::Level { moves: Some(40), base, increment: Duration::ZERO })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn sessions_begin_anew() {
        let mut clock =
            Clock::new(Control::Level { moves: Some(2), base: MINUTE, increment: Duration::ZERO });
        assert_eq!(
            clock.time_control(0),
            TimeControl::Clock { remaining: MINUTE, increment: Duration::ZERO, moves: Some(2) }
        );
        clock.spend(MINUTE / 2, 1);
        assert_eq!(
            clock.time_control(1),
            TimeControl::Clock { remaining: MINUTE / 2, increment: Duration::ZERO, moves: Some(1) }
        );
        clock.spend(MINUTE / 4, 2);
        assert_eq!(
            clock.time_control(2),
            TimeControl::Clock { remaining: MINUTE * 5 / 4, increment: Duration::ZERO, moves: Some(2) }
        );
    }

    #[test]
    fn a_lead_on_the_clock_is_used() {
        let control = Control::Level { moves: None, base: MINUTE, increment: Duration::ZERO };
        let stretched = |control, other: Option<Duration>| {
            let mut clock = Clock::new(control);
            other.into_iter().for_each(|other| clock.set_other(other));
            clock.stretched(TimeBudget { soft: MINUTE / 60, hard: MINUTE / 50 }).soft
        };
        let millis = Duration::from_millis;
        assert_eq!(stretched(control, None), millis(1000));
        assert_eq!(stretched(control, Some(MINUTE * 2)), millis(1000));
        assert_eq!(stretched(control, Some(MINUTE / 2)), millis(1125));
        assert_eq!(stretched(control, Some(Duration::ZERO)), millis(1200), "never beyond the hard deadline");
        assert_eq!(stretched(Control::PerMove(MINUTE), Some(Duration::ZERO)), millis(1000));
    }

    #[test]
    fn the_gui_knows_better() {
        let mut clock = Clock::new(Control::Level { moves: None, base: MINUTE, increment: MINUTE / 60 });
        clock.spend(MINUTE / 60, 1);
        clock.set_remaining(MINUTE / 2);
        assert_eq!(
            clock.time_control(1),
            TimeControl::Clock { remaining: MINUTE / 2, increment: MINUTE / 60, moves: None }
        );
        let clock = Clock::new(Control::PerMove(MINUTE));
        assert_eq!(clock.time_control(3), TimeControl::PerMove(MINUTE));
    }
}
