//! What a game may know that a notation has no place for, as tags of its own.

use std::borrow::Cow;

use super::moves;
use crate::board::Move;
use crate::score::Discs;

/// The tag of [`Tags::scores`](crate::game::Tags::scores): `G8:+18;H1:+12`.
pub(super) const SCORES: &str = "SCORES";

/// The tag of a result that the notation cannot tell, as GGF writes it.
pub(super) const RESULT: &str = "RESULTGGF";

pub(super) fn write_scores(scores: &[(Move, Discs)]) -> String {
    let texts: Vec<String> =
        scores.iter().map(|(mv, score)| format!("{}:{score}", moves::write_upper(*mv))).collect();
    texts.join(";")
}

pub(super) fn read_scores(text: &str) -> Option<Vec<(Move, Discs)>> {
    let score =
        |text: &str| text.trim().parse().ok().filter(|score| (-64..=64).contains(score)).map(Discs::new);
    text.split(';')
        .filter(|entry| !entry.trim().is_empty())
        .map(|entry| {
            let (mv, value) = entry.split_once(':')?;
            Some((moves::read(mv).ok()?, score(value)?))
        })
        .collect()
}

/// The name of a tag without a field where names are letters, digits and `_`, and those of `own` are taken.
pub(super) fn name_for(name: &str, own: &[&str]) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let taken = own.iter().any(|own| plain.eq_ignore_ascii_case(own));
    if taken || !plain.starts_with(|c: char| c.is_ascii_alphabetic()) { format!("X_{plain}") } else { plain }
}

/// Writes the characters that `must` names, by byte and character, as `\u007D`, and a `\` that would begin such an escape.
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

/// Undoes [`escaped`].
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

/// The character of an escape that the text begins with, and what follows it.
pub(super) fn escape(text: &str) -> Option<(char, &str)> {
    let digits = text.get(2..6).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    text.starts_with("\\u").then(|| (character, &text[6..]))
}
