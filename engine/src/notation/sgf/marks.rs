//! Marks on squares. A comment contains them as commands, as in PGN: `[%csl Gf5]` is a circle with its color, `[%cal Rf5d6]` an arrow,
//! `[%lb f5:A]` a label. A file has the same marks as properties, so that other programs draw them.

use super::read::point;
use crate::board::Square;

/// Most marks of a node.
pub(super) const MAX_MARKS: usize = 128;

/// Returns the command and its value for a property of a square. `None` if it is not one.
pub(super) fn from_property(name: &str, value: &str) -> Option<(&'static str, String)> {
    let squares = value.split_once(':');
    Some(match name {
        "AR" => {
            let (from, to) = squares?;
            ("cal", format!("G{}{}", point(from)?, point(to)?))
        }
        "LB" => {
            let (square, label) = squares?;
            ("lb", format!("{}:{}", point(square)?, label.replace([',', '[', ']'], " ")))
        }
        _ => {
            let color = ["CR", "MA", "SQ", "TR"].iter().position(|known| *known == name)?;
            ("csl", format!("{}{}", char::from(b"GRBY"[color]), point(value)?))
        }
    })
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
        let squares = value.get(1..).unwrap_or_default();
        match name {
            "csl" => Some(("CR", Some(squares).filter(is_square)?.to_owned())),
            "cal" => {
                let (from, to) = squares.split_at_checked(2)?;
                Some(("AR", format!("{}:{}", Some(from).filter(is_square)?, Some(to).filter(is_square)?)))
            }
            "lb" => {
                let (square, label) = value.split_once(':')?;
                let is_plain = !label.is_empty() && label.chars().all(char::is_alphanumeric);
                Some(("LB", format!("{}:{label}", Some(square).filter(is_square).filter(|_| is_plain)?)))
            }
            _ => None,
        }
    })
}

/// Adds marks to the last comment of a node, except those that its comments contain, in any color.
pub(super) fn add(comments: &mut Vec<String>, marks: &[(&str, String)]) {
    for (name, value) in marks {
        let plain = |name: &str, value: &str| value.get(usize::from(name != "lb")..).map(str::to_owned);
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
