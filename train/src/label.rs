//! Labelling positions by the engine's own search: exact where few squares are empty, a depth elsewhere.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use outflank::board::{Board, Color, Position};
use outflank::eval::Evaluator;
use outflank::kernel::Kernel;
use outflank::random::scatter;
use outflank::score::Confidence;
use outflank::search::{
    Goal, HashSize, KeepLastReport, Limits, Line, Progress, Search, SearchConfig, SearchId, SearchRequest,
};

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::record::{self, Proof};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("out", "", "folder for the labelled files, named as those they come from; those there are kept"),
    Opt("depth", "6", "plies searched, without forward pruning"),
    Opt("solve", "16", "empty squares from which a position is solved"),
    Opt("empties", "0-60", "only positions with so many empty squares"),
    Opt("every", "1", "only one position in so many, chosen by a hash of its discs"),
    Opt("held-out", "no", "yes: only positions held out from training"),
    Opt("hash", "32", "MiB of the transposition table"),
    Opt("threads", "1", "files labelled at the same time"),
    Opt("weights", "", "weights file; the engine's own without it"),
];

struct Config {
    out: PathBuf,
    depth: u32,
    solve: u32,
    empties: (u32, u32),
    every: u64,
    held_out: bool,
    hash: u32,
    evaluator: Evaluator,
}

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let config = Config {
        out: PathBuf::from(args.text("out")),
        depth: args.get("depth")?,
        solve: args.get("solve")?,
        empties: args.range("empties")?,
        every: args.get::<u64>("every")?.max(1),
        held_out: args.text("held-out") == "yes",
        hash: args.get("hash")?,
        evaluator: evaluator(args.text("weights"))?,
    };
    std::fs::create_dir_all(&config.out).map_err(|error| Error::at(&config.out, error))?;
    let files = Mutex::new(record::files(&args.words)?.into_iter());
    let threads: NonZero<usize> = args.get("threads")?;
    let work = || {
        loop {
            let next = files.lock().ok().and_then(|mut files| files.next());
            let Some(file) = next else { return Ok::<_, Error>(()) };
            label(&config, &file)?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(_) => Err(Error::new("a thread panicked")),
        })
    })
}

fn label(config: &Config, file: &Path) -> Result<(), Error> {
    let name = file.file_name().ok_or_else(|| Error::at(file, "has no name"))?;
    let path = config.out.join(name);
    if path.exists() {
        return Ok(());
    }
    let started = Instant::now();
    let mut records = record::read(file)?;
    records.retain(|record| {
        let chosen =
            scatter(record.board.player.0 ^ scatter(record.board.opponent.0)).is_multiple_of(config.every);
        let empties = record.board.empties();
        chosen
            && (config.empties.0..=config.empties.1).contains(&empties)
            && (record.held_out() || !config.held_out)
    });
    let mut searcher = Searcher::new(&config.evaluator, config.hash);
    for record in &mut records {
        let empties = record.board.empties();
        let exact = empties <= config.solve;
        let depth = if exact { empties } else { config.depth };
        record.value = searcher.value(record.board, depth);
        record.proof = if exact { Proof::Exact } else { Proof::Search(depth as u8) };
    }
    record::write(&path, &records)?;
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{}: {} positions, {seconds:.0} s, {:.0} a second",
        path.display(),
        records.len(),
        records.len() as f64 / seconds
    );
    Ok(())
}

/// The evaluation of a weights file; the engine's own for an empty name.
pub(crate) fn evaluator(path: &str) -> Result<Evaluator, Error> {
    if path.is_empty() {
        return Ok(Evaluator::default());
    }
    let path = Path::new(path);
    let bytes = std::fs::read(path).map_err(|error| Error::at(path, error))?;
    Evaluator::from_bytes(&bytes).map_err(|error| Error::at(path, error))
}

/// The engine's search, asked for values.
pub(crate) struct Searcher {
    search: Search,
    next: u64,
}

impl Searcher {
    pub(crate) fn new(evaluator: &Evaluator, hash: u32) -> Searcher {
        let config =
            SearchConfig { hash: HashSize(hash), kernel: Kernel::best(), evaluator: evaluator.clone() };
        Searcher { search: Search::new(config), next: 0 }
    }

    /// Forgets what it learnt.
    pub(crate) fn clear(&mut self) {
        self.search.clear();
    }

    /// The value for the mover, in centidiscs, without forward pruning.
    pub(crate) fn value(&mut self, board: Board, depth: u32) -> i16 {
        let limits = Limits::to_depth(depth, Confidence::EXACT);
        let line = self.line(Position::new(board, Color::Black), limits);
        line.map_or(0, |line| line.score.centidiscs() as i16)
    }

    /// The best line; nothing when the game is over.
    pub(crate) fn line(&mut self, root: Position, limits: Limits) -> Option<Line> {
        self.next += 1;
        self.search.start(SearchRequest { id: SearchId(self.next), root, goal: Goal::BestMove, limits });
        let mut monitor = KeepLastReport::default();
        while self.search.run(&mut monitor) == Progress::Suspended {}
        monitor.last?.best().cloned()
    }
}
