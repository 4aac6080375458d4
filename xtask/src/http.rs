//! Just enough of HTTP/1.1 to serve files to a browser: GET and HEAD on connections that stay open.
//!
//! Every connection has a thread of its own, so that none ever waits for another; browsers open six at once and
//! leave them open. What is no request is answered with 400 and the end of the connection.
//!
//! Everything has a bound: how many talk at once, how long a head and its answer may take, how long a connection may be
//! silent. Only requests for this machine by one of its local names are answered: a foreign site whose name was
//! made to mean 127.0.0.1 is not.

use std::io::{self, BufRead, BufReader, ErrorKind, IoSlice, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::site::{Answer, Method, Request, Site, refusal};

/// The bounds of the server.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Connections at once.
    connections: usize,
    /// Connections that stay open after an answer: with more at once each ends with its answer. A browser opens six to a
    /// site, and as many for every profile.
    kept: usize,
    /// How long a connection may be silent between two requests.
    silence: Duration,
    /// How long the head of a request may take, from its first byte on.
    head: Duration,
    /// How long an answer may take to be read.
    answer: Duration,
}

const BOUNDS: Bounds = Bounds {
    connections: 256,
    kept: 64,
    silence: Duration::from_secs(60),
    head: Duration::from_secs(5),
    answer: Duration::from_secs(30),
};
/// The longest head of a request, in bytes.
const LONGEST: u64 = 16 * 1024;
/// How long to wait where no connection can be taken, for want of descriptors say.
const PAUSE: Duration = Duration::from_millis(100);

/// The head of a request.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    method: String,
    target: String,
    host: Option<String>,
    encodings: String,
    known: Option<String>,
    /// Whether the connection ends with the answer: asked for, or a body follows that nobody reads.
    close: bool,
}

/// Serves until the process ends.
pub(crate) fn serve(listener: &TcpListener, site: &Site) {
    serve_within(listener, site, BOUNDS);
}

fn serve_within(listener: &TcpListener, site: &Site, bounds: Bounds) {
    let talking = AtomicUsize::new(0);
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(PAUSE);
                continue;
            };
            if talking.fetch_add(1, Ordering::Relaxed) >= bounds.connections {
                talking.fetch_sub(1, Ordering::Relaxed);
                turn_away(&stream);
                continue;
            }
            let talking = &talking;
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                // A browser that went away meanwhile is nobody's error.
                talk(&stream, site, bounds, talking).ok();
                talking.fetch_sub(1, Ordering::Relaxed);
            });
            if started.is_err() {
                // The connection went with the thread that was refused.
                talking.fetch_sub(1, Ordering::Relaxed);
                thread::sleep(PAUSE);
            }
        }
    });
}

/// Answers that there are too many, without waiting for anything.
fn turn_away(stream: &TcpStream) {
    if stream.set_nonblocking(true).is_ok() {
        let answer = refusal(503, b"too many connections at once\n");
        let text = [head_of(&answer, true).as_bytes(), answer.body].concat();
        let mut stream = stream;
        // Where even this small answer finds no room, the end of the connection says it.
        stream.write_all(&text).ok();
    }
}

/// Answers the requests of one connection, of `talking` that there are.
fn talk(stream: &TcpStream, site: &Site, bounds: Bounds, talking: &AtomicUsize) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(Patient { stream, until: None });
    loop {
        // The first byte may take its time, the rest of a head may not.
        reader.get_mut().until = Some(Instant::now() + bounds.silence);
        if reader.fill_buf()?.is_empty() {
            return Ok(());
        }
        reader.get_mut().until = Some(Instant::now() + bounds.head);
        let Some(lines) = read_head(&mut reader)? else { return Ok(()) };
        let until = Instant::now() + bounds.answer;
        let Some(head) = parse(&lines) else {
            return write(stream, &refusal(400, b"this is no request\n"), Body::Sent, true, until);
        };
        if !head.host.as_deref().is_none_or(is_local) {
            let answer = refusal(421, b"this server answers for this machine alone, by a local name\n");
            return write(stream, &answer, Body::Sent, true, until);
        }
        let method = if matches!(&*head.method, "GET" | "HEAD") { Method::Read } else { Method::Other };
        let answer = site.answer(&Request {
            method,
            target: &head.target,
            encodings: &head.encodings,
            known: head.known.as_deref(),
        });
        let body = if head.method == "HEAD" { Body::LeftOut } else { Body::Sent };
        let crowded = talking.load(Ordering::Relaxed) > bounds.kept;
        let close = head.close || crowded || method == Method::Other;
        write(stream, &answer, body, close, until)?;
        if close {
            return Ok(());
        }
    }
}

