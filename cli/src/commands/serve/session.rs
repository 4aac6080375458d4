//! Sessions of the page: the lines of a socket are those of a GUI.
//!
//! A session has its own thread, search threads and table. Its queues are bounded as for a GUI: a page that sends faster than the
//! session reads waits, and one that does not read its answers gets no more of them. Memory is bounded for all sessions
//! together, and every session has as many search threads as another: the system gives them equal shares of the processor.

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use futures_util::future::{Either, select};
use futures_util::{SinkExt, StreamExt};
use hyper::body::{Buf, Bytes};
use outflank::kernel::Kernel;
use outflank::search::{Evaluator, HashSize, NetworkSize, SearchConfig};
use outflank::session::{Conversation, OpenBook, Protocol, SessionConfig};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::engine::LARGE;
use crate::native::{Log, MAX_LINE_BYTES, run_session};

/// Most sessions at the same time.
const MAX_SESSIONS: usize = 16;
/// Sessions with the largest table.
const MAX_LARGE_TABLES: u32 = 4;
/// Mebibytes of all other tables. A page requests small ones for the analysis of a game.
const SMALL_TABLES: u32 = 256;
/// Messages between a socket and its session, in each direction.
const MAX_MESSAGES: usize = 16;
/// How long a socket that ends waits until the other end is closed.
const LINGER: Duration = Duration::from_secs(2);

/// An evaluation and the checksum of its weights.
pub(crate) type Network = (Evaluator, u64);

/// The engines of all sessions.
pub(crate) struct Engines {
    small: Network,
    large: OnceLock<Network>,
    hash: HashSize,
    threads: usize,
    book: Option<OpenBook>,
    budget: Arc<Mutex<Budget>>,
}

/// Sessions and mebibytes that are free.
#[derive(Debug)]
struct Budget {
    sessions: usize,
    hash: u32,
}

/// The engine of a session. Its share of the budget is free again when it is dropped.
pub(crate) struct Engine {
    network: Network,
    config: SessionConfig,
    budget: Arc<Mutex<Budget>>,
}

impl Engines {
    /// `network` replaces both networks. `hash` and `threads` are the most of a session.
    pub(crate) fn new(
        network: Option<Network>,
        hash: HashSize,
        threads: usize,
        book: Option<OpenBook>,
    ) -> Engines {
        let large = network.clone().map_or_else(OnceLock::new, OnceLock::from);
        let small =
            network.unwrap_or_else(|| (Evaluator::default(), Evaluator::checksum(Evaluator::embedded())));
        let budget = Arc::new(Mutex::new(Budget {
            sessions: MAX_SESSIONS,
            hash: MAX_LARGE_TABLES * hash.0 + SMALL_TABLES,
        }));
        Engines { small, large, hash, threads, book, budget }
    }

    /// Returns an engine with the requested table and threads, or with the most of a session. `None` if no memory or no session is
    /// free.
    pub(crate) fn engine(&self, is_large: bool, hash: Option<u32>, threads: Option<usize>) -> Option<Engine> {
        let large = || {
            let large = Evaluator::from_bytes(LARGE).map(|evaluator| (evaluator, Evaluator::checksum(LARGE)));
            large.unwrap_or_else(|_| self.small.clone())
        };
        let network = if is_large { self.large.get_or_init(large) } else { &self.small };
        let mut budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = HashSize(hash.unwrap_or(u32::MAX).clamp(1, self.hash.0).min(budget.hash));
        if budget.sessions == 0 || hash.0 == 0 {
            return None;
        }
        budget.sessions -= 1;
        budget.hash -= hash.0;
        let threads = threads.map_or(self.threads, |threads| threads.clamp(1, self.threads));
        let config = SessionConfig {
            hash,
            threads,
            max_threads: threads,
            book: self.book.clone(),
            ..SessionConfig::default()
        };
        Some(Engine { network: network.clone(), config, budget: Arc::clone(&self.budget) })
    }
}

