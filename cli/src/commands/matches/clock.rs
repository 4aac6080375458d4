//! Clock of a player.

use std::time::Duration;

use crate::client::MatchTimeControl;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    control: MatchTimeControl,
    /// Zero if the time is not limited.
    pub(crate) remaining: Duration,
}

impl Clock {
    pub(crate) fn new(control: MatchTimeControl) -> Clock {
        let remaining = match control {
            MatchTimeControl::Clock { main, .. } => main,
            MatchTimeControl::PerMove(time) => time,
            MatchTimeControl::None => Duration::ZERO,
        };
        Clock { control, remaining }
    }

    /// Returns the time that is added after each move. `None` if the clock is not one of a whole game.
    pub(crate) fn increment(&self) -> Option<Duration> {
        match self.control {
            MatchTimeControl::Clock { increment, .. } => Some(increment),
            _ => None,
        }
    }

    /// Subtracts the time of a move, of which `margin` is not counted.
    ///
    /// # Errors
    /// If the time was exceeded, by how much.
    pub(crate) fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), Duration> {
        let time = time.saturating_sub(margin);
        match self.control {
            MatchTimeControl::None => Ok(()),
            MatchTimeControl::PerMove(_) if time <= self.remaining => Ok(()),
            MatchTimeControl::Clock { increment, .. } if time <= self.remaining => {
                self.remaining = self.remaining - time + increment;
                Ok(())
            }
            _ => Err(time - self.remaining),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out() {
        let millis = Duration::from_millis;
        let mut clock = Clock::new(MatchTimeControl::Clock { main: millis(100), increment: millis(10) });
        assert_eq!(clock.spend(millis(60), Duration::ZERO), Ok(()));
        assert_eq!(clock.remaining, millis(50));
        assert_eq!(clock.spend(millis(55), millis(5)), Ok(()));
        assert_eq!(clock.spend(millis(13), Duration::ZERO), Err(millis(3)));
        let mut clock = Clock::new(MatchTimeControl::PerMove(millis(100)));
        assert_eq!(clock.spend(millis(90), Duration::ZERO), Ok(()));
        assert_eq!(clock.spend(millis(101), Duration::ZERO), Err(millis(1)));
        assert_eq!(Clock::new(MatchTimeControl::None).spend(millis(1 << 40), Duration::ZERO), Ok(()));
    }
}
