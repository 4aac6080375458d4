//! Table of the results of the first program, with each color and in all.

use std::fmt::Write;

use outflank::game::{Figures, MatchStats};

use super::options::Options;
use super::report::Record;

/// Returns the table without a final line end.
pub(super) fn write(records: &[Record], options: &Options) -> String {
    let mut text = format!(
        "first:  {}\nsecond: {}\n{:<8}  {:>6}  {:>6}  {:>6}  {:>6}  {:>8}  {:>7}  {:>12}",
        options.first.command,
        options.second.command,
        "first",
        "games",
        "won",
        "drawn",
        "lost",
        "points",
        "%",
        "discs a game"
    );
    for (name, side) in [("as Black", Some(true)), ("as White", Some(false)), ("in all", None)] {
        let mut tally = MatchStats::default();
        for record in records.iter().filter(|record| side.is_none_or(|black| record.first_is_black == black))
        {
            tally.add(record.score);
        }
        let Figures { games, won, drawn, lost, discs, share, .. } = tally.figures();
        let points = f64::from(won) + f64::from(drawn) / 2.0;
        let share = 100.0 * share;
        let _ = write!(
            text,
            "\n{name:<8}  {games:>6}  {won:>6}  {drawn:>6}  {lost:>6}  {points:>8.1}  {share:>7.1}  {discs:>+12.2}"
        );
    }
    text
}
