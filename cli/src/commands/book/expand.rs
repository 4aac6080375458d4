//! A larger book: the lines that are most worth knowing are gone on with.
//!
//! Every position has a value for the best of the moves that the book does not know: where a line drops out of the book.
//! To drop out costs what the moves to there give away, both sides' together, and something for each ply. What costs least
//! comes next: the move is played, the new position and the one it comes from are searched, and what they are worth is
//! backed up. After Thomas R. Lincke, "Strategies for the automatic construction of opening books" (2001).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io;
use std::process::ExitCode;

use clap::Args;
use outflank::board::{Move, Position, Square};
use outflank::notation::{squares, transcript};
use outflank_cli::store::{Key, Store};

use super::build::valued_moves;
use super::search::{Found, Seeker};
use super::{File, Searching, open};
use crate::parallel::parallel_in_order;
use crate::print;
use crate::progress::progress;

/// Go on with the lines that drop out of the book and are most worth knowing
///
/// Each position is in the book as soon as it was searched; what is stopped is gone on with by the same command.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    file: File,
    /// Add N positions
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// From here on: moves from the start, or a position
    #[arg(long, value_name = "MOVES", default_value = "")]
    root: String,
    /// What a ply costs, in discs: more keeps the book broad, less goes deep
    #[arg(long, value_name = "DISCS", default_value = "0.3", value_parser = discs)]
    ply: f64,
    /// Give no line up that gives away this many discs, or fewer
    #[arg(long, value_name = "DISCS", default_value = "8", value_parser = discs)]
    error: f64,
    #[command(flatten)]
    searching: Searching,
}

/// Reads a number of discs.
fn discs(text: &str) -> Result<f64, &'static str> {
    let discs = text.parse().ok().filter(|discs| (0.0..=128.0).contains(discs));
    discs.ok_or("must be a number of discs from 0 to 128")
}

/// Where a line leaves the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DropOut {
    key: Key,
    /// The move; nothing where it is not known, or the position was not searched at all.
    best: Option<Square>,
}

/// What was searched for a drop-out.
struct Searched {
    from: (Key, Option<Found>),
    to: Option<(Key, Found)>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let store = open(&options.file.book, true)?;
    let root = Key::of(root(&options.root)?.after_forced_pass().board()).0;
    if store.snapshot()?.get(&root)?.is_none() {
        store.change(|edit| edit.change(&root, |_| ()))?;
    }
    let bar = progress(options.positions, "positions added");
    let jobs = options.searching.jobs.number as usize;
    let mut added = 0;
    while added < options.positions {
        let wanted = ((options.positions - added) as usize).min(4 * jobs.max(4));
        let next = drop_outs(&store, root, options, wanted)?;
        if next.is_empty() {
            bar.suspend(|| print::note(format_args!("nothing is left that gives away as little as that")));
            break;
        }
        parallel_in_order(
            next.into_iter(),
            jobs,
            || {
                let mut seeker = Seeker::new(&options.searching);
                let store = &store;
                move |drop_out| {
                    let seeker = seeker.as_mut().map_err(|error| error.clone())?;
                    follow(store, seeker, drop_out).map_err(|error| error.to_string())
                }
            },
            |searched| {
                let Searched { from: (key, found), to } = searched.map_err(io::Error::other)?;
                store.change(|edit| {
                    if let Some(Found { given }) = found {
                        // Another move than before: it takes the place of what was known.
                        edit.change(&key, |entry| entry.given = given)?;
                    }
                    if let Some((key, Found { given })) = to {
                        edit.change(&key, |entry| {
                            if let Some(given) = given {
                                entry.give(given);
                            }
                        })?;
                    }
                    Ok(())
                })?;
                if to.is_some() {
                    added += 1;
                    bar.inc(1);
                }
                Ok(())
            },
        )?;
    }
    bar.finish_and_clear();
    print::note(format_args!("{added} positions added, {} in all", store.snapshot()?.count()?));
    Ok(ExitCode::SUCCESS)
}

