//! Learns from games where the book ends.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io;
use std::process::ExitCode;

use clap::Args;
use outflank::board::Position;
use outflank::book::Key;
use outflank::game::Game;
use outflank::notation::{squares, transcript};
use outflank::score::Score;

use super::search::search_keys;
use super::{File, Searching, games, open};
use crate::files::GameFiles;
use crate::print;
use crate::store::{Snapshot, Store, digest};

/// Extend the book where games leave it, and print what that changes
///
/// The next --plies moves of a game after the last position with a value in the book are added and searched. They are twice as many
/// if the result differs from that value by 6 discs or more. A game that was learned with the same options is skipped, so that an
/// interrupted command resumes.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    input: GameFiles,
    #[command(flatten)]
    file: File,
    /// Add N moves of a game after the book
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    #[command(flatten)]
    searching: Searching,
}

/// Difference between the result of a game and its last value in the book, in discs, from which more moves are added.
const SURPRISE: i32 = 6;

/// Where a game leaves the book.
struct Exit {
    /// File and number of the record.
    name: String,
    game: Game,
    /// The number of moves to the last position with a value.
    ply: usize,
    /// The value of that position for Black.
    before: Score,
    /// The result for Black. `None` if the game is not over.
    result: Option<Score>,
}

/// Number of games per transaction.
const BATCH: usize = 64;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let store = open(&options.file.book, false)?;
    let root = value(&store.snapshot()?, &Position::START)?;
    let mut total = Learned::default();
    let mut faulty = 0_u64;
    for input in options.input.open()? {
        let mut records = input.records().enumerate().peekable();
        while records.peek().is_some() {
            let mut batch = Vec::new();
            for (index, record) in records.by_ref().take(BATCH) {
                if let Some(fault) = record.error(&input.name) {
                    print::note(format_args!("{fault}"));
                    faulty += 1;
                }
                batch.extend(
                    record.game.ok().map(|game| (format!("{}: game {}", input.name, index + 1), game)),
                );
            }
            learn(&store, options, batch, &mut total)?;
        }
    }
    let Learned { left, inside, before, positions } = total;
    let start = value(&store.snapshot()?, &Position::START)?;
    print::line(format_args!(
        "{} left the book, {inside} did not, {before} learned before; {positions} positions searched; start {}, was {}",
        games(left),
        shown(start),
        shown(root)
    ))?;
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Numbers of games, and of searched positions.
#[derive(Default)]
struct Learned {
    left: u64,
    inside: u64,
    before: u64,
    positions: usize,
}

/// Learns from games in one transaction, and prints where they left the book.
fn learn(
    store: &Store,
    options: &Options,
    batch: Vec<(String, Game)>,
    total: &mut Learned,
) -> io::Result<()> {
    let snapshot = store.snapshot()?;
    let (depth, plies) = (options.searching.depth, options.plies);
    let (mut exits, mut keys) = (Vec::new(), BTreeSet::new());
    for (name, game) in batch {
        let (start, moves) = (game.start(), transcript::write(&game));
        // Books of version 0.1.0 contain only the moves.
        let start = if start == Position::START { String::new() } else { squares::write(&start) };
        let source = digest(format!("learn {depth} {plies} {start}{moves}").into_bytes());
        if store.has_source(&source)? {
            total.before += 1;
        } else if let Some(exit) = Exit::of(&snapshot, name, game)? {
            let count = 1 + plies as usize * if exit.is_surprise() { 2 } else { 1 };
            let next = exit.game.positions().skip(exit.ply).take(count);
            keys.extend(next.map(|position| Reverse(Key::of(position.after_forced_pass().board()).0)));
            exits.push((exit, source));
        } else {
            total.inside += 1;
        }
    }
    let mut found = Vec::new();
    let has_value = |key: &Key| {
        // A position that cannot be read has no value.
        keys.contains(&Reverse(*key))
            || snapshot.get(key).is_ok_and(|entry| entry.is_some_and(|entry| entry.value.is_some()))
    };
    let order = keys.iter().map(|Reverse(key)| *key).collect();
    search_keys(&options.searching, order, has_value, |searched| {
        found.push(searched);
        Ok(())
    })?;
    total.left += exits.len() as u64;
    total.positions += found.len();
    store.change(|edit| {
        for (key, own) in found {
            // The value before may be that of a move that has a value now.
            edit.positions.change(&key, |entry| entry.own = entry.own.filter(|own| own.exact).or(own))?;
        }
        exits.iter().try_for_each(|(_, source)| edit.add_source(source).map(|_| ()))
    })?;
    let snapshot = store.snapshot()?;
    exits.iter().try_for_each(|(exit, _)| exit.print(&snapshot))
}

/// Returns the value of a position for Black, without contempt. `None` if it has none.
fn value(snapshot: &Snapshot, position: &Position) -> io::Result<Option<Score>> {
    let here = position.after_forced_pass();
    let value = snapshot.get(&Key::of(here.board()).0)?.and_then(|entry| entry.value);
    Ok(value.map(|value| here.side().for_black(Score::from_centidiscs(value.centidiscs()))))
}

impl Exit {
    /// Returns where a game leaves the book. `None` if all its positions have values, or the start has none.
    fn of(snapshot: &Snapshot, name: String, game: Game) -> io::Result<Option<Exit>> {
        let mut last = None;
        for (ply, position) in game.positions().enumerate() {
            let Some(before) = value(snapshot, &position)? else { break };
            last = Some((ply, before));
        }
        let Some((ply, before)) = last.filter(|(ply, _)| *ply < game.plies()) else { return Ok(None) };
        let result = game.final_score().map(|result| result.score);
        Ok(Some(Exit { name, game, ply, before, result }))
    }

    fn is_surprise(&self) -> bool {
        self.result.is_some_and(|result| (result - self.before).centidiscs().abs() >= 100 * SURPRISE)
    }

    /// Prints the move that left the book, and the values for Black before and after.
    fn print(&self, snapshot: &Snapshot) -> io::Result<()> {
        let Exit { name, game, ply, before, result } = self;
        let at = |ply| game.position_at(ply).map_or(Ok(None), |position| value(snapshot, &position));
        let line = transcript::write(&game.prefix(*ply));
        let mv = game.moves()[*ply].mv;
        let result = result.map(|result| format!(", ended {result}")).unwrap_or_default();
        let (after, here) = (shown(at(ply + 1)?), shown(at(*ply)?));
        print::line(format_args!("{name}: left {line} (was {before}, is {here}) by {mv} {after}{result}"))
    }
}

fn shown(value: Option<Score>) -> String {
    value.map_or("unknown".to_owned(), |value| value.to_string())
}
