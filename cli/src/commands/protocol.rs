//! The help about a protocol: how to register the program, and what it speaks.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use outflank::session::Protocol;

use super::welcome;

pub(crate) fn describe(protocol: Protocol) -> io::Result<ExitCode> {
    io::stdout().write_all(text(protocol, &env::current_exe()?).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the text for the program with this path.
fn text(protocol: Protocol, program: &Path) -> String {
    let document = match protocol {
        Protocol::NBoard => include_str!("../../docs/nboard.md"),
        Protocol::Cassio => include_str!("../../docs/cassio.md"),
        Protocol::Hub => include_str!("../../docs/hub.md"),
        Protocol::XBoard => include_str!("../../docs/xboard.md"),
        Protocol::Gtp => include_str!("../../docs/gtp.md"),
    };
    format!("{}\n{document}", welcome::settings(protocol.name(), program))
}
