//! `cargo xtask`: sets up, builds, serves, checks and measures Outflank.
//!
//! Everything a task needs is built from the workspace or taken from a package registry. What is
//! missing is installed where that is possible, and named with the exact command where it is not.

mod args;
mod bench;
mod bindgen;
mod browser;
mod compress;
mod differential;
mod dist;
mod fuzz;
mod http;
mod mime;
mod minify;
mod native;
mod nightly;
mod package;
mod packages;
mod process;
mod serve;
mod site;
mod soak;
mod test;
mod toolchain;
mod tools;
mod wasm;
mod workspace;

use std::process::ExitCode;

use args::Task;

fn main() -> ExitCode {
    let task = match args::parse() {
        Ok(task) => task,
        Err(error) => {
            eprintln!("error: {error}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    let done = match task {
        Task::Help => {
            println!("{}", args::USAGE);
            Ok(())
        }
        Task::Build => dist::build(),
        Task::Package => package::run(),
        Task::Serve(options) => serve::run(&options),
        Task::Test(steps) => test::run(&steps),
        Task::Tools => tools::run(),
        Task::Bench(options) => bench::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Soak(options) => soak::run(&options),
        Task::Differential(options) => differential::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