/// A connection that is read until a moment.
struct Patient<'a> {
    stream: &'a TcpStream,
    until: Option<Instant>,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.until.map(left).transpose()?)?;
        let mut stream = self.stream;
        stream.read(buffer)
    }
}

/// The time left until a moment.
///
/// # Errors
/// When it has passed.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// Whether a `Host` field means this machine: a loopback address or `localhost`, with any port.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The lines of a request's head; nothing where the connection ended before one.
fn read_head(reader: &mut impl BufRead) -> io::Result<Option<Vec<String>>> {
    let mut limited = reader.take(LONGEST);
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        match (line.is_empty(), lines.is_empty()) {
            (true, true) => {}
            (true, false) => return Ok(Some(lines)),
            (false, _) => lines.push(line),
        }
    }
}

fn parse(lines: &[String]) -> Option<Head> {
    let (first, fields) = lines.split_first()?;
    let mut words = first.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if !version.starts_with("HTTP/1.") || words.next().is_some() {
        return None;
    }
    let mut head = Head {
        method: method.to_owned(),
        target: target.to_owned(),
        close: version == "HTTP/1.0",
        ..Head::default()
    };
    for field in fields {
        let (name, value) = field.split_once(':')?;
        let value = value.trim();
        match &*name.to_ascii_lowercase() {
            "host" => head.host = Some(value.to_owned()),
            "accept-encoding" => value.clone_into(&mut head.encodings),
            "if-none-match" => head.known = Some(value.to_owned()),
            "connection" => head.close |= value.eq_ignore_ascii_case("close"),
            // A body that is not read would be taken for the next request.
            "content-length" => head.close |= value != "0",
            "transfer-encoding" => head.close = true,
            _ => {}
        }
    }
    Some(head)
}

