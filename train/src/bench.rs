//! What an evaluation costs.

use std::hint::black_box;
use std::time::Instant;

use outflank::board::{Bitboard, Board, Square};
use outflank::eval::{Evaluator, Features};
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::Random;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::label::evaluator;

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("weights", "", "weights file; the engine's own without it"),
    Opt("trees", "28", "trees of three plies whose leaves are evaluated"),
    Opt("rounds", "7", "times everything is measured; the fastest counts"),
];

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let evaluator = evaluator(args.text("weights"))?;
    let trees: u32 = args.get("trees")?;
    let rounds: u32 = args.get("rounds")?;
    let mut random = Random::of_stream(5, 5);
    // The leaves of small trees, in the order in which a search meets them.
    let mut all: Vec<Vec<Played>> = Vec::new();
    for tree in 0..trees {
        let root = crate::selfplay::random_board(&mut random, 20 + tree % 28);
        let mut moves = Vec::new();
        for first in root.moves() {
            let child = root.after_move(first, root.flips(first));
            for second in child.moves() {
                let board = child.after_move(second, child.flips(second));
                let features = evaluator.features(board);
                for square in board.moves() {
                    moves.push((board, features, square, board.flips(square)));
                }
            }
        }
        all.push(moves);
    }
    let count: usize = all.iter().map(Vec::len).sum();
    println!("{} moves; ns each: move and features, and value", count);
    for &kernel in Kernel::available() {
        let mut total = (0.0, 0.0);
        for moves in &all {
            let mut best = (f64::MAX, f64::MAX);
            for _ in 0..rounds {
                let (first, second) = kernel.dispatch(Timing { evaluator: &evaluator, moves });
                best = (best.0.min(first), best.1.min(second));
            }
            total = (total.0 + best.0, total.1 + best.1);
        }
        let (first, second) = (total.0 / count as f64, total.1 / count as f64);
        println!("{:>10} {:6.1} {:6.1}", kernel.name(), first, second - first);
    }
    Ok(())
}

type Played = (Board, Features, Square, Bitboard);

struct Timing<'a> {
    evaluator: &'a Evaluator,
    moves: &'a [Played],
}

impl KernelTask for Timing<'_> {
    type Output = (f64, f64);

    fn run<K: Kernels>(self) -> (f64, f64) {
        let nanoseconds = |started: Instant| started.elapsed().as_secs_f64() * 1e9;
        let started = Instant::now();
        K::run(|| {
            for (board, features, square, flips) in self.moves {
                black_box(self.evaluator.after_move::<K>(features, *square, *flips));
                black_box(board.after_move(*square, *flips));
            }
        });
        let first = nanoseconds(started);
        let started = Instant::now();
        K::run(|| {
            for (board, features, square, flips) in self.moves {
                let next = self.evaluator.after_move::<K>(features, *square, *flips);
                let after = board.after_move(*square, *flips);
                let replies = Bitboard(K::moves(after.player.0, after.opponent.0));
                black_box(self.evaluator.value::<K>(&next, after, replies));
            }
        });
        (first, nanoseconds(started))
    }
}
