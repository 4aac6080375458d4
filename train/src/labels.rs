//! Labels: the values that are learned from the records of self-play.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use clap::Args;
use outflank::board::Board;

use crate::record::{self, Proof, Record};

/// How labels are made of records.
#[derive(Args)]
pub(crate) struct LabelOptions {
    /// yes: shift searched values at each number of empty squares to the mean outcome; no; or a file or folder of exact scores
    /// of some positions (`label`), to whose mean labels are shifted
    #[arg(long, value_name = "yes|no|PATH", default_value = "yes")]
    calibrate: String,
    /// Share of later positions of the game in the label of a position, 0 to 1
    #[arg(long, default_value_t = 0.93)]
    lambda: f32,
}

/// Fewest exact scores at a number of empty squares for a correction of its labels.
const MIN_EXACT_SCORES: u32 = 100;
/// Numbers of empty squares whose labels are corrected by exact scores.
const MEASURED_EMPTIES: std::ops::RangeInclusive<usize> = 10..=26;

/// Exact scores in centidiscs for the mover, by board.
type ExactScores = HashMap<Board, f32>;

/// Reads the records of a file or folder, with labels as `options` require.
pub(crate) fn read(word: &str, options: &LabelOptions) -> Result<Vec<Record>> {
    let lambda = options.lambda;
    let mut records = record::read_all(&[word.to_owned()])?;
    let shifts = match options.calibrate.as_str() {
        "no" => [0.0; 65],
        "yes" => {
            calibrate(word, &mut records);
            [0.0; 65]
        }
        folder => shifts_to_exact(word, &records, &exact_scores(folder)?, lambda),
    };
    let labels = blended(&records, lambda, &shifts);
    for (record, label) in records.iter_mut().zip(labels) {
        record.value = label.round().clamp(-6400.0, 6400.0) as i16;
    }
    Ok(records)
}

/// Reads the exact scores of a file or folder that `label` wrote.
fn exact_scores(word: &str) -> Result<ExactScores> {
    let mut scores = HashMap::new();
    for file in record::files(&[word.to_owned()])? {
        for record in record::read(&file)? {
            ensure!(record.proof == Proof::Exact, "{}: a position without an exact score", file.display());
            scores.insert(record.board, f32::from(record.value));
        }
    }
    ensure!(!scores.is_empty(), "{word}: no exact scores");
    Ok(scores)
}

/// Returns what to add to the labels of searches, by number of empty squares, so that their mean is that of the exact scores.
///
/// A label contains the loss of the move that was played, so labels above the exact end of a game are too low by the loss of
/// one shallow search, and the corrections below a number of empty squares count for those above it. Corrections are
/// measured from the end of the game upwards. Above the last measured number they continue with the mean of the last two of
/// the same parity.
fn shifts_to_exact(name: &str, records: &[Record], exact: &ExactScores, lambda: f32) -> [f32; 65] {
    let mut shifts = [0.0; 65];
    let mut measured: Vec<usize> = Vec::new();
    for empties in MEASURED_EMPTIES {
        let labels = blended(records, lambda, &shifts);
        let (mut sum, mut count) = (0.0_f64, 0_u32);
        for (record, label) in records.iter().zip(labels) {
            if let (Proof::Search(_), Some(score)) = (record.proof, exact.get(&record.board))
                && record.board.empties() as usize == empties
            {
                sum += f64::from(score - label);
                count += 1;
            }
        }
        if count >= MIN_EXACT_SCORES {
            shifts[empties] = (sum / f64::from(count)) as f32;
            measured.push(empties);
        }
    }
    let last = measured.last().copied().unwrap_or(64);
    for empties in last + 1..=64 {
        let same = measured.iter().rev().filter(|&&n| n % 2 == empties % 2).take(2);
        let found: Vec<f32> = same.map(|&n| shifts[n]).collect();
        shifts[empties] = found.iter().sum::<f32>() / found.len().max(1) as f32;
    }
    let rounded: Vec<i32> = shifts.iter().map(|shift| shift.round() as i32).collect();
    eprintln!("{name}: centidiscs added to labels of searches, from 8 empty squares: {:?}", &rounded[8..60]);
    shifts
}

/// Shifts the values of searches so that, at each number of empty squares, their mean is the mean of the outcomes. Each named
/// file or folder is shifted separately, since each has the errors of its own weights.
///
/// The side that moves last before the leaves profits from errors of the evaluation, so a search of an even depth is
/// pessimistic. Every round of learning from searches would add to it.
fn calibrate(name: &str, records: &mut [Record]) {
    let mut sums = [(0.0_f64, 0_u32); 65];
    for record in records.iter().filter(|record| !record.held_out()) {
        if let (Proof::Search(_), Some(outcome)) = (record.proof, record.outcome) {
            let (sum, count) = &mut sums[record.board.empties() as usize];
            *sum += 100.0 * f64::from(outcome) - f64::from(record.value);
            *count += 1;
        }
    }
    // The mean over neighbors of the same parity: few games have positions at the ends.
    let shift = |empties: usize| {
        let near = [empties.saturating_sub(2), empties, (empties + 2).min(64)];
        let (sum, count) =
            near.iter().fold((0.0, 0), |(sum, count), &n| (sum + sums[n].0, count + sums[n].1));
        if count < 5000 { 0.0 } else { sum / f64::from(count) }
    };
    let shifts: Vec<f64> = (0..65).map(shift).collect();
    for record in records {
        if let Proof::Search(_) = record.proof {
            let value = f64::from(record.value) + shifts[record.board.empties() as usize];
            record.value = value.round().clamp(-6400.0, 6400.0) as i16;
        }
    }
    let rounded: Vec<i32> = shifts.iter().map(|shift| shift.round() as i32).collect();
    eprintln!("{name}: centidiscs added to searched values, from 8 empty squares on: {:?}", &rounded[8..60]);
}

