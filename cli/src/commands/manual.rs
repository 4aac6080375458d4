//! Pages of the manual, and what shells need to complete a command line: made from the definition of the command line
//! itself. Packagers call it.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;

/// Write the pages of the manual and the completions of shells into a folder
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Where they go
    folder: PathBuf,
}

pub(crate) fn run(options: &Options, mut command: Command) -> io::Result<ExitCode> {
    let folder = &options.folder;
    fs::create_dir_all(folder)?;
    // The manual has a page for each command; `outflank help COMMAND` is no command of its own there.
    clap_mangen::generate_to(command.clone().disable_help_subcommand(true), folder)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, "outflank", folder)?;
    }
    Ok(ExitCode::SUCCESS)
}
