//! Games to GGF, in the form that NBoard accepts and in full.

use super::super::{clock, escape, link, moves, squares, tags};
use super::{FIELDS, Row, VARIATION};
use crate::board::{Color, Move, Position};
use crate::game::{Ending, Game, GameResult, Tags};

/// Writes a game on one line for NBoard.
///
/// NBoard stops at white space between tags and at unknown tags, requires the type, and expects the bids of a komi game.
/// Such a game is therefore written as the usual type. A `]`, a line end or another control character in a name or comment
/// is replaced. The result of a finished game is written even if its tags have none.
pub fn write(game: &Game) -> String {
    write_with(game, Reader::NBoard)
}

/// Writes a game on one line with all tags. NBoard rejects such a game.
///
/// A bracket, a control character or a blank at an end of a value is an escape such as `\u005D`.
pub fn write_all(game: &Game) -> String {
    write_with(game, Reader::Archive)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    NBoard,
    Archive,
}

fn write_with(game: &Game, reader: Reader) -> String {
    let known = &game.tags;
    let all = reader == Reader::Archive;
    let mut ggf = Writer { text: "(;GM[Othello]".to_owned(), reader };
    let [place, date, black, white, ratings_and_clocks @ .., kind, scores] = &FIELDS;
    ggf.fields(&[*place, *date, *black, *white], known);
    let unknown = || "?".to_owned();
    let result = if all { known.result } else { game.result().map(for_nboard) };
    ggf.tag("RE", &result.as_ref().map_or_else(unknown, tags::write_result));
    ggf.fields(ratings_and_clocks, known);
    if all {
        ggf.fields(&[*kind], known);
        for (name, value) in &known.others {
            let own = is_stored_with_field(known, name, value) || is_unread_rating(known, name, value);
            let reserved = ["GM", "RE", "BO", "B", "W", "CO"];
            ggf.tag(&if own { name.clone() } else { tags::name_for(name, &FIELDS, &reserved) }, value);
        }
        ggf.fields(&[*scores], known);
    } else {
        ggf.tag("TY", known.kind.as_deref().filter(|kind| is_plain(kind)).unwrap_or("8"));
    }
    ggf.tag("BO", &write_board(&game.start()));
    let tree = game.tree();
    let line = tree.main_line();
    let mut moves = game.positions().zip(game.moves());
    for node in line {
        tree.comments(node).iter().filter(|text| !text.is_empty()).for_each(|text| ggf.comment(text));
        for &other in tree.children(node).iter().skip(1) {
            ggf.text.push_str(&format!("CO[{}{}]", VARIATION, link::variation(&tree, other)));
        }
        // Passes come with the disc after them, or end the game.
        for (before, played) in moves.by_ref() {
            ggf.tag(if before.side() == Color::Black { "B" } else { "W" }, &moves::write_played(played));
            if played.mv != Move::Pass {
                break;
            }
        }
    }
    ggf.text.push_str(";)");
    ggf.text
}

/// A result as NBoard reads it, which does not know an agreed score.
fn for_nboard(result: GameResult) -> GameResult {
    let ending = if result.ending == Ending::Agreed { Ending::Played } else { result.ending };
    GameResult { ending, ..result }
}

/// Returns `true` if a tag with the name of a field is stored in addition to the field: a clock with the options of a server, or a
/// word instead of a result.
fn is_stored_with_field(known: &Tags, name: &str, value: &str) -> bool {
    let own = match name {
        "TI" => known.clock,
        "TB" => known.black.clock,
        "TW" => known.white.clock,
        "RE" => {
            let unknown = matches!(tags::read_result(value), Some(None));
            return known.result.is_none() && unknown && !matches!(value, "" | "?");
        }
        _ => return false,
    };
    own.is_some() && clock::has_options(value) && clock::read(value) == own
}

fn is_unread_rating(known: &Tags, name: &str, value: &str) -> bool {
    let field = tags::field(&FIELDS, name).filter(|_| matches!(name, "RB" | "RW"));
    field.is_some_and(|field| tags::is_unread(field, known, value))
}

/// `8`, the squares and the side to move, as in the tag `BO`.
fn write_board(position: &Position) -> String {
    let side = if position.side() == Color::Black { '*' } else { 'O' };
    format!("8 {} {side}", squares::write_with(position, ['*', 'O', '-']))
}

/// Returns `true` if NBoard accepts the type without more tags: `8`, `s8r20`, but not `8k`.
fn is_plain(kind: &str) -> bool {
    let known = kind.bytes().all(|c| matches!(c, b's' | b'r' | b'0'..=b'9'));
    known && kind.len() < 8 && super::is_usual_size(kind)
}

struct Writer {
    text: String,
    reader: Reader,
}

impl Writer {
    fn fields(&mut self, rows: &[Row], tags: &Tags) {
        for (name, field) in rows {
            field.write(tags).into_iter().for_each(|value| self.tag(name, &value));
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        self.value(name, value, false);
    }

    /// Writes a comment that is not read as a variation.
    fn comment(&mut self, text: &str) {
        self.value("CO", text, text.starts_with(VARIATION));
    }

    /// Writes a tag, with an escape for its first character if `first`.
    fn value(&mut self, name: &str, value: &str, first: bool) {
        let value = if self.reader == Reader::NBoard { held(value) } else { value.to_owned() };
        let (begins, ends) = (value.len() - value.trim_start().len(), value.trim_end().len());
        let must = |at, c: char| {
            (first && at == 0) || at < begins || at >= ends || matches!(c, '[' | ']') || c.is_control()
        };
        self.text.push_str(&format!("{name}[{}]", escape::escaped(&value, must)));
    }
}

/// A value as NBoard can read it.
fn held(value: &str) -> String {
    let held = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    value.chars().map(held).collect::<String>().trim().to_owned()
}
