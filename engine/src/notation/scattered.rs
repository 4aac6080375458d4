//! A game whose squares are among other words and signs: `move F5`, `1;Black;f5`, `Ann plays F5 and turns over 2`, `{f5}{d6}`.

use super::line::repeated;
use super::transcript::{NUMBERS, Numbering};
use super::{labels, link, moves, result_line, squares, transcript};
use crate::board::{Move, Square};
use crate::game::{Game, Tags};

/// The fewest squares of a game among words, which may mention some.
const MIN_AMONG_WORDS: usize = 4;

/// Plays all squares of a text in their order, or by the numbers before them, which must then be 1, 2, 3 and so on, in another order:
/// score sheets have several columns. Passes are those that the moves force. `None` if a move is illegal, and if a word may be a
/// damaged move or a line the row of a board.
pub(super) fn read(text: &str, by_number: bool) -> Option<Game> {
    let (mut tags, mut result, mut moves) = (Tags::default(), None, Vec::new());
    let (mut has_words, mut number) = (false, 0_u64);
    let (mut numbering, mut other) = (Numbering::default(), None);
    for line in link::decode(text).as_deref().unwrap_or(text).replace("D@", " ").lines() {
        if labels::take_tag(line, &mut tags) {
            continue;
        }
        if let Some(stated) = result_line::read(line) {
            result = stated.or(result);
            continue;
        }
        let is_separator = |c: char| c.is_whitespace() || ",;\"'".contains(c);
        let is_row = |text: &str| squares::begins(text) && repeated(text) == 0;
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
                moves.extend(places.into_iter().map(|square| (number, Move::Place(square))));
            } else if word.bytes().all(|c| c.is_ascii_alphabetic()) {
                // A column without its row is a damaged move. Some are words.
                if is_column && !matches!(word, "a" | "A" | "b" | "B") {
                    return None;
                }
                has_words |= word.len() > 1 && labels::side_named(word).is_none();
            } else {
                number = word.parse().ok()?;
                if !numbering.take(number, by_number, !moves.is_empty()) {
                    other.get_or_insert(number);
                }
            }
        }
    }
    if by_number {
        let is_sorted = moves.is_sorted_by_key(|&(number, _)| number);
        moves.sort_by_key(|&(number, _)| number);
        let sizes: Vec<_> = moves.chunk_by(|(one, _), (other, _)| one == other).map(<[_]>::len).collect();
        let is_full = sizes
            .split_last()
            .is_some_and(|(last, others)| *last <= sizes[0] && others.iter().all(|size| *size == sizes[0]));
        let (first, last) = (moves.first()?.0, moves.last()?.0);
        if is_sorted || !is_full || sizes[0] > 2 || first != 1 || last != sizes.len() as u64 {
            return None;
        }
    }
    if has_words && moves.len() < MIN_AMONG_WORDS {
        return None;
    }
    let mut game = Game::new(transcript::start_of(moves.first()?.1));
    for (_, mv) in moves {
        moves::play(&mut game, mv).ok()?;
    }
    if has_words {
        tags.note_around(text);
    } else {
        tags.note_numbers(text);
        if let Some(number) = other {
            tags.drop_text(NUMBERS, &number.to_string());
        }
    }
    game.tags = tags;
    if let Some(stated) = result {
        stated.set(&mut game);
    }
    Some(game)
}
