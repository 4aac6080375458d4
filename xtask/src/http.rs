//! The part of HTTP/1.1 that serves files to a browser: GET and HEAD on persistent connections.
//!
//! Every connection has its own thread, so that no connection waits for another. Browsers open six at once and leave them
//! open. An invalid request is answered with 400, and its connection is closed. Only requests that name this machine by a
//! local name are answered. This rejects foreign sites whose name resolves to 127.0.0.1.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::request::Request;
use crate::site::{Answer, Site, error_answer};

/// Longest time for which a connection may be silent.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// Most bytes of the head of a request.
const MAX_HEAD_BYTES: u64 = 16 * 1024;
/// Delay after a connection could not be accepted, for example without free file descriptors.
const RETRY_DELAY: Duration = Duration::from_millis(100);

pub(crate) fn serve(listener: &TcpListener, site: &Site) {
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let answer = |stream: TcpStream| {
                // A browser that closed the connection is not an error.
                let answer = move || drop(answer_requests(&stream, site));
                thread::Builder::new().spawn_scoped(scope, answer)
            };
            if stream.and_then(answer).is_err() {
                thread::sleep(RETRY_DELAY);
            }
        }
    });
}

/// Answers the requests of one connection.
fn answer_requests(stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE_TIMEOUT))?;
    stream.set_write_timeout(Some(IDLE_TIMEOUT))?;
    let mut reader = BufReader::new(stream);
    while let Some(lines) = read_head(&mut reader)? {
        let Some(request) = Request::parse(&lines) else {
            return write(stream, &error_answer(400, b"invalid request\n"), true, true);
        };
        if !request.field("host").is_none_or(is_local) {
            let answer = error_answer(421, b"this server only answers requests for a local name\n");
            return write(stream, &answer, true, true);
        }
        let answer = site.answer(&request);
        let close = request.ends_connection() || answer.status == 405;
        // The answer to `HEAD` contains the length of the body, but not the body.
        write(stream, &answer, request.method != "HEAD", close)?;
        if close {
            break;
        }
    }
    Ok(())
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

/// Writes an answer with or without its body.
fn write(mut stream: &TcpStream, answer: &Answer<'_>, has_body: bool, close: bool) -> io::Result<()> {
    // Without a reason, which clients ignore.
    let mut head = format!("HTTP/1.1 {} \r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // An answer "Not Modified" has no length: it would have to be that of the omitted body.
    if answer.status != 304 {
        head.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    head.push_str(if close { "Connection: close\r\n\r\n" } else { "\r\n" });
    stream.write_all(head.as_bytes())?;
    stream.write_all(if has_body { answer.body } else { b"" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_are_recognized() {
        let local = "localhost LOCALHOST:80 127.0.0.1:8064 127.3.2.1 [::1]:8064 a.localhost";
        assert!(local.split(' ').all(is_local));
        let foreign = "example.org 10.0.0.1:8064 127.0.0.1.example.org [::2] localhost.org [";
        assert!(!foreign.split(' ').chain([""]).any(is_local));
    }

    /// Starts a server with one file of 10 bytes.
    fn start() -> std::net::SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, &Site::of("index.html", vec![b'x'; 10])));
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
        let address = start();
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
            ("GET / HTTP/1.1\r\nContent-Length: 50\r\nContent-Length: 0", "200"),
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
        let answer = request(start(), "HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n");
        assert!(answer.contains("Content-Length: 10\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    }

    #[test]
    fn endless_head_is_dropped() {
        let mut reader = BufReader::new(io::repeat(b'a'));
        assert_eq!(read_head(&mut reader).unwrap(), None);
    }
}
