//! `cargo xtask differential`: compares every build, kernel and number of threads, and simple reference programs.
//!
//! | question | asked | reference |
//! | --- | --- | --- |
//! | moves, flips, last flips | one thread | naive rules |
//! | static values | one thread | native portable kernels |
//! | endgames of at most 14 empty squares, with one table for all | all | score of a plain alpha-beta search |
//! | positions of suites, each with a new table | all | score of the suite |
//! | endgames of 15 to 20 empty squares, each with a new table | all | score of the native portable kernels with one thread |
//! | nodes of all these | one thread | native portable kernels |
//!
//! Rounds with new positions run until the time is over. The first difference ends the run.

mod browser;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../../engine/tests/properties/naive.rs"]
mod naive;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../../engine/tests/plain/mod.rs"]
mod plain;
mod positions;
mod side;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use outflank::board::{Bitboard, Color, Position, Square};
use outflank::notation::squares;

use naive::Naive;
use plain::Random;
use positions::Known;
use side::{Side, Sides, Solved};

type Fault = Box<dyn std::error::Error>;

const MAX_THREADS: usize = 8;

/// Numbers of positions in a round.
const BOARDS: usize = 1000;
const SMALL: usize = 200;
const LARGE: usize = 6;
const SUITES: usize = 8;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, browser] = &arguments[..] else {
        return Err("usage: outflank-differential MINUTES SEED browser|native".into());
    };
    let time = Duration::from_secs_f64(minutes.parse::<f64>()? * 60.0);
    let seed: u64 = seed.parse()?;
    let start = Instant::now();
    let mut sides = Sides::start(MAX_THREADS, browser == "browser")?;
    let mut suites = positions::suites()?.into_iter().cycle();
    let mut answers = 0;
    println!("{} sides, seed {seed}, {minutes} minutes", sides.all.len());
    for round in 0.. {
        let mut random = Random::new(seed.wrapping_add(round));
        answers += leaves(&positions::boards(&mut random, BOARDS), &mut sides)?;
        answers += endgames(&positions::small_endgames(&mut random, SMALL), &mut sides, true)?;
        answers += endgames(&suites.by_ref().take(SUITES).collect::<Vec<_>>(), &mut sides, false)?;
        answers += endgames(&positions::large_endgames(&mut random, LARGE), &mut sides, false)?;
        println!("{} rounds, {:.0?}: {answers} answers compared", round + 1, start.elapsed());
        if start.elapsed() >= time {
            break;
        }
    }
    Ok(())
}

/// Asks all sides with one thread about boards. Returns the number of answers.
fn leaves(boards: &[Position], sides: &mut Sides) -> Result<usize, Fault> {
    let texts: Vec<String> = boards.iter().map(squares::write).collect();
    let rules: Vec<String> = boards.iter().map(rules).collect();
    let mut values = Vec::new();
    let mut count = 0;
    for side in sides.all.clone().iter().filter(|side| side.threads == 1) {
        let answers = sides.leaves(side, &texts)?;
        compare(side, "number of answers", &texts.len().to_string(), &answers.len().to_string())?;
        for (n, answer) in answers.iter().enumerate() {
            if values.len() == n {
                values.push(answer.rsplit(' ').next().unwrap_or_default().to_owned());
            }
            compare(side, &texts[n], &format!("{} {}", rules[n], values[n]), answer)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Lets all sides solve endgames. Returns the number of answers.
fn endgames(known: &[Known], sides: &mut Sides, keep_table: bool) -> Result<usize, Fault> {
    let texts: Vec<String> = known.iter().map(|known| known.position.clone()).collect();
    let mut first = Vec::new();
    for side in &sides.all.clone() {
        let solved = sides.solve(side, &texts, keep_table)?;
        compare(side, "number of answers", &texts.len().to_string(), &solved.len().to_string())?;
        if first.is_empty() {
            first.clone_from(&solved);
        }
        for ((known, solved), first) in known.iter().zip(&solved).zip(&first) {
            let shown = |Solved { score, nodes }| match side.threads {
                1 => format!("score {score:+}, {nodes} nodes"),
                _ => format!("score {score:+}"),
            };
            let expected = Solved { score: known.score.unwrap_or(first.score), ..*first };
            compare(side, &known.position, &shown(expected), &shown(*solved))?;
        }
    }
    Ok(known.len() * sides.all.len())
}

fn compare(side: &Side, subject: &str, expected: &str, found: &str) -> Result<(), Fault> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{side}: {subject}\n  expected {expected}\n  found    {found}").into())
}

/// Returns the answer of the naive rules: that of [`outflank::eval::leaves`] without the static value.
fn rules(position: &Position) -> String {
    let naive = Naive::of(position);
    let bits = |squares: Vec<Square>| squares.into_iter().collect::<Bitboard>().0;
    let flips = position.board().empty().into_iter().map(|square| format!("{:x}", bits(naive.flips(square))));
    let flips: Vec<String> = flips.collect();
    let flips = if flips.is_empty() { "-".to_owned() } else { flips.join(",") };
    let last: String = Square::all().map(|square| format!("{:02x}", last_flips(position, square))).collect();
    format!("{:x} {flips} {last}", bits(naive.moves()))
}

/// Returns twice the number of discs flipped on `square` if the opponent had all squares that the mover does not have.
fn last_flips(position: &Position, square: Square) -> usize {
    let player = position.board().player & !Bitboard::of(square);
    let opponent = !(player | Bitboard::of(square));
    let full = Position::from_discs(player, opponent, Color::Black);
    full.map_or(0, |full| 2 * Naive::of(&full).flips(square).len())
}
