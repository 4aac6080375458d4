//! Describes a book: its size, its values, and the games that it covers.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use outflank::board::{Position, Square};
use outflank::book::{Entry, Key};

use super::File;
use crate::files::{Format, Input};
use crate::options::open_book;
use crate::print;

/// Print the size, the values and the uncertainty of the book
///
/// For each ply: the positions that follow from the start, the mean depth of their searches, and how many of the games are in the
/// book after so many moves. Then the moves that are not in the book whose values are the least certain: those within --error
/// discs of best play, the shallowest searches first. The book may have any form, also packed; built-in is that of the program.
#[derive(Args, Debug)]
pub(crate) struct Stats {
    /// Files of games, in any format that `convert` reads
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Format of the files; detected from their names or their content by default
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    from: Option<Format>,
    #[command(flatten)]
    file: File,
    /// Largest loss of both sides on a line to an uncertain move
    #[arg(long, value_name = "DISCS", default_value = "1", value_parser = super::expand::discs)]
    error: f64,
    /// Print N uncertain moves
    #[arg(long, value_name = "N", default_value = "5")]
    uncertain: usize,
}

/// A position with the line of least loss to it.
struct Reached {
    loss: i32,
    line: String,
    at: Position,
}

pub(super) fn stats(options: &Stats) -> io::Result<ExitCode> {
    let book = open_book(&options.file.book)?.book;
    let mut covered = Vec::new();
    let (mut games, mut faulty) = (0_u64, 0_u64);
    for path in &options.games {
        let input = Input::open(path, options.from)?;
        for record in input.records() {
            faulty += u64::from(record.game.is_err());
            let Ok(game) = record.game else { continue };
            games += 1;
            let keys = game.positions().map(|position| Key::of(position.after_forced_pass().board()).0);
            for ply in
                keys.take_while(|key| book.look_up(key).is_some()).map(|key| usize::from(key.discs()) - 4)
            {
                covered.resize(covered.len().max(ply + 1), 0);
                covered[ply] += 1;
            }
        }
    }
    let start = Reached { loss: 0, line: String::new(), at: Position::START };
    let mut layer = BTreeMap::from([(Key::of(start.at.board()).0, start)]);
    let (mut rows, mut uncertain, mut positions) = (Vec::new(), Vec::new(), 0);
    while !layer.is_empty() {
        let (mut next, mut depths): (BTreeMap<Key, Reached>, Vec<u32>) = Default::default();
        positions += layer.len();
        rows.push((layer.len(), 0));
        for (key, reached) in layer {
            let Some(Entry { own, value, .. }) = book.look_up(&key) else { continue };
            depths.extend(own.map(|own| u32::from(own.depth)));
            let Some(value) = value.map(|value| value.centidiscs()) else { continue };
            let symmetry = Key::of(reached.at.board()).1.inverse();
            let line = |square: Square| format!("{}{square}", reached.line);
            if let Some((own, best)) = own.filter(|own| !own.exact).and_then(|own| Some((own, own.best?))) {
                let loss = reached.loss + value - own.score.centidiscs();
                uncertain.push((own.depth, loss, line(symmetry.square(best)), own.score));
            }
            for (square, at) in reached.at.successors() {
                let key = Key::of(at.board()).0;
                let Some(after) = book.look_up(&key).and_then(|entry| entry.value) else { continue };
                let after =
                    if at.side() == reached.at.side() { after.centidiscs() } else { -after.centidiscs() };
                let loss = reached.loss + (value - after).max(0);
                if next.get(&key).is_none_or(|known| loss < known.loss) {
                    next.insert(key, Reached { loss, line: line(square), at });
                }
            }
        }
        if let Some(row) = rows.last_mut() {
            row.1 = depths.iter().sum::<u32>() / (depths.len() as u32).max(1);
        }
        layer = next;
    }
    let value = book.look_up(&Key::of(Position::START.board()).0).and_then(|entry| entry.value);
    let mut output = io::stdout().lock();
    let discs = |centidiscs: i32| format!("{:+.2}", f64::from(centidiscs) / 100.0);
    let value = value.map_or("unknown".to_owned(), |value| discs(value.centidiscs()));
    writeln!(output, "{} positions, {positions} that follow from the start, value {value}", book.len())?;
    let heads = if games > 0 { format!("  in the book of {}", super::games(games)) } else { String::new() };
    writeln!(output, "ply  positions  depth{heads}")?;
    for (ply, (count, depth)) in rows.iter().enumerate() {
        let known = covered.get(ply).copied().unwrap_or(0);
        let part = if games > 0 {
            format!("  {:>5.1} %", 100.0 * f64::from(known) / games as f64)
        } else {
            String::new()
        };
        writeln!(output, "{ply:>3} {count:>10} {depth:>6}{part}")?;
    }
    uncertain.retain(|row| f64::from(row.1) <= 100.0 * options.error);
    uncertain.sort();
    for (depth, loss, line, score) in uncertain.iter().take(options.uncertain) {
        let (score, loss) = (discs(score.centidiscs()), discs(-loss));
        writeln!(output, "uncertain: {score} by {depth} plies, {loss} from best play: {line}")?;
    }
    if faulty > 0 {
        print::note(format_args!("{} read, {faulty} faulty", super::games(games)));
    }
    Ok(if faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
