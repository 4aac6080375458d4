//! Games to SGF, as Cassio reads it.

use super::super::{number, tags};
use super::read::read_result;
use super::{FIELDS, RESERVED, Row, marks, property_name};
use crate::board::{Color, Position, Square};
use crate::game::{Ending, Game, GameClock, GameResult, GameTree, NodeId, RecordedMove, Tags};
use crate::score::Score;

/// Writes a game on one line, except for line ends in comments.
pub fn write(game: &Game) -> String {
    let known = &game.tags;
    let [names_to_date @ .., clock, black_clock, white_clock, kind, scores] = &FIELDS;
    let mut sgf = Writer { text: "(;GM[2]FF[4]CA[UTF-8]SZ[8]".to_owned() };
    sgf.fields(names_to_date, known);
    if let Some(result) = &known.result {
        sgf.property("RE", &write_result(result));
        if !is_whole(game, result) {
            sgf.property(tags::RESULT, &tags::write_result(result));
        }
    }
    if let Some(common) = &known.clock {
        sgf.property("TM", &number::write_seconds(common.main));
        if !common.increment.is_zero() || common.grace != GameClock::USUAL_GRACE {
            sgf.fields(&[*clock], known);
        }
    }
    sgf.fields(&[*black_clock, *white_clock, *kind], known);
    let has_place = known.place.as_ref().is_some_and(|place| !place.is_empty());
    let mut events = 0;
    for (name, value) in &known.others {
        events += usize::from(name == "EV");
        let keeps_name = match name.as_str() {
            // A rating or a result that cannot be read is stored by the name of its field.
            "BR" | "WR" => {
                tags::field(&FIELDS, name).is_some_and(|field| tags::is_unread(field, known, value))
            }
            "RE" => read_result(value).is_none(),
            "TM" => !value.is_empty() && number::read_seconds(value).is_none(),
            // One event is stored in addition to the place.
            "EV" => has_place && events == 1 && !value.is_empty(),
            _ => false,
        };
        // Control characters are written as spaces, which may change the meaning of the value.
        let keeps_name = keeps_name && !value.contains(char::is_control);
        let name = if keeps_name { name.clone() } else { tags::name_for(name, &FIELDS, &RESERVED) };
        // `Variant` would be read as `V`.
        let plain = property_name(&name) == name;
        sgf.property(&if plain { name } else { name.to_ascii_uppercase() }, value);
    }
    sgf.fields(&[*scores], known);
    sgf.start(&game.start());
    let tree = game.tree();
    sgf.comments(&tree, NodeId::ROOT);
    sgf.pass(&tree, NodeId::ROOT);
    sgf.line(&tree, NodeId::ROOT);
    sgf.text.push(')');
    sgf.text
}

/// A value for Black.
fn write_value(score: Score) -> String {
    match score.centidiscs() {
        0 => "0".to_owned(),
        centidiscs => format!("{}+{:.2}", if centidiscs > 0 { 'B' } else { 'W' }, score.discs().abs()),
    }
}

fn write_result(result: &GameResult) -> String {
    let winner = if result.score > Score::ZERO { 'B' } else { 'W' };
    match result.ending {
        _ if result.score == Score::ZERO => "0".to_owned(),
        Ending::Resigned => format!("{winner}+R"),
        Ending::TimedOut => format!("{winner}+T"),
        Ending::Left => format!("{winner}+F"),
        Ending::Played | Ending::Agreed => format!("{winner}+{}", result.score.discs().abs()),
    }
}

/// Returns `true` if the property `RE` expresses the whole result.
fn is_whole(game: &Game, result: &GameResult) -> bool {
    match result.ending {
        Ending::Played => game.final_score().map(|result| result.score) == Some(result.score),
        Ending::Agreed => false,
        _ => result.score == Score::MAX || result.score == Score::MIN,
    }
}

struct Writer {
    text: String,
}

impl Writer {
    fn fields(&mut self, rows: &[Row], tags: &Tags) {
        for (name, field) in rows {
            field.write(tags).into_iter().for_each(|value| self.property(name, &value));
        }
    }

    fn property(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.value(value);
    }

    /// Writes the moves after a node, each variation in brackets. No line is longer than a game.
    fn line(&mut self, tree: &GameTree, node: NodeId) {
        let children = tree.children(node);
        for &child in children {
            if children.len() > 1 {
                self.text.push('(');
            }
            if let Some(played) = tree.played(child) {
                self.played(&played, tree.position(node).side());
            }
            self.comments(tree, child);
            self.pass(tree, child);
            self.line(tree, child);
            if children.len() > 1 {
                self.text.push(')');
            }
        }
    }

    /// Writes the comments of a node, and their marks as properties. A property is written once with all its values.
    fn comments(&mut self, tree: &GameTree, node: NodeId) {
        let comments = tree.comments(node);
        comments.iter().for_each(|text| self.property("C", text));
        for name in marks::NAMES {
            let marks = comments.iter().flat_map(|text| marks::properties(text));
            for (i, (_, value)) in marks.filter(|(known, _)| *known == name).enumerate() {
                if i == 0 {
                    self.text.push_str(name);
                }
                self.value(&value);
            }
        }
    }

    /// Writes the pass of a node if it was recorded.
    fn pass(&mut self, tree: &GameTree, node: NodeId) {
        if let Some(pass) = tree.pass(node) {
            self.played(&pass, !tree.position(node).side());
        }
    }

    fn played(&mut self, played: &RecordedMove, side: Color) {
        let black = side == Color::Black;
        self.text.push(';');
        let mv = played.mv.square().map_or("tt".to_owned(), |square| square.to_string());
        self.property(if black { "B" } else { "W" }, &mv);
        if let Some(eval) = played.eval {
            self.property("V", &write_value(side.for_black(eval)));
        }
        if let Some(time) = played.time {
            self.property("TT", &number::write_seconds(time));
        }
    }

    fn value(&mut self, value: &str) {
        self.text.push('[');
        let held = |c: char| if c.is_control() && !matches!(c, '\n' | '\t') { ' ' } else { c };
        let value: String = value.chars().map(held).collect();
        let (begins, ends) = (value.len() - value.trim_start().len(), value.trim_end().len());
        for (at, character) in value.char_indices() {
            let at_end = at < begins || at >= ends;
            if matches!(character, ']' | '\\') || at_end {
                self.text.push('\\');
            }
            // An escaped line end is no part of the value.
            self.text.push(if at_end && character == '\n' { ' ' } else { character });
        }
        self.text.push(']');
    }

    fn start(&mut self, position: &Position) {
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let discs = position.discs(color);
            if !discs.is_empty() {
                self.text.push_str(name);
                let own = Square::all().filter(|&square| discs.contains(square));
                own.for_each(|square| self.value(&square.to_string()));
            }
        }
        self.property("PL", if position.side() == Color::Black { "B" } else { "W" });
    }
}
