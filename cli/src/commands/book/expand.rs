//! Expands a book along its most useful lines.
//!
//! Each position has a value for the best of the moves that are not in the book: there, a line leaves the book. The cost of
//! such a drop-out is the loss of the moves to it, of both sides together, and a price for each ply. The drop-outs with the
//! lowest costs come next, [`BATCH`] at a time: their moves are played and the new positions searched, and the best of the
//! moves that are left in the positions before them is found by a shallower search. The values of a batch are stored and backed
//! up in one transaction. The positions therefore depend neither on the number of jobs nor on interruptions. After Thomas R.
//! Lincke, "Strategies for the automatic construction of opening books" (2001).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io;
use std::process::ExitCode;

use clap::Args;
use outflank::board::{Move, Position, Square};
use outflank::book::{BackedUpValue, Key, OwnValue};
use outflank::notation::{squares, transcript};

use super::build::valued_moves;
use super::search::{BookSearcher, search_all};
use super::{File, Searching, open};
use crate::options::discs;
use crate::print;
use crate::progress::progress;
use crate::store::Store;

/// Continue the most useful lines that leave the book
///
/// Positions are added in batches of 256. An interrupted expansion loses the batch that was searched, and the same command
/// resumes it.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    file: File,
    /// Add N positions
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Expand from here: moves from the start, or a position
    #[arg(long, value_name = "MOVES", default_value = "", allow_hyphen_values = true)]
    root: String,
    /// Price of a ply in discs: a high one keeps the book broad, a low one makes it deep
    #[arg(long, value_name = "DISCS", default_value = "0.3", value_parser = discs)]
    ply: f64,
    /// Follow lines that lose at most this many discs
    #[arg(long, value_name = "DISCS", default_value = "8", value_parser = discs)]
    error: f64,
    /// Add only positions after at most N plies from the start
    #[arg(long, value_name = "N", default_value = "60", value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: u8,
    /// Add no positions: search those at which lines leave the book again, to --depth plies
    #[arg(long, conflicts_with_all = ["positions", "plies", "other_depth"])]
    deepen: bool,
    /// Search the moves that are not in the book to D plies; 8 less than --depth by default
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    other_depth: Option<u32>,
    #[command(flatten)]
    searching: Searching,
}

/// Largest number of positions that are chosen from one state of the book and added together.
const BATCH: usize = 256;

/// Position at which a line leaves the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DropOut {
    key: Key,
    /// The best move that is not in the book. `None` if it is not known or the position was not searched.
    best: Option<Square>,
}

/// Values found for a drop-out, `None` if the book has all moves of a position.
struct Searched {
    from: (Key, Option<OwnValue>),
    /// The position after the move. `None` if the move was not known, or if no position is added.
    to: Option<(Key, Option<OwnValue>)>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let store = open(&options.file.book, true)?;
    let root = Key::of(root(&options.root)?.after_forced_pass().board()).0;
    if store.snapshot()?.get(&root)?.is_none() {
        store.change(|edit| edit.positions.change(&root, |_| ()))?;
    }
    let bar = if options.deepen {
        progress(drop_outs(&store, root, options, usize::MAX)?.len() as u64, "positions searched")
    } else {
        progress(options.positions, "positions added")
    };
    let mut added = 0;
    while added < options.positions || options.deepen {
        let wanted = usize::try_from(options.positions - added).map_or(BATCH, |left| left.min(BATCH));
        let next = drop_outs(&store, root, options, if options.deepen { BATCH } else { wanted })?;
        if next.is_empty() {
            if !options.deepen {
                let limits = "no line within the limits of --error and --plies leaves the book";
                bar.suspend(|| print::note(format_args!("{limits}")));
            }
            break;
        }
        let mut found = Vec::new();
        search_all(
            &options.searching,
            next,
            |searcher, drop_out| follow(&store, searcher, options, drop_out),
            |searched| {
                bar.inc(u64::from(options.deepen || searched.to.is_some()));
                found.push(searched);
                Ok(())
            },
        )?;
        added += found.iter().filter(|searched| searched.to.is_some()).count() as u64;
        store.change(|edit| {
            for Searched { from: (key, own), to } in found {
                // The value belongs to another move than before.
                edit.positions.change(&key, |entry| entry.own = own)?;
                if let Some((key, own)) = to {
                    edit.positions.change(&key, |entry| entry.add(0, own))?;
                }
            }
            Ok(())
        })?;
    }
    bar.finish_and_clear();
    print::note(format_args!("{added} positions added, {} in all", store.snapshot()?.count()?));
    Ok(ExitCode::SUCCESS)
}

