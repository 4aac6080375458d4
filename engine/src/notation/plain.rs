//! Pasted text in plain characters: without full-width characters, other spaces, dashes and line ends, and invisible marks.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Replaces every character by its plain form. Line ends keep their places.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut characters = text.chars().peekable();
    let mut plain = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => plain.push('\n'),
            '\n' | '\t' => plain.push(character),
            c if is_invisible(c) => {}
            c if c.is_control() || c.is_whitespace() => plain.push(' '),
            // Full-width characters have the order of ASCII.
            '\u{ff01}'..='\u{ff5e}' => {
                plain.push(char::from_u32(character as u32 - 0xff01 + 0x21).unwrap_or(' '));
            }
            // Numbers in circles.
            '①'..='⑳' => number(character as u32 - '①' as u32 + 1, &mut plain),
            '㉑'..='㉟' => number(character as u32 - '㉑' as u32 + 21, &mut plain),
            '㊱'..='㊿' => number(character as u32 - '㊱' as u32 + 36, &mut plain),
            '−' | '‐' | '‑' | '‒' | '―' => plain.push('-'),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

fn number(number: u32, plain: &mut String) {
    _ = write!(plain, " {number}. ");
}

/// Returns `true` for marks of direction, joiners, variation selectors, enclosing keycaps, and byte order marks.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{20e3}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe0e}'
            | '\u{fe0f}'
            | '\u{feff}'
    )
}
