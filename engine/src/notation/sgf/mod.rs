//! SGF, the Smart Game Format of Cassio and of many servers. A game is `(;GM[2]SZ[8]…;B[f5];W[d6]…)`.
//!
//! The reader accepts several games, variations (the first is the main line), moves as `f5` or as the two letters of Go (`fe`),
//! passes written (`tt`, empty, `pa`) or omitted, setup stones, and values for Black as Cassio writes them (`V[B+2.50]`). A
//! property without a field is stored by its name, a comment with its move. Marks of squares and judgements of
//! moves are parts of comments.
//!
//! Increments of clocks and scores of resigned games, for which SGF has no property, are written as in GGF under other names.
//!
//! Source: Arno Hollosi, *SGF FF\[4\]*, <https://www.red-bean.com/sgf/>; the properties of Cassio by its source.

mod marks;
mod read;
mod write;

use super::tags::{self, Field, RESULT, Row};
use crate::board::{Bitboard, Color, Square};

pub use read::games;
pub use write::write;

/// Returns `true` if a text looks like SGF and not like GGF, whose games begin alike but have other tags.
pub fn begins(text: &str) -> bool {
    let has = |sign: &str| text.contains(sign);
    has("(;")
        && ["GM[2]", "GaMe[2]", "FileFormat[", ";B[", ";W[", ";Black[", "AB[", "FF["].into_iter().any(has)
        && !has("GM[Othello]")
        && !has("BO[")
}

/// Properties with a field, in the order of the writer.
const FIELDS: [Row; 11] = [
    ("PB", Field::Name(Color::Black)),
    ("PW", Field::Name(Color::White)),
    ("BR", Field::Rating(Color::Black)),
    ("WR", Field::Rating(Color::White)),
    ("PC", Field::Place),
    ("DT", Field::Date),
    ("TIGGF", Field::Clock),
    ("TBGGF", Field::OwnClock(Color::Black)),
    ("TWGGF", Field::OwnClock(Color::White)),
    ("TYGGF", Field::Kind),
    (tags::SCORES, Field::Scores),
];

/// Properties with another meaning. No tag is written under these names.
const RESERVED: [&str; 20] = [
    "GM", "FF", "SZ", "CA", "ST", "BL", "WL", "EV", "RE", "TM", "AB", "AW", "AE", "PL", "B", "W", "C", "V",
    "TT", RESULT,
];

/// The name of a property as it is in the tables. Old files spell names out: only the capitals count.
fn property_name(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    let spelled_out = name.len() > 2 && capitals.len() <= 2;
    let known = [name.to_ascii_uppercase(), if spelled_out { capitals } else { String::new() }];
    let in_tables = |name: &String| RESERVED.contains(&name.as_str()) || tags::field(&FIELDS, name).is_some();
    known.into_iter().find(in_tables).unwrap_or_else(|| name.to_owned())
}

/// The square of a point: `f5`, or `fe` as in Go.
fn point(text: &str) -> Option<Square> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let [column, row] = text.to_ascii_lowercase().as_bytes().try_into().ok()?;
        Square::at(u8::checked_sub(column, b'a')?, u8::checked_sub(row, b'a')?)
    })
}

/// A point, or the points of a rectangle `a1:c3`.
fn points(value: &str) -> Option<Bitboard> {
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let (from, to) = point(from).zip(point(to))?;
    let rows = from.row()..=to.row();
    Some(
        rows.flat_map(|row| (from.column()..=to.column()).filter_map(move |column| Square::at(column, row)))
            .collect(),
    )
}
