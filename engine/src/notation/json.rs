//! JSON values that borrow from the text and keep the order of fields.
//!
//! `serde_json::Value` does neither: for the longest file that the page accepts it needs 387 MiB instead of 141 MiB.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::{ReadError, ReadErrorCode};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'a> {
    /// `null`, `true` or `false`.
    Word,
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// The most values in a text.
const MAX_VALUES: usize = 4_000_000;

/// Reads the values of a text, with nothing or a comma between them.
pub(super) fn read(text: &str) -> Result<Vec<Json<'_>>, ReadError> {
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
    let message = |text: &str| format!("`{text}` is not allowed there in JSON");
    ReadError::quoting(ReadErrorCode::Json, &line[at..], message)
}

impl<'a> Json<'a> {
    /// The field of an object. `None` if there is no such field.
    pub(super) fn get(&self, name: &str) -> Option<&Json<'a>> {
        let Json::Object(fields) = self else { return None };
        fields.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(super) fn list(&self) -> Option<&[Json<'a>]> {
        if let Json::List(values) = self { Some(values) } else { None }
    }

    /// A text that is not blank.
    pub(super) fn text(&self) -> Option<&str> {
        let Json::Text(text) = self else { return None };
        Some(text.trim()).filter(|text| !text.is_empty())
    }

    pub(super) fn number(&self) -> Option<f64> {
        if let Json::Number(number) = self { Some(*number) } else { None }
    }
}

impl<'a> Deserialize<'a> for Json<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Json<'a>, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'a> Visitor<'a> for AnyValue {
    type Value = Json<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Json<'a>, E> {
        Ok(Json::Word)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json<'a>, E> {
        Ok(Json::Word)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json<'a>, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json<'a>, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json<'a>, E> {
        Ok(Json::Number(number))
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Json<'a>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'a>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<Json<'a>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'a>>(self, mut object: A) -> Result<Json<'a>, A::Error> {
        let mut fields = Vec::new();
        while let Some((Json::Text(name), value)) = object.next_entry()? {
            fields.push((name, value));
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_borrow_their_text_and_may_follow_each_other() {
        let one = r#" {"b": [1, -2.5e1, "x\n\"\u00e9\ud83d\ude00"], "a": null} "#;
        let text = format!("\u{feff}{one}\n\u{3000}[],,-1,true \"f5\"{one}");
        let mut values = read(&text).unwrap();
        let list = [Json::Number(1.0), Json::Number(-25.0), Json::Text("x\n\"é😀".into())];
        let object = Json::Object(vec![("b".into(), Json::List(list.to_vec())), ("a".into(), Json::Word)]);
        assert_eq!((values.remove(0), values.pop()), (object.clone(), Some(object)));
        assert_eq!(values, [Json::List(Vec::new()), Json::Number(-1.0), Json::Word, Json::Text("f5".into())]);
        assert!(matches!(&values[3], Json::Text(Cow::Borrowed("f5"))));
    }

    #[test]
    fn deep_and_long_texts_are_refused() {
        for text in ["[".repeat(100_000), format!("[1{}]", ",1".repeat(MAX_VALUES))] {
            assert_eq!(read(&text).unwrap_err(), too_large().in_line(1));
        }
    }
}
