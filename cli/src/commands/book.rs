//! Commands that create and query opening books.

mod build;
mod copy;
mod expand;
mod learn;
mod query;
mod search;
mod stats;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::options::Jobs;
use crate::progress::progress;
use crate::store::Store;

/// Create and query opening books
///
/// A book is a file of positions and their values, which are backed up from position to position (negamax). Symmetric
/// positions are one position. A book may be in use while it is changed, and a program that is killed leaves it in the
/// state before or after its last change. The engine plays from it with --book.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Options),
    Expand(expand::Options),
    Learn(learn::Options),
    Query(query::Query),
    Merge(copy::Merge),
    Import(copy::Import),
    Export(copy::Export),
    Pack(copy::Pack),
    Check(query::Check),
    Stats(stats::Stats),
}

#[derive(Args, Clone, Debug)]
struct File {
    /// File of the book
    #[arg(long, value_name = "FILE", default_value = "outflank.book")]
    book: PathBuf,
}

#[derive(Args, Clone, Debug)]
struct Searching {
    /// Search to D plies
    #[arg(long, value_name = "D", default_value = "14", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    #[command(flatten)]
    jobs: Jobs,
}

/// Cache of a book while it is changed, in mebibytes.
const CACHE: usize = 512;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    match &options.command {
        Command::Build(options) => build::run(options),
        Command::Expand(options) => expand::run(options),
        Command::Learn(options) => learn::run(options),
        Command::Query(options) => query::query(options),
        Command::Merge(options) => copy::merge(options),
        Command::Import(options) => copy::import(options),
        Command::Export(options) => copy::export(options),
        Command::Pack(options) => copy::pack(options),
        Command::Check(options) => query::check(options),
        Command::Stats(options) => stats::stats(options),
    }
}

/// Opens a book. If a long change was interrupted, backs its values up first.
fn open(path: &Path, create: bool) -> io::Result<Store> {
    let store = Store::open(path, create, CACHE)?;
    if store.is_deferred()? {
        propagate(&store)?;
    }
    Ok(store)
}

/// Returns a number of games with its noun.
fn games(count: u64) -> String {
    format!("{count} {}", if count == 1 { "game" } else { "games" })
}

fn propagate(store: &Store) -> io::Result<()> {
    let bar = progress(store.snapshot()?.count()?, "positions backed up");
    store.propagate(|done| bar.set_position(done))?;
    bar.finish_and_clear();
    Ok(())
}
