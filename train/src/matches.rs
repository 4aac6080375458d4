//! A match between two weights files, or two limits: balanced openings, each played with both colours.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use outflank::board::{Board, Color, Move, Position, Status};
use outflank::eval::Evaluator;
use outflank::game::MatchStats;
use outflank::kernel::Kernel;
use outflank::random::Random;
use outflank::score::Confidence;
use outflank::search::{
    Decision, Depth, Goal, HashSize, Limits, Monitor, NextIteration, Progress, Report, Search, SearchConfig,
    SearchId, SearchRequest,
};

use crate::args::{Args, Opt};
use crate::error::Error;
use crate::label::{Searcher, evaluator};

pub(crate) const OPTIONS: &[Opt] = &[
    Opt("a", "", "weights file of the first; the engine's own without it"),
    Opt("b", "", "weights file of the second; the engine's own without it"),
    Opt("games", "400", "games, two for each opening"),
    Opt("plies", "10", "random plies of the openings"),
    Opt(
        "balance",
        "300",
        "most centidiscs an opening is off balance, by a search of eight plies with a's weights",
    ),
    Opt("nodes", "0", "nodes a move; 0: no limit"),
    Opt("ms", "0", "milliseconds a move; 0: no limit"),
    Opt("depth", "60", "plies a move"),
    Opt("solve", "12", "empty squares from which both solve"),
    Opt("confidence", "73", "confidence of the search in percent"),
    Opt("hash", "16", "MiB of each table"),
    Opt("seed", "1", "seed of the openings"),
    Opt("threads", "1", "games played at the same time"),
];

struct Config {
    sides: [Evaluator; 2],
    limits: Limits,
    time: Option<Duration>,
    hash: u32,
}

pub(crate) fn run(args: &Args) -> Result<(), Error> {
    let some = |number: u64| (number > 0).then_some(number);
    let config = Config {
        sides: [evaluator(args.text("a"))?, evaluator(args.text("b"))?],
        limits: Limits {
            depth: Depth::new(args.get("depth")?),
            exact_from: args.get("solve")?,
            confidence: Confidence::at_least(args.get("confidence")?),
            nodes: some(args.get("nodes")?),
        },
        time: some(args.get("ms")?).map(Duration::from_millis),
        hash: args.get("hash")?,
    };
    if config.limits.nodes.is_none() && config.time.is_none() && config.limits.depth == Depth::MAX {
        return Err(Error::new("one of --nodes, --ms and --depth is needed"));
    }
    let pairs: u32 = args.get::<u32>("games")? / 2;
    let openings =
        openings(&config.sides[0], pairs, args.get("plies")?, args.get("balance")?, args.get("seed")?);
    let next = AtomicU32::new(0);
    let tally = Mutex::new(MatchStats::default());
    let threads: NonZero<usize> = args.get("threads")?;
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                let mut players = config.sides.each_ref().map(|side| Player::new(side, &config));
                while let Some(&opening) = openings.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                    let first = play(&mut players, opening, 0);
                    let second = play(&mut players, opening, 1);
                    if let Ok(mut tally) = tally.lock() {
                        tally.add(first);
                        tally.add(second);
                        if tally.games() % 40 == 0 {
                            eprintln!("{tally}");
                        }
                    }
                }
            });
        }
    });
    match tally.into_inner() {
        Ok(tally) => println!("{tally}"),
        Err(_) => return Err(Error::new("a thread panicked")),
    }
    Ok(())
}

/// Different boards after random plies that a search holds for balanced.
fn openings(evaluator: &Evaluator, count: u32, plies: u32, balance: i16, seed: u64) -> Vec<Board> {
    let mut random = Random::of_stream(seed, 9);
    let mut searcher = Searcher::new(evaluator, 16);
    let mut openings: Vec<Board> = Vec::new();
    while openings.len() < count as usize {
        let board = crate::selfplay::random_board(&mut random, plies).canonical().0;
        if !board.moves().is_empty()
            && !openings.contains(&board)
            && searcher.value(board, 8).abs() <= balance
        {
            openings.push(board);
        }
    }
    openings
}

struct Player {
    search: Search,
    limits: Limits,
    time: Option<Duration>,
    next: u64,
}

impl Player {
    fn new(evaluator: &Evaluator, config: &Config) -> Player {
        let search = Search::new(SearchConfig {
            hash: HashSize(config.hash),
            kernel: Kernel::best(),
            evaluator: evaluator.clone(),
        });
        Player { search, limits: config.limits, time: config.time, next: 0 }
    }

    /// The move it chooses; `None` when it has none to choose.
    fn choose(&mut self, root: Position) -> Option<Move> {
        self.next += 1;
        let request =
            SearchRequest { id: SearchId(self.next), root, goal: Goal::BestMove, limits: self.limits };
        self.search.start(request);
        let solves = root.empties() <= u32::from(self.limits.exact_from);
        let deadline = self.time.filter(|_| !solves).map(|time| Instant::now() + time);
        let mut monitor = Clock { deadline, last: None };
        while self.search.run(&mut monitor) == Progress::Suspended {}
        monitor.last?.best()?.first()
    }
}

/// Stops at a deadline.
struct Clock {
    deadline: Option<Instant>,
    last: Option<Report>,
}

impl Clock {
    fn over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Monitor for Clock {
    fn poll(&mut self, _nodes: u64) -> Decision {
        if self.over() { Decision::Stop } else { Decision::Continue }
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        !self.over()
    }

    fn report(&mut self, report: Report) {
        self.last = Some(report);
    }
}

/// Plays one game; the result in discs for player 0, `black` being the player with black.
fn play(players: &mut [Player; 2], opening: Board, black: usize) -> i32 {
    for player in players.iter_mut() {
        player.search.clear();
    }
    let mut position = Position::new(opening, Color::Black);
    while position.status() != Status::Over {
        let turn = if position.side() == Color::Black { black } else { 1 - black };
        let chosen = players[turn].choose(position).unwrap_or(Move::Pass);
        match position.play(chosen) {
            Ok(next) => position = next,
            // A program that plays an illegal move loses everything.
            Err(_) => return if turn == 0 { -64 } else { 64 },
        }
    }
    let score = position.board().final_score();
    let turn = if position.side() == Color::Black { black } else { 1 - black };
    if turn == 0 { score } else { -score }
}
