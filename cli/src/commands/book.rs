//! Making books: from games, by searching, from other books.

mod ask;
mod build;
mod copy;
mod expand;
mod search;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use outflank_cli::store::Store;

use crate::options::Jobs;
use crate::progress::progress;

/// Make and ask opening books
///
/// A book is a file that holds positions and what they are worth, backed up from one to the other (negamax), symmetric
/// positions as one. It may be in use while it is changed, and a program that is killed leaves it as it was before or
/// after its last change. The engine plays by it with --book.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Options),
    Expand(expand::Options),
    Query(ask::Query),
    Merge(copy::Merge),
    Import(copy::Import),
    Export(copy::Export),
    Check(ask::Check),
}

/// Which book.
#[derive(Args, Clone, Debug)]
struct File {
    /// File of the book
    #[arg(long, value_name = "FILE", default_value = "outflank.book")]
    book: PathBuf,
}

/// How positions are searched.
#[derive(Args, Clone, Debug)]
struct Searching {
    /// Search to D plies
    #[arg(long, value_name = "D", default_value = "14", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    #[command(flatten)]
    jobs: Jobs,
}

/// What is kept of a book in memory while it is made, in mebibytes.
const CACHE: usize = 512;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    match &options.command {
        Command::Build(options) => build::run(options),
        Command::Expand(options) => expand::run(options),
        Command::Query(options) => ask::query(options),
        Command::Merge(options) => copy::merge(options),
        Command::Import(options) => copy::import(options),
        Command::Export(options) => copy::export(options),
        Command::Check(options) => ask::check(options),
    }
}

/// Opens a book; one that was left in the middle of a long change is set right first.
fn open(path: &Path, create: bool) -> io::Result<Store> {
    let store = Store::open(path, create, CACHE)?;
    if store.is_unsettled()? {
        settle(&store)?;
    }
    Ok(store)
}

/// A number of games, in words.
fn games(count: u64) -> String {
    format!("{count} {}", if count == 1 { "game" } else { "games" })
}

/// Backs up all values of a book.
fn settle(store: &Store) -> io::Result<()> {
    let bar = progress(store.snapshot()?.count()?, "positions backed up");
    store.settle(|done| bar.set_position(done))?;
    bar.finish_and_clear();
    Ok(())
}
