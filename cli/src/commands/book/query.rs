//! Queries and checks a book.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use outflank::board::Move;
use outflank::book::{Contempt, Key};
use serde::Serialize;

use super::expand::root;
use super::{File, games, open};
use crate::json;
use crate::print;

/// Print what the book knows about a position
///
/// The exit status is 1 if the position is not in the book.
#[derive(Args, Debug)]
pub(crate) struct Query {
    /// Moves from the start, or a position; the start by default
    #[arg(default_value = "")]
    position: String,
    #[command(flatten)]
    file: File,
    /// Value of a draw in discs for Black
    #[arg(long, value_name = "DISCS", default_value = "0", allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(-100..=100))]
    contempt: i32,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// Check that every value of the book follows from the positions after it
///
/// The exit status is 1 if a value does not.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    file: File,
}

#[derive(Serialize)]
struct Answer {
    positions: u64,
    known: bool,
    games: u32,
    value: Option<f64>,
    depth: Option<u8>,
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    r#move: String,
    value: f64,
    proven: bool,
    draw: bool,
    games: u32,
    line: String,
}

pub(super) fn query(options: &Query) -> io::Result<ExitCode> {
    let here = root(&options.position)?.after_forced_pass();
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
    let answer = Answer {
        positions,
        known: entry.is_some(),
        games: entry.map_or(0, |entry| entry.games),
        value: entry.and_then(|entry| entry.value).map(|value| value.score(contempt, here.side()).0.discs()),
        depth: entry.and_then(|entry| entry.own).map(|own| own.depth).filter(|depth| *depth > 0),
        moves: moves
            .iter()
            .map(|known| Row {
                r#move: known.line.first().map(Move::to_string).unwrap_or_default(),
                value: known.score.discs(),
                proven: known.proven,
                draw: known.draw,
                games: known.games,
                line: line(&known.line),
            })
            .collect(),
    };
    if options.json {
        json::print(&answer)?;
    } else {
        let mut output = io::stdout().lock();
        match answer.value {
            Some(value) => {
                writeln!(output, "value {value:+.2} for the side to move, {}", games(answer.games.into()))?
            }
            None if answer.known => writeln!(output, "no value yet, {}", games(answer.games.into()))?,
            None => writeln!(output, "not in the book, which has {positions} positions")?,
        }
        for Row { r#move, value, proven, games: count, line, .. } in &answer.moves {
            let proven = if *proven { " proven" } else { "" };
            writeln!(output, "{move} {value:+6.2}{proven} {:>14}  {line}", games((*count).into()))?;
        }
    }
    Ok(if answer.known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(super) fn check(options: &Check) -> io::Result<ExitCode> {
    let store = open(&options.file.book, false)?;
    let (positions, wrong) = store.check()?;
    print::line(format_args!("{positions} positions of {}, {wrong} wrong", games(store.games()?)))?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
