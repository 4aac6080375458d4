//! The native library, in this process.

use std::thread;

use outflank::analysis::ask;
use outflank::eval::{self, Evaluator};
use outflank::kernel::Kernel;
use outflank::notation::squares;
use outflank::search::{Goal, HashSize, Limits, Search, SearchConfig};

use super::Fault;
use super::side::{Build, HASH, Side, Solved};

/// Returns every kernel with one thread, and the best kernel with more.
pub(crate) fn sides(max_threads: usize) -> Vec<Side> {
    let side =
        |kernel: Kernel, threads| Side { build: Build::Native, kernel: kernel.name().to_owned(), threads };
    let alone = Kernel::available().iter().map(|&kernel| side(kernel, 1));
    alone.chain((2..=max_threads).map(|threads| side(Kernel::best(), threads))).collect()
}

pub(crate) fn leaves(side: &Side, positions: &[String]) -> Result<Vec<String>, Fault> {
    let (kernel, evaluator) = (kernel(side)?, Evaluator::default());
    let leaves =
        |text: &String| Ok(eval::leaves(kernel, &evaluator, squares::read(text).map_err(owned)?.board()));
    positions.iter().map(leaves).collect()
}

pub(crate) fn solve(side: &Side, positions: &[String], keep_table: bool) -> Result<Vec<Solved>, Fault> {
    let config = SearchConfig::default().with_hash(HashSize(HASH)).with_kernel(kernel(side)?);
    let mut search = Search::new(config);
    let helpers: Vec<_> = (1..side.threads).map(|_| search.helper()).collect();
    let threads: Vec<_> = helpers.into_iter().map(|helper| thread::spawn(move || helper.help())).collect();
    let solved = positions.iter().map(|text| {
        if !keep_table {
            search.clear();
        }
        solution(&mut search, text)
    });
    let solved = solved.collect();
    search.close_helpers();
    for thread in threads {
        thread.join().map_err(|_| format!("{side}: a helper panicked"))?;
    }
    solved
}

fn solution(search: &mut Search, text: &str) -> Result<Solved, Fault> {
    let root = squares::read(text).map_err(owned)?;
    let report = ask(search, root, Goal::BestMove, Limits::NONE);
    let over = 100 * root.board().final_score();
    let centidiscs = report.best().map_or(over, |line| line.score.centidiscs());
    Ok(Solved { score: i64::from(centidiscs / 100), nodes: report.nodes })
}

fn kernel(side: &Side) -> Result<Kernel, Fault> {
    let mut all = Kernel::available().iter().copied();
    Ok(all.find(|kernel| kernel.name() == side.kernel).ok_or("unknown kernel")?)
}

/// Returns an error as text, which does not borrow from its input.
fn owned(error: impl std::fmt::Display) -> String {
    error.to_string()
}
