//! Accuracy of the search on positions whose moves have known scores.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use outflank::analysis::ask;
use outflank::notation::obf::{self, ScoredPosition};
use outflank::score::Confidence;
use outflank::search::{Depth, Goal, Limits, Search};
use outflank_cli::native::read_whole;

use crate::engine::EngineOptions;
use crate::json::{self, object, rounded};
use crate::options::Measure;
use crate::print;

/// Default depth in plies.
const DEFAULT_DEPTH: u32 = 10;

/// Compare searches with the known scores of a suite
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Positions with the scores of their moves (OBF)
    file: PathBuf,
    #[command(flatten)]
    engine: EngineOptions,
    /// Search to D plies, 1 to 60 [default: 10, without a limit if --nodes is given]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search N nodes per position
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Confidence of forward pruning in percent, 1 to 100; 100 disables it
    #[arg(long, value_name = "P", default_value = "100",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    selectivity: u8,
    #[command(flatten)]
    measure: Measure,
}

/// Sums over all positions. Errors are estimate minus known score, in discs.
#[derive(Debug, Default)]
struct Sums {
    positions: u32,
    best_moves: u32,
    /// Discs lost by the chosen moves whose scores are known, and their number.
    loss: f64,
    judged: u32,
    error: f64,
    absolute_error: f64,
    squared_error: f64,
    nodes: u64,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let path = &options.file;
    let text = read_whole(path)?;
    let text = String::from_utf8_lossy(&text);
    let mut problems = Vec::new();
    let mut all_well = true;
    for (line, problem) in obf::read(&text) {
        match problem {
            Ok(problem) if problem.best().is_some() => problems.push(problem),
            problem => {
                let reason = problem.map_or_else(|error| error.to_string(), |_| "no scores".to_owned());
                print::note(format_args!("line {line}: {reason}"));
                all_well = false;
            }
        }
    }
    if problems.is_empty() {
        print::note(format_args!("{}: no position with scores found", path.display()));
        return Ok(ExitCode::FAILURE);
    }
    let mut search = Search::new(options.engine.config(options.measure.instructions.kernel)?);
    let start = Instant::now();
    let mut sums = Sums::default();
    let default_depth = if options.nodes.is_some() { Depth::MAX.plies() } else { DEFAULT_DEPTH };
    let depth = options.depth.unwrap_or(default_depth);
    let limits = Limits::to_depth(depth, Confidence::at_least(options.selectivity)).with_nodes(options.nodes);
    for problem in &problems {
        // With an empty table the nodes of a position do not depend on the positions before it.
        search.clear();
        sums.add(&mut search, problem, limits);
    }
    sums.print(options.measure.json, start.elapsed().as_secs_f64())?;
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Sums {
    fn add(&mut self, search: &mut Search, problem: &ScoredPosition, limits: Limits) {
        let Some(best) = problem.best() else { return };
        let report = ask(search, problem.position, Goal::BestMove, limits);
        self.nodes += report.nodes;
        let Some(line) = report.best() else { return };
        self.positions += 1;
        let error = line.score.discs() - f64::from(best.get());
        self.error += error;
        self.absolute_error += error.abs();
        self.squared_error += error * error;
        if let Some((_, score)) = problem.scores.iter().find(|&&(mv, _)| Some(mv) == line.first()) {
            self.judged += 1;
            self.loss += f64::from(best.get() - score.get());
            self.best_moves += u32::from(*score == best);
        }
    }

    fn print(&self, json: bool, seconds: f64) -> io::Result<()> {
        let Sums { positions, best_moves, judged, nodes, .. } = *self;
        let count = f64::from(positions.max(1));
        let share = 100.0 * f64::from(best_moves) / count;
        let loss = self.loss / f64::from(judged.max(1));
        let (mae, bias) = (self.absolute_error / count, self.error / count);
        let rmse = (self.squared_error / count).sqrt();
        let nodes_per_position = (nodes as f64 / count).round() as u64;
        if json {
            return json::print(&object! {
                "positions": positions,
                "best_moves": best_moves,
                "share": rounded(share, 2),
                "loss": rounded(loss, 3),
                "mae": rounded(mae, 3),
                "rmse": rounded(rmse, 3),
                "bias": rounded(bias, 3),
                "nodes": nodes,
                "nodes_per_position": nodes_per_position,
                "seconds": rounded(seconds, 3),
            });
        }
        print::line(format_args!(
            "positions            {positions:>10}\n\
             best moves           {best_moves:>10}  {share:.1} %\n\
             mean loss            {loss:>10.2}  discs, of {judged} moves with known scores\n\
             root error           {mae:>10.2}  discs (MAE); RMSE {rmse:.2}, bias {bias:+.2}\n\
             nodes per position   {nodes_per_position:>10}  {nodes} in total\n\
             time                 {seconds:>10.2}  s"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_search_has_no_error() {
        let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;";
        let (_, problem) = obf::read(text).next().unwrap();
        let mut search = Search::new(outflank::search::SearchConfig::default());
        let mut sums = Sums::default();
        sums.add(&mut search, &problem.unwrap(), Limits::NONE);
        assert_eq!((sums.best_moves, sums.loss, sums.absolute_error), (1, 0.0, 0.0));
    }
}
