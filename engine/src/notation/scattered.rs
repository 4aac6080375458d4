//! A game whose squares are among other words and signs: `move F5`, `1;Black;f5`, `Ann plays F5 and turns over 2`, `{f5}{d6}`.

use super::error::excerpt;
use super::read::AROUND;
use super::{labels, markup, moves, result_line, squares, transcript};
use crate::board::{Move, Square};
use crate::game::{Game, Tags};

/// The fewest squares of a game among words, which may mention some.
const MIN_AMONG_WORDS: usize = 4;

/// Plays all squares of a text in their order. Passes are those that they force. `None` if one is illegal, and if a word may be
/// a damaged move or a line the row of a board.
pub(super) fn read(text: &str) -> Option<Game> {
    let (mut tags, mut result, mut game) = (Tags::default(), None, None);
    let mut has_words = false;
    for line in markup::unescaped(text).replace("D@", " ").lines() {
        if labels::take_tag(line, &mut tags) {
            continue;
        }
        if let Some(stated) = result_line::read(line) {
            result = stated.or(result);
            continue;
        }
        let is_separator = |c: char| c.is_whitespace() || ",;\"'".contains(c);
        // A rule repeats one sign.
        let is_row =
            |text: &str| squares::begins(text) && text.contains(|c| !is_separator(c) && !text.starts_with(c));
        if is_row(line) || line.split(is_separator).any(is_row) {
            return None;
        }
        has_words |= line.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
        let mut words =
            line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let is_column = matches!(word.to_ascii_lowercase().as_bytes(), [b'a'..=b'h']);
            let row = words.next_if(|row| is_column && matches!(row.as_bytes(), [b'1'..=b'8']));
            let word = &*format!("{word}{}", row.unwrap_or_default());
            let places = word.as_bytes().chunks(2).map(|place| str::from_utf8(place).ok()?.parse().ok());
            if let Some(places) = places.collect::<Option<Vec<Square>>>() {
                for square in places.into_iter().map(Move::Place) {
                    moves::play(game.get_or_insert_with(|| Game::new(transcript::start_of(square))), square)
                        .ok()?;
                }
            } else if word.bytes().all(|c| c.is_ascii_alphabetic()) {
                // A column without its row is a damaged move. Some are words.
                if is_column && !matches!(word, "a" | "A" | "b" | "B") {
                    return None;
                }
                has_words |= word.len() > 1 && labels::side_named(word).is_none();
            } else if !word.bytes().all(|c| c.is_ascii_digit()) {
                return None;
            }
        }
    }
    let mut game = game.filter(|game| !has_words || game.discs_placed() >= MIN_AMONG_WORDS)?;
    if has_words {
        tags.drop_part(AROUND, || format!("`{}`", excerpt(text.trim())));
    }
    game.tags = tags;
    if let Some(stated) = result {
        stated.set(&mut game);
    }
    Some(game)
}
