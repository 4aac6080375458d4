//! Results of a match and what they say about strength.

use std::fmt;

/// Results for the first of two players, in the order of the games; the two games of an opening follow each other.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    scores: Vec<i32>,
}

impl Tally {
    /// Adds a game: its result in discs for the first player.
    pub fn add(&mut self, score: i32) {
        self.scores.push(score);
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.scores.len() as u32
    }

    /// What they come to.
    pub fn figures(&self) -> Figures {
        let count = |sign: i32| self.scores.iter().filter(|score| score.signum() == sign).count() as u32;
        let (share, error) = self.share();
        Figures {
            games: self.games(),
            won: count(1),
            drawn: count(0),
            lost: count(-1),
            discs: f64::from(self.scores.iter().sum::<i32>()) / self.scores.len().max(1) as f64,
            share,
            error,
            elo: [elo(share), elo(share - error), elo(share + error)],
        }
    }

    /// The share of the points, and the half-width of its 95 % interval.
    ///
    /// The two games of an opening are not independent: the error is that of the sums of pairs. A game without its
    /// counterpart counts for the share alone.
    fn share(&self) -> (f64, f64) {
        let points = |score: &i32| f64::from(score.signum() + 1) / 2.0;
        let games = self.scores.len().max(1) as f64;
        let share = self.scores.iter().map(points).sum::<f64>() / games;
        let pairs: Vec<f64> =
            self.scores.chunks_exact(2).map(|pair| pair.iter().map(points).sum::<f64>() / 2.0).collect();
        let count = pairs.len() as f64;
        if pairs.len() < 2 {
            return (share, 1.0);
        }
        let mean = pairs.iter().sum::<f64>() / count;
        let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (share, 1.96 * (variance / count).sqrt())
    }
}

/// What a tally comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Number of games.
    pub games: u32,
    /// Games won by the first player.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Games it lost.
    pub lost: u32,
    /// Discs a game for it.
    pub discs: f64,
    /// Its share of the points, 0 to 1.
    pub share: f64,
    /// The half-width of the 95 % interval of the share.
    pub error: f64,
    /// The difference in Elo that makes for it, and the ends of the interval.
    pub elo: [f64; 3],
}

/// The difference in Elo that makes for that share of the points.
fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-3, 1.0 - 1e-3);
    400.0 * (share / (1.0 - share)).log10()
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { games, won, drawn, lost, discs, share, error, elo: [elo, low, high] } = self.figures();
        write!(
            f,
            "{} games: {} won, {} drawn, {} lost, {:+.2} discs a game, {:.1} % \u{b1} {:.1}, Elo {:+.0} ({:+.0} to {:+.0})",
            games,
            won,
            drawn,
            lost,
            discs,
            100.0 * share,
            100.0 * error,
            elo,
            low,
            high
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(scores: &[i32]) -> Tally {
        Tally { scores: scores.to_vec() }
    }

    #[test]
    fn shares_and_errors() {
        // Pairs of 1, 1/2, 1/2 and 0: mean a half, variance 1/6.
        let (share, error) = tally(&[10, 2, 4, -4, 0, 0, -2, -64]).share();
        assert!((share - 0.5).abs() < 1e-9);
        assert!((error - 1.96 * (1.0_f64 / 6.0 / 4.0).sqrt()).abs() < 1e-9, "{error}");
        assert_eq!(tally(&[2]).share(), (1.0, 1.0));
    }

    #[test]
    fn ten_to_one_is_four_hundred() {
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-6);
        assert_eq!(elo(0.5), 0.0);
        assert!(elo(1.0).is_finite() && elo(-0.2).is_finite());
        let text = tally(&[10, -2, 0, 0]).to_string();
        assert!(text.starts_with("4 games: 1 won, 2 drawn, 1 lost, +2.00 discs a game, 50.0 % "), "{text}");
    }
}
