//! Sequential probability ratio test of the difference in Elo (Wald), over the pairs of games of the openings.

/// Ratio at which the test ends, as a logarithm: ln(0.95 / 0.05), for errors of 5 % at both differences.
pub(super) const BOUND: f64 = 2.944_438_979_166_44;
/// Largest difference in Elo that can be tested.
const MAX_ELO: f64 = 1000.0;

/// The two differences in Elo between which the test decides, the lower one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sprt(pub(super) [f64; 2]);

/// Reads `ELO0,ELO1`.
pub(super) fn read(text: &str) -> Result<Sprt, &'static str> {
    let read = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= MAX_ELO);
    let both = text.split_once(',').and_then(|(low, high)| read(low).zip(read(high)));
    let both = both.filter(|(low, high)| low < high);
    both.map(|(low, high)| Sprt([low, high]))
        .ok_or("not two differences in Elo like 0,10, the lower one first")
}

impl Sprt {
    /// Returns the logarithm of the likelihood ratio of the upper and the lower difference, from the scores of the games in sequence.
    ///
    /// The shares of pairs are treated as normally distributed with the variance that they show. The two games of an opening are not
    /// independent, their sums are. Two pairs won and two pairs lost are added to the variance: equal results
    /// would have none.
    pub(super) fn ratio(self, scores: &[i32]) -> f64 {
        let pairs = scores
            .chunks_exact(2)
            .map(|pair| pair.iter().map(|score| f64::from(score.signum() + 1)).sum::<f64>() / 4.0);
        let count = pairs.len() as f64;
        let mean = pairs.clone().sum::<f64>() / count.max(1.0);
        let squares: f64 = pairs.map(|share| (share - mean).powi(2)).sum();
        let variance = (squares + 1.0) / (count + 4.0);
        let [low, high] = self.0.map(|elo| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        count * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Returns the difference that the test accepts. `None` if it continues.
    pub(super) fn decision(self, scores: &[i32]) -> Option<f64> {
        let ratio = self.ratio(scores);
        let [low, high] = self.0;
        if scores.len() % 2 == 1 || ratio.abs() < BOUND {
            None
        } else {
            Some(if ratio > 0.0 { high } else { low })
        }
    }

    /// Returns the state of the test for people.
    pub(super) fn text(self, scores: &[i32]) -> String {
        let [low, high] = self.0;
        let end = match self.decision(scores) {
            Some(elo) => format!("accepts {elo:+} Elo"),
            None => "is undecided".to_owned(),
        };
        format!(
            "SPRT of {low:+} and {high:+} Elo: ratio {:+.2} (ends at ±{BOUND:.2}), {end}",
            self.ratio(scores)
        )
    }
}

#[cfg(test)]
mod tests {
    use outflank::random::Random;

    use super::*;

    /// Draws results until the test ends. Returns the difference that it accepts. A game is drawn in one of ten cases; `elo` gives the
    /// share of the others that the first program wins. The opening of a pair favors one color at random.
    fn accepted(test: Sprt, elo: f64, seed: u64) -> f64 {
        let share = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let mut random = Random::of_stream(seed, 66);
        let mut scores = Vec::new();
        loop {
            let favor = 0.2 * (f64::from(random.below(1000)) / 1000.0 - 0.5);
            for favor in [favor, -favor] {
                let drawn = f64::from(random.below(1000)) / 1000.0;
                let won = f64::from(random.below(1_000_000)) / 1e6 < share + favor;
                scores.push(if drawn < 0.1 {
                    0
                } else if won {
                    2
                } else {
                    -2
                });
            }
            if let Some(elo) = test.decision(&scores) {
                return elo;
            }
        }
    }

    #[test]
    fn true_difference_is_accepted_in_95_of_100_matches() {
        let test = Sprt([0.0, 60.0]);
        for elo in test.0 {
            // Draws count half. The games that are not drawn have a larger difference than all games, whose difference is `elo`.
            let share = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            let decided = 0.5 + (share - 0.5) / 0.9;
            let shown = -400.0 * (1.0 / decided - 1.0).log10();
            let right = (0..400).filter(|&seed| accepted(test, shown, seed) == elo).count();
            assert!(right >= 380, "{right} of 400 at {elo} Elo");
        }
    }
}
