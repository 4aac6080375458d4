//! Better labels from what the files already hold.

use crate::args::Args;
use crate::error::Error;
use crate::record::{self, Proof, Record};

/// The records of a file or folder, with the labels that the options `calibrate`, `lambda` and `cut` ask for.
pub(crate) fn read(word: &str, args: &Args) -> Result<Vec<Record>, Error> {
    let (lambda, cut): (f32, f32) = (args.get("lambda")?, args.get("cut")?);
    let mut records = Vec::new();
    for file in record::files(&[word.to_owned()])? {
        records.extend(record::read(&file)?);
    }
    if args.text("calibrate") == "yes" {
        calibrate(word, &mut records);
    }
    if lambda > 0.0 {
        blend(&mut records, lambda, cut);
    }
    Ok(records)
}

/// Shifts the values of searches so that, at each number of empty squares, their mean is that of the outcomes:
/// for each file or folder named by itself, for each has its own weights' errors.
///
/// Whoever moves last before the leaves profits from the errors of the evaluation, so a search of an even
/// depth is pessimistic. Every round of learning from searches would add to it.
pub(crate) fn calibrate(name: &str, records: &mut [Record]) {
    let mut sums = [(0.0_f64, 0_u32); 65];
    for record in records.iter().filter(|record| !record.held_out()) {
        if let (Proof::Search(_), Some(outcome)) = (record.proof, record.outcome) {
            let (sum, count) = &mut sums[record.board.empties() as usize];
            *sum += 100.0 * f64::from(outcome) - f64::from(record.value);
            *count += 1;
        }
    }
    // A mean over neighbours of the same parity: few games are left at the ends.
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

/// Blends the value of each position with those found later in its game, which looked further: with share
/// `lambda` of what follows (TD(λ); Sutton, 1988).
///
/// The chain ends at a random move: nothing is known of what the better move would have led to. A value that
/// jumps by more than `cut` centidiscs tells such a move, too, where the file does not.
pub(crate) fn blend(records: &mut [Record], lambda: f32, cut: f32) {
    // What follows the position at hand: its board, its own value, and its blended one.
    let mut next: Option<(Record, f32)> = None;
    for record in records.iter_mut().rev() {
        let found = *record;
        let own = f32::from(found.value);
        let mut blended = own;
        if let (Proof::Search(_), Some((later, value))) = (found.proof, next)
            && let Some(sign) = continued(&found, &later)
            && !found.random
            && (own - sign * f32::from(later.value)).abs() <= cut
        {
            blended += lambda * (sign * value - own);
        }
        record.value = blended.round() as i16;
        next = Some((found, blended));
    }
}

/// Whether `later` comes one move after `record`: 1 if the same side moves again, -1 if the other one does.
fn continued(record: &Record, later: &Record) -> Option<f32> {
    if record.game != later.game || record.board.empties() != later.board.empties() + 1 {
        return None;
    }
    let mine = record.board.player;
    // No disc of the one who moved was flipped by the move.
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
                board = board.passed();
                sign = -sign;
                continue;
            };
            let value = sign as i16 * (100 + 50 * records.len() as i16);
            let proof = Proof::Search(4);
            records.push(Record { board, game: 7, value, proof, random: false, outcome: None });
            signs.push(sign);
            board = board.placed(square, board.flips(square));
            sign = -sign;
        }
        (records, signs)
    }

    #[test]
    fn later_values_are_blended_in() {
        let (mut records, signs) = game();
        assert!(signs.windows(2).any(|pair| pair[0] == pair[1]), "no pass in the game");
        records[20].random = true;
        records[30].proof = Proof::Exact;
        let before = records.clone();
        blend(&mut records, 0.5, 600.0);
        for (n, record) in records.iter().enumerate() {
            // The sum over all that is behind, written out.
            let (mut expected, mut share) = (0.0, 1.0);
            for later in n.. {
                let value = signs[later] * f32::from(before[later].value);
                let last = later == 20 || later == 30 || later + 1 == records.len();
                expected += share * if last { 1.0 } else { 0.5 } * value;
                share *= 0.5;
                if last {
                    break;
                }
            }
            assert!((signs[n] * f32::from(record.value) - expected).abs() < 1.0, "{n}");
        }
    }

    #[test]
    fn a_jump_of_the_value_ends_the_chain() {
        let (mut records, signs) = game();
        records[10].value += 1000 * signs[10] as i16;
        let before = records[10].value;
        blend(&mut records, 0.5, 600.0);
        assert_eq!(records[10].value, before);
        records[40].game += 1;
        let before = records[39].value;
        blend(&mut records, 0.5, 600.0);
        assert_eq!(records[39].value, before);
    }
}
