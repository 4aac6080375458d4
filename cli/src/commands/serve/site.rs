//! The files of the page, and the answers to requests for them.
//!
//! A requested path is looked up in the table of loaded files and never opened, so no spelling reaches another file.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::Path;

use crate::native::in_file;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ACCEPT_ENCODING, HeaderName, HeaderValue, IF_NONE_MATCH};
use hyper::{Method, Request, Response, StatusCode};

use super::headers::{HEADERS, content_type};

pub(crate) type Answer = Response<Full<Bytes>>;

/// The page in the program: names and contents of its files, most of them compressed. Empty if it was built without the page.
fn built_in() -> Vec<(&'static str, &'static [u8])> {
    include!(concat!(env!("OUT_DIR"), "/page.rs"))
}

const INDEX: &str = "index.html";

/// The files of the page, by their path with `/` between the parts.
#[derive(Debug, Default)]
pub(crate) struct Site {
    files: HashMap<String, File>,
}

/// A file, its copy compressed by brotli, or both.
#[derive(Debug, Default)]
struct File {
    plain: Option<Bytes>,
    brotli: Option<Bytes>,
    /// Entity tag. It is weak, because it identifies both.
    tag: String,
}

impl Site {
    /// Returns the page in the program.
    pub(crate) fn built_in() -> Site {
        Site::of(built_in().into_iter().map(|(path, bytes)| (path.to_owned(), Bytes::from_static(bytes))))
    }

    /// Reads a folder. Skips links and names that begin with a dot.
    ///
    /// # Errors
    /// If a file or folder cannot be read.
    pub(crate) fn load(folder: &Path) -> io::Result<Site> {
        let mut files = Vec::new();
        list(folder, "", &mut files).map_err(in_file(folder))?;
        Ok(Site::of(files))
    }

    fn of(contents: impl IntoIterator<Item = (String, Bytes)>) -> Site {
        let mut files: HashMap<String, File> = HashMap::new();
        for (path, bytes) in contents {
            match path.strip_suffix(".br") {
                Some(path) => files.entry(path.to_owned()).or_default().brotli = Some(bytes),
                None => files.entry(path).or_default().plain = Some(bytes),
            }
        }
        for file in files.values_mut() {
            let mut hasher = DefaultHasher::new();
            hasher.write(file.plain.as_ref().or(file.brotli.as_ref()).map_or(&[][..], |bytes| bytes));
            file.tag = format!("W/\"{:016x}\"", hasher.finish());
        }
        Site { files }
    }

    /// Returns `true` if there is no page.
    pub(crate) fn is_empty(&self) -> bool {
        !self.files.contains_key(INDEX)
    }

    /// Returns the answer to a request. The transport omits the body for `HEAD`.
    pub(crate) fn answer<B>(&self, request: &Request<B>) -> Answer {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let mut answer = refusal(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are supported");
            answer.headers_mut().insert("allow", HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        // No name of the page has a character that is encoded in an address.
        let path = match request.uri().path().trim_start_matches('/') {
            "" => INDEX,
            path => path,
        };
        let Some(file) = self.files.get(path) else {
            return refusal(StatusCode::NOT_FOUND, "file not found");
        };
        let field = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
        // The comparison is weak.
        let tag = file.tag.trim_start_matches("W/");
        if field(IF_NONE_MATCH).is_some_and(|known| known == "*" || known.contains(tag)) {
            return file.head(StatusCode::NOT_MODIFIED, Bytes::new());
        }
        let mut answer = match &file.brotli {
            Some(body) if field(ACCEPT_ENCODING).is_some_and(accepts_brotli) => {
                let mut answer = file.head(StatusCode::OK, body.clone());
                answer.headers_mut().insert("content-encoding", HeaderValue::from_static("br"));
                answer
            }
            _ => file.head(StatusCode::OK, file.unpacked()),
        };
        answer.headers_mut().insert("content-type", HeaderValue::from_static(content_type(path)));
        answer
    }
}

impl File {
    fn head(&self, status: StatusCode, body: Bytes) -> Answer {
        let mut answer = answer(status, body);
        let fields = [("etag", &*self.tag), ("cache-control", "no-cache"), ("vary", "accept-encoding")];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::from_str(value) {
                answer.headers_mut().insert(name, value);
            }
        }
        answer
    }

    fn unpacked(&self) -> Bytes {
        if let Some(plain) = &self.plain {
            return plain.clone();
        }
        let mut plain = Vec::new();
        let packed = self.brotli.as_deref().unwrap_or_default();
        // The build has compressed the file.
        let _ = brotli_decompressor::BrotliDecompress(&mut &*packed, &mut plain);
        plain.into()
    }
}

/// Returns an answer with the common headers.
fn answer(status: StatusCode, body: Bytes) -> Answer {
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = status;
    let fields =
        HEADERS.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    answer.headers_mut().extend(fields);
    answer
}

/// Returns a refusal as plain text.
pub(crate) fn refusal(status: StatusCode, reason: &str) -> Answer {
    let mut answer = answer(status, format!("{reason}\n").into());
    answer.headers_mut().insert("content-type", HeaderValue::from_static(content_type("reason.txt")));
    answer
}

fn list(folder: &Path, prefix: &str, files: &mut Vec<(String, Bytes)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type()?;
        if name.starts_with('.') {
        } else if kind.is_dir() {
            list(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else if kind.is_file() {
            files.push((format!("{prefix}{name}"), fs::read(entry.path())?.into()));
        }
    }
    Ok(())
}

/// Returns `true` if an `Accept-Encoding` list contains brotli with a weight other than zero.
fn accepts_brotli(encodings: &str) -> bool {
    encodings.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br"))
            && !parts.any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0_f32)))
    })
}