impl Engine {
    /// Returns the first message to the page.
    fn greeting(&self) -> String {
        let SessionConfig { name, version, hash, threads, .. } = self.config;
        let weights = format!("{:016x}", self.network.1);
        let network = match self.network.0.network() {
            NetworkSize::Small => "small",
            NetworkSize::Large => "large",
        };
        let ready = json!({
            "type": "ready", "name": name, "version": version, "weights": weights, "network": network,
            "threads": threads, "hash": hash.0,
        });
        ready.to_string()
    }

    /// Runs the session until its input ends. No line of NBoard opens a file or changes the table and the threads.
    fn converse(self, input: Input, output: Output) -> io::Result<()> {
        let session = Conversation::in_protocol(Protocol::NBoard, self.config.clone());
        let (evaluator, hash) = (self.network.0.clone(), self.config.hash);
        let search = move || SearchConfig::with(evaluator).with_hash(hash).with_kernel(Kernel::best());
        run_session(session, search, self.config.threads, BufReader::new(input), output, Log::NONE)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let mut budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        budget.sessions += 1;
        budget.hash += self.config.hash.0;
    }
}

/// Limits of a socket.
pub(crate) fn limits() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(MAX_LINE_BYTES))
        .max_frame_size(Some(MAX_LINE_BYTES))
        .max_write_buffer_size(2 * MAX_LINE_BYTES)
}

/// Runs a session until it or its socket ends.
pub(crate) async fn run<S: AsyncRead + AsyncWrite + Unpin>(socket: WebSocketStream<S>, engine: Engine) {
    let (mut sink, mut stream) = socket.split();
    let (lines, input) = mpsc::channel(MAX_MESSAGES);
    let (output, mut answers) = mpsc::channel::<String>(MAX_MESSAGES);
    let greeting = engine.greeting();
    let session = move || engine.converse(Input { lines: input, rest: Bytes::new() }, Output(output));
    if Builder::new().name("session".to_owned()).spawn(session).is_err() {
        return;
    }
    let reason = {
        let read = pin!(async {
            loop {
                match stream.next().await {
                    Some(Ok(Message::Text(text))) => {
                        if lines.send(format!("{text}\n").into()).await.is_err() {
                            return CloseCode::Normal;
                        }
                    }
                    Some(Ok(Message::Binary(_))) => return CloseCode::Unsupported,
                    Some(Err(Error::Capacity(_))) => return CloseCode::Size,
                    Some(Err(Error::Utf8(_))) => return CloseCode::Invalid,
                    Some(Err(Error::Protocol(_))) => return CloseCode::Protocol,
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return CloseCode::Normal,
                }
            }
        });
        let write = pin!(async {
            let mut next = Some(greeting);
            while let Some(text) = next {
                if sink.send(Message::text(text)).await.is_err() {
                    break;
                }
                next = answers.recv().await;
            }
        });
        match select(read, write).await {
            Either::Left((reason, _)) => reason,
            Either::Right(_) => CloseCode::Normal,
        }
    };
    // The other end may be closed already.
    let _ = sink.send(Message::Close(Some(CloseFrame { code: reason, reason: "".into() }))).await;
    // The session ends.
    drop((lines, answers));
    if let Ok(mut socket) = sink.reunite(stream) {
        let _ = timeout(LINGER, drain(socket.get_mut())).await;
    }
}

/// Closes this end, and reads until the other end is closed. With unread data the connection would be reset, and the other end could
/// lose the reason (RFC 1122, 4.2.2.13).
async fn drain(socket: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> io::Result<()> {
    socket.shutdown().await?;
    tokio::io::copy(socket, &mut tokio::io::sink()).await?;
    Ok(())
}

/// The messages of a socket as a text with a line for each.
struct Input {
    lines: Receiver<Bytes>,
    rest: Bytes,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.blocking_recv().unwrap_or_default();
        }
        let count = buffer.len().min(self.rest.len());
        self.rest.copy_to_slice(&mut buffer[..count]);
        Ok(count)
    }
}

/// Sends a message for each text, which are whole lines.
struct Output(Sender<String>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).trim_end().to_owned();
        self.0.blocking_send(text).map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
