//! Games to GGF, in the form that NBoard accepts and in full.

use super::super::{clock, link, moves, squares, tags};
use super::{FIELDS, Row};
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
/// The format cannot express a `]` or a line end in a value: they are replaced.
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
    let [place, date, black, white, ratings_and_clocks @ .., kind, scores] = &FIELDS;
    let mut ggf = "(;GM[Othello]".to_owned();
    push_fields(&mut ggf, &[*place, *date, *black, *white], known);
    let unknown = || "?".to_owned();
    let result = if all { known.result } else { game.result().map(for_nboard) };
    push_tag(&mut ggf, "RE", &result.as_ref().map_or_else(unknown, tags::write_result));
    push_fields(&mut ggf, ratings_and_clocks, known);
    if all {
        push_fields(&mut ggf, &[*kind], known);
        for (name, value) in &known.others {
            let own = is_stored_with_field(known, name, &held(value));
            let reserved = ["GM", "RE", "BO", "B", "W", "CO"];
            push_tag(
                &mut ggf,
                &if own { name.clone() } else { tags::name_for(name, &FIELDS, &reserved) },
                value,
            );
        }
        push_fields(&mut ggf, &[*scores], known);
    } else {
        push_tag(&mut ggf, "TY", known.kind.as_deref().filter(|kind| is_plain(kind)).unwrap_or("8"));
    }
    push_tag(&mut ggf, "BO", &write_board(&game.start()));
    let comments = link::comments(game);
    let mut comments = comments.iter().peekable();
    let mut discs = 0;
    for (before, played) in game.positions().zip(game.moves()) {
        while let Some((_, comment)) = comments.next_if(|(at, _)| *at <= discs) {
            push_tag(&mut ggf, "CO", comment);
        }
        push_tag(
            &mut ggf,
            if before.side() == Color::Black { "B" } else { "W" },
            &moves::write_played(played),
        );
        discs += usize::from(played.mv != Move::Pass);
    }
    comments.for_each(|(_, comment)| push_tag(&mut ggf, "CO", comment));
    ggf.push_str(";)");
    ggf
}

/// A result as NBoard reads it, which does not know an agreed score.
fn for_nboard(result: GameResult) -> GameResult {
    let ending = if result.ending == Ending::Agreed { Ending::Played } else { result.ending };
    GameResult { ending, ..result }
}

/// Returns `true` if a tag with the name of a field is stored in addition to the field: a clock with the options of a server, or a
/// word instead of a result. `value` is the value as it is written.
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

/// `8`, the squares and the side to move, as in the tag `BO`.
fn write_board(position: &Position) -> String {
    let side = if position.side() == Color::Black { '*' } else { 'O' };
    format!("8 {} {side}", squares::write_with(position, ['*', 'O', '-']))
}

/// Returns `true` if NBoard accepts the type without more tags: `8`, `s8r20`, `8a`, but not `8k`.
fn is_plain(kind: &str) -> bool {
    let known = kind.bytes().all(|c| matches!(c, b's' | b'r' | b'a' | b'0'..=b'9'));
    known && kind.len() < 8 && super::is_usual_size(kind)
}

fn push_fields(text: &mut String, rows: &[Row], tags: &Tags) {
    for (name, field) in rows {
        field.write(tags).into_iter().for_each(|value| push_tag(text, name, &value));
    }
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    text.push_str(&format!("{name}[{}]", held(value)));
}

/// A value as the format can hold it.
fn held(value: &str) -> String {
    let held = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    value.chars().map(held).collect::<String>().trim().to_owned()
}
