//! A player's clock.

use std::time::Duration;

/// How the time of a match is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// For the whole game, and more for each move.
    Clock {
        /// For all moves.
        main: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// For each move.
    PerMove(Duration),
    /// None: a depth or a number of nodes ends each move.
    None,
}

/// What a player has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    control: Control,
    remaining: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub(super) fn new(control: Control) -> Clock {
        let remaining = match control {
            Control::Clock { main, .. } => main,
            Control::PerMove(time) => time,
            Control::None => Duration::ZERO,
        };
        Clock { control, remaining }
    }

    /// What the next move may take; nothing where there is no limit.
    pub(super) fn limit(&self) -> Option<Duration> {
        match self.control {
            Control::None => None,
            Control::Clock { .. } | Control::PerMove(_) => Some(self.remaining),
        }
    }

    /// Takes the time of a move away, of which `margin` is not counted; the error is by how much it was too long.
    pub(super) fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), Duration> {
        let time = time.saturating_sub(margin);
        match self.control {
            Control::None => Ok(()),
            Control::PerMove(limit) if time > limit => Err(time - limit),
            Control::PerMove(_) => Ok(()),
            Control::Clock { .. } if time > self.remaining => Err(time - self.remaining),
            Control::Clock { increment, .. } => {
                self.remaining = self.remaining - time + increment;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out() {
        let millis = Duration::from_millis;
        let mut clock = Clock::new(Control::Clock { main: millis(100), increment: millis(10) });
        assert_eq!(clock.spend(millis(60), Duration::ZERO), Ok(()));
        assert_eq!(clock.limit(), Some(millis(50)));
        assert_eq!(clock.spend(millis(55), millis(5)), Ok(()));
        assert_eq!(clock.spend(millis(13), Duration::ZERO), Err(millis(3)));
        let mut clock = Clock::new(Control::PerMove(millis(100)));
        assert_eq!(clock.spend(millis(90), Duration::ZERO), Ok(()));
        assert_eq!(clock.spend(millis(101), Duration::ZERO), Err(millis(1)));
        assert_eq!(Clock::new(Control::None).spend(millis(1 << 40), Duration::ZERO), Ok(()));
    }
}
