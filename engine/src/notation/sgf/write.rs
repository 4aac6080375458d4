//! Games to SGF, as Cassio reads it.

use super::super::{extra, ggf, number};
use super::read::{is_no_rating, read_result};
use super::{OWN, property_name};
use crate::board::{Color, Move, Position, Square};
use crate::game::{Ending, Game, GameClock, GameResult};
use crate::score::Score;

/// Writes a game on one line, but for line ends in comments.
pub fn write(game: &Game) -> String {
    let tags = &game.tags;
    let mut sgf = Writer { text: "(;GM[2]FF[4]CA[UTF-8]SZ[8]".to_owned() };
    let rating = |rating: Option<f64>| rating.map(|rating| rating.to_string());
    sgf.known("PB", tags.black.name.as_deref());
    sgf.known("PW", tags.white.name.as_deref());
    sgf.known("BR", rating(tags.black.rating).as_deref());
    sgf.known("WR", rating(tags.white.rating).as_deref());
    sgf.known("PC", tags.place.as_deref());
    sgf.known("DT", tags.date.as_deref());
    if let Some(result) = &tags.result {
        sgf.property("RE", &write_result(result));
        if !says_all(game, result) {
            sgf.property(extra::RESULT, &ggf::write_whole_result(result));
        }
    }
    sgf.known("TM", tags.clock.map(|clock| number::write_seconds(clock.main)).as_deref());
    let plain = |clock: &GameClock| clock.increment.is_zero() && clock.grace == GameClock::USUAL_GRACE;
    let own = tags.clock.filter(|clock| !plain(clock));
    for (name, clock) in [("TIGGF", own), ("TBGGF", tags.black.clock), ("TWGGF", tags.white.clock)] {
        sgf.known(name, clock.map(|clock| ggf::write_clock(&clock)).as_deref());
    }
    sgf.known("TYGGF", tags.kind.as_deref());
    let blank = |c: char| c.is_control() || c.is_whitespace();
    let placed = tags.place.as_ref().is_some_and(|place| !place.chars().all(blank));
    let mut events = 0;
    for (name, value) in &tags.others {
        events += usize::from(name == "EV");
        let own = match name.as_str() {
            // A rating or result that is no number stands where it stood.
            "BR" | "WR" => is_no_rating(value.trim()),
            "RE" => read_result(value.trim()).is_none(),
            // One event is kept beside the place.
            "EV" => placed && events == 1 && !value.trim().is_empty(),
            _ => false,
        };
        // Written, control characters are spaces, and the value may be another one.
        let own = own && !value.contains(char::is_control);
        let name = if own { name.clone() } else { extra::name_for(name, &OWN) };
        // `Variant` would be read as `V`.
        let plain = property_name(&name) == name;
        sgf.property(&if plain { name } else { name.to_ascii_uppercase() }, value);
    }
    if !tags.scores.is_empty() {
        sgf.property(extra::SCORES, &extra::write_scores(&tags.scores));
    }
    sgf.start(&game.start());
    let remarks = |discs| tags.comments.iter().filter(move |(at, _)| *at == discs).map(|(_, text)| text);
    remarks(0).for_each(|text| sgf.property("C", text));
    let mut discs = 0;
    for (before, played) in game.positions().zip(game.moves()) {
        let black = before.side() == Color::Black;
        sgf.text.push(';');
        let mv = match played.mv {
            Move::Place(square) => square.to_string(),
            Move::Pass => "tt".to_owned(),
        };
        sgf.property(if black { "B" } else { "W" }, &mv);
        sgf.known("V", played.eval.map(|eval| write_value(if black { eval } else { -eval })).as_deref());
        sgf.known("TT", played.time.map(number::write_seconds).as_deref());
        if played.mv != Move::Pass {
            discs += 1;
            remarks(discs).for_each(|text| sgf.property("C", text));
        }
    }
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

/// Whether the property `RE` tells the whole result.
fn says_all(game: &Game, result: &GameResult) -> bool {
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
    fn known(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.property(name, value);
        }
    }

    fn property(&mut self, name: &str, value: &str) {
        self.text.push_str(name);
        self.value(value);
    }

    fn value(&mut self, value: &str) {
        self.text.push('[');
        for character in value.trim().chars() {
            if matches!(character, ']' | '\\') {
                self.text.push('\\');
            }
            self.text.push(match character {
                '\n' | '\t' => character,
                character if character.is_control() => ' ',
                character => character,
            });
        }
        self.text.push(']');
    }

    fn start(&mut self, position: &Position) {
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let discs = position.discs(color);
            if !discs.is_empty() {
                self.text.push_str(name);
                Square::all()
                    .filter(|&square| discs.contains(square))
                    .for_each(|square| self.value(&square.to_string()));
            }
        }
        self.property("PL", if position.side() == Color::Black { "B" } else { "W" });
    }
}
