//! Manual pages and shell completions, made from the definition of the command line. Packagers call it.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;

/// Write manual pages and shell completions into a folder
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Folder to write to
    folder: PathBuf,
}

pub(crate) fn run(options: &Options, mut command: Command) -> io::Result<ExitCode> {
    let folder = &options.folder;
    fs::create_dir_all(folder)?;
    // Each command has a page. `help` has none.
    clap_mangen::generate_to(command.clone().disable_help_subcommand(true), folder)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, "outflank", folder)?;
    }
    Ok(ExitCode::SUCCESS)
}
