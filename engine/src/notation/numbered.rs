//! Boards with the number of each move in its square, as books and score sheets print games.

use super::diagram::{self, BARS};
use super::{ReadError, squares, transcript};
use crate::board::Square;
use crate::game::{Game, Tags};

/// The fewest moves of a board: with fewer, it may be another table of numbers.
const MIN_MOVES: usize = 4;

/// Reads a text with one such board. Letters of columns, numbers of rows and borders may be around it; the rows may be in one
/// line. `None` if the text has none.
pub(super) fn read(text: &str) -> Option<Result<Game, ReadError>> {
    let (mut cells, mut tags) = (Vec::new(), Tags::default());
    for line in text.lines() {
        if is_border(line) {
            continue;
        }
        let words = words(line);
        if words.iter().all(|word| is_cell(word) || is_letter(word)) {
            cells.extend(words);
        } else if line.contains(char::is_alphanumeric) {
            tags.note_around(line);
        }
    }
    let cells = squares_of(&cells)?;
    let mut order: Vec<(u8, Square)> = cells
        .into_iter()
        .zip(Square::all())
        .filter_map(|(cell, square)| Some((number(cell)?, square)))
        .collect();
    order.sort_unstable();
    let is_game =
        order.len() >= MIN_MOVES && order.iter().zip(1..).all(|(&(number, _), place)| number == place);
    let moves: String = order.iter().map(|(_, square)| square.to_string()).collect();
    let read = || {
        let mut game = transcript::read(&moves)?;
        game.tags = tags;
        Ok(game)
    };
    is_game.then(read)
}

/// The 64 cells without the letters of the columns and the numbers of the rows.
fn squares_of<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    let (mut cells, mut rest) = (Vec::new(), words);
    while let [first, after @ ..] = rest {
        let letters = rest.split_at_checked(8).filter(|(letters, _)| diagram::is_margin(&letters.concat()));
        if let Some((_, after)) = letters {
            rest = after;
        } else {
            cells.push(*first);
            rest = after;
        }
    }
    let width = cells.len() / 8;
    if cells.len() % 8 != 0 || !(8..=10).contains(&width) {
        return None;
    }
    let mut squares = Vec::new();
    for (row, number) in cells.chunks(width).zip(["1", "2", "3", "4", "5", "6", "7", "8"]) {
        let row = if width > 8 { row.strip_prefix(&[number]).unwrap_or(row) } else { row };
        let row = if row.len() > 8 { row.strip_suffix(&[number])? } else { row };
        squares.extend(<&[&str; 8]>::try_from(row).ok()?);
    }
    Some(squares)
}

/// The number of a move.
fn number(cell: &str) -> Option<u8> {
    cell.parse().ok().filter(|number| (1..=60).contains(number))
}

/// The words of a line, or its cells between bars, of which empty squares may be blank.
fn words(line: &str) -> Vec<&str> {
    let line = line.trim();
    if line.matches(BARS).count() < 7 {
        return line.split([' ', '\t', ',']).map(str::trim).filter(|word| !word.is_empty()).collect();
    }
    let cells = line.strip_prefix(BARS).unwrap_or(line);
    let cells = cells.strip_suffix(BARS).unwrap_or(cells).split(BARS);
    cells.map(str::trim).map(|cell| if cell.is_empty() { "." } else { cell }).collect()
}

/// Returns `true` for a line drawn between rows, but not for empty squares.
fn is_border(line: &str) -> bool {
    diagram::is_border(line)
        && line.contains(|c: char| !c.is_whitespace() && !BARS.contains(&c))
        && line.split_whitespace().all(|word| word.chars().count() > 2)
}

/// Returns `true` for a number, a disc or an empty square.
fn is_cell(word: &str) -> bool {
    let is_sign = |c: char| squares::contents(c).is_some() || !(c.is_alphanumeric() || c == '/');
    number(word).is_some() || (word.chars().count() < 3 && word.chars().all(is_sign))
}

/// Returns `true` for the letter of a column.
fn is_letter(word: &str) -> bool {
    word.len() == 1 && matches!(word.as_bytes()[0].to_ascii_lowercase(), b'a'..=b'h')
}
