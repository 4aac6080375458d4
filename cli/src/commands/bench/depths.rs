//! What each ply more costs.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use outflank::notation::obf;
use outflank::search::{
    Decision, Goal, Monitor, NextIteration, Progress, Report, Search, SearchId, SearchRequest,
};
use outflank_cli::native::read_whole;
use serde::Serialize;

use crate::engine::{EngineOptions, of_file};
use crate::json;
use crate::options::{Measure, SearchLimits, Threads};
use crate::print;

/// Ten positions after twenty plies of varied games: six random plies, then searched ones.
const VARIED: &str = include_str!("varied.obf");

/// Nodes and time of each depth
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Positions (OBF); ten built-in ones by default
    file: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    limits: SearchLimits,
    #[command(flatten)]
    measure: Measure,
}

/// Nodes and seconds up to the end of a depth, over all positions.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    nodes: u64,
    seconds: f64,
    positions: u32,
}

/// What is printed of a depth as JSON.
#[derive(Serialize)]
struct Row {
    depth: usize,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let text = match &options.file {
        Some(path) => {
            let bytes = read_whole(path).map_err(|error| of_file(path, &error))?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
        None => VARIED.to_owned(),
    };
    let mut search = Search::new(options.engine.config(options.measure.kernel())?);
    options.threads.lend_to(&search);
    let mut costs: Vec<Cost> = Vec::new();
    let mut all_well = true;
    for (line, problem) in obf::read(&text) {
        let problem = match problem {
            Ok(problem) => problem,
            Err(error) => {
                all_well = false;
                print::note(format_args!("line {line}: {error}"));
                continue;
            }
        };
        search.clear();
        search.start(SearchRequest {
            id: SearchId(line as u64),
            root: problem.position,
            goal: Goal::BestMove,
            limits: options.limits.limits(),
        });
        let mut watch = Watch { start: Instant::now(), costs: &mut costs, depth: 0 };
        while search.run(&mut watch) == Progress::Suspended {}
    }
    print(&costs, options.measure.json)?;
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Depths of fewer positions than the first, where a game was solved before, are left out.
fn print(costs: &[Cost], json: bool) -> io::Result<()> {
    let all = costs.get(1).map_or(0, |cost| cost.positions);
    let rows: Vec<_> =
        costs.iter().enumerate().filter(|(_, cost)| cost.positions == all && all > 0).collect();
    if json {
        let row = |&(depth, cost): &(usize, &Cost)| Row {
            depth,
            nodes: cost.nodes,
            seconds: json::rounded(cost.seconds, 6),
        };
        return json::print(&rows.iter().map(row).collect::<Vec<_>>());
    }
    print::line(format_args!("depth          nodes       time    speed  growth over 2 plies"))?;
    for &(depth, cost) in &rows {
        let speed = cost.nodes as f64 / cost.seconds.max(1e-9) / 1e6;
        let before = depth.checked_sub(2).and_then(|before| costs.get(before)).filter(|cost| cost.nodes > 0);
        let growth = before.map_or(String::new(), |b| format!("{:.2}", cost.nodes as f64 / b.nodes as f64));
        print::line(format_args!(
            "{depth:5} {:14} {:8.3} s {speed:5.1} M/s  {growth:>6}",
            cost.nodes, cost.seconds
        ))?;
    }
    Ok(())
}

struct Watch<'a> {
    start: Instant,
    costs: &'a mut Vec<Cost>,
    /// The last depth told of.
    depth: u32,
}

impl Monitor for Watch<'_> {
    fn poll(&mut self, _nodes: u64) -> Decision {
        Decision::Continue
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        true
    }

    fn report(&mut self, report: Report) {
        let depth = report.depth.plies();
        if report.complete && depth > self.depth {
            self.depth = depth;
            let place = depth as usize;
            if self.costs.len() <= place {
                self.costs.resize(place + 1, Cost::default());
            }
            let cost = &mut self.costs[place];
            cost.nodes += report.nodes;
            cost.seconds += self.start.elapsed().as_secs_f64();
            cost.positions += 1;
        }
    }
}
