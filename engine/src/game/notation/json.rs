//! JSON, as far as reading games asks for it.

use super::error::excerpt;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
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

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.fault {
            JsonFault::End => f.write_str("the JSON text ends too early"),
            JsonFault::Unexpected { text } => write!(f, "`{text}` has no place in JSON there"),
            JsonFault::TooMuch => f.write_str("the JSON text is too deep or too long"),
        }
    }
}

impl Json {
    /// The field of an object; nothing where there is none.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(values) => Some(values),
            _ => None,
        }
    }

    /// A text that says something.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Json::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// Lists in lists.
const DEEPEST: usize = 64;
/// Values in a text.
const MOST: usize = 4_000_000;

/// Reads the values of a text, one after the other, with nothing or a comma between them.
pub(super) fn read(text: &str) -> Result<Vec<Json>, JsonError> {
    let mut reader = Reader { text, at: 0, values: 0 };
    let mut values = Vec::new();
    loop {
        reader.space();
        while reader.eat(',') {
            reader.space();
        }
        if reader.rest().is_empty() {
            return Ok(values);
        }
        match reader.value(0) {
            Ok(value) => values.push(value),
            Err(fault) => {
                let line = 1 + text[..reader.at].matches('\n').count();
                return Err(JsonError { line, fault });
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    values: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let rest = self.rest();
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        self.at += rest.len() - rest.trim_start_matches(blank).len();
    }

    fn eat(&mut self, character: char) -> bool {
        let found = self.rest().starts_with(character);
        if found {
            self.at += character.len_utf8();
        }
        found
    }

    fn unexpected(&self) -> JsonFault {
        match self.rest() {
            "" => JsonFault::End,
            rest => JsonFault::Unexpected { text: excerpt(rest) },
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, JsonFault> {
        self.space();
        self.values += 1;
        if depth > DEEPEST || self.values > MOST {
            return Err(JsonFault::TooMuch);
        }
        if self.eat('{') {
            let fields = self.items('}', |reader| {
                reader.space();
                let name = reader.string()?;
                reader.space();
                if !reader.eat(':') {
                    return Err(reader.unexpected());
                }
                Ok((name, reader.value(depth + 1)?))
            })?;
            return Ok(Json::Object(fields));
        }
        if self.eat('[') {
            return Ok(Json::List(self.items(']', |reader| reader.value(depth + 1))?));
        }
        if self.rest().starts_with('"') {
            return Ok(Json::Text(self.string()?));
        }
        for (word, value) in [("null", Json::Null), ("true", Json::Bool), ("false", Json::Bool)] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let digits = |c: &u8| c.is_ascii_digit() || matches!(c, b'+' | b'-' | b'.' | b'e' | b'E');
        let length = self.rest().bytes().take(40).take_while(digits).count();
        let number = self.rest().get(..length).and_then(|text| text.parse::<f64>().ok());
        let number = number.filter(|number| number.is_finite()).ok_or_else(|| self.unexpected())?;
        self.at += length;
        Ok(Json::Number(number))
    }

    fn items<T>(
        &mut self,
        end: char,
        mut item: impl FnMut(&mut Self) -> Result<T, JsonFault>,
    ) -> Result<Vec<T>, JsonFault> {
        let mut items = Vec::new();
        self.space();
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            self.space();
            if self.eat(end) {
                return Ok(items);
            }
            if !self.eat(',') {
                return Err(self.unexpected());
            }
        }
    }

    fn string(&mut self) -> Result<String, JsonFault> {
        if !self.eat('"') {
            return Err(self.unexpected());
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.find(['"', '\\']).ok_or(JsonFault::End)?;
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.eat('"') {
                return Ok(text);
            }
            self.at += 1;
            let escaped = self.rest().chars().next().ok_or(JsonFault::End)?;
            self.at += escaped.len_utf8();
            text.push(match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' | 'f' => ' ',
                '"' | '\\' | '/' => escaped,
                'u' => self.unicode()?,
                _ => {
                    self.at -= escaped.len_utf8();
                    return Err(self.unexpected());
                }
            });
        }
    }

    /// What follows `\u`: a character, or two halves of one; a lone half is the sign of replacement.
    fn unicode(&mut self) -> Result<char, JsonFault> {
        let high = self.hex()?;
        if (0xd800..0xdc00).contains(&high) && self.rest().starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            let low = self.hex()?;
            if (0xdc00..0xe000).contains(&low) {
                let both = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        }
        Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Result<u32, JsonFault> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let number = number.ok_or_else(|| self.unexpected())?;
        self.at += 4;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds() {
        let read = |text: &str| super::read(text).map(|mut values| values.remove(0));
        assert_eq!(
            read(r#" {"a": [1, -2.5e1, "x\n\"\u00e9\ud83d\ude00\ud83d"], "b": null, "c": true, "d": {}} "#),
            Ok(Json::Object(vec![
                (
                    "a".into(),
                    Json::List(vec![
                        Json::Number(1.0),
                        Json::Number(-25.0),
                        Json::Text("x\n\"é😀\u{fffd}".into()),
                    ])
                ),
                ("b".into(), Json::Null),
                ("c".into(), Json::Bool),
                ("d".into(), Json::Object(vec![])),
            ]))
        );
        assert_eq!(super::read("{}\n[]").map(|values| values.len()), Ok(2));
    }

    #[test]
    fn the_fault_is_named_with_its_line() {
        let error = |text: &str| super::read(text).unwrap_err().to_string();
        assert_eq!(error("{\n\"a\": [1,\n2"), "line 3: the JSON text ends too early");
        assert_eq!(error("[1 2]"), "line 1: `2]` has no place in JSON there");
        assert_eq!(error("{\"a\" 1}"), "line 1: `1}` has no place in JSON there");
        assert_eq!(error("[\"\\x\"]"), "line 1: `x\"]` has no place in JSON there");
        assert_eq!(error("[\"\\u12é4\"]"), "line 1: `12é4\"]` has no place in JSON there");
        assert_eq!(error("[1e999]"), "line 1: `1e999]` has no place in JSON there");
        assert_eq!(error(&"[".repeat(100_000)), "line 1: the JSON text is too deep or too long");
    }
}
