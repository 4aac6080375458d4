//! Text as people paste it, made plain: full-width letters and digits, the spaces, dashes and line ends of other
//! keyboards, and marks that nobody sees.

use std::borrow::Cow;

/// The text with every character exchanged for the plain one that stands for it; line ends stay where they are.
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
            c if is_unseen(c) => {}
            c if c.is_control() || c.is_whitespace() => plain.push(' '),
            // Full width: the same characters as ASCII, in the same order.
            '\u{ff01}'..='\u{ff5e}' => {
                plain.push(char::from_u32(character as u32 - 0xff01 + 0x21).unwrap_or(' '));
            }
            '−' | '‐' | '‑' | '‒' | '―' => plain.push('-'),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Marks of direction, joiners, variation selectors, and the mark some editors put at the start of a file.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe0e}'
            | '\u{fe0f}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_and_unseen() {
        assert_eq!(plain("ｆ５Ｄ６"), "f5D6");
        assert_eq!(plain("f5\u{3000}d6\u{a0}c3"), "f5 d6 c3");
        assert_eq!(plain("\u{feff}\u{202e}f5\u{200b}d6\u{2069}"), "f5d6");
        assert_eq!(plain("f5\0d6\u{7}"), "f5 d6 ");
        assert_eq!(plain("a\r\nb\rc\u{2028}d"), "a\nb\nc\nd");
        assert_eq!(plain("棋譜：f5−d6"), "棋譜:f5-d6");
        assert!(matches!(plain("f5 d6\n"), Cow::Borrowed(_)));
    }
}
