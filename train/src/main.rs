//! The tools that make the weights: every step from games to the shipped files is a command.
//!
//! `README.md` in this package has the recipe.

mod fit;
mod label;
mod labels;
mod lookahead;
mod model;
mod net;
mod pack;
mod probcut;
mod record;
mod selfplay;
mod tempo;

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow};
use clap::Parser;

/// Makes the weights of Outflank.
#[derive(Parser)]
enum Command {
    Selfplay(selfplay::Options),
    Label(label::Options),
    Fit(fit::Options),
    Tempo(tempo::Options),
    Pack(pack::Options),
    Probcut(probcut::Options),
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Selfplay(options) => selfplay::run(&options),
        Command::Label(options) => label::run(&options),
        Command::Fit(options) => fit::run(&options),
        Command::Tempo(options) => tempo::run(&options),
        Command::Pack(options) => pack::run(&options),
        Command::Probcut(options) => probcut::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outflank-train: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Parses two numbers with a dash between them, the first not the larger.
fn range(text: &str) -> Result<(u32, u32), &'static str> {
    let numbers = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    numbers.filter(|(from, to)| from <= to).ok_or("expected two numbers with a dash, such as 8-45")
}

/// The context of an error: the file.
fn at(path: &Path) -> impl Fn() -> String {
    move || path.display().to_string()
}

/// Writes a file that appears under its name when it is complete.
fn replace(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, contents).with_context(at(&part))?;
    fs::rename(&part, path).with_context(at(path))
}

/// Runs `work` on each item, on several threads.
///
/// # Errors
/// The first error of `work`, and an error if it panics.
fn on_threads<T>(
    threads: NonZero<usize>,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let items = Mutex::new(items);
    let next = || items.lock().ok().and_then(|mut items| items.next());
    let run = || std::iter::from_fn(next).try_for_each(&work);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(run)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a thread panicked"))?)
    })
}
