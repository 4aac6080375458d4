//! `cargo xtask serve`: the page on 127.0.0.1, and how to use the engine in desktop programs.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use tiny_http::{Header, Response, Server, StatusCode};

use crate::args::{Content, Serve};
use crate::site::{Method, Request, Site};
use crate::{dist, native, workspace};

/// Requests answered at the same time.
const WORKERS: usize = 4;

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
    let server = Server::from_listener(listener, None)
        .map_err(|error| anyhow!("cannot serve on {address}: {error}"))?;
    println!("Outflank is at http://{address}/ ({} files); Ctrl+C ends it", site.len());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Ok(request) = server.recv() {
                    respond(&site, request);
                }
            });
        }
    });
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

fn respond(site: &Site, request: tiny_http::Request) {
    let field = |name: &'static str| {
        let mut headers = request.headers().iter();
        headers.find(|header| header.field.equiv(name)).map(|header| header.value.as_str())
    };
    let answer = site.answer(&Request {
        method: match request.method() {
            tiny_http::Method::Get | tiny_http::Method::Head => Method::Read,
            _ => Method::Other,
        },
        target: request.url(),
        encodings: field("Accept-Encoding").unwrap_or_default(),
        known: field("If-None-Match"),
    });
    let headers = answer
        .headers
        .iter()
        .filter_map(|(name, value)| Header::from_bytes(name.as_bytes(), value.as_bytes()).ok())
        .collect();
    let response =
        Response::new(StatusCode(answer.status), headers, answer.body, Some(answer.body.len()), None)
            .with_chunked_threshold(usize::MAX);
    // A browser that went away meanwhile is nobody's error.
    let _ = request.respond(response);
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
