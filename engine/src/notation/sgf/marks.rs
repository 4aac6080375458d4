//! Marks on squares and judgements of moves. A comment contains them as commands, as in PGN: `[%csl Gf5]` is a circle with its color,
//! `[%cal Rf5d6]` an arrow, `[%lb f5:A]` a label, `[%sign ??]` a judgement. A file has the same marks as properties, so that other
//! programs draw them. Circles, crosses, squares and triangles have the colors green, red, blue and yellow.

use super::read::{point, points};
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

/// The properties of one square and the colors of their commands.
const COLORS: [(&str, &str); 4] = [("CR", "G"), ("MA", "R"), ("SQ", "B"), ("TR", "Y")];

/// Returns the commands and their values for a property. Empty if the value is invalid.
pub(super) fn from_property(name: &str, value: &str) -> Vec<(&'static str, String)> {
    let pair = value.split_once(':').and_then(|(square, rest)| Some((point(square)?, rest)));
    let one = |command, value: Option<String>| value.into_iter().map(|value| (command, value)).collect();
    match name {
        "AR" => one("cal", pair.and_then(|(from, to)| Some(format!("G{from}{}", point(to)?)))),
        "LB" => {
            one("lb", pair.map(|(square, label)| format!("{square}:{}", label.replace([',', '[', ']'], " "))))
        }
        "BM" | "DO" | "IT" | "TE" => {
            let of_name = SIGNS.iter().filter(|(known, ..)| *known == name);
            let closest = of_name.min_by_key(|(_, known, _)| *known != value);
            one("sign", closest.map(|(.., sign)| (*sign).to_owned()))
        }
        _ => {
            let color = COLORS.iter().find(|(known, _)| *known == name).map_or("G", |(_, color)| color);
            let squares = points(value).into_iter().flatten();
            squares.map(|square| ("csl", format!("{color}{square}"))).collect()
        }
    }
}

/// Returns the commands of a comment with their values.
fn commands(comment: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = comment.split("[%").skip(1).filter_map(|part| part.split_once(']')?.0.split_once(' '));
    parts.flat_map(|(name, values)| values.split(',').map(move |value| (name, value.trim())))
}

/// Returns the property and its value for each mark of a comment. They are read as the same marks.
pub(super) fn properties(comment: &str) -> impl Iterator<Item = (&'static str, String)> {
    let is_square = |text: &&str| text.parse().is_ok_and(|square: Square| square.to_string() == **text);
    commands(comment).filter_map(move |(name, value)| {
        let (color, squares) = value.split_at_checked(1)?;
        match name {
            "csl" => {
                let name = COLORS.iter().find(|(_, known)| *known == color).map_or("CR", |(name, _)| name);
                Some((name, Some(squares).filter(is_square)?.to_owned()))
            }
            "cal" => {
                let (from, to) = squares.split_at_checked(2)?;
                Some(("AR", format!("{}:{}", Some(from).filter(is_square)?, Some(to).filter(is_square)?)))
            }
            "lb" => {
                let (square, label) = value.split_once(':')?;
                let is_plain = !label.is_empty() && label.chars().all(char::is_alphanumeric);
                Some(("LB", format!("{}:{label}", Some(square).filter(is_square).filter(|_| is_plain)?)))
            }
            "sign" => SIGNS
                .iter()
                .find(|(.., sign)| *sign == value)
                .map(|&(name, value, _)| (name, value.to_owned())),
            _ => None,
        }
    })
}

/// Adds marks to the last comment of a node, except those that its comments contain, in any color.
pub(super) fn add(comments: &mut Vec<String>, marks: &[(&str, String)]) {
    for (name, value) in marks {
        let plain = |name: &str, value: &str| {
            value.get(usize::from(matches!(name, "csl" | "cal"))..).map(str::to_owned)
        };
        let is_known = |comment: &String| {
            commands(comment)
                .any(|(known, other)| known == *name && plain(known, other) == plain(name, value))
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
