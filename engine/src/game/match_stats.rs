//! Results of a match, and the strength that they show.

use std::fmt;

/// Results for the first of two players, in the order of the games. The two games of an opening are adjacent.
#[derive(Clone, Debug, Default)]
pub struct MatchStats {
    scores: Vec<i32>,
}

impl MatchStats {
    /// Adds the result of a game, in discs for the first player.
    pub fn add(&mut self, score: i32) {
        self.scores.push(score);
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.scores.len() as u32
    }

    /// The figures of all results.
    pub fn figures(&self) -> Figures {
        let count = |sign: i32| self.scores.iter().filter(|score| score.signum() == sign).count() as u32;
        let (share, interval) = self.share();
        let [low, high] = interval;
        Figures {
            games: self.games(),
            won: count(1),
            drawn: count(0),
            lost: count(-1),
            discs: f64::from(self.scores.iter().sum::<i32>()) / self.scores.len().max(1) as f64,
            share,
            interval,
            elo: [elo(share), elo(low), elo(high)],
        }
    }

    /// The share of the points, and the ends of its 95 % interval.
    ///
    /// The two games of an opening are not independent, so the interval is that of the sums of pairs. Two pairs won and two
    /// pairs lost are added for the interval, as Agresti and Coull do for shares of wins. Without them, equal results would
    /// give an interval of width 0. A game without its counterpart affects only the share.
    fn share(&self) -> (f64, [f64; 2]) {
        let points = |scores: &[i32]| scores.iter().map(|score| score.signum() + 1).sum::<i32>();
        let share = f64::from(points(&self.scores)) / 2.0 / self.scores.len().max(1) as f64;
        let pairs = self.scores.chunks_exact(2).map(|pair| f64::from(points(pair)) / 4.0);
        let pairs: Vec<f64> = pairs.chain([0.0, 0.0, 1.0, 1.0]).collect();
        let count = pairs.len() as f64;
        let mean = pairs.iter().sum::<f64>() / count;
        let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let error = 1.96 * (variance / count).sqrt();
        (share, [(mean - error).max(0.0).min(share), (mean + error).min(1.0).max(share)])
    }
}

/// The figures of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Number of games.
    pub games: u32,
    /// Games won by the first player.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games lost by the first player.
    pub lost: u32,
    /// Mean result of the first player, in discs.
    pub discs: f64,
    /// Share of the points of the first player, 0 to 1.
    pub share: f64,
    /// The ends of the 95 % interval of the share.
    pub interval: [f64; 2],
    /// The difference in Elo, and the ends of its interval. Infinite for shares of 0 and 1.
    pub elo: [f64; 3],
}

/// The difference in Elo for a share of the points.
fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

impl fmt::Display for MatchStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { games, won, drawn, lost, discs, share, interval, elo } = self.figures();
        let [share, from, to] = [share, interval[0], interval[1]].map(|share| 100.0 * share);
        let [elo, low, high] = elo;
        let noun = if games == 1 { "game" } else { "games" };
        write!(
            f,
            "{games} {noun}: {won} won, {drawn} drawn, {lost} lost, {discs:+.2} discs a game, {share:.1} % ({from:.1} to {to:.1}), \
             Elo {elo:+.0} ({low:+.0} to {high:+.0})"
        )
    }
}
