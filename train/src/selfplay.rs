//! Self-play: random opening plies, then a shallow search, now and then a random move, then the exact end.
//! Every position is written with the value the search found for it and with the outcome.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use outflank::board::Board;
use outflank::kernel::{Kernel, KernelTask, Kernels};
use outflank::random::Random;

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::exact::Exact;
use crate::label;
use crate::lookahead::{Lookahead, StaticEval};
use crate::record::{self, Proof, Record};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("out", "", "folder for the files, NNNNN.bin each; those already there are kept"),
    Opt("chunks", "100", "number of files"),
    Opt("games", "2000", "games a file"),
    Opt("depth", "4", "plies looked ahead"),
    Opt("opening", "8-45", "fewest and most random plies of the opening; three games in five stay below 21"),
    Opt("random", "10", "one move in so many is random; 0: none after the opening"),
    Opt("solve", "12", "empty squares from which the game is played exactly"),
    Opt("seed", "1", "seed; another seed plays other games"),
    Opt("threads", "1", "files made at the same time"),
    Opt(
        "weights",
        "",
        "weights file; `hand` for the evaluation written by hand; the engine's own without it",
    ),
];

struct Config {
    out: PathBuf,
    chunks: u32,
    games: u32,
    depth: u32,
    opening: (u32, u32),
    random: u32,
    solve: u32,
    seed: u64,
    evaluator: StaticEval,
}

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let config = Config {
        out: PathBuf::from(args.text("out")),
        chunks: args.get("chunks")?,
        games: args.get("games")?,
        depth: args.get("depth")?,
        opening: args.range("opening")?,
        random: args.get("random")?,
        solve: args.get("solve")?,
        seed: args.get("seed")?,
        evaluator: evaluator(args.text("weights"))?,
    };
    if args.text("out").is_empty() {
        return Err(Error::new("--out is needed"));
    }
    std::fs::create_dir_all(&config.out).map_err(|error| Error::at(&config.out, error))?;
    let next = AtomicU32::new(0);
    let threads: NonZero<usize> = args.get("threads")?;
    std::thread::scope(|scope| {
        let worker = || Kernel::best().dispatch(Worker { config: &config, next: &next });
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => Err(Error::new("a thread panicked")),
        })
    })
}

/// The evaluation of a weights file, `hand` for the one written by hand, or the engine's own for an empty
/// name.
pub(crate) fn evaluator(path: &str) -> Result<StaticEval, Error> {
    match path {
        "hand" => Ok(StaticEval::Handmade),
        _ => label::evaluator(path).map(StaticEval::Learnt),
    }
}

struct Worker<'a> {
    config: &'a Config,
    next: &'a AtomicU32,
}

impl KernelTask for Worker<'_> {
    type Output = Result<(), Error>;

    fn run<K: Kernels>(self) -> Result<(), Error> {
        let config = self.config;
        let mut search = Lookahead::new(config.evaluator.clone());
        let mut exact = Exact::new();
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= config.chunks {
                return Ok(());
            }
            let path = config.out.join(format!("{chunk:05}.bin"));
            if path.exists() {
                continue;
            }
            let started = Instant::now();
            let mut records = Vec::new();
            for game in 0..config.games {
                let number = chunk.wrapping_mul(config.games).wrapping_add(game);
                let id = number ^ (outflank::random::scatter(config.seed) as u32);
                let mut random = Random::of_stream(config.seed, number.into());
                play::<K>(config, &mut search, &mut exact, &mut random, id, &mut records);
            }
            record::write(&path, &records)?;
            let seconds = started.elapsed().as_secs_f64();
            eprintln!(
                "{}: {} games, {} positions, {:.0} s, {:.0} games/s",
                path.display(),
                config.games,
                records.len(),
                seconds,
                f64::from(config.games) / seconds
            );
        }
    }
}

/// Plays one game and adds its positions.
fn play<K: Kernels>(
    config: &Config,
    search: &mut Lookahead,
    exact: &mut Exact,
    random: &mut Random,
    game: u32,
    records: &mut Vec<Record>,
) {
    // Mostly short random openings; the long ones teach what happens after blunders.
    let (fewest, most) = config.opening;
    let short = most.min(20).max(fewest);
    let most = if random.below(5) < 3 { short } else { most };
    let plies = fewest + random.below(most - fewest + 1);
    let mut board = random_board(random, plies);
    let first = records.len();
    let mut sign = 1;
    // Signs of the records' movers relative to the side to move now, resolved at the end.
    let mut signs = Vec::new();
    // The records before this one know nothing of the outcome.
    let mut settled = first;
    let outcome = loop {
        let moves = board.moves();
        if moves.is_empty() {
            if board.after_pass().moves().is_empty() {
                break board.final_score();
            }
            board = board.after_pass();
            sign = -sign;
            continue;
        }
        let empties = board.empties();
        if empties <= 5 {
            break exact.solve::<K>(board, 0).0;
        }
        let (value, square, proof) = if empties <= config.solve {
            let guess = search.value::<K>(board) / 100;
            let (discs, square) = exact.solve::<K>(board, guess);
            (100 * discs, square, Proof::Exact)
        } else {
            let (value, square) = search.best::<K>(board, config.depth);
            (value, square, Proof::Search(config.depth as u8))
        };
        let randomly = config.random > 0 && random.below(config.random) == 0;
        records.push(Record { board, game, value: value as i16, proof, random: randomly, outcome: None });
        signs.push(sign);
        let mut square = square;
        if randomly {
            square = moves.into_iter().nth(random.below(moves.count()) as usize);
            settled = records.len();
        }
        let Some(square) = square else { break board.final_score() };
        board = board.after_move(square, board.flips(square));
        sign = -sign;
    };
    for (record, &then) in records[first..].iter_mut().zip(&signs).skip(settled - first) {
        record.outcome = Some((outcome * sign * then) as i8);
    }
}

/// The board after `plies` random moves from the start; fewer if the game ends before.
pub(crate) fn random_board(random: &mut Random, plies: u32) -> Board {
    let mut board = Board::START;
    for _ in 0..plies {
        let moves = board.moves();
        if moves.is_empty() {
            if board.after_pass().moves().is_empty() {
                break;
            }
            board = board.after_pass();
            continue;
        }
        let Some(square) = moves.into_iter().nth(random.below(moves.count()) as usize) else { break };
        board = board.after_move(square, board.flips(square));
    }
    board
}
