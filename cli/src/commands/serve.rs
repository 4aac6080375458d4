//! The page on this machine, with this program as its engine.

mod headers;
mod server;
mod session;
mod site;

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{panic, thread};

use clap::Args;
use clap::builder::TypedValueParser;
use outflank::search::HashSize;

use crate::engine::{MAX_HASH_MIB, Weights};
use crate::options::open_book;
use server::Server;
use session::Engines;
use site::Site;

/// Least and most characters of a token.
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 16..=128;

/// Serve the page to browsers on this machine, with this program as its engine
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Port; 0 selects a free one
    #[arg(short, long, value_name = "N", default_value_t = 8064)]
    port: u16,
    /// Address to listen on. Other machines can reach any other than the default; with it, --token is required
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,
    /// Token in the address of the page, without which the engine is refused: 16 or more letters, digits, `-` and `_`.
    /// A random one by default
    #[arg(long, value_parser = token)]
    token: Option<String>,
    /// Search threads of each page, 1 to 256; one for each core by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256).map(usize::from))]
    threads: Option<usize>,
    /// Transposition table of each page in mebibytes; four pages at most have it at the same time
    #[arg(long, value_name = "MB", default_value = "512",
        value_parser = clap::value_parser!(u32).range(1..=MAX_HASH_MIB).map(HashSize))]
    hash: HashSize,
    #[command(flatten)]
    weights: Weights,
    /// Opening book whose values are shown, `built-in` for the one of the program; none by default
    #[arg(long, value_name = "none|FILE", default_value = "none", hide_default_value = true)]
    book: PathBuf,
    /// Folder of the page, instead of the page in the program
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let is_local = options.listen.is_loopback();
    if !is_local && options.token.is_none() {
        return Err(io::Error::other(format!(
            "--listen {}: other machines can connect, so --token is required",
            options.listen
        )));
    }
    let listener = listen(SocketAddr::new(options.listen, options.port))?;
    let network = options.weights.read()?;
    let site = options.page.as_deref().map_or_else(|| Ok(Site::built_in()), Site::load)?;
    if site.is_empty() {
        let problem = "there is no page: `cargo xtask build` makes the folder dist/, name it with --page";
        return Err(io::Error::other(problem));
    }
    let token = options.token.clone().map_or_else(random_token, Ok)?;
    let threads = options.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let book = Some(&options.book).filter(|path| path.as_os_str() != "none");
    let book = book.map(|path| open_book(path)).transpose()?;
    let engines = Engines::new(network, options.hash, threads, book);
    let warning = if is_local {
        ""
    } else {
        "Other machines reach it by the address of this one. Everyone who has the token can use the engine, and the connection \
         is not encrypted.\n"
    };
    let address = listener.local_addr()?;
    let text = format!("Outflank is at http://{address}/?engine={token}\n{warning}Ctrl+C ends it\n");
    io::stdout().write_all(text.as_bytes())?;
    // Panics of a search are reported by the session.
    panic::set_hook(Box::new(|_| {}));
    server::serve(listener, Server { site, engines, token, is_local })?;
    Ok(ExitCode::SUCCESS)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).map_err(|error| {
        let port = address.port();
        let problem = match error.kind() {
            ErrorKind::AddrInUse => format!(
                "port {port} is used by another program; select one with `--port N` (`--port 0` finds a free one)"
            ),
            ErrorKind::PermissionDenied => {
                format!("this user cannot use port {port}; select a port of 1024 or more")
            }
            _ => format!("cannot listen on {address}: {error}"),
        };
        io::Error::new(error.kind(), problem)
    })
}

fn token(text: &str) -> Result<String, &'static str> {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_token = TOKEN_LENGTH.contains(&text.len()) && text.chars().all(is_valid);
    is_token.then(|| text.to_owned()).ok_or("not 16 to 128 letters, digits, `-` and `_`")
}

fn random_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
