//! PGN, the Portable Game Notation of chess, as Cassio and servers of Othello write it and as XBoard does.
//!
//! The two forms differ in more than their headers. Cassio's Black is Black, moves are `f5`, and a result is `34-30`, Black's
//! discs first. XBoard calls the side that moves first White: with `[Variant "othello"]` the names change sides, moves are
//! `D@f5`, a result is `1-0`, and `{+0.50/12 3.4}` after a move is its value, depth and time. Both are read. A game with that
//! variant is written as XBoard does, any other as Cassio does.
//!
//! A header without a field is stored by its name. Variations and comments are stored. Passes may be written or
//! omitted. Moves may be separate, with numbers of any kind, or run together.
//!
//! [`games`] reads files: it loses nothing, and text that cannot be read is an error. Of pasted text, parts that cannot be read are
//! comments (`paste`). So is the part of a variation that cannot be read.
//!
//! `[%eval …]` is for Black, `{+0.50/12}` of XBoard for the side that moved. A word such as `0:03` after a move is its time.
//!
//! Neither comments nor headers can hold every text. `\u007D`, with four hexadecimal digits, stands for a `}` in a comment, a
//! line end, a blank at the beginning or the end, and the first character of a text that would be read as something else.
//!
//! A tournament or server is the `Event` of the game, unless the game has another event. Then it is the `Site`.
//!
//! Sources: Edwards, *Portable Game Notation Specification*, 1994; exports of Cassio 8, XBoard 4.9, PlayOK and FlyOrDie.

mod headers;
mod paste;
mod read;
mod write;

use super::tags::{self, Field, Row};
use super::words;
use crate::board::Color;

pub(super) use paste::{begins, games as pasted};
pub use read::games;
pub use write::write;

/// Headers with a field. If two have one field, the last takes precedence.
const FIELDS: [Row; 11] = [
    ("Black", Field::Name(Color::Black)),
    ("White", Field::Name(Color::White)),
    ("BlackRating", Field::Rating(Color::Black)),
    ("WhiteRating", Field::Rating(Color::White)),
    ("BlackElo", Field::Rating(Color::Black)),
    ("WhiteElo", Field::Rating(Color::White)),
    ("TIGGF", Field::Clock),
    ("TBGGF", Field::OwnClock(Color::Black)),
    ("TWGGF", Field::OwnClock(Color::White)),
    ("TYGGF", Field::Kind),
    (tags::SCORES, Field::Scores),
];

/// Headers with another meaning. No tag is written under these names.
const RESERVED: [&str; 7] = ["Site", "Date", "Result", "TimeControl", "FEN", "SetUp", tags::RESULT];

/// The value of the tag `Event` of a game whose `Site` is known, but not its event.
const NO_EVENT: &str = "?";

fn is_othello(variant: &str) -> bool {
    words::is_in("othello|reversi|flipello", variant)
}

/// Returns `true` for names of Othello, and of games of Othello that begin at other positions.
fn is_known_variant(variant: &str) -> bool {
    const NAMES: &str =
        "othello reversi flipello standard fromposition normal regular classic rapid blitz bullet 8x8";
    const OTHERS: &str = "chess grand mini octagon 0 1 2 3 4 5 6 7 9";
    let name = letters_of(variant);
    let holds = |words: &str| words.split(' ').any(|word| name.contains(word));
    name.starts_with("xot") || (holds(NAMES) && !holds(OTHERS))
}

/// Returns `true` for the game in which fewer discs win.
pub(super) fn is_anti(variant: &str) -> bool {
    let name = letters_of(variant);
    ["anti", "reverse", "inverse", "misere", "losing", "suicide"].iter().any(|known| name.contains(known))
}

fn letters_of(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
