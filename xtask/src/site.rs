//! The answers of the server, a pure function of the request and the files that were loaded at the start.
//!
//! A requested path is looked up in the table of loaded files and never opened, so no spelling reaches another file.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;
use percent_encoding::percent_decode_str;

use crate::dist::{self, digest};
use crate::request::Request;

/// Headers of every answer. The first two make the page cross-origin isolated, as shared memory requires. The policy admits
/// only files of this site, and the script in the page that reports a refused module.
pub(crate) const HEADERS: [(&str, &str); 6] = [
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' \
         'sha256-ABIv8vuvpmkpcyzYaUehWF6e8ImGWsNLjNYwHpjkDUg='; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
];

#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub status: u16,
    pub headers: Vec<(&'static str, &'a str)>,
    pub body: &'a [u8],
}

#[derive(Debug)]
struct File {
    kind: &'static str,
    plain: Vec<u8>,
    brotli: Option<Vec<u8>>,
    /// Entity tag: a digest of the plain bytes. It is weak, because it also identifies the packed bytes.
    tag: String,
}

/// The files of a folder, by their path relative to it with `/` between the parts.
#[derive(Debug)]
pub(crate) struct Site {
    files: HashMap<String, File>,
}

impl File {
    fn new(path: &str, plain: Vec<u8>, brotli: Option<Vec<u8>>) -> Self {
        Self { kind: content_type(path), tag: format!("W/\"{}\"", &digest(&plain)[..16]), plain, brotli }
    }
}

impl Site {
    /// Reads a folder. Skips links and names that begin with a dot.
    pub(crate) fn load(folder: &Path) -> Result<Self> {
        let mut contents = dist::files(folder)?;
        contents.retain(|path, _| !path.split('/').any(|part| part.starts_with('.')));
        let is_copy = |path: &str| path.strip_suffix(".br").is_some_and(|path| contents.contains_key(path));
        let file = |(path, plain): (&String, &Vec<u8>)| {
            let brotli = contents.get(&format!("{path}.br")).cloned();
            (path.clone(), File::new(path, plain.clone(), brotli))
        };
        Ok(Self { files: contents.iter().filter(|(path, _)| !is_copy(path)).map(file).collect() })
    }

    /// Returns a site with one file, without a compressed copy.
    #[cfg(test)]
    pub(crate) fn of(path: &str, plain: Vec<u8>) -> Self {
        Self { files: HashMap::from([(path.to_owned(), File::new(path, plain, None))]) }
    }

    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns the answer to a request. The transport omits the body for `HEAD`.
    pub(crate) fn answer(&self, request: &Request) -> Answer<'_> {
        if !matches!(&*request.method, "GET" | "HEAD") {
            let mut answer = error_answer(405, b"only GET and HEAD are supported\n");
            answer.headers.push(("Allow", "GET, HEAD"));
            return answer;
        }
        let Some(path) = decode(&request.target) else {
            return error_answer(400, b"invalid address\n");
        };
        let index = if path.is_empty() || path.ends_with('/') { "index.html" } else { "" };
        let Some(file) = self.files.get(&(path + index)) else {
            return error_answer(404, b"file not found\n");
        };
        let mut headers = HEADERS.to_vec();
        headers.extend([("ETag", &*file.tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]);
        // The comparison is weak.
        let tag = file.tag.trim_start_matches("W/");
        if request.field("if-none-match").is_some_and(|known| known == "*" || known.contains(tag)) {
            return Answer { status: 304, headers, body: b"" };
        }
        headers.push(("Content-Type", file.kind));
        match &file.brotli {
            Some(body) if request.field("accept-encoding").is_some_and(accepts_brotli) => {
                headers.push(("Content-Encoding", "br"));
                Answer { status: 200, headers, body }
            }
            _ => Answer { status: 200, headers, body: &file.plain },
        }
    }
}

