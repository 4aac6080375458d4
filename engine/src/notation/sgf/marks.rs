//! Marks on squares and judgements of moves. A comment contains them as commands, as in PGN: `[%csl Gf5]` is a circle with its color,
//! `[%cal Rf5d6]` an arrow, `[%lb f5:A]` a label, `[%sign ??]` a judgement. A file has the same marks as properties, so that other
//! programs draw them. Circles, crosses, squares and triangles have the colors green, red, blue and yellow.

use super::{point, points};
use crate::board::Square;

/// Most marks of a node.
pub(super) const MAX_MARKS: usize = 128;

/// The properties of marks and judgements.
pub(super) const NAMES: [&str; 10] = ["AR", "BM", "CR", "DO", "IT", "LB", "MA", "SQ", "TE", "TR"];

/// Judgements: the property with its value, and the sign.
const SIGNS: [(&str, &str, &str); 6] = [
    ("BM", "1", "?"),
    ("BM", "2", "??"),
    ("DO", "", "?!"),
    ("IT", "", "!?"),
    ("TE", "1", "!"),
    ("TE", "2", "!!"),
];

/// Marks: the property, the command and its color. The first of a command stands for other colors.
const MARKS: [(&str, &str, &str); 6] = [
    ("AR", "cal", "G"),
    ("CR", "csl", "G"),
    ("LB", "lb", ""),
    ("MA", "csl", "R"),
    ("SQ", "csl", "B"),
    ("TR", "csl", "Y"),
];

/// Returns the commands and their values for a property. Empty if the value is invalid.
pub(super) fn from_property(name: &str, value: &str) -> Vec<(&'static str, String)> {
    let signs = SIGNS.iter().filter(|(known, ..)| *known == name);
    if let Some((.., sign)) = signs.min_by_key(|(_, known, _)| *known != value) {
        return vec![("sign", (*sign).to_owned())];
    }
    let Some(&(_, command, color)) = MARKS.iter().find(|(known, ..)| *known == name) else {
        return Vec::new();
    };
    if command == "csl" {
        let squares = points(value).into_iter().flatten();
        return squares.map(|square| (command, format!("{color}{square}"))).collect();
    }
    let mark = value.split_once(':').and_then(|(square, rest)| {
        let rest = match command {
            "cal" => point(rest)?.to_string(),
            _ => format!(":{}", rest.replace([',', '[', ']'], " ")),
        };
        Some((command, format!("{color}{}{rest}", point(square)?)))
    });
    mark.into_iter().collect()
}

/// Returns the commands of a comment with their values.
fn commands(comment: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = comment.split("[%").skip(1).filter_map(|part| part.split_once(']')?.0.split_once(' '));
    parts.flat_map(|(name, values)| values.split(',').map(move |value| (name, value.trim())))
}

/// The value of a command without its color.
fn plain<'a>(command: &str, value: &'a str) -> Option<&'a str> {
    value.get(usize::from(matches!(command, "csl" | "cal"))..)
}

/// Returns the property and its value for each mark of a comment. They are read as the same marks.
pub(super) fn properties(comment: &str) -> impl Iterator<Item = (&'static str, String)> {
    let is_square = |text: &str| text.parse().is_ok_and(|square: Square| square.to_string() == text);
    commands(comment).filter_map(move |(command, value)| {
        if command == "sign" {
            let (name, value, _) = SIGNS.iter().find(|(.., sign)| *sign == value)?;
            return Some((*name, (*value).to_owned()));
        }
        let mark = plain(command, value)?;
        let known = MARKS.iter().filter(|(_, known, _)| *known == command);
        let (name, ..) = known.min_by_key(|(.., color)| !value.starts_with(color))?;
        let (square, rest) = mark.split_at_checked(2)?;
        let (is_read, value) = match command {
            "csl" => (rest.is_empty(), square.to_owned()),
            "cal" => (is_square(rest), format!("{square}:{rest}")),
            _ => {
                let label = rest.strip_prefix(':').unwrap_or_default();
                (!label.is_empty() && label.chars().all(char::is_alphanumeric), mark.to_owned())
            }
        };
        (is_read && is_square(square)).then_some((*name, value))
    })
}

/// Adds marks to the last comment of a node, except those that its comments contain, in any color.
pub(super) fn add(comments: &mut Vec<String>, marks: &[(&str, String)]) {
    for (name, value) in marks {
        let is_known = |comment: &String| {
            let mut others = commands(comment).filter(|(known, _)| known == name);
            others.any(|(_, other)| plain(name, other) == plain(name, value))
        };
        if comments.iter().any(is_known) {
            continue;
        }
        let command = format!("[%{name} {value}]");
        match comments.last_mut() {
            Some(last) => *last = format!("{last} {command}"),
            None => comments.push(command),
        }
    }
}
