//! Boards drawn as people draw them, a row to a line, and the moves played from them.
//!
//! The letters and numbers of the margins may stand around the board, and borders and bars between its squares. Who
//! is to move follows in a letter or a phrase of any of the page's languages (`X`, `Black to move`, `trait aux noirs`,
//! `手番: 黒`, `黑方`); where nothing is said, the first move tells, and where it does not either, the number of discs.

use super::labels;
use super::squares::{self, SquaresError};
use super::transcript::{self, TranscriptError};
use crate::board::{Bitboard, Color, Position, Square};
use crate::game::Game;

/// What is wrong with a diagram, or with the moves below it.
#[derive(Debug)]
pub(super) enum DiagramError {
    Squares(SquaresError),
    Moves(TranscriptError),
}

/// Reads a diagram and the moves that follow; nothing where the text draws no board.
pub(super) fn read(text: &str) -> Option<Result<Game, DiagramError>> {
    let mut discs = [Bitboard::EMPTY; 2];
    let mut row = 0;
    let mut rest = text;
    while row < 8 {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match cells(line) {
            Some(cells) => {
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
    Some(finish(discs, rest))
}

fn finish([black, white]: [Bitboard; 2], rest: &str) -> Result<Game, DiagramError> {
    let below: Vec<&str> = rest.lines().filter(|line| !is_margin(line) && !is_border(line)).collect();
    let below = below.join("\n");
    let (told, moves) = side(&below);
    let position = |color| {
        let position = Position::from_discs(black, white, color);
        position.ok_or(DiagramError::Squares(SquaresError::NoSide))
    };
    if moves.trim().is_empty() {
        let color = told.ok_or(DiagramError::Squares(SquaresError::NoSide))?;
        return Ok(Game::new(position(color)?));
    }
    let discs = black.count() + white.count();
    let usual = if discs % 2 == 0 { Color::Black } else { Color::White };
    let first = position(told.unwrap_or(usual))?;
    match transcript::read_from(first, moves) {
        Err(error) if told.is_none() => {
            // The other side may have the move.
            let other = transcript::read_from(position(!usual)?, moves);
            other.map_err(|_| DiagramError::Moves(error))
        }
        read => read.map_err(DiagramError::Moves),
    }
}

/// The eight squares of a row.
fn cells(line: &str) -> Option<[Option<Color>; 8]> {
    const BARS: [char; 4] = ['|', '│', '┃', '║'];
    let line = line.trim();
    // Between bars an empty square may be blank.
    let barred: Vec<&str> = line.split(BARS).collect();
    if barred.len() >= 9 {
        let inner = barred.get(1..9)?.iter();
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

fn content(cell: &str) -> Option<Option<Color>> {
    let mut characters = cell.chars();
    match (characters.next(), characters.next()) {
        (None, _) => Some(None),
        (Some(character), None) => squares::contents(character),
        _ => None,
    }
}

/// A line that is drawn between rows or around them.
fn is_border(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || matches!(c, '+' | '-' | '=' | '|' | '─'..='╿'))
}

/// The letters of the columns.
fn is_margin(line: &str) -> bool {
    let letters = line.chars().filter(|c| !c.is_whitespace());
    letters.map(|c| c.to_ascii_lowercase()).eq("abcdefgh".chars())
}

const BLACK: [&str; 4] = ["black", "noir", "黒", "黑"];
const WHITE: [&str; 3] = ["white", "blanc", "白"];

/// Who is to move, where the text begins by saying so, and what follows.
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
            if single(word).is_some() { (word, &text[word.len()..]) } else { (line, after) }
        }
    };
    match single(phrase).or_else(|| named(phrase)) {
        Some(color) if !transcript::begins(phrase) || single(phrase).is_some() => {
            (Some(color), labels::after(rest))
        }
        _ => (None, labels::after(text)),
    }
}

/// The side of a phrase that names one, and not both.
fn named(phrase: &str) -> Option<Color> {
    let phrase = phrase.to_ascii_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| phrase.contains(word));
    match (holds(&BLACK), holds(&WHITE)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// The side of a disc by itself.
fn single(word: &str) -> Option<Color> {
    content(word.trim()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\n";

    fn game(text: &str) -> Game {
        read(text)
            .unwrap_or_else(|| panic!("no board: {text}"))
            .unwrap_or_else(|error| panic!("{error:?}: {text}"))
    }

    #[test]
    fn boards_in_many_hands() {
        let drawn = |row: &dyn Fn(usize, &str) -> String| {
            ROWS.lines().enumerate().map(|(index, line)| row(index + 1, line)).collect::<Vec<_>>().join("\n")
        };
        let spaced = |line: &str| line.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let margins = format!(
            "  a b c d e f g h\n{}\n  a b c d e f g h",
            drawn(&|n, line| format!("{n} {} {n}", spaced(line)))
        );
        let bars = format!("+--------+\n{}\n+--------+", drawn(&|_, line| format!("|{line}|")));
        let blanks = drawn(&|n, line| {
            let cells: Vec<_> =
                line.chars().map(|c| if c == '-' { " ".into() } else { c.to_string() }).collect();
            format!("{n} |{}|\n  +-+-+-+-+-+-+-+-+", cells.join("|"))
        });
        let discs = ROWS.replace('X', "●").replace('O', "○").replace('-', "・");
        for board in [margins, bars, blanks, discs, ROWS.to_owned()] {
            for said in [
                "X",
                "Black to move",
                "trait aux noirs",
                "黒番",
                "黑方走",
                "Side to move: X",
                "手番: 黒",
                "Black:",
            ] {
                assert_eq!(game(&format!("{board}\n{said}")), Game::default(), "{board}{said}");
                let played = game(&format!("{board}\n{said}\nf5 d6 c3"));
                assert_eq!(transcript::write(&played), "f5d6c3", "{said}");
            }
            assert_eq!(game(&format!("{board}\nBlack to move: f5 d6")).plies(), 2);
            assert_eq!(game(&format!("{board}\nX f5 d6")).plies(), 2);
            assert_eq!(game(&format!("{board}\n棋譜: f5 d6")).plies(), 2);
            assert_eq!(game(&format!("{board}\n1. f5 d6 2. c3")).plies(), 3);
            // e3 is White's.
            assert_eq!(game(&format!("{board}\ne3")).start().side(), Color::White);
        }
    }

    #[test]
    fn the_fault_is_named() {
        assert!(read("f5d6").is_none());
        assert!(read(&ROWS[9..]).is_none());
        assert!(matches!(read(ROWS), Some(Err(DiagramError::Squares(SquaresError::NoSide)))));
        assert!(matches!(
            read(&format!("{ROWS}X\nf5 f5")),
            Some(Err(DiagramError::Moves(TranscriptError::Illegal(_))))
        ));
        assert!(matches!(read(&format!("{ROWS}hello")), Some(Err(DiagramError::Moves(_)))));
    }
}
