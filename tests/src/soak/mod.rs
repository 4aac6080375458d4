//! Long run of games between engines in every protocol, with disturbances.
//!
//! Two engines with the same protocol play each other, one with one thread and one with two. Between moves, at random,
//! searches are stopped, hurried and abandoned, pings and invalid lines are sent, the position and the limits change during a
//! search, and for some time no output is read. Every owed reply must arrive once, and soon. Every move must be legal. Memory
//! must not grow, and no engine may end.

mod player;
mod seat;
mod table;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use outflank::random::Random;
use outflank::session::Protocol;

use crate::spawned::echo;
use table::Table;

pub use seat::Figures;

pub type Fault = String;

/// Most faults after which the run continues.
const MAX_FAULTS: usize = 10;
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// Measurements of the machine between two games.
const ECHOES: usize = 20;

#[derive(Clone, Copy, Debug)]
pub enum Length {
    Time(Duration),
    /// Number of games in each protocol.
    Games(u32),
}

#[derive(Clone, Debug)]
pub struct Options {
    pub engine: PathBuf,
    /// The protocols, in turn.
    pub protocols: Vec<Protocol>,
    pub length: Length,
    pub seed: u64,
    /// Longest time of a reply.
    pub late: Duration,
    /// Most bytes by which a process may grow.
    pub growth: u64,
}

#[derive(Debug)]
pub struct Outcome {
    pub rows: Vec<(Protocol, Figures)>,
    /// Replies of a program that only repeats its input: the delay of the machine.
    pub echo: Figures,
    /// The faults, with the last lines before each.
    pub faults: Vec<Fault>,
}

/// Plays until the time is over or too many faults occurred. `print` receives faults and lines of progress.
///
/// # Errors
/// If the program cannot be started.
pub fn run(options: &Options, mut print: impl FnMut(&str)) -> Result<Outcome, Fault> {
    let start = Instant::now();
    let (mut faults, mut machine) = (Vec::new(), Figures::default());
    let mut random = Random::new(options.seed);
    let mut tables = options
        .protocols
        .iter()
        .map(|&protocol| Table::open(protocol, options))
        .collect::<Result<Vec<_>, _>>()?;
    let mut last_line = Instant::now();
    let mut games = 0;
    let is_over = |games| match options.length {
        Length::Time(time) => start.elapsed() >= time,
        Length::Games(count) => games >= count,
    };
    while !is_over(games) && faults.len() <= MAX_FAULTS {
        for index in 0..tables.len() {
            echo(ECHOES).into_iter().for_each(|time| machine.took(time));
            let table = &mut tables[index];
            if let Err(fault) = table.game(&mut random) {
                let fault = format!("{} (seed {}): {fault}", table.protocol, options.seed);
                print(&fault);
                faults.push(fault);
                table.restart(options)?;
            }
            if last_line.elapsed() >= PROGRESS_INTERVAL {
                last_line = Instant::now();
                print(&progress(start.elapsed(), options.length, &tables, faults.len()));
            }
        }
        games += 1;
    }
    let mut rows = Vec::new();
    for table in tables {
        let protocol = table.protocol;
        let (figures, end) = table.close(options.growth);
        faults.extend(end.into_iter().map(|fault| format!("{protocol}: {fault}")));
        rows.push((protocol, figures));
    }
    Ok(Outcome { rows, echo: machine, faults })
}

fn progress(elapsed: Duration, length: Length, tables: &[Table], faults: usize) -> String {
    let clock = |time: Duration| format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    let mut all = Figures::default();
    tables.iter().for_each(|table| all.add(&table.figures()));
    let of = match length {
        Length::Time(time) => format!(" of {}", clock(time)),
        Length::Games(_) => String::new(),
    };
    format!(
        "{}{of}: {} games, {} commands, {} replies, longest {:.1} ms, {faults} faults",
        clock(elapsed),
        all.games,
        all.commands,
        all.replies.len(),
        all.within(1.0).as_secs_f64() * 1e3,
    )
}

/// Returns `true` once in `times` on average.
fn once_in(random: &mut Random, times: u32) -> bool {
    random.below(times) == 0
}

impl Outcome {
    pub fn table(&self) -> String {
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let mut text =
            "protocol  games   moves  commands    lines  replies  99 % within    longest  memory\n"
                .to_owned();
        let rows = self.rows.iter().map(|(protocol, figures)| (protocol.name(), figures));
        for (name, figures) in rows.chain([("(cat)", &self.echo)]) {
            let memory: Vec<String> = figures
                .memory
                .iter()
                .map(|&(start, end)| format!("{:.1} to {:.1} MiB", mib(start), mib(end)))
                .collect();
            let _ = writeln!(
                text,
                "{name:8} {:>6} {:>7} {:>9} {:>8} {:>8} {:>12} {:>10}  {}",
                figures.games,
                figures.moves,
                figures.commands,
                figures.lines,
                figures.replies.len(),
                ms(figures.within(0.99)),
                ms(figures.within(1.0)),
                memory.join(", "),
            );
        }
        text
    }
}
