//! Just enough of HTTP/1.1 to serve files to a browser: GET and HEAD on connections that stay open.
//!
//! Every connection has a thread of its own, so that none ever waits for another; browsers open six at once and
//! leave them open. What is no request is answered with 400 and the end of the connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::site::{Answer, Method, Request, Site};

/// The longest head of a request, in bytes.
const LONGEST: u64 = 16 * 1024;
/// How long a connection may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// The head of a request.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    method: String,
    target: String,
    encodings: String,
    known: Option<String>,
    close: bool,
}

/// Serves until the listener fails.
pub(crate) fn serve(listener: &TcpListener, site: &Site) {
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { continue };
            // A browser that went away meanwhile is nobody's error.
            scope.spawn(move || talk(&stream, site).ok());
        }
    });
}

/// Answers the requests of one connection.
fn talk(stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(lines) = read_head(&mut reader)? {
        let Some(head) = parse(&lines) else {
            return write(
                stream,
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                b"",
            );
        };
        let method = if matches!(&*head.method, "GET" | "HEAD") { Method::Read } else { Method::Other };
        let answer = site.answer(&Request {
            method,
            target: &head.target,
            encodings: &head.encodings,
            known: head.known.as_deref(),
        });
        let body = if head.method == "HEAD" { b"" } else { answer.body };
        write(stream, &head_of(&answer), body)?;
        // A body that we do not read would be taken for the next request.
        if head.close || method == Method::Other {
            break;
        }
    }
    Ok(())
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
            "accept-encoding" => value.clone_into(&mut head.encodings),
            "if-none-match" => head.known = Some(value.to_owned()),
            "connection" => head.close |= value.eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
    Some(head)
}

fn head_of(answer: &Answer<'_>) -> String {
    let mut text = format!("HTTP/1.1 {} {}\r\n", answer.status, reason(answer.status));
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    // "Not modified" says nothing of the length: it would have to be that of the body left out.
    if answer.status != 304 {
        text.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    text.push_str("\r\n");
    text
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        404 => "Not Found",
        405 => "Method Not Allowed",
        _ => "Status",
    }
}

fn write(mut stream: &TcpStream, head: &str, body: &[u8]) -> io::Result<()> {
    // One write, so that no small packet waits for its predecessor's acknowledgement.
    stream.write_all(&[head.as_bytes(), body].concat())
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
    fn an_endless_head_is_given_up() {
        let mut reader = BufReader::new(io::repeat(b'a'));
        assert_eq!(read_head(&mut reader).unwrap(), None);
    }
}
