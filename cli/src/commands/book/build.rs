//! Adds games to a book.

use std::collections::HashSet;
use std::io;
use std::process::ExitCode;

use clap::Args;
use outflank::board::Move;
use outflank::book::Key;

use super::search::search_keys;
use super::{File, Searching, games, open, propagate};
use crate::files::{GameFiles, Input, Record};
use crate::print;
use crate::progress::progress;
use crate::store::Store;

/// Add the openings of games, and search their positions
///
/// Games that are in the book are skipped, and so are positions that were searched to the same depth: an interrupted
/// build resumes. The search of a position finds the best of the moves that have no value in the book.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    input: GameFiles,
    #[command(flatten)]
    file: File,
    /// Add the first N moves of a game; 60 also adds its result
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(0..=60))]
    plies: u32,
    /// Search only positions that at least N games reached
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,
    /// Add the games without a search
    #[arg(long)]
    no_search: bool,
    #[command(flatten)]
    searching: Searching,
}

/// Number of games per transaction.
const BATCH: usize = 500;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let inputs = options.input.open()?;
    let store = open(&options.file.book, true)?;
    let bar = progress(inputs.iter().map(Input::len).sum(), "lines");
    let mut before = 0;
    let (mut added, mut known, mut faulty) = (0_u64, 0_u64, 0_u64);
    let done = inputs.iter().try_for_each(|input| {
        let mut records = input.records().peekable();
        while records.peek().is_some() {
            let batch: Vec<_> = records.by_ref().take(BATCH).collect();
            for fault in batch.iter().filter_map(|record| record.error(&input.name)) {
                faulty += 1;
                bar.suspend(|| print::note(format_args!("{fault}")));
            }
            let new = store.change_deferred(|edit| {
                let mut new = 0;
                for game in batch.iter().filter_map(|record| record.game.as_ref().ok()) {
                    new += u64::from(edit.add_new_game(game, options.plies as usize)?);
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
    propagate(&store)?;
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

/// Searches the positions that were not searched to this depth, those with more discs first.
fn search(store: &Store, options: &Options) -> io::Result<()> {
    let depth = options.searching.depth;
    let (mut keys, mut valued) = (Vec::new(), HashSet::new());
    let snapshot = store.snapshot()?;
    for discs in (0..=64).rev() {
        let layer = keys.len();
        for row in snapshot.layer(discs)? {
            let (key, entry) = row?;
            let there = entry.own.is_some_and(|own| own.exact || u32::from(own.depth) >= depth);
            let complete = !key.board().is_over() && key.children().all(|child| valued.contains(&child.key));
            if entry.games >= options.least && !there && !complete {
                keys.push(key);
            } else if !complete && entry.value.is_none() {
                continue;
            }
            valued.insert(key);
        }
        keys[layer..].reverse();
    }
    drop(snapshot);
    let bar = progress(keys.len() as u64, "positions searched");
    search_keys(
        &options.searching,
        keys,
        |key| valued.contains(key),
        |(key, found)| {
            if let Some(own) = found {
                store.change(|edit| edit.positions.change(&key, |entry| entry.give(own)))?;
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
    let mut moves = Vec::new();
    for child in key.children() {
        if snapshot.get(&child.key)?.is_some_and(|entry| entry.value.is_some()) {
            moves.push(Move::Place(child.mv));
        }
    }
    Ok(moves)
}
