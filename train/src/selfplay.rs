//! Self-play: a random opening, then a shallow search with occasional random moves, then exact play.
//! Every position is written with the value that the search found, and with the outcome.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use outflank::board::{Bitboard, Board, Move, Square};
use outflank::eval::Evaluator;
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::{Random, scatter};

use crate::label::{Searcher, evaluator};
use crate::lookahead::Lookahead;
use crate::record::{self, Proof, Record};
use crate::{at, on_threads, range};

/// Play games and write their positions with values and outcomes
#[derive(Parser)]
pub(crate) struct Options {
    /// Folder for the files NNNNN.bin; existing files are kept
    #[arg(long)]
    out: PathBuf,
    /// Number of files
    #[arg(long, default_value_t = 100)]
    chunks: u32,
    /// Games per file
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// Depth of the search in plies
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Fewest and most random plies of the opening; three games of five stay below 21
    #[arg(long, default_value = "8-45", value_parser = range)]
    opening: (u32, u32),
    /// One move of N is random; 0: none after the opening
    #[arg(long, value_name = "N", default_value_t = 10)]
    random: u32,
    /// Most empty squares at which the game is played exactly
    #[arg(long, default_value_t = 12)]
    solve: u32,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Files made in parallel
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// Weights file; the engine's small weights by default
    #[arg(long, default_value = "", hide_default_value = true)]
    weights: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let search = Lookahead(evaluator(&options.weights)?);
    std::fs::create_dir_all(&options.out).with_context(at(&options.out))?;
    on_threads(options.threads, 0..options.chunks, |chunk| {
        Kernel::best().dispatch(Chunk { options, search: &search, number: chunk })
    })
}

/// The games of a file.
struct Chunk<'a> {
    options: &'a Options,
    search: &'a Lookahead,
    number: u32,
}

impl KernelTask for Chunk<'_> {
    type Output = Result<()>;

    fn run<K: Kernels>(self) -> Result<()> {
        let Chunk { options, search, number: chunk } = self;
        let path = options.out.join(format!("{chunk:05}.bin"));
        if path.exists() {
            return Ok(());
        }
        let mut solver = Searcher::new(&Evaluator::default(), 1);
        let started = Instant::now();
        let mut records = Vec::new();
        for game in 0..options.games {
            let number = chunk.wrapping_mul(options.games).wrapping_add(game);
            let id = number ^ (scatter(options.seed) as u32);
            let mut random = Random::of_stream(options.seed, number.into());
            play::<K>(options, search, &mut solver, &mut random, id, &mut records);
        }
        record::write(&path, &records)?;
        let (games, positions, seconds) = (options.games, records.len(), started.elapsed().as_secs_f64());
        let speed = f64::from(games) / seconds;
        let path = path.display();
        eprintln!("{path}: {games} games, {positions} positions, {seconds:.0} s, {speed:.0} games/s");
        Ok(())
    }
}

/// Plays one game and adds its positions.
fn play<K: Kernels>(
    options: &Options,
    search: &Lookahead,
    solver: &mut Searcher,
    random: &mut Random,
    game: u32,
    records: &mut Vec<Record>,
) {
    // Most random openings are short. Long ones contain positions after blunders.
    let (fewest, most) = options.opening;
    let short = most.min(20).max(fewest);
    let most = if random.below(5) < 3 { short } else { most };
    let plies = fewest + random.below(most - fewest + 1);
    let mut board = random_board(random, plies);
    let first = records.len();
    let mut sign = 1;
    // For each record: 1 or -1 for the side that moves in it.
    let mut signs = Vec::new();
    // Records before this one have no outcome.
    let mut first_with_outcome = first;
    // The rest of the game with best play, and its exact value for the mover.
    let (mut rest, mut exact) = (VecDeque::new(), 0);
    let outcome = loop {
        let moves = board.moves();
        if moves.is_empty() {
            if board.is_over() {
                break board.final_score();
            }
            board = board.after_pass();
            sign = -sign;
            rest.pop_front();
            exact = -exact;
            continue;
        }
        let empties = board.empties();
        if empties <= options.solve.max(5) && rest.is_empty() {
            (exact, rest) = solver.solve(board);
        }
        if empties <= 5 {
            break exact / 100;
        }
        let (value, square, proof) = if empties <= options.solve {
            (exact, rest.pop_front().and_then(Move::square), Proof::Exact)
        } else {
            let (value, square) = search.best::<K>(board, options.depth);
            (value, square, Proof::Search(options.depth as u8))
        };
        let randomly = options.random > 0 && random.below(options.random) == 0;
        records.push(Record { board, game, value: value as i16, proof, random: randomly, outcome: None });
        signs.push(sign);
        let mut square = square;
        if randomly {
            square = random_move(random, moves);
            first_with_outcome = records.len();
            rest.clear();
        }
        let Some(square) = square else { break board.final_score() };
        board = board.after_move(square, board.flips(square));
        sign = -sign;
        exact = -exact;
    };
    for (record, &then) in records[first..].iter_mut().zip(&signs).skip(first_with_outcome - first) {
        record.outcome = Some((outcome * sign * then) as i8);
    }
}

/// Returns the board after `plies` random moves from the start, or after fewer if the game ends.
pub(crate) fn random_board(random: &mut Random, plies: u32) -> Board {
    let mut board = Board::START;
    for _ in 0..plies {
        board = match random_move(random, board.moves()) {
            Some(square) => board.after_move(square, board.flips(square)),
            None if board.is_over() => break,
            None => board.after_pass(),
        };
    }
    board
}

fn random_move(random: &mut Random, moves: Bitboard) -> Option<Square> {
    let moves = Some(moves).filter(|moves| !moves.is_empty())?;
    moves.into_iter().nth(random.below(moves.count()) as usize)
}

#[cfg(test)]
mod tests {
    use outflank::kernel::Portable;

    use super::*;

    #[test]
    fn exact_values_are_those_of_a_solver() {
        let words = ["", "--out", "unused", "--opening", "30-45", "--random", "4", "--solve", "14"];
        let options = Options::parse_from(words);
        let evaluator = Evaluator::default();
        let search = Lookahead(evaluator.clone());
        let (mut solver, mut records) = (Searcher::new(&evaluator, 1), Vec::new());
        for game in 0..8 {
            let mut random = Random::of_stream(5, game.into());
            play::<Portable>(&options, &search, &mut solver, &mut random, game, &mut records);
        }
        let exact: Vec<_> = records.iter().filter(|record| record.proof == Proof::Exact).collect();
        assert!(exact.len() > 60 && exact.iter().any(|record| record.random));
        for record in exact {
            let value = Searcher::new(&evaluator, 1).solve(record.board).0;
            assert_eq!(i32::from(record.value), value, "{:?}", record.board);
            // The outcome of exact play is the value, unless a random move was played here or later.
            assert!(record.random || record.outcome.is_none_or(|outcome| 100 * i32::from(outcome) == value));
        }
    }
}
