//! `cargo xtask serve`: serves the page on 127.0.0.1 and prints the settings of the engine for GUIs.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result, bail};

use crate::args::Serve;
use crate::site::Site;
use crate::{dist, http, native, workspace};

/// The settings for GUIs that the program prints in a terminal.
#[allow(dead_code, reason = "the program uses the rest")]
#[path = "../../cli/src/commands/welcome.rs"]
mod welcome;

/// Builds the page and the engine if requested, then serves until the process ends.
pub(crate) fn run(options: &Serve) -> Result<()> {
    // An occupied port is reported before minutes of building.
    let listener = listen(options.port)?;
    if !options.no_build {
        dist::build()?;
        let engine = native::build()?;
        println!("\n{}", welcome::text(&engine));
    } else if !workspace::dist().join("version.json").is_file() {
        bail!("no page in {}; run `cargo xtask build`", workspace::dist().display());
    }
    let site = Site::load(&workspace::dist())?;
    let address = listener.local_addr()?;
    println!("Outflank is at http://{address}/ ({} files); Ctrl+C ends it", site.len());
    http::serve(&listener, &site);
    Ok(())
}

fn listen(port: u16) -> Result<TcpListener> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(listener) => Ok(listener),
        Err(error) if error.kind() == ErrorKind::AddrInUse => bail!(
            "port {port} is used by another program; select one with `--port N` (`--port 0` finds a free one)"
        ),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            bail!("this user cannot use port {port}; select a port of 1024 or more")
        }
        Err(error) => Err(error).with_context(|| format!("cannot listen on 127.0.0.1:{port}")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn occupied_port_is_named() {
        let occupied = listen(0).unwrap();
        let port = occupied.local_addr().unwrap().port();
        let message = listen(port).unwrap_err().to_string();
        assert!(message.contains(&port.to_string()) && message.contains("--port"), "{message}");
    }

    #[test]
    fn script_of_a_release_has_the_printed_command() {
        let text = welcome::text(Path::new("/opt/outflank/outflank"));
        let script = include_str!("../../cli/package/engine.sh");
        let line = script.lines().last().unwrap();
        let line = line.replace("$(dirname \"$0\")/@program@", "/opt/outflank/outflank");
        assert!(text.contains(&line), "{line}");
    }
}
