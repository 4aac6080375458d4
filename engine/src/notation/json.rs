//! JSON: the values of a text, and where and why a text is none.
//!
//! The values borrow from the text and keep the order of fields. `serde_json::Value` does neither: for the longest file
//! that the page takes it needs 387 MiB instead of 141.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::error::excerpt;

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

/// Where and why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: JsonFault,
}

/// Why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// It ends too early.
    End,
    /// Something else than what has to stand there.
    Unexpected {
        /// How it begins.
        text: String,
    },
    /// Lists in lists beyond measure, or more values than games ever had.
    TooMuch,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.fault {
            JsonFault::End => f.write_str("the JSON text ends too early"),
            JsonFault::Unexpected { text } => write!(f, "`{text}` has no place in JSON there"),
            JsonFault::TooMuch => f.write_str("the JSON text is too deep or too long"),
        }
    }
}

/// The most values in a text.
const MOST: usize = 4_000_000;

/// Reads the values of a text, one after the other, with nothing or a comma between them.
pub(super) fn read(text: &str) -> Result<Vec<Json<'_>>, JsonError> {
    // A comma or a bracket stands before every value but the outermost.
    if text.bytes().filter(|byte| b",[{".contains(byte)).count() > MOST {
        return Err(JsonError { line: 1, fault: JsonFault::TooMuch });
    }
    let (mut values, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '\u{feff}'));
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter();
        match stream.next() {
            None => return Ok(values),
            Some(Ok(value)) => values.push(value),
            Some(Err(error)) => {
                let before = text[..text.len() - rest.len()].matches('\n').count();
                return Err(JsonError { line: before + error.line(), fault: fault(rest, &error) });
            }
        }
        rest = &rest[stream.byte_offset()..];
    }
}

/// The text with a sign of replacement for each half of a character that stands alone (`\ud83d`), as cut names have it.
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

fn fault(text: &str, error: &serde_json::Error) -> JsonFault {
    if error.classify() == Category::Eof {
        return JsonFault::End;
    }
    if error.to_string().starts_with("recursion limit") {
        return JsonFault::TooMuch;
    }
    let line = text.split('\n').nth(error.line() - 1).unwrap_or_default();
    let at = line.floor_char_boundary(error.column().saturating_sub(1));
    JsonFault::Unexpected { text: excerpt(&line[at..]) }
}

impl<'a> Json<'a> {
    /// The field of an object; nothing where there is none.
    pub(super) fn get(&self, name: &str) -> Option<&Json<'a>> {
        let Json::Object(fields) = self else { return None };
        fields.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(super) fn list(&self) -> Option<&[Json<'a>]> {
        if let Json::List(values) = self { Some(values) } else { None }
    }

    /// A text that says something.
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
    fn values_one_after_the_other() {
        let one = r#" {"b": [1, -2.5e1, "x\n\"\u00e9\ud83d\ude00"], "a": null, "c": true, "d": {}} "#;
        let text = format!("\u{feff}{one}\n\u{3000}[],,-1,true \"f5\"{one}");
        let mut values = read(&text).unwrap();
        let list = [Json::Number(1.0), Json::Number(-25.0), Json::Text("x\n\"é😀".into())];
        let fields = [
            ("b", Json::List(list.to_vec())),
            ("a", Json::Word),
            ("c", Json::Word),
            ("d", Json::Object(Vec::new())),
        ];
        let object = Json::Object(fields.map(|(name, value)| (name.into(), value)).to_vec());
        assert_eq!((values.remove(0), values.pop()), (object.clone(), Some(object)));
        assert_eq!(values, [Json::List(Vec::new()), Json::Number(-1.0), Json::Word, Json::Text("f5".into())]);
        assert!(matches!(&values[3], Json::Text(Cow::Borrowed("f5"))));
    }

    #[test]
    fn halves_of_characters() {
        for (text, expected) in [
            (r#"["\ud83d\ude00"]"#, "😀"),
            (r#"["\ud83d"]"#, "\u{fffd}"),
            (r#"["é\\\uD83Dx\uDE00\ud83d\ud83d\uDE00"]"#, "é\\\u{fffd}x\u{fffd}\u{fffd}😀"),
            (r#"["\\ud83d"]"#, "\\ud83d"),
        ] {
            let text = mended(text);
            assert_eq!(read(&text), Ok(vec![Json::List(vec![Json::Text(expected.into())])]), "{text}");
        }
        assert!(matches!(mended("\\é \\"), Cow::Borrowed(_)));
    }

    #[test]
    fn the_fault_is_named_with_its_line() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("{\n\"a\": [1,\n2"), "line 3: the JSON text ends too early");
        assert_eq!(error("[1 2]"), "line 1: `2]` has no place in JSON there");
        assert_eq!(error("{\"a\" 1}"), "line 1: `1}` has no place in JSON there");
        assert_eq!(error("[\"\\x\"]"), "line 1: `x\"]` has no place in JSON there");
        assert_eq!(error("[\"\\u12é4\"]"), "line 1: `é4\"]` has no place in JSON there");
        assert_eq!(error("[1e999]"), "line 1: `9]` has no place in JSON there");
        for text in ["[".repeat(100_000), format!("[1{}]", ",1".repeat(MOST))] {
            assert_eq!(error(&text), "line 1: the JSON text is too deep or too long");
        }
    }
}
