//! The levels of play, which are the opponents of the page. Weak ones make mistakes like people: a move that loses `l` discs by the
//! values of the search is exp(-l / t) times as likely as the best one. `www/js/model/opponents.js` explains how the temperatures `t`
//! are fitted.

use std::str::FromStr;

use crate::board::Position;
use crate::search::{Goal, Report};

/// A level of play, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The name.
    pub name: &'static str,
    /// Average loss of its moves in discs.
    pub loss: f64,
    /// Depth of its searches in plies.
    pub depth: u32,
    /// Temperature in discs. `None` if the best move is played.
    pub temperature: Option<f64>,
}

const fn level(name: &'static str, loss: f64, depth: u32, temperature: Option<f64>) -> Level {
    Level { name, loss, depth, temperature }
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 10] = [
        level("newcomer", 6.0, 2, Some(10.7)),
        level("beginner", 4.5, 2, Some(6.65)),
        level("casual", 3.4, 2, Some(4.35)),
        level("hobby", 2.5, 3, Some(3.25)),
        level("club", 1.8, 4, Some(2.41)),
        level("tournament", 1.3, 5, Some(1.87)),
        level("expert", 0.9, 6, Some(1.21)),
        level("master", 0.6, 9, Some(1.11)),
        level("champion", 0.3, 10, None),
        level("engine", 0.0, 24, None),
    ];

    /// The engine itself. In a session, only its GUI limits it.
    pub const ENGINE: Level = Level::ALL[9];

    /// Returns the question that [`Level::choose`] needs the answer to.
    pub fn goal(&self) -> Goal {
        if self.temperature.is_some() { Goal::Hints(64) } else { Goal::BestMove }
    }

    /// Returns the index of the line to play. `random` is a random number from 0 to below 1.
    pub fn choose(&self, position: &Position, report: &Report, random: f64) -> usize {
        /// With at most this many empty squares people count. The temperature falls to a share of itself at the last square.
        const COUNT_FROM: f64 = 12.0;
        const LAST_SHARE: f64 = 0.3;
        let (Some(best), Some(temperature)) = (report.best(), self.temperature) else { return 0 };
        let empties = f64::from(position.empties()).min(COUNT_FROM);
        let temperature = temperature * (LAST_SHARE + (1.0 - LAST_SHARE) * empties / COUNT_FROM);
        let weight = |discs: f64| ((discs - best.score.discs()) / temperature).exp();
        let weights: Vec<f64> = report.lines.iter().map(|line| weight(line.score.discs())).collect();
        let mut left = random * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or_default()
    }
}

impl FromStr for Level {
    type Err = String;

    /// Reads a name or a number from 1 to 10.
    fn from_str(text: &str) -> Result<Level, String> {
        let mut levels = (1..).zip(Level::ALL);
        let found = levels.find(|(number, level)| level.name == text || text.parse() == Ok::<u8, _>(*number));
        let names = || Level::ALL.map(|level| level.name).join(", ");
        found.map(|(_, level)| level).ok_or_else(|| format!("not a level from 1 to 10: {}", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::ask;
    use crate::notation::transcript;
    use crate::random::Random;
    use crate::search::{Search, SearchConfig};
    use crate::session::limits_at_depth;

    #[test]
    fn weaker_levels_lose_more() {
        let mut search = Search::new(SearchConfig::default());
        let position = transcript::read("f5d6c3d3c4f4c5b3c2b4e3e6c6b6").unwrap().position();
        let report = ask(&mut search, position, Goal::Hints(64), limits_at_depth(&position, 4));
        let mut random = Random::new(1);
        let losses = Level::ALL.map(|level| {
            let mut lost = || {
                let line = &report.lines[level.choose(&position, &report, random.unit().into())];
                report.lines[0].score.discs() - line.score.discs()
            };
            (0..400).map(|_| lost()).sum::<f64>() / 400.0
        });
        assert!(losses[..9].is_sorted_by(|weak, strong| weak > strong), "{losses:?}");
        assert_eq!(losses[8..], [0.0; 2]);
    }
}
