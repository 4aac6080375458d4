//! `cargo xtask bench`: the same work natively and in a headless browser, in one run.

mod endgame;
mod page;
mod perft;
mod rounds;
mod runs;
mod search;
mod sides;

use std::process::Command;

use anyhow::{Context, Result};

use crate::args::Bench;
use crate::{dist, native, process, workspace};
use sides::Sides;

/// Builds both sides, then measures.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    dist::build()?;
    if *bench == Bench::Opponents {
        return opponents();
    }
    let engine = match bench {
        Bench::Page => None,
        _ => Some(native::build()?),
    };
    let sides = Sides::new(engine)?;
    println!();
    match bench {
        Bench::Perft { depth } => perft::run(&sides, *depth),
        Bench::Search => search::run(&sides),
        Bench::Endgame { file, hash } => endgame::run(&sides, file.as_deref(), *hash),
        Bench::Page => page::run(&sides),
        Bench::Opponents => opponents(),
    }
}

/// Fits the temperatures of the page's opponents with the native engine.
fn opponents() -> Result<()> {
    let node = process::find("node").context("node is missing")?;
    let script = workspace::tests().join("bench/opponents.js");
    process::run(Command::new(node).arg(script).arg("--write").arg("--engine").arg(native::build()?))
}
