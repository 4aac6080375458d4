//! Games with headers in the manner of chess: PGN, as PlayOK, FlyOrDie and others export Othello.
//!
//! ```text
//! [Site "PlayOK"]
//! [Date "2020.05.05"]
//! [Black "Ann"]
//! [White "Bob"]
//! [Result "38-26"]
//!
//! 1. f5 d6 2. c3 f3 … 29. -- g8 30. h7 a2 31. a1 38-26
//! ```
//!
//! Black moves first and his discs come first in the result. Comments in braces are kept; variations in brackets
//! and signs such as `$1` are skipped.

use super::error::excerpt;
use super::fault::GameFault;
use super::{fen, labels, number, squares, transcript};
use crate::board::Position;
use crate::game::{Game, GameResult, Tags};
use crate::score::Score;

/// Whether a line of the text is a header.
pub(super) fn begins(text: &str) -> bool {
    text.lines().any(|line| header(line).is_some())
}

/// `[Name "value"]`.
fn header(line: &str) -> Option<(&str, &str)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_'))
        .then_some((name, value))
}

/// The games of a text, or why each cannot be read. A game ends where the headers of the next begin; what stands
/// before the first header is a game without any.
pub(super) fn read_each(text: &str) -> impl Iterator<Item = Result<Game, GameFault>> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            if rest.trim().is_empty() {
                return None;
            }
            let (headers, after) = headers(rest);
            let (moves, after) = moves_of(after);
            rest = after;
            if !headers.is_empty() || !moves.trim().is_empty() {
                return Some(read_game(&headers, moves));
            }
        }
    })
}

/// The headers that a text begins with, blank lines among them, and what follows.
fn headers(text: &str) -> (Vec<(&str, &str)>, &str) {
    let mut headers = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match header(line) {
            Some(header) => headers.push(header),
            None if line.trim().is_empty() || line.starts_with('%') => {}
            None => break,
        }
        rest = after;
    }
    (headers, rest)
}

/// The text up to the next header.
fn moves_of(text: &str) -> (&str, &str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if header(line).is_some() {
            break;
        }
        at += line.len();
    }
    text.split_at(at)
}

fn read_game(headers: &[(&str, &str)], text: &str) -> Result<Game, GameFault> {
    let value = |name: &str| {
        let found = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty() && !value.starts_with('?'))
    };
    let bare = bare(text);
    let (moves, count) = labels::before_count(&bare.moves);
    let mut game = match value("FEN") {
        Some(position) => {
            let start = start(position).ok_or_else(|| GameFault::Start { text: excerpt(position) })?;
            transcript::read_from(start, moves)?
        }
        None => transcript::read(moves)?,
    };
    let named = |name: &str| value(name).map(str::to_owned);
    let rating = |names: [&str; 2]| names.iter().find_map(|name| value(name)).and_then(number::read);
    let date = value("Date").or_else(|| value("UTCDate")).map(|date| date.replace('.', "-"));
    let time = value("Time").or_else(|| value("UTCTime"));
    let mut tags = Tags {
        place: named("Site").or_else(|| named("Event")),
        date: date.map(|date| time.map_or(date.clone(), |time| format!("{date} {time}"))),
        comments: bare.comments,
        ..Tags::default()
    };
    tags.black.name = named("Black");
    tags.white.name = named("White");
    tags.black.rating = rating(["BlackElo", "BlackRating"]).filter(|rating| rating.is_finite());
    tags.white.rating = rating(["WhiteElo", "WhiteRating"]).filter(|rating| rating.is_finite());
    // A game that was given up: the count of its discs, Black's first. `1-0` names no score.
    let count = count.or_else(|| {
        value("Result").and_then(|result| {
            let (black, white) = result.split_once('-')?;
            Some((black.trim().parse().ok()?, white.trim().parse().ok()?))
        })
    });
    if let Some((black, white)) = count.filter(|(black, white)| (4..=64).contains(&(black + white))) {
        let score = Score::from_discs(f64::from(black) - f64::from(white));
        tags.result = score.map(|score| GameResult { score, ending: Default::default() });
    }
    game.tags = tags;
    game.tags.result = game.final_score().or(game.tags.result);
    Ok(game)
}

fn start(text: &str) -> Option<Position> {
    fen::read(text).ok().or_else(|| squares::read(text).ok())
}

/// Moves alone, and the comments between them.
struct Bare {
    moves: String,
    comments: Vec<(usize, String)>,
}

fn bare(text: &str) -> Bare {
    let mut bare = Bare { moves: String::with_capacity(text.len()), comments: Vec::new() };
    let mut depth = 0_usize;
    let mut rest = text;
    // The squares up to the last comment, and where it stood.
    let (mut discs, mut counted) = (0, 0);
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '{' => {
                let (comment, end) = match rest.find('}') {
                    Some(end) => (rest[1..end].trim(), end + 1),
                    None => (rest[1..].trim(), rest.len()),
                };
                length = end;
                bare.moves.push(' ');
                if depth == 0 && !comment.is_empty() {
                    discs += squares_in(&bare.moves[counted..]);
                    counted = bare.moves.len();
                    bare.comments.push((discs, comment.to_owned()));
                }
            }
            '(' if variation(rest) => depth += 1,
            '(' if depth > 0 => depth += 1,
            ')' if depth > 0 => depth -= 1,
            '$' if depth == 0 => {
                length += rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                bare.moves.push(' ');
            }
            _ if depth == 0 => bare.moves.push(first),
            _ => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    bare
}

/// Whether the bracket opens a variation, and not a final count: a letter follows, or a number with a full stop.
fn variation(text: &str) -> bool {
    let inside = text[1..].trim_start();
    let number = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    inside.starts_with(|c: char| c.is_ascii_alphabetic())
        || (number.len() < inside.len() && number.starts_with('.'))
}

/// Number of squares named in a run of moves.
fn squares_in(text: &str) -> usize {
    let pairs = text.as_bytes().windows(2);
    pairs.filter(|pair| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'])).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_variations() {
        let text =
            "[Black \"Ann\"]\n\n1. f5 {the usual} d6 (1... f4 2. e3 {dubious} (2. d3)) 2. c3 $1 d3 *\n";
        let game = read_each(text).next().unwrap().unwrap();
        assert_eq!(transcript::write(&game), "f5d6c3d3");
        assert_eq!(game.tags.comments, [(1, "the usual".to_owned())]);
        for text in ["[A \"b\"]\nf5 {", "[A \"b\"]\nf5 (d6", "[A \"b\"]\n{é}f5)", "[A \"b\"]"] {
            let _ = read_each(text).next();
        }
    }

    #[test]
    fn a_start_of_its_own() {
        let text = "[FEN \"---------------------------OX------XO--------------------------- O\"]\n1. f4";
        assert_eq!(read_each(text).next().unwrap().unwrap().start().side(), crate::board::Color::White);
        assert_eq!(
            read_each("[FEN \"none\"]\nf5").next().unwrap(),
            Err(GameFault::Start { text: "none".to_owned() })
        );
    }
}
