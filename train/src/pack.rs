//! Makes a weights file of a model.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

use crate::model::Model;
use crate::replace;

/// Make a weights file of a model
#[derive(Parser)]
pub(crate) struct Options {
    /// Model of `fit`
    #[arg(long)]
    model: PathBuf,
    /// Weights file to write
    #[arg(long)]
    out: PathBuf,
    /// Round the numbers of the rows to multiples of N 64ths
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=7))]
    step: u8,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let bytes = Model::read(&options.model)?.weights(options.step);
    replace(&options.out, &bytes)?;
    println!("{}: {} bytes", options.out.display(), bytes.len());
    Ok(())
}
