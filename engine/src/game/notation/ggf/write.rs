//! Games to GGF, so that NBoard accepts them.

use super::super::{moves, squares};
use super::{clock, result};
use crate::board::{Color, Move, Position};
use crate::game::Game;

/// Writes a game on one line.
///
/// NBoard's reader stops at white space between tags and at unknown tags, needs the type, and wants the bids of
/// a komi game; such a game is therefore written as the usual type. A `]`, a line end or another control character
/// in a name or comment is replaced. A finished game tells its result, also where its tags do not.
pub fn write(game: &Game) -> String {
    let tags = &game.tags;
    let mut ggf = Writer { text: "(;GM[Othello]".to_owned() };
    ggf.known("PC", tags.place.as_deref());
    ggf.known("DT", tags.date.as_deref());
    ggf.known("PB", tags.black.name.as_deref());
    ggf.known("PW", tags.white.name.as_deref());
    ggf.tag("RE", &result::write(game.result().as_ref()));
    ggf.known("RB", tags.black.rating.map(|rating| rating.to_string()).as_deref());
    ggf.known("RW", tags.white.rating.map(|rating| rating.to_string()).as_deref());
    for (name, clock) in [("TI", tags.clock), ("TB", tags.black.clock), ("TW", tags.white.clock)] {
        ggf.known(name, clock.map(|clock| clock::write(&clock)).as_deref());
    }
    ggf.tag("TY", tags.kind.as_deref().filter(|kind| is_plain(kind)).unwrap_or("8"));
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
        self.text.extend(value.trim().chars().map(|c| match c {
            '[' => '(',
            ']' => ')',
            c if c.is_control() => ' ',
            c => c,
        }));
        self.text.push(']');
    }
}
