//! The levels of play, which are the opponents of the page. Weak ones make mistakes like people: a move that loses `l` discs by the
//! values of the search is exp(-l / t) times as likely as the best one. `www/js/model/opponents.js` explains how the temperatures `t`
//! are fitted.

use outflank::board::{Move, Position};
use outflank::random::Random;
use outflank::search::{Goal, Report};

/// A level, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    pub(crate) name: &'static str,
    /// Average loss of its moves in discs.
    pub(crate) loss: f64,
    /// Depth of its searches in plies.
    pub(crate) depth: u32,
    /// Temperature in discs. `None` if the best move is played.
    temperature: Option<f64>,
}

const fn level(name: &'static str, loss: f64, depth: u32, temperature: Option<f64>) -> Level {
    Level { name, loss, depth, temperature }
}

pub(crate) const LEVELS: [Level; 10] = [
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

impl Level {
    /// Reads a name or a number from 1 to 10.
    pub(crate) fn read(text: &str) -> Result<Level, String> {
        let mut levels = (1..).zip(LEVELS);
        let found = levels.find(|(number, level)| level.name == text || text.parse() == Ok::<u8, _>(*number));
        let names = || LEVELS.map(|level| level.name).join(", ");
        found.map(|(_, level)| level).ok_or_else(|| format!("not a level from 1 to 10: {}", names()))
    }

    /// Returns the question that [`Level::choose`] needs the answer to.
    pub(crate) fn goal(&self) -> Goal {
        if self.temperature.is_some() { Goal::Hints(64) } else { Goal::BestMove }
    }

    /// Draws a move by the values of a search of `position`. `None` if it has none.
    pub(crate) fn choose(&self, position: &Position, report: &Report, random: &mut Random) -> Option<Move> {
        /// With at most this many empty squares people count. The temperature falls to a share of itself at the last square.
        const COUNT_FROM: f64 = 12.0;
        const LAST_SHARE: f64 = 0.3;
        let best = report.best()?;
        let Some(temperature) = self.temperature else { return best.first() };
        let empties = f64::from(position.empties()).min(COUNT_FROM);
        let temperature = temperature * (LAST_SHARE + (1.0 - LAST_SHARE) * empties / COUNT_FROM);
        let weight = |discs: f64| ((discs - best.score.discs()) / temperature).exp();
        let weights: Vec<f64> = report.lines.iter().map(|line| weight(line.score.discs())).collect();
        let mut left = f64::from(random.unit()) * weights.iter().sum::<f64>();
        let drawn = report.lines.iter().zip(&weights).find(|(_, weight)| {
            left -= *weight;
            left < 0.0
        });
        drawn.map_or(best, |(line, _)| line).first()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use outflank::analysis::ask;
    use outflank::score::Confidence;
    use outflank::search::{Limits, Search, SearchConfig};

    use super::*;

    #[test]
    fn page_has_the_same_levels() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../www/js/model/opponents.js");
        let page = fs::read_to_string(page).unwrap();
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("  { id: '")).collect();
        let row = |level: Level| {
            let Level { name, loss, depth, temperature } = level;
            let temperature = temperature.map(|t| format!(", temperature: {t}")).unwrap_or_default();
            format!("  {{ id: '{name}', loss: {loss}, depth: {depth}{temperature} }},")
        };
        assert_eq!(rows, LEVELS.map(row));
        let shares = ["COUNT_FROM = 12;", "LAST_SHARE = 0.3;"];
        assert!(shares.iter().all(|constant| page.contains(constant)));
    }

    #[test]
    fn weaker_levels_lose_more() {
        let mut search = Search::new(SearchConfig::default());
        let game = outflank::notation::transcript::read("f5d6c3d3c4f4c5b3c2b4e3e6c6b6").unwrap();
        let position = game.position();
        let report = ask(&mut search, position, Goal::Hints(64), Limits::to_depth(4, Confidence::EXACT));
        let best = report.best().unwrap().score.discs();
        let mut random = Random::new(1);
        let losses = LEVELS.map(|level| {
            let lost: f64 = (0..400)
                .map(|_| {
                    let mv = level.choose(&position, &report, &mut random);
                    let line = report.lines.iter().find(|line| line.first() == mv).unwrap();
                    best - line.score.discs()
                })
                .sum();
            lost / 400.0
        });
        assert!(losses[..9].is_sorted_by(|weak, strong| weak > strong), "{losses:?}");
        assert_eq!(losses[8..], [0.0; 2]);
    }

    #[test]
    fn names_and_numbers() {
        assert_eq!(Level::read("club"), Ok(LEVELS[4]));
        assert_eq!(Level::read("10"), Ok(LEVELS[9]));
        for text in ["", "0", "11", "-1", "Club", "1.5"] {
            assert!(
                Level::read(text).unwrap_err().starts_with("not a level from 1 to 10: newcomer, "),
                "{text}"
            );
        }
    }
}
