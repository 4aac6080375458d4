//! Drawn boards, one row per line, and the moves played from them.
//!
//! Letters and numbers may be around the board, and borders and bars between its squares. The side to move follows as a
//! letter or a phrase in any language of the page (`X`, `Black to move`, `trait aux noirs`, `手番: 黒`, `黑方`). If it is
//! missing, the first move selects it, or the number of discs if both sides can play that move.

use super::{ReadError, labels, squares, transcript};
use crate::board::{Bitboard, Color, Position, Square};
use crate::game::Game;

/// Reads a diagram and the moves after it. `None` if the text is not a drawn board.
pub(super) fn read(text: &str) -> Option<Result<Game, ReadError>> {
    let mut discs = [Bitboard::EMPTY; 2];
    let mut row = 0;
    let mut rest = text;
    let mut side = "";
    while row < 8 {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match cells(line).map(|cells| (cells, "")).or_else(|| cells_and_text(line)) {
            Some((cells, beside)) => {
                // Edax writes numbers of discs and moves in other rows.
                if side.is_empty() && !beside.contains(|c: char| c.is_ascii_digit()) {
                    side = beside.trim();
                }
                for (column, content) in (0..8).zip(cells) {
                    let square = Square::at(column, row);
                    if let (Some(square), Some(color)) = (square, content) {
                        discs[usize::from(color == Color::White)] |= Bitboard::of(square);
                    }
                }
                row += 1;
            }
            None if row == 0 || is_border(line) => {}
            None => return None,
        }
        rest = after;
    }
    Some(finish(discs, side, rest))
}

fn finish([black, white]: [Bitboard; 2], beside: &str, rest: &str) -> Result<Game, ReadError> {
    let below = rest.lines().filter(|line| !is_margin(line) && !is_border(line));
    // GGS writes a bar before every line.
    let below = below.map(|line| line.trim_start().trim_start_matches('|'));
    let below = [beside].into_iter().chain(below).collect::<Vec<_>>().join("\n");
    let (given, moves) = side(&below);
    let position = |color| Position::from_discs(black, white, color).ok_or_else(squares::no_side);
    if moves.trim().is_empty() {
        let color = given.ok_or_else(squares::no_side)?;
        return Ok(Game::new(position(color)?));
    }
    let discs = black.count() + white.count();
    let usual = if discs % 2 == 0 { Color::Black } else { Color::White };
    let first = position(given.unwrap_or(usual))?;
    match transcript::read_from(first, moves) {
        // The other side may be the one to move.
        Err(error) if given.is_none() => transcript::read_from(position(!usual)?, moves).map_err(|_| error),
        read => read,
    }
}

/// The eight squares of a row.
fn cells(line: &str) -> Option<[Option<Color>; 8]> {
    const BARS: [char; 4] = ['|', '│', '┃', '║'];
    let line = line.trim();
    // An empty square between bars may be blank.
    let barred: Vec<&str> = line.split(BARS).collect();
    if barred.len() >= 9 {
        // The number of the row may be between bars.
        let first = 1 + usize::from(barred.len() > 9 && barred[1].trim().parse::<u8>().is_ok_and(|n| n > 0));
        let inner = barred.get(first..first + 8)?.iter();
        let cells: Option<Vec<_>> = inner.map(|cell| content(cell.trim())).collect();
        return cells?.try_into().ok();
    }
    let mut characters: Vec<char> =
        line.chars().filter(|c| !c.is_whitespace() && !BARS.contains(c)).collect();
    let number = |c: Option<&char>| c.is_some_and(|c| matches!(c, '1'..='8'));
    if characters.len() > 8 && number(characters.first()) {
        characters.remove(0);
    }
    if characters.len() == 9 && number(characters.last()) {
        characters.pop();
    }
    let cells: Option<Vec<_>> = characters.into_iter().map(squares::contents).collect();
    cells?.try_into().ok()
}

/// A row between its two numbers, and the text after them.
fn cells_and_text(line: &str) -> Option<([Option<Color>; 8], &str)> {
    let line = line.trim_start();
    let number = line.chars().next().filter(|number| matches!(number, '1'..='8'))?;
    let (row, text) = line[1..].split_once(number)?;
    Some((cells(row)?, text))
}

/// Returns `true` for the eight squares of a row, but not for a rule.
pub(super) fn is_row(line: &str) -> bool {
    cells(line).is_some() && !is_border(line)
}

fn content(cell: &str) -> Option<Option<Color>> {
    let mut characters = cell.chars();
    match (characters.next(), characters.next()) {
        (None, _) => Some(None),
        (Some(character), None) => squares::contents(character),
        _ => None,
    }
}

/// Returns `true` for a line drawn between or around rows.
fn is_border(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || matches!(c, '+' | '-' | '=' | '|' | '─'..='╿'))
}

/// Returns `true` for the letters of the columns.
fn is_margin(line: &str) -> bool {
    let letters = line.chars().filter(|c| !c.is_whitespace() && *c != '|');
    letters.map(|c| c.to_ascii_lowercase()).eq("abcdefgh".chars())
}

const BLACK: [&str; 4] = ["black", "noir", "黒", "黑"];
const WHITE: [&str; 3] = ["white", "blanc", "白"];

/// The side to move at the beginning of the text, and the text after it.
fn side(text: &str) -> (Option<Color>, &str) {
    let text = text.trim();
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    let (phrase, rest) = match line.split_once(':') {
        // `Side to move: X`, or `Black to move: f5 d6`.
        Some((label, value)) if named(label).is_none() && labels::after(line) != line => {
            let word = value.trim_start().split(char::is_whitespace).next().unwrap_or_default();
            (word, &text[line.len() - value.len() + value.find(word).unwrap_or_default() + word.len()..])
        }
        Some((label, value)) if named(label).is_some() => (label, &text[line.len() - value.len()..]),
        _ => {
            let word = line.split(char::is_whitespace).next().unwrap_or_default();
            match single(word) {
                Some(_) if line[word.len()..].trim().eq_ignore_ascii_case("to move") => (word, after),
                Some(_) => (word, &text[word.len()..]),
                None => (line, after),
            }
        }
    };
    match single(phrase).or_else(|| named(phrase)) {
        Some(color) if !transcript::begins(phrase) || single(phrase).is_some() => {
            (Some(color), labels::after(rest))
        }
        _ => (None, labels::after(text)),
    }
}

/// The side that a phrase names. `None` if it names both or none.
fn named(phrase: &str) -> Option<Color> {
    let phrase = phrase.to_ascii_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| phrase.contains(word));
    match (holds(&BLACK), holds(&WHITE)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// The side of a single disc.
fn single(word: &str) -> Option<Color> {
    content(word.trim()).flatten()
}