fn head_of(answer: &Answer<'_>, close: bool) -> String {
    let mut text = format!("HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status));
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    // "Not modified" says nothing of the length: it would have to be that of the body left out.
    if answer.status != 304 {
        text.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    if close {
        text.push_str("Connection: close\r\n");
    }
    text.push_str("\r\n");
    text
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        421 => "Misdirected Request",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

/// Whether the body of an answer is sent; only its length goes with an answer to `HEAD`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Sent,
    LeftOut,
}

/// Writes an answer, straight from the memory of the site.
fn write(
    mut stream: &TcpStream,
    answer: &Answer<'_>,
    body: Body,
    close: bool,
    until: Instant,
) -> io::Result<()> {
    let head = head_of(answer, close);
    let (mut head, mut rest) =
        (head.as_bytes(), if body == Body::Sent { answer.body } else { b"".as_slice() });
    while !head.is_empty() || !rest.is_empty() {
        stream.set_write_timeout(Some(left(until)?))?;
        // Together, so that no small packet waits for its predecessor's acknowledgement.
        let written = match stream.write_vectored(&[IoSlice::new(head), IoSlice::new(rest)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => written,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let of_head = written.min(head.len());
        head = &head[of_head..];
        rest = &rest[written - of_head..];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_request_is_read() {
        let head =
            parse(&lines("GET /a?b HTTP/1.1\nHost: x\nACCEPT-encoding: br, gzip\nIf-None-Match: \"e\""))
                .unwrap();
        assert_eq!((&*head.method, &*head.target, &*head.encodings), ("GET", "/a?b", "br, gzip"));
        assert_eq!((head.known.as_deref(), head.close), (Some("\"e\""), false));
        assert!(parse(&lines("GET / HTTP/1.1\nConnection: Close")).unwrap().close);
        assert!(parse(&lines("GET / HTTP/1.0")).unwrap().close);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in ["GET /", "GET / HTTP/2", "GET / / HTTP/1.1", "hello", "GET / HTTP/1.1\nno field"] {
            assert_eq!(parse(&lines(text)), None, "{text}");
        }
    }

    #[test]
    fn heads_follow_one_another_and_end() {
        let mut reader = io::Cursor::new("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\nX: y\r\n\r\n");
        assert_eq!(read_head(&mut reader).unwrap().unwrap(), ["GET /a HTTP/1.1"]);
        assert_eq!(read_head(&mut reader).unwrap().unwrap(), ["GET /b HTTP/1.1", "X: y"]);
        assert_eq!(read_head(&mut reader).unwrap(), None);
    }

    #[test]
    fn a_body_ends_the_connection() {
        let close = |field: &str| parse(&lines(&format!("GET / HTTP/1.1\n{field}"))).unwrap().close;
        assert!(
            close("Content-Length: 5") && close("Transfer-Encoding: chunked") && close("content-length: x")
        );
        assert!(!close("Content-Length: 0") && !close("Accept: */*"));
    }

    #[test]
    fn local_names_are_known_from_others() {
        for name in ["localhost", "LOCALHOST:80", "127.0.0.1:8064", "127.3.2.1", "[::1]:8064", "a.localhost"]
        {
            assert!(is_local(name), "{name}");
        }
        for name in
            ["", "example.org", "10.0.0.1:8064", "127.0.0.1.example.org", "[::2]", "localhost.org", "["]
        {
            assert!(!is_local(name), "{name}");
        }
    }

    /// A server with small bounds over one file of `size` bytes.
    fn start(size: usize) -> std::net::SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds {
            connections: 3,
            kept: 2,
            silence: Duration::from_secs(5),
            head: Duration::from_secs(1),
            answer: Duration::from_secs(1),
        };
        thread::spawn(move || serve_within(&listener, &Site::of("index.html", vec![b'x'; size]), bounds));
        address
    }

    fn ask(address: std::net::SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // The end may come as a reset where the server did not read all.
        stream.read_to_end(&mut answer).ok();
        String::from_utf8(answer).unwrap()
    }

    #[test]
    fn every_refusal_carries_the_headers_of_the_site() {
        let address = start(10);
        for (request, status) in [
            ("hello\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
            ("GET /none HTTP/1.1\r\nConnection: close\r\n\r\n", "404"),
        ] {
            let answer = ask(address, request);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
            for name in ["Content-Security-Policy", "X-Content-Type-Options", "Connection: close"] {
                assert!(answer.contains(name), "{name}: {answer}");
            }
        }
    }

    #[test]
    fn the_body_of_a_request_is_no_request() {
        let inner = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let answer =
            ask(start(10), &format!("GET / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{inner}", inner.len()));
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
    }

    #[test]
    fn a_crowd_is_answered_one_after_the_other() {
        let address = start(10);
        let mut kept: Vec<_> = (0..2).map(|_| TcpStream::connect(address).unwrap()).collect();
        for stream in &mut kept {
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            let mut first = [0; 15];
            stream.read_exact(&mut first).unwrap();
            assert_eq!(&first, b"HTTP/1.1 200 OK");
        }
        for _ in 0..20 {
            let answer = ask(address, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            // The connection before may still be ending.
            assert!(answer.contains("Connection: close"), "{answer}");
        }
    }

    #[test]
    fn a_head_that_trickles_is_given_up() {
        let mut stream = TcpStream::connect(start(10)).unwrap();
        let began = Instant::now();
        while stream.write_all(b"G").is_ok() {
            assert!(began.elapsed() < Duration::from_secs(10), "the connection is still open");
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[test]
    fn who_does_not_read_is_left_and_others_are_turned_away_meanwhile() {
        let address = start(64 << 20);
        let idle: Vec<_> = (0..3).map(|_| TcpStream::connect(address).unwrap()).collect();
        for mut stream in &idle {
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        }
        // All three talk by now.
        let began = Instant::now();
        while !ask(address, "GET /none HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 503") {
            assert!(began.elapsed() < Duration::from_secs(10), "nobody was turned away");
        }
        while !ask(address, "GET /none HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 404") {
            assert!(began.elapsed() < Duration::from_secs(20), "the three are waited for");
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[test]
    fn an_endless_head_is_given_up() {
        let mut reader = BufReader::new(io::repeat(b'a'));
        assert_eq!(read_head(&mut reader).unwrap(), None);
    }
}
