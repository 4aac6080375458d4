//! The clock of one side: main time, then periods with a time for a number of moves (Canadian byo-yomi).

use std::time::Duration;

use crate::search::time::TimeControl;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clock {
    left: Duration,
    /// Moves left in the period. 0 in the main time.
    moves: u32,
    period: Duration,
    /// Moves of a period. 0 if the main time is all.
    period_moves: u32,
}

impl Clock {
    pub(super) fn new(main: Duration, period: Duration, period_moves: u32) -> Clock {
        let clock = Clock { left: main, moves: 0, period, period_moves };
        if main.is_zero() { clock.next_period() } else { clock }
    }

    pub(super) fn set(&mut self, left: Duration, moves: u32) {
        (self.left, self.moves) = (left, moves);
    }

    /// Records a move that took `spent`, for controllers that do not send the time.
    pub(super) fn spend(&mut self, spent: Duration) {
        let over = spent.saturating_sub(self.left);
        self.left = self.left.saturating_sub(spent);
        if self.moves == 0 && !over.is_zero() {
            *self = self.next_period();
            self.left = self.left.saturating_sub(over);
        }
        if self.moves > 0 {
            self.moves -= 1;
            if self.moves == 0 {
                *self = self.next_period();
            }
        }
    }

    /// Returns the clock at the start of a period. Unchanged if there is none.
    fn next_period(self) -> Clock {
        if self.period_moves == 0 {
            return self;
        }
        Clock { left: self.period, moves: self.period_moves, ..self }
    }

    /// Returns the time for the next move. In the main time, the periods that follow count as increments.
    pub(super) fn time_control(&self) -> TimeControl {
        let moves = Some(self.moves).filter(|&moves| moves > 0);
        let increment = match (moves, self.period_moves) {
            (None, 1..) => self.period / self.period_moves,
            _ => Duration::ZERO,
        };
        TimeControl::Clock { remaining: self.left, increment, moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_follow_the_main_time() {
        let seconds = Duration::from_secs;
        let control = |clock: &Clock| match clock.time_control() {
            TimeControl::Clock { remaining, increment, moves } => {
                (remaining.as_secs(), increment.as_secs(), moves)
            }
            TimeControl::PerMove(_) => panic!(),
        };
        let mut clock = Clock::new(seconds(10), seconds(6), 2);
        let mut spent = |time| {
            clock.spend(seconds(time));
            control(&clock)
        };
        // In the main time, at its end, in a period, at its end, and late.
        assert_eq!(
            [4, 6, 1, 2].map(&mut spent),
            [(6, 3, None), (0, 3, None), (5, 0, Some(1)), (6, 0, Some(2))]
        );
        assert_eq!([9, 9].map(spent), [(0, 0, Some(1)), (6, 0, Some(2))]);
        assert_eq!(control(&Clock::new(seconds(0), seconds(6), 2)), (6, 0, Some(2)));
        let mut sudden = Clock::new(seconds(3), seconds(0), 0);
        sudden.spend(seconds(5));
        assert_eq!(control(&sudden), (0, 0, None));
    }
}
