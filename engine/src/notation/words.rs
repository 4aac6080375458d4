//! Words of a text: those of a list, numbers, and squares among other signs.

/// Returns `true` if `word` is one of a list with `|` between its words, in any case.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split('|').any(|known| known.eq_ignore_ascii_case(word))
}

/// The text after a word that it begins with, in any case.
pub(super) fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

/// The words of letters and digits.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The number of digits that begin a text.
pub(super) fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The name of a tag, of letters, digits and `_`, that begins a text, and the text after it.
pub(super) fn name(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count())
}

/// Returns `true` if the text contains a square, alone or among other moves.
pub(super) fn has_square(text: &str) -> bool {
    pairs(text, |letter, digit| matches!((letter, digit), (b'a'..=b'h', b'1'..=b'8'))) > 0
}

/// The number of squares of a text, with those that are on no board, such as `c9`.
pub(super) fn places(text: &str) -> usize {
    pairs(text, |letter, digit| letter.is_ascii_lowercase() && digit.is_ascii_digit())
}

/// Returns `true` if a word consists of squares, with those that are on no board.
pub(super) fn is_places(word: &str) -> bool {
    2 * places(word) == word.len()
}

/// The number of pairs of a letter and a digit, alone or among other pairs.
fn pairs(text: &str, is_pair: impl Fn(u8, u8) -> bool) -> usize {
    let bytes = text.as_bytes();
    let pair =
        |at: usize| bytes.get(at + 1).is_some_and(|&digit| is_pair(bytes[at].to_ascii_lowercase(), digit));
    let word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let (mut count, mut end) = (0, 0);
    for at in 0..bytes.len() {
        let is_free = at == end || !word(at.wrapping_sub(1));
        if at >= end && is_free && pair(at) && (!word(at + 2) || pair(at + 2)) {
            count += 1;
            end = at + 2;
        }
    }
    count
}
