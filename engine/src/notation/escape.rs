//! Escapes such as `\u007D` in comments and headers.

use std::borrow::Cow;

/// Replaces characters by escapes if `must`, called with byte and character, returns `true`, and each `\` before an escape.
pub(super) fn escaped(text: &str, must: impl Fn(usize, char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let begins = character == '\\' && escape(&text[at..]).is_some();
        if begins || must(at, character) {
            push_escape(&mut escaped, character);
        } else {
            escaped.push(character);
        }
    }
    escaped
}

pub(super) fn push_escape(text: &mut String, character: char) {
    text.push_str(&format!("\\u{:04X}", u32::from(character)));
}

/// Reverses [`escaped`].
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let (character, after) = escape(from).unwrap_or(('\\', &from[1..]));
        plain.push(character);
        rest = after;
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The character of an escape at the start of a text, and the text after the escape.
pub(super) fn escape(text: &str) -> Option<(char, &str)> {
    let digits = text.get(2..6).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    text.starts_with("\\u").then(|| (character, &text[6..]))
}
