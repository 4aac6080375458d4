//! `cargo xtask serve`: builds the page and the program, prints the settings of the engine for GUIs, and starts the server of the
//! program with the page.

use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;

use anyhow::{Context, Result};

use crate::args::Serve;
use crate::{dist, native, process, workspace};

/// The settings for GUIs that the program prints in a terminal.
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../cli/src/commands/welcome.rs"]
mod welcome;

/// Builds the page and the engine if requested, then serves until the process ends.
pub(crate) fn run(options: &Serve) -> Result<()> {
    let port = options.port;
    // An occupied port is reported before minutes of building.
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| {
        format!("cannot use port {port}; select one with `--port N` (`--port 0` finds a free one)")
    })?;
    let engine = if options.no_build {
        native::built()
    } else {
        dist::build()?;
        native::build()?
    };
    println!("\n{}", welcome::text(&engine));
    let mut serve = Command::new(engine);
    serve.args(["serve", "--port", &port.to_string(), "--page"]).arg(workspace::dist());
    process::run(serve.args(&options.options))
}
