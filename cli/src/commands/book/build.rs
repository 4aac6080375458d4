//! A book out of games.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use outflank::board::Move;
use outflank_cli::store::{Key, Store};

use super::search::{Found, Seeker};
use super::{File, Searching, open, settle};
use crate::files::{Format, Input, Record};
use crate::print;
use crate::progress::progress;
use crate::side_by_side::in_order;

/// Add the openings of games, and search what is not known of their positions
///
/// Games that the book has already are left out, and so are positions that were searched as deep before: what was stopped
/// goes on where it was. Of each position the best of the moves that the book does not know is valued.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Files of games, in any format that `convert` reads
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Format of the files; by default what their endings or their content tell
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    #[command(flatten)]
    file: File,
    /// Take the first N moves of a game; 60 takes its result, too
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(0..=60))]
    plies: u32,
    /// Search only positions that so many games have come to
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,
    /// Add the games, and search nothing
    #[arg(long)]
    no_search: bool,
    #[command(flatten)]
    searching: Searching,
}

/// Games in a transaction.
const BATCH: usize = 500;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let mut inputs = Vec::new();
    for path in &options.games {
        inputs.push(Input::open(path, options.from)?);
    }
    let store = open(&options.file.book, true)?;
    let bar = progress(inputs.iter().map(Input::len).sum(), "lines");
    let mut before = 0;
    let (mut added, mut known, mut faulty) = (0_u64, 0_u64, 0_u64);
    for input in &inputs {
        let mut records = input.records().peekable();
        while records.peek().is_some() {
            let batch: Vec<_> = records.by_ref().take(BATCH).collect();
            for fault in batch.iter().filter_map(|record| record.fault(&input.name)) {
                faulty += 1;
                bar.suspend(|| print::note(format_args!("{fault}")));
            }
            let new = store.change_unsettled(|edit| {
                let mut new = 0;
                for game in batch.iter().filter_map(|record| record.game.as_ref().ok()) {
                    new += u64::from(edit.add_game(game, options.plies as usize)?);
                }
                Ok(new)
            })?;
            added += new;
            known += batch.iter().filter(|record| record.game.is_ok()).count() as u64 - new;
            bar.set_position(before + batch.last().map_or(0, Record::at));
        }
        before += input.len();
    }
    bar.finish_and_clear();
    settle(&store)?;
    print::note(format_args!("{added} games added, {known} known already, {faulty} faulty"));
    if !options.no_search {
        search(&store, options)?;
    }
    let positions = store.snapshot()?.count()?;
    print::note(format_args!(
        "{}: {positions} positions of {} games",
        store.path().display(),
        store.games()?
    ));
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Searches the positions that were not searched as deep before, the last ones first.
fn search(store: &Store, options: &Options) -> io::Result<()> {
    let depth = options.searching.depth;
    let mut keys = Vec::new();
    for (key, entry) in store.snapshot()?.entries()? {
        let there = entry.given.is_some_and(|given| given.exact || u32::from(given.depth) >= depth);
        if entry.games >= options.least && !there && !known_moves(store, &key)?.1 {
            keys.push(key);
        }
    }
    keys.reverse();
    let bar = progress(keys.len() as u64, "positions searched");
    in_order(
        keys.into_iter(),
        options.searching.jobs.number as usize,
        || {
            let mut seeker = Seeker::new(&options.searching);
            move |key: Key| {
                let known = known_moves(store, &key).map_err(|fault| fault.to_string())?.0;
                let found = seeker.as_mut().map_err(|error| error.clone())?.seek(&key, &known);
                Ok::<_, String>((key, found))
            }
        },
        |result| {
            let (key, Found { given }) = result.map_err(io::Error::other)?;
            if let Some(given) = given {
                store.change(|edit| edit.change(&key, |entry| entry.give(given)))?;
            }
            bar.inc(1);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok(())
}

/// The moves of a position that the book knows, and whether these are all.
pub(super) fn known_moves(store: &Store, key: &Key) -> io::Result<(Vec<Move>, bool)> {
    let snapshot = store.snapshot()?;
    let (mut known, mut all) = (Vec::new(), true);
    for child in key.children() {
        if snapshot.get(&child.key)?.is_some() {
            known.push(Move::Place(child.mv));
        } else {
            all = false;
        }
    }
    let over = known.is_empty() && all;
    Ok((known, all && !over))
}
