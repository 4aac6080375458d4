//! The part of HTTP/1.1 that serves files to a browser: GET and HEAD on persistent connections.
//!
//! Every connection has its own thread, so that no connection waits for another. Browsers open six at once and leave them
//! open. An invalid request is answered with 400, and its connection is closed.
//!
//! The number of connections, the duration of a request and its answer, and the idle time have limits. Only requests that
//! name this machine by a local name are answered. This rejects foreign sites whose name resolves to 127.0.0.1.

use std::io::{self, BufRead, BufReader, ErrorKind, IoSlice, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::site::{Answer, Request, Site, error_answer};

#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Most connections.
    connections: usize,
    /// Time between two requests of a connection.
    idle: Duration,
    /// Time from the first byte of a request to the end of its head.
    head: Duration,
    /// Time in which the client must read an answer.
    answer: Duration,
}

const BOUNDS: Bounds = Bounds {
    connections: 256,
    idle: Duration::from_secs(60),
    head: Duration::from_secs(5),
    answer: Duration::from_secs(30),
};
/// Most bytes of the head of a request.
const MAX_HEAD_BYTES: u64 = 16 * 1024;
/// Delay after a connection could not be accepted, for example without free file descriptors.
const RETRY_DELAY: Duration = Duration::from_millis(100);

pub(crate) fn serve(listener: &TcpListener, site: &Site) {
    serve_within(listener, site, BOUNDS);
}

fn serve_within(listener: &TcpListener, site: &Site, bounds: Bounds) {
    let open = AtomicUsize::new(0);
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(RETRY_DELAY);
                continue;
            };
            if open.fetch_add(1, Ordering::Relaxed) >= bounds.connections {
                open.fetch_sub(1, Ordering::Relaxed);
                reject(&stream);
                continue;
            }
            let open = &open;
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                // A browser that closed the connection is not an error.
                answer_requests(&stream, site, bounds).ok();
                open.fetch_sub(1, Ordering::Relaxed);
            });
            if started.is_err() {
                // The connection was closed with the closure of the thread.
                open.fetch_sub(1, Ordering::Relaxed);
                thread::sleep(RETRY_DELAY);
            }
        }
    });
}

/// Answers that there are too many connections, without blocking.
fn reject(stream: &TcpStream) {
    if stream.set_nonblocking(true).is_ok() {
        let answer = error_answer(503, b"too many connections at once\n");
        let text = [head_of(&answer, true).as_bytes(), answer.body].concat();
        let mut stream = stream;
        // If even this small answer does not fit into the buffer, the connection is closed without it.
        stream.write_all(&text).ok();
    }
}

/// Answers the requests of one connection.
fn answer_requests(stream: &TcpStream, site: &Site, bounds: Bounds) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(DeadlineReader { stream, until: None });
    loop {
        // The first byte of a request may take longer than the rest of its head.
        reader.get_mut().until = Some(Instant::now() + bounds.idle);
        if reader.fill_buf()?.is_empty() {
            return Ok(());
        }
        reader.get_mut().until = Some(Instant::now() + bounds.head);
        let Some(lines) = read_head(&mut reader)? else { return Ok(()) };
        let until = Instant::now() + bounds.answer;
        let Some(request) = parse(&lines) else {
            let answer = error_answer(400, b"invalid request\n");
            return write(stream, &answer, answer.body, true, until);
        };
        if !request.host.as_deref().is_none_or(is_local) {
            let answer = error_answer(421, b"this server only answers requests for a local name\n");
            return write(stream, &answer, answer.body, true, until);
        }
        let answer = site.answer(&request);
        // The answer to `HEAD` contains the length of the body, but not the body.
        let body: &[u8] = if request.method == "HEAD" { b"" } else { answer.body };
        let close = request.close || answer.status == 405;
        write(stream, &answer, body, close, until)?;
        if close {
            return Ok(());
        }
    }
}

/// A connection whose reads fail after a point in time.
struct DeadlineReader<'a> {
    stream: &'a TcpStream,
    until: Option<Instant>,
}

impl Read for DeadlineReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.until.map(left).transpose()?)?;
        let mut stream = self.stream;
        stream.read(buffer)
    }
}

/// Returns the time left until a point in time.
///
/// # Errors
/// If it has passed.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// Returns `true` if a `Host` field is a loopback address or `localhost`, with any port.
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

