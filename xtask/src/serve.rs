//! `cargo xtask serve`: the page on 127.0.0.1, and how to use the engine in desktop programs.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result, bail};

use crate::args::{Content, Serve};
use crate::site::Site;
use crate::{dist, http, native, workspace};

/// Builds what is to be built, then serves until the process is ended.
pub(crate) fn run(options: &Serve) -> Result<()> {
    // First, so that a taken port is told before minutes of building.
    let listener = listen(options.port)?;
    if options.content == Content::Fresh {
        dist::build()?;
        let engine = native::build()?;
        println!("\n{}", native::registration(&engine));
    } else if !workspace::dist().join("version.json").is_file() {
        bail!("there is no page in {}; run `cargo xtask build`", workspace::dist().display());
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
            "port {port} is taken by another program; choose one with `--port N` (`--port 0` finds a free one)"
        ),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            bail!("port {port} is not open to this user; ports from 1024 up are")
        }
        Err(error) => Err(error).with_context(|| format!("cannot listen on 127.0.0.1:{port}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_named() {
        let taken = listen(0).unwrap();
        let port = taken.local_addr().unwrap().port();
        let message = listen(port).unwrap_err().to_string();
        assert!(message.contains(&port.to_string()) && message.contains("--port"), "{message}");
    }
}
