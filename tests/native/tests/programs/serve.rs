//! `outflank serve`: answers to requests, refusals, and sessions over sockets.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{Spawned, until};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::{Error, Message, WebSocket, client};

const TOKEN: &str = "0123456789abcdef_-XYZ";
/// Most connections and sessions of the server.
const CONNECTIONS: usize = 256;
const SESSIONS: usize = 16;
/// More than a buffer of the server has room for.
const LONG: usize = 8 << 20;

/// A running server with a page of few files.
struct Server {
    /// Its end is that of the server. Only on Linux its memory is read.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "it ends the server when it is dropped")
    )]
    program: Spawned,
    address: SocketAddr,
    folder: Folder,
}

impl Server {
    fn start() -> Server {
        let folder = Folder::new("serve");
        fs::create_dir(folder.path("engine")).unwrap();
        // `index.html.br` is the uncompressed text `<p>` in the form of brotli.
        let packed: &[u8] = &[0x0b, 0x01, 0x80, b'<', b'p', b'>', 0x03];
        let files: [(&str, &[u8]); 6] = [
            ("index.html", b"<p>"),
            ("index.html.br", packed),
            ("only.js.br", packed),
            ("engine/a.wasm", b"\0asm"),
            (".hidden", b"x"),
            ("version.json", b"{}"),
        ];
        for (name, bytes) in files {
            fs::write(folder.path(name), bytes).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.path("link")).unwrap();
        let page = folder.name("");
        let words =
            ["serve", "--port", "0", "--token", TOKEN, "--threads", "1", "--hash", "64", "--page", &page];
        let mut program = Spawned::new(words);
        let line = program.next_line().unwrap();
        let address = line.split(['/', ' ']).find_map(|part| part.parse().ok()).unwrap();
        assert!(line.ends_with(&format!("/?engine={TOKEN}")), "{line}");
        Server { program, address, folder }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).unwrap()
    }

    /// Sends the head of a request, with a host if it names none. Returns the answer.
    fn request(&self, head: &str) -> String {
        let host = if head.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let mut stream = self.connect();
        let mut answer = Vec::new();
        // If the server does not read everything, the connection may be reset.
        write!(stream, "{head}\r\n{host}Connection: close\r\n\r\n").ok();
        stream.read_to_end(&mut answer).ok();
        String::from_utf8_lossy(&answer).to_lowercase()
    }

    /// Opens a session as a page with this origin does.
    fn session(&self, origin: &str, query: &str) -> Result<WebSocket<TcpStream>, u16> {
        let address = format!("ws://{}/session?{query}", self.address);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        client(request, self.connect()).map(|(socket, _)| socket).map_err(|error| match error {
            tungstenite::HandshakeError::Failure(Error::Http(answer)) => answer.status().as_u16(),
            other => panic!("{other}"),
        })
    }

    /// Opens a session of the page, and reads its greeting.
    fn open(&self, query: &str) -> (WebSocket<TcpStream>, serde_json::Value) {
        let mut socket = self.try_open(query).unwrap();
        let greeting = serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap();
        (socket, greeting)
    }

    /// Opens a session of the page, if one is free.
    fn try_open(&self, query: &str) -> Option<WebSocket<TcpStream>> {
        self.session(&format!("http://{}", self.address), &format!("token={TOKEN}&{query}")).ok()
    }
}

/// Sends lines, and returns the answers up to the one that ends with `last`.
fn ask(socket: &mut WebSocket<TcpStream>, lines: &[&str], last: &str) -> Vec<String> {
    for line in lines {
        socket.send(Message::text(*line)).unwrap();
    }
    let mut answers = Vec::new();
    while !answers.iter().any(|answer: &String| answer.ends_with(last)) {
        let message = socket.read().unwrap();
        answers.extend(message.to_text().unwrap().lines().map(str::to_owned));
    }
    answers
}

