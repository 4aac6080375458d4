//! Queries and checks a book.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use outflank::board::Move;
use outflank::book::{BookMove, Contempt, Key};

use super::expand::root;
use super::{File, games, open};
use crate::json::{self, object};
use crate::print;

/// Print what the book knows about a position
///
/// The exit status is 1 if the position is not in the book.
#[derive(Args, Debug)]
pub(crate) struct Query {
    /// Moves from the start, or a position; the start by default
    #[arg(default_value = "", allow_hyphen_values = true)]
    position: String,
    #[command(flatten)]
    file: File,
    /// Value of a draw in discs for Black
    #[arg(long, value_name = "DISCS", default_value = "0", value_parser = clap::value_parser!(i32).range(-100..=100))]
    contempt: i32,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// Check that the book is not damaged, and that every value follows from the positions after it
///
/// The exit status is 1 if a value does not.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    file: File,
}

pub(super) fn query(options: &Query) -> io::Result<ExitCode> {
    let position = root(&options.position)?;
    let here = position.after_forced_pass();
    let store = Arc::new(open(&options.file.book, false)?);
    let (positions, entry) = {
        let snapshot = store.snapshot()?;
        (snapshot.count()?, snapshot.get(&Key::of(here.board()).0)?)
    };
    let contempt = Contempt(options.contempt);
    let moves = store.book().moves(&here, contempt);
    let line = |moves: &[Move]| {
        moves.iter().filter_map(|mv| mv.square()).map(|square| square.to_string()).collect::<String>()
    };
    let first = |known: &BookMove| known.line.first().map(Move::to_string).unwrap_or_default();
    let value = entry.and_then(|entry| entry.value).map(|value| value.score(contempt, here.side()).0.discs());
    let count = entry.map_or(0, |entry| entry.games);
    if options.json {
        let row = |known: &BookMove| {
            object! {
                "move": first(known),
                "value": known.score.discs(),
                "proven": known.proven,
                "draw": known.draw,
                "games": known.games,
                "line": line(&known.line),
            }
        };
        json::print(&object! {
            "positions": positions,
            "known": entry.is_some(),
            "games": count,
            "value": value,
            "depth": entry.and_then(|entry| entry.own).map(|own| own.depth).filter(|depth| *depth > 0),
            "moves": moves.iter().map(row).collect::<Vec<_>>(),
        })?;
    } else {
        let mut output = io::stdout().lock();
        match value {
            Some(value) => {
                let pass = if here == position { "" } else { " after the pass" };
                writeln!(output, "value {value:+.2} for the side to move{pass}, {}", games(count.into()))?
            }
            None if entry.is_some() => writeln!(output, "no value yet, {}", games(count.into()))?,
            None => writeln!(output, "not in the book, which has {positions} positions")?,
        }
        for known in &moves {
            let (first, value, line) = (first(known), known.score.discs(), line(&known.line));
            let proven = if known.proven { " proven" } else { "" };
            writeln!(output, "{first} {value:+6.2}{proven} {:>14}  {line}", games(known.games.into()))?;
        }
    }
    Ok(if entry.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) fn check(options: &Check) -> io::Result<ExitCode> {
    let store = open(&options.file.book, false)?;
    let (positions, wrong) = store.check()?;
    print::line(format_args!("{positions} positions of {}, {wrong} wrong", games(store.games()?)))?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
