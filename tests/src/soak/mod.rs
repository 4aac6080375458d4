//! A long sitting: games between running engines in every dialect, disturbed on the way.
//!
//! At a table sit two engines that speak the same dialect, one with a thread and one with two. A game goes from move to
//! move; in between, by chance, searches are stopped, hurried and given up, pings and garbage are sent, the position and
//! the level change in mid-search, and for a while nobody reads. Every reply that is owed has to come, once, and soon;
//! every move has to be legal in the position it was asked for; memory has to stay flat; and nobody may die.

mod cassio;
mod client;
mod echo;
mod hub;
mod nboard;
mod seat;
mod table;
mod xboard;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use outflank::random::Random;
use outflank::session::Protocol;

use echo::Echo;
use table::Table;

pub use seat::Figures;

/// What is wrong, in words.
pub type Fault = String;

/// More faults than this end the sitting.
const MOST_FAULTS: usize = 10;
/// How often something is said of it.
const BETWEEN_WORDS: Duration = Duration::from_secs(10);

/// How long it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// So long.
    Time(Duration),
    /// So many games in each dialect.
    Games(u32),
}

/// What is played, and what is too much.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program.
    pub engine: PathBuf,
    /// The dialects, in turn.
    pub dialects: Vec<Protocol>,
    /// How long.
    pub length: Length,
    /// For everything that is drawn.
    pub seed: u64,
    /// A reply that takes longer is a fault.
    pub late: Duration,
    /// A process that grows by more, in bytes, is a fault.
    pub growth: u64,
}

/// How it went.
#[derive(Debug)]
pub struct Outcome {
    /// A row for each dialect.
    pub rows: Vec<(Protocol, Figures)>,
    /// How soon a program answers that does nothing else: what the machine costs.
    pub echo: Figures,
    /// What was wrong, with the last lines before it.
    pub faults: Vec<Fault>,
}

/// Plays until the time is over, or too much is wrong; `told` gets a line now and then.
///
/// # Errors
/// When the program cannot be started.
pub fn run(options: &Options, mut told: impl FnMut(&str)) -> Result<Outcome, Fault> {
    let start = Instant::now();
    let mut faults = Vec::new();
    let mut random = Random::new(options.seed);
    let mut tables = Vec::new();
    for &dialect in &options.dialects {
        tables.push(Table::open(dialect, options)?);
    }
    let mut echo = Echo::start();
    let mut last_word = Instant::now();
    let mut round = 0;
    let is_over = |round, start: Instant| match options.length {
        Length::Time(time) => start.elapsed() >= time,
        Length::Games(games) => round >= games,
    };
    while !is_over(round, start) && faults.len() <= MOST_FAULTS {
        for index in 0..tables.len() {
            let Some(table) = tables.get_mut(index) else { break };
            echo.listen();
            if let Err(fault) = table.game(&mut random) {
                let fault = format!("{} (seed {}): {fault}", table.dialect(), options.seed);
                told(&fault);
                faults.push(fault);
                table.set_up_again(options)?;
            }
            if last_word.elapsed() >= BETWEEN_WORDS {
                last_word = Instant::now();
                told(&word(start.elapsed(), options.length, &tables, faults.len()));
            }
        }
        round += 1;
    }
    let mut rows = Vec::new();
    for table in tables {
        let dialect = table.dialect();
        let (figures, end) = table.close(options.growth);
        faults.extend(end.into_iter().map(|fault| format!("{dialect}: {fault}")));
        rows.push((dialect, figures));
    }
    Ok(Outcome { rows, echo: echo.figures(), faults })
}

fn word(elapsed: Duration, length: Length, tables: &[Table], faults: usize) -> String {
    let clock = |time: Duration| format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    let mut all = Figures::default();
    for table in tables {
        all.add(&table.figures());
    }
    let of = match length {
        Length::Time(time) => format!(" of {}", clock(time)),
        Length::Games(_) => String::new(),
    };
    format!(
        "{}{of}: {} games, {} commands, {} replies, the worst after {:.1} ms, {faults} faults",
        clock(elapsed),
        all.games,
        all.commands,
        all.replies(),
        all.worst().as_secs_f64() * 1e3,
    )
}

impl Outcome {
    /// As a table.
    pub fn table(&self) -> String {
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let mut text = format!(
            "{:8} {:>6} {:>7} {:>9} {:>8} {:>8} {:>12} {:>10}  {}\n",
            "dialect",
            "games",
            "moves",
            "commands",
            "lines",
            "replies",
            "99 % within",
            "worst",
            "memory of each process"
        );
        for (dialect, figures) in &self.rows {
            let memory: Vec<String> = figures
                .memory
                .iter()
                .map(|&(start, end)| format!("{:.1} to {:.1} MiB", mib(start), mib(end)))
                .collect();
            let _ = writeln!(
                text,
                "{:8} {:>6} {:>7} {:>9} {:>8} {:>8} {:>12} {:>10}  {}",
                dialect.name(),
                figures.games,
                figures.moves,
                figures.commands,
                figures.lines,
                figures.replies(),
                ms(figures.within(0.99)),
                ms(figures.worst()),
                memory.join(", "),
            );
        }
        if self.echo.replies() > 0 {
            let _ = writeln!(
                text,
                "{:8} {:>42} {:>12} {:>10}  a program that only repeats what it is told",
                "(cat)",
                self.echo.replies(),
                ms(self.echo.within(0.99)),
                ms(self.echo.worst()),
            );
        }
        text
    }
}