/// Requests with their status.
const REQUESTS: &str = "\
200 GET / HTTP/1.1
200 GET /index.html?a=/../b HTTP/1.1
200 GET /engine/a.wasm HTTP/1.1
200 GET /only.js HTTP/1.1
200 GET / HTTP/1.1 | Host: localhost:1
200 GET / HTTP/1.1 | Host: a.localhost
200 GET / HTTP/1.1 | Host: [::1]:8064
304 GET / HTTP/1.1 | If-None-Match: *
421 GET / HTTP/1.1 | Host: evil.example:8064
421 GET / HTTP/1.1 | Host: 127.0.0.1.example.org
421 GET / HTTP/1.1 | Host: 10.0.0.1:8064
421 GET / HTTP/1.1 | Host: [
421 GET http://evil.example/ HTTP/1.1
421 GET /session HTTP/1.1 | Host: evil.example
405 POST / HTTP/1.1
404 GET /../Cargo.toml HTTP/1.1
404 GET /%2e%2e/Cargo.toml HTTP/1.1
404 GET /..%5cCargo.toml HTTP/1.1
404 GET /index.html%00.png HTTP/1.1
404 GET /%ff%fe HTTP/1.1
404 GET /C:/windows/win.ini HTTP/1.1
404 GET //etc/passwd HTTP/1.1
404 GET /%252e%252e/Cargo.toml HTTP/1.1
404 GET /.hidden HTTP/1.1
404 GET /link HTTP/1.1
404 GET /index.html.br HTTP/1.1
404 GET /engine/ HTTP/1.1";

#[test]
fn requests_are_answered_with_the_headers_of_the_page() {
    let server = Server::start();
    for row in REQUESTS.lines() {
        let (status, head) = row.split_once(' ').unwrap();
        let answer = server.request(&head.replace(" | ", "\r\n"));
        assert!(answer.starts_with(&format!("http/1.1 {status} ")), "{head}: {answer}");
        for name in ["cross-origin-opener-policy: same-origin", "content-security-policy", "x-content-type"] {
            assert_eq!(answer.matches(name).count(), 1, "{head}: {answer}");
        }
    }
    // Requests that are not HTTP get no file.
    for head in ["hello", "GET /", "GET / / HTTP/1.1", "GET / HTTP/1.1\r\nno field"] {
        let answer = server.request(head);
        assert!(answer.is_empty() || answer.starts_with("http/1.1 400 "), "{head}: {answer}");
    }
    let large = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20));
    assert!(!server.request(&large).contains("200 ok"));

    for (encodings, is_packed) in
        [("gzip, br", true), ("BR;q=0.5", true), ("br; q=0", false), ("brotli", false), ("", false)]
    {
        let answer = server.request(&format!("GET / HTTP/1.1\r\nAccept-Encoding: {encodings}"));
        assert_eq!(answer.contains("content-encoding: br"), is_packed, "{encodings}: {answer}");
        assert!(answer.contains("text/html") && answer.contains("vary: accept-encoding"), "{answer}");
    }
    // Unpacked for a client without brotli.
    assert!(server.request("GET /only.js HTTP/1.1").ends_with("\r\n\r\n<p>"));
    let tag = |answer: &str| {
        answer.lines().find_map(|line| line.strip_prefix("etag: ").map(str::to_owned)).unwrap()
    };
    let known = tag(&server.request("GET / HTTP/1.1"));
    assert_ne!(known, tag(&server.request("GET /version.json HTTP/1.1")));
    for (tags, status) in [(format!("\"x\", {known}"), 304), ("\"x\"".to_owned(), 200)] {
        let answer = server.request(&format!("GET / HTTP/1.1\r\nIf-None-Match: {tags}"));
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{tags}: {answer}");
    }
    let head = server.request("HEAD / HTTP/1.1");
    assert!(head.contains("content-length: 3\r\n") && head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn only_the_page_with_the_token_gets_a_session() {
    let server = Server::start();
    let own = format!("http://{}", server.address);
    let token = format!("token={TOKEN}");
    let origins = ["https://evil.example", "null", "", "http://127.0.0.1:1", &own.replace("http", "https")];
    let queries = ["", "token=", &token[..token.len() - 1], &format!("{token}0"), &token.to_uppercase()];
    let others = origins.map(|origin| (origin, &*token)).into_iter();
    for (origin, query) in others.chain(queries.map(|query| (&*own, query))) {
        assert_eq!(server.session(origin, query).err(), Some(403), "{origin} {query}");
    }
    let request = format!("GET /session?{token} HTTP/1.1\r\nOrigin: {own}");
    assert!(server.request(&request).starts_with("http/1.1 400"), "not a socket");
    assert!(server.request(&request.replace("Origin", "X")).starts_with("http/1.1 403"), "no origin");
    assert!(server.session(&own, &token).is_ok());
}

#[test]
fn session_answers_as_a_gui_gets_it_and_opens_no_file() {
    let server = Server::start();
    let (mut socket, greeting) = server.open("hash=4&threads=99");
    let fields = |greeting: &serde_json::Value| {
        ["type", "threads", "hash", "network"].map(|name| greeting[name].to_string()).join(" ")
    };
    assert_eq!(fields(&greeting), r#""ready" 1 4 "small""#);
    assert_eq!(greeting["weights"].as_str().unwrap().len(), 16);
    let (_, large) = server.open("network=large");
    assert_eq!(fields(&large), r#""ready" 1 64 "large""#);
    assert_ne!(large["weights"], greeting["weights"]);
    let answers = ask(&mut socket, &["nboard 2\nset depth 4", "hint 1"], "is waiting");
    assert!(answers.iter().any(|line| line.starts_with("search ")), "{answers:?}");
    // Lines of other protocols, which open books and change the table, are not commands.
    let path = server.folder.name("version.json");
    let book = format!("set-param name=book value={path}");
    let answers = ask(&mut socket, &["hub", "init", &book, "learn", "xboard", "ping 1"], "pong 1");
    assert!(answers.iter().all(|line| ["pong 1", "learned"].contains(&&**line)), "{answers:?}");
    assert_eq!(fs::read(path).unwrap(), b"{}");
}

#[test]
fn binary_huge_and_damaged_messages_end_their_session_only() {
    let server = Server::start();
    let (mut other, _) = server.open("hash=1");
    for (message, code) in [
        (Message::binary(vec![0]), CloseCode::Unsupported),
        (Message::text("x".repeat(LONG)), CloseCode::Size),
        (Message::Frame(Frame::message(vec![255], OpCode::Data(Data::Text), true)), CloseCode::Invalid),
    ] {
        let (mut socket, _) = server.open("hash=1");
        // The server may close the connection before all is sent.
        socket.send(message).ok();
        while let Ok(message) = socket.read() {
            if let Message::Close(end) = message {
                assert_eq!(end.unwrap().code, code);
            }
        }
        ask(&mut other, &["ping 2"], "pong 2");
    }
}

#[test]
fn ended_sessions_leave_their_place_to_others() {
    let server = Server::start();
    // Four tables of 64 MiB and 256 MiB more.
    let large: Vec<_> = (0..8).map(|_| server.open("")).collect();
    assert!(large.iter().all(|(_, greeting)| greeting["hash"] == 64));
    assert!(server.try_open("hash=1").is_none(), "all memory is in use");
    drop(large);
    let mut sockets = Vec::new();
    until("all sessions", || {
        sockets.extend(server.try_open("hash=1"));
        sockets.len() == SESSIONS
    });
    assert!(server.try_open("hash=1").is_none(), "all sessions are in use");
    // An endless search ends with its socket.
    ask(&mut sockets[0], &["set depth 60", "hint 1"], "is analyzing");
    drop(sockets.remove(0));
    until("a free session", || server.try_open("hash=1").is_some());
}

#[test]
fn half_open_connections_are_bounded() {
    let server = Server::start();
    let (mut socket, _) = server.open("hash=1");
    let mut waiting: Vec<_> = (0..2 * CONNECTIONS).map(|_| server.connect()).collect();
    // The server closes the last ones.
    for stream in &mut waiting[CONNECTIONS..] {
        assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    }
    ask(&mut socket, &["ping 3"], "pong 3");
    drop(waiting);
    until("a free connection", || server.request("GET / HTTP/1.1").starts_with("http/1.1 200"));
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "release: thousands of searches, connections and a line of 100 MB"]
fn thousands_of_changes_and_connections_leave_the_memory_constant() {
    /// Number of changes, and of those after which the memory is compared.
    const CHANGES: usize = 3000;
    const SETTLED: usize = 1000;
    let server = Server::start();
    let (mut socket, _) = server.open("hash=16");
    let mut settled = None;
    for change in 1..=CHANGES {
        let game = outflank_tests::games::set_game(if change % 2 == 0 { "B[F5]" } else { "B[F5]W[D6]" });
        ask(&mut socket, &["set depth 60", &game, "hint 1"], "is analyzing");
        if change == SETTLED {
            settled = server.program.resident_memory();
            // Others disturb the server.
            let waiting: Vec<_> = (0..10_000).map(|_| TcpStream::connect(server.address)).collect();
            drop(waiting);
            let (mut huge, _) = server.open("hash=1");
            huge.send(Message::text("x".repeat(100 << 20))).ok();
        }
    }
    let grown = server.program.resident_memory().unwrap().saturating_sub(settled.unwrap());
    assert!(grown < 16 << 20, "{grown} bytes more than after {SETTLED} changes");
}