/// Reads moves from the start, or a position.
pub(super) fn root(text: &str) -> io::Result<Position> {
    if text.trim().is_empty() {
        return Ok(Position::START);
    }
    if let Ok(position) = squares::read(text) {
        return Ok(position);
    }
    let game = transcript::read(text).map_err(|error| io::Error::other(format!("{text}: {error}")))?;
    Ok(game.position())
}

/// Returns at most `wanted` drop-outs with the lowest costs, by Dijkstra's algorithm over the book from its root. To deepen the
/// book, these are the ones that were not searched to the depth.
fn drop_outs(store: &Store, root: Key, options: &Options, wanted: usize) -> io::Result<Vec<DropOut>> {
    let snapshot = store.snapshot()?;
    let centidiscs = |discs: f64| (discs * 100.0).round().clamp(0.0, 1e6) as i64;
    let (ply, most) = (centidiscs(options.ply), centidiscs(options.error));
    // Sorted by the cost, then by the loss.
    let mut open = BinaryHeap::from([Reverse((0_i64, 0_i64, root, None::<Option<u8>>))]);
    let mut costs: HashMap<Key, i64> = HashMap::from([(root, 0)]);
    let (mut walked, mut found) = (HashSet::new(), Vec::new());
    while let Some(Reverse((cost, lost, key, out))) = open.pop() {
        if let Some(best) = out {
            found.push(DropOut { key, best: best.and_then(Square::new) });
            if found.len() >= wanted {
                break;
            }
            continue;
        }
        if !walked.insert(key) {
            continue;
        }
        let Some(entry) = snapshot.get(&key)? else { continue };
        if entry.own.is_some_and(|own| own.exact) || key.board().is_over() {
            continue;
        }
        let Some(value) = entry.value.map(BackedUpValue::centidiscs) else {
            // The position was not searched.
            open.push(Reverse((cost, lost, key, Some(None))));
            continue;
        };
        if !options.deepen && u32::from(key.discs()) >= 4 + u32::from(options.plies) {
            continue;
        }
        let mut complete = true;
        for child in key.children() {
            let Some(after) = snapshot.get(&child.key)? else {
                complete = false;
                continue;
            };
            // The own value of the position is that of the best move without a value.
            complete &= after.value.is_some();
            let (same_side, child) = (child.same_side, child.key);
            let own = |after: i32| i64::from(value - if same_side { after } else { -after }).max(0);
            let loss = after.value.map_or(0, |after| own(after.centidiscs()));
            let next = (cost + loss + ply, lost + loss);
            if next.1 <= most && costs.get(&child).is_none_or(|known| next.0 < *known) {
                costs.insert(child, next.0);
                open.push(Reverse((next.0, next.1, child, None)));
            }
        }
        let depth = options.searching.depth.min(key.board().empties());
        let is_done = options.deepen && entry.own.is_some_and(|own| u32::from(own.depth) >= depth);
        if !complete && !is_done {
            let loss = entry.own.map_or(0, |own| i64::from(value - own.score.centidiscs()).max(0));
            let best = entry.own.and_then(|own| own.best).map(|square| square.index() as u8);
            if lost + loss <= most {
                open.push(Reverse((cost + loss + ply, lost + loss, key, Some(best))));
            }
        }
    }
    Ok(found)
}

/// Plays the move of a drop-out. Searches the new position, and the position before it for the next best move. To deepen the
/// book, only searches the position for the best move that is not in the book.
fn follow(
    store: &Store,
    searcher: &mut BookSearcher,
    options: &Options,
    drop_out: DropOut,
) -> io::Result<Searched> {
    let DropOut { key, best } = drop_out;
    let mut known = valued_moves(store, &key)?;
    let target = best
        .filter(|_| !options.deepen)
        .filter(|best| !known.contains(&Move::Place(*best)))
        .and_then(|best| key.children().find(|child| child.mv == best));
    let Some(child) = target.map(|child| child.key) else {
        // The move must be found first.
        return Ok(Searched { from: (key, searcher.search(&key, &known)), to: None });
    };
    let to = searcher.search(&child, &valued_moves(store, &child)?);
    // Symmetric moves lead to the same position and are known with it.
    known.extend(key.children().filter(|other| other.key == child).map(|other| Move::Place(other.mv)));
    let other_depth = options.other_depth.unwrap_or(options.searching.depth.saturating_sub(8).max(1));
    let from = searcher.search_to(other_depth, &key, &known);
    Ok(Searched { from: (key, from), to: Some((child, to)) })
}