/// Returns the `Content-Type` for a file extension.
///
/// A browser compiles a module while it loads only with `application/wasm`, and rejects module scripts without a JavaScript type.
pub(crate) fn content_type(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Returns an error as plain text, with the common headers.
pub(crate) fn error_answer(status: u16, body: &'static [u8]) -> Answer<'static> {
    let mut headers = HEADERS.to_vec();
    headers.push(("Content-Type", content_type("txt.txt")));
    Answer { status, headers, body }
}

/// Returns the path of a request target without its first slash and its query, percent-decoded once.
///
/// `None` if the path is not absolute or not UTF-8, or if a part could leave the folder.
fn decode(target: &str) -> Option<String> {
    let path = target.split(['?', '#']).next().unwrap_or_default().strip_prefix('/')?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let foreign = path.contains(['\\', '\0', ':']) || path.split('/').any(|part| part == "..");
    (!foreign).then(|| path.into_owned())
}

/// Returns `true` if an `Accept-Encoding` list contains brotli with a weight other than zero.
fn accepts_brotli(encodings: &str) -> bool {
    encodings.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br"))
            && !parts.any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0_f32)))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    const PAGE: &[u8] = b"<!doctype html>";

    fn site() -> Site {
        let file = |path: &str, plain: &[u8], brotli: Option<&[u8]>| {
            (path.to_owned(), File::new(path, plain.to_vec(), brotli.map(<[u8]>::to_vec)))
        };
        let files = [file("index.html", PAGE, None), file("engine/a b.wasm", b"plain", Some(b"br"))];
        Site { files: HashMap::from(files) }
    }

    /// Returns a request for `target`, with a field.
    fn request(target: &str, field: &str) -> Request {
        Request::parse(&[format!("GET {target} HTTP/1.1"), field.to_owned()]).unwrap()
    }

    fn answer<'a>(site: &'a Site, target: &str) -> Answer<'a> {
        site.answer(&request(target, "Host: x"))
    }

    fn header<'a>(answer: &Answer<'a>, name: &str) -> Option<&'a str> {
        let mut found = answer.headers.iter().filter(|(header, _)| *header == name);
        let value = found.next().map(|(_, value)| *value);
        assert!(found.next().is_none(), "{name} is sent once");
        value
    }

    #[test]
    fn files_have_their_type_and_the_isolation_headers() {
        let site = site();
        for target in ["/", "/index.html", "/?game=f5", "/index.html?a=/../b"] {
            let answer = answer(&site, target);
            assert_eq!((answer.status, answer.body), (200, PAGE), "{target}");
            assert_eq!(header(&answer, "Content-Type"), Some("text/html; charset=utf-8"));
        }
        for target in ["/engine/a%20b.wasm", "/none", "/%zz"] {
            let answer = answer(&site, target);
            assert_eq!(header(&answer, "Cross-Origin-Opener-Policy"), Some("same-origin"));
            assert_eq!(header(&answer, "Cross-Origin-Embedder-Policy"), Some("require-corp"));
            let policy = header(&answer, "Content-Security-Policy").unwrap();
            assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'"), "{policy}");
            assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        }
    }

    #[test]
    fn policies_admit_the_script_in_the_page() {
        let page = fs::read_to_string(crate::workspace::root().join("www/index.html")).unwrap();
        let (_, script) = page.split_once("<script>").unwrap();
        let (script, rest) = script.split_once("</script>").unwrap();
        assert!(!rest.contains("<script>"));
        let hash = format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script)));
        let of_page = page.split("<meta ").find(|tag| tag.contains("Content-Security-Policy")).unwrap();
        let [.., (_, of_server), _, _] = HEADERS;
        assert!(of_page.contains(&hash) && of_server.contains(&hash), "{hash}");
    }

    #[test]
    fn paths_outside_the_folder_are_rejected() {
        let site = site();
        for target in "/../Cargo.toml /engine/../../Cargo.toml /%2e%2e/Cargo.toml /%2e%2e%2fCargo.toml /..%5cCargo.toml \
            /%252e%252e/Cargo.toml //etc/passwd /etc/passwd /C:/windows/win.ini /index.html%00.png /%ff%fe /%4 /% \
            index.html * http://other/index.html /engine /engine/ /./index.html"
            .split(' ')
            .chain([""])
        {
            let status = answer(&site, target).status;
            assert!(matches!(status, 400 | 404), "{target}: {status}");
        }
    }

    #[test]
    fn hidden_files_and_links_are_skipped() {
        let folder = std::env::temp_dir().join(format!("outflank-site-{}", std::process::id()));
        fs::create_dir_all(folder.join("engine")).unwrap();
        for name in ["index.html", "a.js", "a.js.br", ".secret", "engine/b.wasm"] {
            fs::write(folder.join(name), name).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.join("passwd")).unwrap();
        let site = Site::load(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let site = site.unwrap();
        assert_eq!(site.len(), 3);
        for target in ["/.secret", "/passwd", "/a.js.br"] {
            assert_eq!(answer(&site, target).status, 404, "{target}");
        }
        assert_eq!(answer(&site, "/engine/b.wasm").body, b"engine/b.wasm");
    }

    #[test]
    fn brotli_is_sent_if_accepted() {
        let site = site();
        for (encodings, packed) in [
            ("gzip, deflate, br, zstd", true),
            ("BR", true),
            ("br;q=0.5", true),
            ("br; q=0", false),
            ("br;q=0.0", false),
            ("gzip", false),
            ("brotli", false),
            ("", false),
        ] {
            let request = request("/engine/a%20b.wasm", &format!("ACCEPT-Encoding: {encodings}"));
            let answer = site.answer(&request);
            assert_eq!(header(&answer, "Content-Encoding"), packed.then_some("br"), "{encodings}");
            assert_eq!(answer.body, if packed { &b"br"[..] } else { b"plain" });
            assert_eq!(header(&answer, "Content-Type"), Some("application/wasm"));
            assert_eq!(header(&answer, "Vary"), Some("Accept-Encoding"));
        }
    }

    #[test]
    fn unchanged_files_are_not_sent_again_and_other_methods_are_rejected() {
        let site = site();
        let tag = header(&answer(&site, "/"), "ETag").unwrap();
        let others = format!("\"x\", {}", tag.trim_start_matches("W/"));
        for (known, status) in [(tag, 304), (&others, 304), ("*", 304), ("\"x\"", 200), ("", 200)] {
            let request = request("/", &format!("If-None-Match: {known}"));
            assert_eq!(site.answer(&request).status, status);
        }
        let post = Request::parse(&["POST / HTTP/1.1".to_owned()]).unwrap();
        let answer = site.answer(&post);
        assert_eq!((answer.status, header(&answer, "Allow")), (405, Some("GET, HEAD")));
    }
}
