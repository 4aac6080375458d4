//! `cargo xtask differential`: compares every build, kernel and number of threads. The tests of the engine compare its kernels with
//! naive rules, natively and in a worker, and its endgame with a plain search and with the scores of suites.
//!
//! | question | asked | reference |
//! | --- | --- | --- |
//! | endgames of at most 14 empty squares, with one table for all | all | score of the native portable kernels with one thread |
//! | endgames of 15 to 20 empty squares, each with a new table | all | the same |
//! | nodes of all these | one thread | native portable kernels |
//!
//! Rounds with new positions run until the time is over. The first difference ends the run.

mod browser;
#[path = "../../../../../engine/tests/plain/mod.rs"]
mod plain;

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use outflank::analysis::ask;
use outflank::board::{Color, Position, Symmetry};
use outflank::kernel::Kernel;
use outflank::notation::squares;
use outflank::search::{Goal, HashSize, Limits, Search, SearchConfig};

use browser::Browser;
use plain::{Random, random_board};

const MAX_THREADS: usize = 8;

/// Numbers of positions in a round.
const SMALL: usize = 200;
const LARGE: usize = 6;

/// Size of the tables in mebibytes. It is small, so that entries are replaced.
const HASH: u32 = 4;

const NATIVE: &str = "native";

/// A build with a set of kernels and a number of threads.
#[derive(Debug)]
struct Side {
    build: &'static str,
    kernel: String,
    threads: usize,
}

#[derive(Clone, Copy, Debug)]
struct Solved {
    score: i64,
    nodes: u64,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, seed, browser] = &arguments[..] else {
        bail!("usage: outflank-differential MINUTES SEED browser|native");
    };
    let time = Duration::from_secs_f64(minutes.parse::<f64>()? * 60.0);
    let seed: u64 = seed.parse()?;
    let start = Instant::now();
    let mut browser = (browser == "browser").then(Browser::start).transpose()?;
    let side = |kernel: Kernel, threads| Side { build: NATIVE, kernel: kernel.name().to_owned(), threads };
    // The reference is the first.
    let mut sides: Vec<Side> = Kernel::available().iter().map(|&kernel| side(kernel, 1)).collect();
    sides.extend((2..=MAX_THREADS).map(|threads| side(Kernel::best(), threads)));
    if let Some(browser) = &mut browser {
        sides.extend(browser.sides()?);
    }
    println!("{} sides, seed {seed}, {minutes} minutes", sides.len());
    let mut answers = 0;
    for round in 0.. {
        let mut random = Random::new(seed.wrapping_add(round));
        for (count, is_large) in [(SMALL, false), (LARGE, true)] {
            let positions: Vec<String> = (0..count).map(|n| endgame(&mut random, n, is_large)).collect();
            let mut expected = Vec::new();
            for side in &sides {
                let found = match &mut browser {
                    Some(browser) if side.build != NATIVE => browser.solve(side, &positions, !is_large)?,
                    _ => solve(side, &positions, !is_large)?,
                };
                ensure!(found.len() == count, "{side:?}: {} answers of {count}", found.len());
                if expected.is_empty() {
                    expected.clone_from(&found);
                }
                for ((position, found), expected) in positions.iter().zip(&found).zip(&expected) {
                    let is_equal =
                        found.score == expected.score && (side.threads > 1 || found.nodes == expected.nodes);
                    ensure!(is_equal, "{side:?}: {position}\n  expected {expected:?}\n  found    {found:?}");
                }
                answers += count;
            }
        }
        println!("{} rounds, {:.0?}: {answers} answers compared", round + 1, start.elapsed());
        if start.elapsed() >= time {
            break;
        }
    }
    Ok(())
}

/// Returns an endgame of a random game, transformed by a symmetry, with Black or White to move. Half of the small ones have ten or
/// more empty squares: there, tables and move ordering matter.
fn endgame(random: &mut Random, n: usize, is_large: bool) -> String {
    let empties = match (is_large, n % 2) {
        (true, _) => 15 + n % 6,
        (_, 0) => 10 + n / 2 % 5,
        _ => 1 + n / 2 % 9,
    };
    let board = random_board(random, empties as u32);
    let board = Symmetry::all().nth(n % 8).map_or(board, |symmetry| symmetry.board(board));
    let side = if (n / 8).is_multiple_of(2) { Color::Black } else { Color::White };
    squares::write(&Position::new(board, side))
}

/// Solves positions with the native library. If `keep_table` is set, the table is not cleared between them.
fn solve(side: &Side, positions: &[String], keep_table: bool) -> Result<Vec<Solved>> {
    let mut kernels = Kernel::available().iter();
    let kernel = kernels.find(|kernel| kernel.name() == side.kernel).context("an unknown kernel")?;
    let mut search = Search::new(SearchConfig::default().with_hash(HashSize(HASH)).with_kernel(*kernel));
    thread::scope(|scope| {
        for _ in 1..side.threads {
            let helper = search.helper();
            scope.spawn(move || helper.help());
        }
        let solve = |text: &String| {
            if !keep_table {
                search.clear();
            }
            let root = squares::read(text)?;
            let report = ask(&mut search, root, Goal::BestMove, Limits::NONE);
            let over = 100 * root.board().final_score();
            let centidiscs = report.best().map_or(over, |line| line.score.centidiscs());
            Ok(Solved { score: i64::from(centidiscs / 100), nodes: report.nodes })
        };
        let solved = positions.iter().map(solve).collect();
        search.close_helpers();
        solved
    })
}
