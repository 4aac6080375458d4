//! A book out of games.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use outflank::board::Move;
use outflank_cli::store::{Key, Store};

use super::search::{Found, Seeker};
use super::{File, Searching, games, open, settle};
use crate::files::{Format, Input, Record};
use crate::parallel::parallel_in_order;
use crate::print;
use crate::progress::progress;

/// Add the openings of games, and search what is not known of their positions
///
/// Games that the book has already are left out, and so are positions that were searched as deep before: what was stopped
/// goes on where it was. Of each position the best of the moves without a value in the book is valued.
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
    let done = inputs.iter().try_for_each(|input| {
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
        Ok::<_, io::Error>(())
    });
    bar.finish_and_clear();
    settle(&store)?;
    done?;
    print::note(format_args!("{} added, {known} known already, {faulty} faulty", games(added)));
    if !options.no_search {
        search(&store, options)?;
    }
    let positions = store.snapshot()?.count()?;
    print::note(format_args!(
        "{}: {positions} positions of {}",
        store.path().display(),
        games(store.games()?)
    ));
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Searches the positions that were not searched as deep before, the last ones first.
fn search(store: &Store, options: &Options) -> io::Result<()> {
    let depth = options.searching.depth;
    let (mut keys, mut valued) = (Vec::new(), HashSet::new());
    let snapshot = store.snapshot()?;
    for discs in (0..=64).rev() {
        let layer = keys.len();
        for row in snapshot.layer(discs)? {
            let (key, entry) = row?;
            let there = entry.given.is_some_and(|given| given.exact || u32::from(given.depth) >= depth);
            let complete = !key.board().is_over() && key.children().all(|child| valued.contains(&child.key));
            if entry.games >= options.least && !there && !complete {
                keys.push(key);
            } else if !complete && entry.worth.is_none() {
                continue;
            }
            valued.insert(key);
        }
        keys[layer..].reverse();
    }
    drop(snapshot);
    let bar = progress(keys.len() as u64, "positions searched");
    parallel_in_order(
        keys.into_iter(),
        options.searching.jobs.number as usize,
        || {
            let mut seeker = Seeker::new(&options.searching);
            let valued = &valued;
            move |key: Key| {
                // The children are searched before, or have values.
                let known = moves_to(&key, |child| Ok(valued.contains(child)));
                let known = known.map_err(|error| error.to_string())?;
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

/// Returns the moves of a position that have values in the book.
pub(super) fn valued_moves(store: &Store, key: &Key) -> io::Result<Vec<Move>> {
    let snapshot = store.snapshot()?;
    moves_to(key, |child| Ok(snapshot.get(child)?.is_some_and(|entry| entry.worth.is_some())))
}

fn moves_to(key: &Key, valued: impl Fn(&Key) -> io::Result<bool>) -> io::Result<Vec<Move>> {
    let mut moves = Vec::new();
    for child in key.children() {
        if valued(&child.key)? {
            moves.push(Move::Place(child.mv));
        }
    }
    Ok(moves)
}
