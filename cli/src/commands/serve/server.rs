//! Connections: requests for files of the page, and sockets of its sessions.
//!
//! Only requests that name this machine by its address are answered: a foreign site whose name resolves to this address sends its
//! own name. A session is started only for the page of this server, which knows the token.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, TcpListener as Listener};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{HOST, HeaderName, ORIGIN};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::session::{self, Engines};
use super::site::{Answer, Site, refusal};

/// Most connections that are not sessions. Further ones are closed at once.
const MAX_CONNECTIONS: usize = 256;
/// Time for the head of a request, also of the next one of a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest time of a connection that is not a session: a client may stop reading.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(600);
/// Most bytes of the head of a request.
const MAX_HEAD_BYTES: usize = 16 << 10;
/// Silence after which the system checks that the other end of a connection exists.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// Delay after a connection could not be accepted, for example without free file descriptors.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// Path of the sockets.
const SESSION: &str = "/session";

/// The answers to all requests.
pub(crate) struct Server {
    pub(crate) site: Site,
    pub(crate) engines: Engines,
    pub(crate) token: String,
    /// Only this machine can connect.
    pub(crate) is_local: bool,
}

/// Serves until the process ends.
///
/// # Errors
/// If the system does not provide what a server needs.
pub(crate) fn serve(listener: Listener, server: Server) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::from_std(listener)?;
        let (server, slots) = (Arc::new(server), Arc::new(Semaphore::new(MAX_CONNECTIONS)));
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                sleep(RETRY_DELAY).await;
                continue;
            };
            if let Ok(slot) = Arc::clone(&slots).try_acquire_owned() {
                let server = Arc::clone(&server);
                tokio::spawn(async move {
                    answer_requests(stream, server).await;
                    drop(slot);
                });
            }
        }
    })
}

/// Answers the requests of a connection, until one becomes a session.
async fn answer_requests(stream: TcpStream, server: Arc<Server>) {
    // Without these options the connection is slower, or its end is noticed later.
    let _ = stream.set_nodelay(true);
    let _ = SockRef::from(&stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE));
    let answer = service_fn(|request| {
        let answer = server.answer(request);
        async { Ok::<_, Infallible>(answer) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD_BYTES);
    let connection = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
    // An error is that of a browser that has closed the connection, or of a request that is not HTTP.
    let _ = timeout(CONNECTION_TIMEOUT, connection).await;
}

impl Server {
    fn answer(&self, request: Request<Incoming>) -> Answer {
        let named = request.uri().authority().map(|host| host.as_str()).or(field(&request, HOST));
        let Some(host) = named.filter(|host| self.is_own(host)).map(str::to_owned) else {
            return refusal(
                StatusCode::MISDIRECTED_REQUEST,
                "this server only answers requests that name its address",
            );
        };
        if request.uri().path() == SESSION { self.start(request, &host) } else { self.site.answer(&request) }
    }

    /// Returns `true` if a `Host` field is the address of this machine, with any port. A name other than `localhost` may resolve to
    /// it by the will of a foreign site.
    fn is_own(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        name == "localhost"
            || name.ends_with(".localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| !self.is_local || address.is_loopback())
    }

    /// Starts a session for the page.
    fn start(&self, mut request: Request<Incoming>, host: &str) -> Answer {
        let query = request.uri().query().unwrap_or_default();
        let asked = |name: &str| {
            query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .find(|pair| pair.0 == name)
                .map(|pair| pair.1)
        };
        if field(&request, ORIGIN) != Some(&format!("http://{host}")) {
            return refusal(StatusCode::FORBIDDEN, "only the page of this server can start a session");
        }
        if !is_same(asked("token").unwrap_or_default(), &self.token) {
            return refusal(
                StatusCode::FORBIDDEN,
                "wrong token: open the address that `outflank serve` has printed",
            );
        }
        let response = match create_response_with_body(&request, Default::default) {
            Ok(response) => response,
            Err(error) => return refusal(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let hash = asked("hash").and_then(|number| number.parse().ok());
        let threads = asked("threads").and_then(|number| number.parse().ok());
        let is_large = asked("network") == Some("large");
        let Some(engine) = self.engines.engine(is_large, hash, threads) else {
            return refusal(StatusCode::SERVICE_UNAVAILABLE, "too many sessions");
        };
        tokio::spawn(async move {
            if let Ok(stream) = hyper::upgrade::on(&mut request).await {
                let (stream, limits) = (TokioIo::new(stream), Some(session::limits()));
                session::run(WebSocketStream::from_raw_socket(stream, Role::Server, limits).await, engine)
                    .await;
            }
        });
        response
    }
}

fn field(request: &Request<Incoming>, name: HeaderName) -> Option<&str> {
    request.headers().get(name)?.to_str().ok()
}

/// Compares in a time that does not depend on the first difference.
fn is_same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differences == 0
}