/// Returns the labels in centidiscs: the value of each position blended with the label of the next one, whose searches looked
/// further, with share `lambda` (TD(λ); Sutton, 1988). `shifts` by number of empty squares are added to values of searches.
///
/// The chain ends at a random move: the game does not show what the better move leads to.
fn blended(records: &[Record], lambda: f32, shifts: &[f32; 65]) -> Vec<f32> {
    // The next position of the game and its label.
    let mut next: Option<(Record, f32)> = None;
    let mut labels = vec![0.0; records.len()];
    for (found, place) in records.iter().zip(&mut labels).rev() {
        let own = f32::from(found.value);
        let mut label = own;
        if let Proof::Search(_) = found.proof {
            if let Some((later, value)) = next
                && let Some(sign) = continued(found, &later)
                && !found.random
            {
                label += lambda * (sign * value - own);
            }
            label += shifts[found.board.empties() as usize];
        }
        *place = label;
        next = Some((*found, label));
    }
    labels
}

/// Returns 1 if `later` is one move after `record` and the same side moves, −1 if the other side moves. `None` if it is another
/// position.
fn continued(record: &Record, later: &Record) -> Option<f32> {
    if record.game != later.game || record.board.empties() != later.board.empties() + 1 {
        return None;
    }
    let mine = record.board.player;
    // A move flips no disc of its own side.
    if mine & later.board.opponent == mine {
        Some(-1.0)
    } else if mine & later.board.player == mine {
        Some(1.0)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use outflank::board::Board;

    use super::*;

    /// A game of first legal moves, valued 100, 150, 200 … centidiscs for the side that began; passes included.
    fn game() -> (Vec<Record>, Vec<f32>) {
        let (mut board, mut sign) = (Board::START, 1.0);
        let (mut records, mut signs) = (Vec::new(), Vec::new());
        while !board.is_over() {
            let Some(square) = board.moves().into_iter().next() else {
                board = board.after_pass();
                sign = -sign;
                continue;
            };
            let value = sign as i16 * (100 + 50 * records.len() as i16);
            let proof = Proof::Search(4);
            records.push(Record { board, game: 7, value, proof, random: false, outcome: None });
            signs.push(sign);
            board = board.after_move(square, board.flips(square));
            sign = -sign;
        }
        (records, signs)
    }

    #[test]
    fn later_values_are_blended() {
        let (mut records, signs) = game();
        assert!(signs.windows(2).any(|pair| pair[0] == pair[1]), "no pass in the game");
        records[20].random = true;
        records[30].proof = Proof::Exact;
        // Another game ends the chain as well.
        records[40..].iter_mut().for_each(|record| record.game += 1);
        let before = records.clone();
        for (n, label) in blended(&records, 0.5, &[0.0; 65]).into_iter().enumerate() {
            // The sum over all that is behind, written out.
            let (mut expected, mut share) = (0.0, 1.0);
            for later in n.. {
                let value = signs[later] * f32::from(before[later].value);
                let last = [20, 30, 39, records.len() - 1].contains(&later);
                expected += share * if last { 1.0 } else { 0.5 } * value;
                share *= 0.5;
                if last {
                    break;
                }
            }
            assert!((signs[n] * label - expected).abs() < 1.0, "{n}");
        }
    }

    #[test]
    fn calibrated_labels_have_the_mean_of_exact_scores() {
        let mut records = Vec::new();
        let mut exact = ExactScores::new();
        for number in 0..200 {
            let (mut game, _) = game();
            for record in &mut game {
                record.game = number;
                if record.board.empties() < 14 {
                    record.proof = Proof::Exact;
                }
                // A true score that is two discs above the value of an odd number of empty squares.
                let error = 200.0 * (record.board.empties() % 2) as f32;
                exact.insert(record.board, f32::from(record.value) + error);
            }
            records.extend(game);
        }
        let shifts = shifts_to_exact("test", &records, &exact, 0.9);
        let labels = blended(&records, 0.9, &shifts);
        for empties in 14..=26 {
            let errors = records.iter().zip(&labels).filter(|(record, _)| record.board.empties() == empties);
            let errors: Vec<f32> = errors.map(|(record, label)| exact[&record.board] - label).collect();
            let mean = errors.iter().sum::<f32>() / errors.len() as f32;
            assert!(mean.abs() < 1.0, "{empties}: {mean}");
        }
        assert_eq!(shifts[13], 0.0);
        assert_eq!(shifts[40], (shifts[26] + shifts[24]) / 2.0);
    }
}