/// Reads the lines of the head of a request. `None` if the connection ended before its end.
fn read_head(reader: &mut impl BufRead) -> io::Result<Option<Vec<String>>> {
    let mut limited = reader.take(MAX_HEAD_BYTES);
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

fn parse(lines: &[String]) -> Option<Request> {
    let (first, fields) = lines.split_first()?;
    let mut words = first.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if !version.starts_with("HTTP/1.") || words.next().is_some() {
        return None;
    }
    let mut request = Request {
        method: method.to_owned(),
        target: target.to_owned(),
        close: version == "HTTP/1.0",
        ..Request::default()
    };
    for field in fields {
        let (name, value) = field.split_once(':')?;
        let value = value.trim();
        match &*name.to_ascii_lowercase() {
            "host" => request.host = Some(value.to_owned()),
            "accept-encoding" => value.clone_into(&mut request.encodings),
            "if-none-match" => request.known = Some(value.to_owned()),
            "connection" => request.close |= value.eq_ignore_ascii_case("close"),
            // The body is not read, and would be parsed as the next request.
            "content-length" => request.close |= value != "0",
            "transfer-encoding" => request.close = true,
            _ => {}
        }
    }
    Some(request)
}

fn head_of(answer: &Answer<'_>, close: bool) -> String {
    let mut text = format!("HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status));
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    // An answer "Not Modified" has no length: it would have to be that of the omitted body.
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

/// Writes an answer with this body, which is not copied.
fn write(
    mut stream: &TcpStream,
    answer: &Answer<'_>,
    mut body: &[u8],
    close: bool,
    until: Instant,
) -> io::Result<()> {
    let head = head_of(answer, close);
    let mut head = head.as_bytes();
    while !head.is_empty() || !body.is_empty() {
        stream.set_write_timeout(Some(left(until)?))?;
        // In one call, so that no small packet waits for an acknowledgement.
        let written = match stream.write_vectored(&[IoSlice::new(head), IoSlice::new(body)]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => written,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let of_head = written.min(head.len());
        head = &head[of_head..];
        body = &body[written - of_head..];
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
    fn request_is_parsed() {
        let text = "GET /a?b HTTP/1.1\nHost: x\nACCEPT-encoding: br, gzip\nIf-None-Match: \"e\"";
        let request = parse(&lines(text)).unwrap();
        let Request { method, target, encodings, known, close, .. } = &request;
        assert_eq!((&**method, &**target, &**encodings), ("GET", "/a?b", "br, gzip"));
        assert_eq!((known.as_deref(), *close), (Some("\"e\""), false));
    }

    #[test]
    fn local_names_are_recognized() {
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

    /// Starts a server with low limits and one file of `size` bytes.
    fn start(size: usize) -> std::net::SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds {
            connections: 3,
            idle: Duration::from_secs(5),
            head: Duration::from_secs(1),
            answer: Duration::from_secs(1),
        };
        thread::spawn(move || serve_within(&listener, &Site::of("index.html", vec![b'x'; size]), bounds));
        address
    }

    fn request(address: std::net::SocketAddr, text: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = Vec::new();
        // If the server did not read everything, the connection may be reset.
        stream.read_to_end(&mut answer).ok();
        String::from_utf8(answer).unwrap()
    }

    #[test]
    fn answers_have_status_and_headers_of_the_site() {
        let address = start(10);
        let last = "GET /none HTTP/1.1\r\nX: y\r\nConnection: Close\r\n\r\n";
        for (head, statuses) in [
            ("hello", "400"),
            ("GET /", "400"),
            ("GET / HTTP/2", "400"),
            ("GET / / HTTP/1.1", "400"),
            ("GET / HTTP/1.1\r\nno field", "400"),
            ("GET / HTTP/1.1\r\nHost: evil.example", "421"),
            ("POST / HTTP/1.1\r\nHost: localhost", "405"),
            ("GET / HTTP/1.0", "200"),
            ("GET / HTTP/1.1\r\nIf-None-Match: *", "304 404"),
            ("GET / HTTP/1.1\r\nContent-Length: 0\r\nAccept: */*", "200 404"),
            // A body is not parsed as a request.
            ("GET / HTTP/1.1\r\nContent-Length: 50", "200"),
            ("GET / HTTP/1.1\r\ncontent-length: x", "200"),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked", "200"),
        ] {
            let answers = request(address, &format!("{head}\r\n\r\n{last}"));
            let found: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
            assert_eq!(found.join(" "), statuses, "{head}: {answers}");
            for name in ["Content-Security-Policy", "X-Content-Type-Options"] {
                assert_eq!(answers.matches(name).count(), found.len(), "{head}: {answers}");
            }
            assert_eq!(answers.matches("Connection: close").count(), 1, "{head}: {answers}");
        }
    }

    #[test]
    fn head_has_a_length_and_no_body() {
        let answer = request(start(10), "HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n");
        assert!(answer.contains("Content-Length: 10\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    }

    #[test]
    fn slow_head_is_dropped() {
        let mut stream = TcpStream::connect(start(10)).unwrap();
        let began = Instant::now();
        while stream.write_all(b"G").is_ok() {
            assert!(began.elapsed() < Duration::from_secs(10), "the connection is still open");
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[test]
    fn stalled_client_is_dropped() {
        let address = start(64 << 20);
        let idle: Vec<_> = (0..3).map(|_| TcpStream::connect(address).unwrap()).collect();
        for mut stream in &idle {
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        }
        // All three connections are open by now.
        let began = Instant::now();
        for status in ["HTTP/1.1 503", "HTTP/1.1 404"] {
            while !request(address, "GET /none HTTP/1.0\r\n\r\n").starts_with(status) {
                assert!(began.elapsed() < Duration::from_secs(20), "no answer {status}");
                thread::sleep(Duration::from_millis(10));
            }
        }
    }

    #[test]
    fn endless_head_is_dropped() {
        let mut reader = BufReader::new(io::repeat(b'a'));
        assert_eq!(read_head(&mut reader).unwrap(), None);
    }
}
