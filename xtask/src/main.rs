//! `cargo xtask`: builds, serves, checks and measures Outflank.
//!
//! The tasks build what they need from the workspace or take it from a package registry. They install missing components
//! if they can, and otherwise print the command that does.

mod args;
mod bench;
mod bundle;
mod count;
mod dist;
mod element;
mod fuzz;
/// The headers that the program sends with the page.
#[path = "../../cli/src/commands/serve/headers.rs"]
mod headers;
mod native;
mod package;
mod process;
mod serve;
mod setup;
mod test;
mod toolchain;
mod tools;
mod wasm;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Task};

fn main() -> ExitCode {
    // Before cargo replaces the file.
    let _ = workspace::program();
    let done = match Arguments::parse().task {
        Task::Build => dist::build(),
        Task::Package => package::run(),
        Task::Serve(options) => serve::run(&options),
        Task::Test { steps } => test::run(&steps),
        Task::Count => count::run(),
        Task::Tools => tools::run(),
        Task::Bench(bench) => bench::run(&bench),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Soak(options) => native::soak(&options),
        Task::Differential(options) => native::differential(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
