//! Games to GGF, so that NBoard accepts them.

use super::super::{extra, moves, squares};
use super::{clock, result};
use crate::board::{Color, Move, Position};
use crate::game::{Game, GameClock, Tags};

/// Writes a game on one line.
///
/// NBoard's reader stops at white space between tags and at unknown tags, needs the type, and wants the bids of
/// a komi game; such a game is therefore written as the usual type. A `]`, a line end or another control character
/// in a name or comment is replaced. A finished game tells its result, also where its tags do not.
pub fn write(game: &Game) -> String {
    write_with(game, For::NBoard)
}

/// Writes a game on one line with everything that is known of it, which NBoard would refuse.
///
/// The format knows no way to write a `]` or a line end in a value; they are replaced.
pub fn write_all(game: &Game) -> String {
    write_with(game, For::Archives)
}

/// Who is to read it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    NBoard,
    Archives,
}

fn write_with(game: &Game, reader: For) -> String {
    let tags = &game.tags;
    let whole = reader == For::Archives;
    let mut ggf = Writer { text: "(;GM[Othello]".to_owned() };
    ggf.known("PC", tags.place.as_deref());
    ggf.known("DT", tags.date.as_deref());
    ggf.known("PB", tags.black.name.as_deref());
    ggf.known("PW", tags.white.name.as_deref());
    match &tags.result {
        Some(result) if whole => ggf.tag("RE", &result::write_whole(result)),
        result if whole => ggf.tag("RE", &result::write(result.as_ref())),
        _ => ggf.tag("RE", &result::write(game.result().as_ref())),
    }
    ggf.known("RB", tags.black.rating.map(|rating| rating.to_string()).as_deref());
    ggf.known("RW", tags.white.rating.map(|rating| rating.to_string()).as_deref());
    for (name, clock) in [("TI", tags.clock), ("TB", tags.black.clock), ("TW", tags.white.clock)] {
        ggf.known(name, clock.map(|clock| clock::write(&clock)).as_deref());
    }
    let kind = tags.kind.as_deref();
    if whole {
        ggf.known("TY", kind);
        for (name, value) in &tags.others {
            let own = has_place(tags, name, &held(value));
            ggf.tag(&if own { name.clone() } else { extra::name_for(name, &OWN) }, value);
        }
        if !tags.scores.is_empty() {
            ggf.tag(extra::SCORES, &extra::write_scores(&tags.scores));
        }
    } else {
        ggf.tag("TY", kind.filter(|kind| is_plain(kind)).unwrap_or("8"));
    }
    ggf.tag("BO", &write_board(&game.start()));
    let mut comments = tags.comments.iter().peekable();
    let mut discs = 0;
    for (before, played) in game.positions().zip(game.moves()) {
        while let Some((_, comment)) = comments.next_if(|(at, _)| *at <= discs) {
            ggf.tag("CO", comment);
        }
        let color = if before.side() == Color::Black { "B" } else { "W" };
        ggf.tag(color, &moves::write_played(played));
        discs += usize::from(played.mv != Move::Pass);
    }
    for (_, comment) in comments {
        ggf.tag("CO", comment);
    }
    ggf.text.push_str(";)");
    ggf.text
}

/// Names that a tag without a field cannot have.
const OWN: [&str; 17] = [
    "GM",
    "PC",
    "DT",
    "PB",
    "PW",
    "RB",
    "RW",
    "TY",
    "BO",
    "B",
    "W",
    "TI",
    "TB",
    "TW",
    "RE",
    "CO",
    extra::SCORES,
];

/// Whether a tag stands where a field has its name, and is kept beside it: the options of a server's clock, and a word
/// instead of a result. The value as it is written.
fn has_place(tags: &Tags, name: &str, value: &str) -> bool {
    let options =
        |own: Option<GameClock>| clock::has_options(value) && own.is_some() && clock::read(value) == own;
    match name {
        "TI" => options(tags.clock),
        "TB" => options(tags.black.clock),
        "TW" => options(tags.white.clock),
        "RE" => {
            tags.result.is_none() && !matches!(value, "" | "?") && matches!(result::read(value), Some(None))
        }
        _ => false,
    }
}

/// `8`, the squares and the side to move, as in the tag `BO`.
fn write_board(position: &Position) -> String {
    let side = if position.side() == Color::Black { '*' } else { 'O' };
    format!("8 {} {side}", squares::write_with(position, ['*', 'O', '-']))
}

/// Whether NBoard takes the type without more tags: `8`, `s8r20`, `8a`, but not `8k`.
fn is_plain(kind: &str) -> bool {
    let known = kind.bytes().all(|c| matches!(c, b's' | b'r' | b'a' | b'0'..=b'9'));
    known && kind.len() < 8 && super::is_usual_size(kind)
}

struct Writer {
    text: String,
}

impl Writer {
    fn known(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.tag(name, value);
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.text.push('[');
        self.text.push_str(&held(value));
        self.text.push(']');
    }
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
