//! Prints the games of files as JSON.

use std::io;
use std::process::ExitCode;

use clap::Args;
use outflank::notation::{squares, transcript};

use crate::files::{GameFiles, Record};
use crate::json::{self, Json, object};
use crate::print;

/// Print the games of files as JSON
///
/// Each game or position is one line: its start, its moves, its players and its result. The exit status is 1 if one could not be
/// read or there is none, 2 if a file cannot be read.
#[derive(Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    input: GameFiles,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let (mut read, mut invalid) = (0, 0);
    for input in options.input.open()? {
        for record in input.records() {
            *if record.game.is_ok() { &mut read } else { &mut invalid } += 1;
            json::print(&row(Some(&input.name), &record))?;
        }
    }
    if read + invalid == 0 {
        print::note("no games or positions found");
    }
    Ok(if invalid == 0 && read > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns a game, or the error of the record.
pub(crate) fn row(file: Option<&str>, record: &Record) -> Json {
    let Record { number, line, game } = record;
    match game {
        Ok(game) => object! {
            "file?": file,
            "record": number,
            "line?": line,
            "start": squares::write(&game.start()),
            "moves": transcript::write(game),
            "position": squares::write(&game.position()),
            "black?": game.tags.black.name,
            "white?": game.tags.white.name,
            "date?": game.tags.date,
            "place?": game.tags.place,
            "result?": game.result().map(|result| result.score.discs()),
            "comments?": Some(&game.tags.comments).filter(|comments| !comments.is_empty()),
            "not_kept?": Some(&game.tags.dropped).filter(|parts| !parts.is_empty()),
        },
        Err(error) => object! { "file?": file, "record": number, "line?": line, "error": error },
    }
}