/// Reads moves from the start, or a position.
pub(super) fn root(text: &str) -> io::Result<Position> {
    let wrong = |error: String| io::Error::new(io::ErrorKind::InvalidInput, format!("{text}: {error}"));
    if text.trim().is_empty() {
        return Ok(Position::START);
    }
    if let Ok(position) = squares::read(text) {
        return Ok(position);
    }
    transcript::read(text).map(|game| game.position()).map_err(|error| wrong(error.to_string()))
}

/// The drop-outs that cost least, at most so many: Dijkstra's walk over the book from its root.
fn drop_outs(store: &Store, root: Key, options: &Options, wanted: usize) -> io::Result<Vec<DropOut>> {
    let snapshot = store.snapshot()?;
    let centidiscs = |discs: f64| (discs * 100.0).round().clamp(0.0, 1e6) as i64;
    let (ply, most) = (centidiscs(options.ply), centidiscs(options.error));
    // By cost with the plies, then by what was given away.
    let mut open = BinaryHeap::from([Reverse((0_i64, 0_i64, root, None::<Option<u8>>))]);
    let mut costs: HashMap<Key, i64> = HashMap::from([(root, 0)]);
    let (mut walked, mut found) = (HashSet::new(), Vec::new());
    while let Some(Reverse((cost, given_away, key, out))) = open.pop() {
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
        if entry.given.is_some_and(|given| given.exact) || key.board().is_over() {
            continue;
        }
        let value =
            entry.shelved().map(|known| known.score(Default::default(), outflank::board::Color::Black).0);
        let Some(value) = value else {
            // Not searched yet.
            open.push(Reverse((cost, given_away, key, Some(None))));
            continue;
        };
        let mut complete = true;
        for child in key.children() {
            let Some(after) = snapshot.get(&child.key)? else {
                complete = false;
                continue;
            };
            // The value of the best of such moves is the position's own.
            complete &= after.worth.is_some();
            let (same_side, child) = (child.same_side, child.key);
            let worth =
                after.shelved().map(|known| known.score(Default::default(), outflank::board::Color::Black).0);
            let loss =
                worth.map_or(0, |worth| i64::from(value - if same_side { worth } else { -worth }).max(0));
            let next = (cost + loss + ply, given_away + loss);
            if next.1 <= most && costs.get(&child).is_none_or(|known| next.0 < *known) {
                costs.insert(child, next.0);
                open.push(Reverse((next.0, next.1, child, None)));
            }
        }
        if !complete {
            let loss = entry.given.map_or(0, |given| i64::from(value - given.score.centidiscs()).max(0));
            let best = entry.given.and_then(|given| given.best).map(|square| square.index() as u8);
            if given_away + loss <= most {
                open.push(Reverse((cost + loss + ply, given_away + loss, key, Some(best))));
            }
        }
    }
    Ok(found)
}

/// Plays the move of a drop-out and searches the new position; and the one it comes from for the next best move.
fn follow(store: &Store, seeker: &mut Seeker, drop_out: DropOut) -> io::Result<Searched> {
    let DropOut { key, best } = drop_out;
    let mut known = valued_moves(store, &key)?;
    let target = best
        .filter(|best| !known.contains(&Move::Place(*best)))
        .and_then(|best| key.children().find(|child| child.mv == best));
    let Some(child) = target.map(|child| child.key) else {
        // Which move it is has to be found out first.
        return Ok(Searched { from: (key, Some(seeker.seek(&key, &known))), to: None });
    };
    let to = seeker.seek(&child, &valued_moves(store, &child)?);
    // Symmetric moves lead to the same position: all of them are known now.
    known.extend(key.children().filter(|other| other.key == child).map(|other| Move::Place(other.mv)));
    let from = seeker.seek(&key, &known);
    Ok(Searched { from: (key, Some(from)), to: Some((child, to)) })
}
