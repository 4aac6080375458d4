//! JSON values that borrow from the text and keep the order of fields.
//!
//! `serde_json::Value` does neither: for the longest file that the page accepts it needs 387 MiB instead of 141 MiB.

use std::borrow::Cow;

use serde_json::error::Category;
use serde_json_borrow::Value;

use super::{ReadError, ReadErrorCode};

const MAX_VALUES: usize = 4_000_000;

/// Reads the values of a text, with nothing or a comma between them.
pub(super) fn read(text: &str) -> Result<Vec<Value<'_>>, ReadError> {
    // A comma or a bracket is before every value except the outermost.
    if text.bytes().filter(|byte| b",[{".contains(byte)).count() > MAX_VALUES {
        return Err(too_large().in_line(1));
    }
    let (mut values, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '\u{feff}'));
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter();
        match stream.next() {
            None => return Ok(values),
            Some(Ok(value)) => values.push(value),
            Some(Err(reason)) => {
                let before = text[..text.len() - rest.len()].matches('\n').count();
                return Err(error(rest, &reason).in_line(before + reason.line()));
            }
        }
        rest = &rest[stream.byte_offset()..];
    }
}

/// Replaces each surrogate without its counterpart (`\ud83d`), as truncated names contain it, by U+FFFD.
pub(super) fn mended(text: &str) -> Cow<'_, str> {
    let half = |at: usize| {
        let code = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(code, 16).ok().filter(|code| (0xd800..0xe000).contains(code))
    };
    let (mut at, mut alone) = (0, Vec::new());
    while let Some(escape) = text[at..].find('\\') {
        at += escape;
        at += match (half(at), half(at + 6)) {
            (Some(..0xdc00), Some(0xdc00..)) => 12,
            (Some(_), _) => {
                alone.push(at);
                6
            }
            (None, _) => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    if alone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut mended = text.to_owned();
    for at in alone {
        mended.replace_range(at..at + 6, "\\ufffd");
    }
    Cow::Owned(mended)
}

fn too_large() -> ReadError {
    ReadError::new(ReadErrorCode::Json, "the JSON text is too deep or too long")
}

fn error(text: &str, reason: &serde_json::Error) -> ReadError {
    if reason.classify() == Category::Eof {
        return ReadError::new(ReadErrorCode::Json, "the JSON text ends too early");
    }
    if reason.to_string().starts_with("recursion limit") {
        return too_large();
    }
    let line = text.split('\n').nth(reason.line() - 1).unwrap_or_default();
    let at = line.floor_char_boundary(reason.column().saturating_sub(1));
    ReadError::quoting(ReadErrorCode::Json, &line[at..], "{} is not allowed there in JSON")
}
