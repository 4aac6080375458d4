//! Pasted PGN, which differs from that of files:
//!
//! - A header after moves begins a game. A comment that is not closed ends there, a variation with its game.
//! - `;` begins a comment only if a word that is not a move follows. Otherwise it separates moves.
//! - A line that begins like a header but is invalid becomes a comment.
//! - An unknown variant is stored under another name.
//! - The date has dashes and is followed by the time of day.
//! - The final count may have any form, such as `(38 - 26)`. The board takes precedence; `1-0` is not a score.
//! - A game has a move or a start position.

use super::super::ReadError;
use super::read::{Read, Source, after_headers, opens_header, read, split};
use crate::game::Game;

/// Reads the games of a pasted text. The text before the first header is a game without headers.
pub(in super::super) fn games(text: &str) -> impl Iterator<Item = Result<Game, ReadError>> + '_ {
    split(text, end_of_game).map(|(.., game)| one(game))
}

/// Returns `true` if a line of the text is a header.
pub(in super::super) fn begins(text: &str) -> bool {
    text.lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    opens_header(line.trim_start()) && after_headers(line.trim()) == Some("")
}

/// Where the headers of the next game begin.
fn end_of_game(text: &str) -> usize {
    let (mut at, mut moves) = (0, false);
    for line in text.split_inclusive('\n') {
        if moves && is_header(line) {
            return at;
        }
        moves |= !line.starts_with('%') && !after_headers(line).unwrap_or_default().trim().is_empty();
        at += line.len();
    }
    at
}

fn one(text: &str) -> Result<Game, ReadError> {
    // A separator may be after the count.
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == ';');
    let Read { mut game, is_given, is_winner } = read(text, Source::Paste)?;
    if !is_given && game.plies() == 0 {
        return Err(ReadError::no_moves());
    }
    let tags = &mut game.tags;
    let date = tags.date.clone().or_else(|| tags.other("UTCDate").map(str::to_owned));
    let time = tags.other("Time").or(tags.other("UTCTime")).filter(|time| !time.starts_with('?'));
    tags.date =
        date.map(|date| date.replace('.', "-") + &time.map(|time| format!(" {time}")).unwrap_or_default());
    if is_winner {
        tags.result = None;
    }
    game.tags.result = game.final_score().or(game.tags.result);
    Ok(game)
}
