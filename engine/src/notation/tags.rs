//! The fields of [`Tags`] as GGF, SGF and PGN read and write them.
//!
//! Each notation has a table of rows: the name of a tag and its [`Field`]. A value without a tag in the
//! notation is written as GGF does, in the tags [`RESULT`], [`SCORES`] and those that end in `GGF`.

use super::{ReadError, ReadErrorCode, clock, moves, number};
use crate::board::{Color, Move};
use crate::game::{Ending, GameResult, Tags};
use crate::score::{Discs, Score};

/// The tag of [`Tags::scores`]: `G8:+18;H1:+12`.
pub(super) const SCORES: &str = "SCORES";

/// The tag of a result that the notation cannot express, as GGF writes it.
pub(super) const RESULT: &str = "RESULTGGF";

/// The letters of endings in results.
const ENDINGS: [(&str, Ending); 5] = [
    ("", Ending::Played),
    ("r", Ending::Resigned),
    ("t", Ending::TimedOut),
    ("l", Ending::Left),
    ("s", Ending::Agreed),
];

/// A tag and its field.
pub(super) type Row = (&'static str, Field);

/// A field of [`Tags`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Place,
    Date,
    Kind,
    Name(Color),
    Rating(Color),
    /// The clock of both players.
    Clock,
    /// The clock of one player.
    OwnClock(Color),
    Scores,
}

impl Field {
    /// Stores a value; an empty one is unknown. Returns `None` and changes nothing if the value is invalid.
    pub(super) fn read(self, tags: &mut Tags, value: &str) -> Option<()> {
        fn known<T>(value: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
            if value.is_empty() { Some(None) } else { read(value).map(Some) }
        }
        let text = || (!value.is_empty()).then(|| value.to_owned());
        match self {
            Field::Place => tags.place = text(),
            Field::Date => tags.date = text(),
            Field::Kind => tags.kind = text(),
            Field::Name(color) => tags.player_mut(color).name = text(),
            Field::Rating(color) => tags.player_mut(color).rating = known(value, read_rating)?,
            Field::Clock => tags.clock = known(value, clock::read)?,
            Field::OwnClock(color) => tags.player_mut(color).clock = known(value, clock::read)?,
            Field::Scores => tags.scores = read_scores(value)?,
        }
        Some(())
    }

    /// Returns the value as text. `None` if it is unknown.
    pub(super) fn write(self, tags: &Tags) -> Option<String> {
        match self {
            Field::Place => tags.place.clone(),
            Field::Date => tags.date.clone(),
            Field::Kind => tags.kind.clone(),
            Field::Name(color) => tags.player(color).name.clone(),
            Field::Rating(color) => tags.player(color).rating.map(|rating| rating.to_string()),
            Field::Clock => tags.clock.as_ref().map(clock::write),
            Field::OwnClock(color) => tags.player(color).clock.as_ref().map(clock::write),
            Field::Scores => (!tags.scores.is_empty()).then(|| write_scores(&tags.scores)),
        }
    }
}

/// Takes a tag with a field. A rating that is not a number, such as `1500?`, is stored by its name.
///
/// # Errors
/// If the value is invalid, or the kind that of another game.
pub(super) fn take(
    tags: &mut Tags,
    field: Field,
    code: ReadErrorCode,
    name: &str,
    value: &str,
) -> Result<(), ReadError> {
    if matches!(field, Field::Kind) && is_anti(value) {
        return Err(ReadError::quoting(code, value, &format!("{name}: the game {{}} is anti-Othello")));
    }
    match (field.read(tags, value), field) {
        (Some(()), _) => Ok(()),
        (None, Field::Rating(_)) => {
            tags.keep(name, value);
            Ok(())
        }
        _ => Err(ReadError::value(code, name, value)),
    }
}

/// Returns `true` for a type of GGS with the letter of anti-Othello: `8a`, `s8ra20`, `8ab`, `a`.
fn is_anti(kind: &str) -> bool {
    let is_type = |c: char| c.is_ascii_digit() || "abkrsw".contains(c.to_ascii_lowercase());
    kind.contains(['a', 'A']) && kind.chars().all(is_type)
}

/// Returns `true` if a tag without a field has a value that cannot be read, so that it is written by its own name.
pub(super) fn is_unread(field: Field, tags: &Tags, value: &str) -> bool {
    field.write(tags).is_none()
        && !value.trim().is_empty()
        && field.read(&mut Tags::default(), value).is_none()
}

/// The field of a tag in a table.
pub(super) fn field(rows: &[Row], name: &str) -> Option<Field> {
    rows.iter().find(|(known, _)| *known == name).map(|&(_, field)| field)
}

/// The name of a tag without a field: letters, digits and `_`, after `X_` if `rows` or `reserved` give it another meaning.
pub(super) fn name_for(name: &str, rows: &[Row], reserved: &[&str]) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut taken = rows.iter().map(|(known, _)| known).chain(reserved);
    let taken = taken.any(|known| plain.eq_ignore_ascii_case(known));
    if taken || !plain.starts_with(|c: char| c.is_ascii_alphabetic()) { format!("X_{plain}") } else { plain }
}

/// Reads a result in discs. `None` for more than 64, with which Edax writes that a game is not over.
pub(super) fn read_score(text: &str) -> Option<Score> {
    number::read(text).filter(|discs| discs.abs() <= 64.0).and_then(Score::from_discs)
}

pub(super) fn read_rating(text: &str) -> Option<f64> {
    number::read_grouped(text).or_else(|| number::read(text)).filter(|rating| rating.is_finite())
}

fn write_scores(scores: &[(Move, Discs)]) -> String {
    let texts: Vec<String> =
        scores.iter().map(|(mv, score)| format!("{}:{score}", moves::write_upper(*mv))).collect();
    texts.join(";")
}

fn read_scores(text: &str) -> Option<Vec<(Move, Discs)>> {
    let entries = text.split(';').filter(|entry| !entry.trim().is_empty());
    entries
        .map(|entry| {
            let (mv, score) = entry.split_once(':')?;
            Some((moves::parse(mv)?, number::read_discs(score)?))
        })
        .collect()
}

/// Reads a result as GGF writes it: `+12.000`, `-12:r`. `Some(None)` if it is unknown: `?`, the word that adjourned and
/// aborted games have instead of a score, or a score of more than 64 discs. `None` if the text is invalid.
pub(super) fn read_result(text: &str) -> Option<Option<GameResult>> {
    let word = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
    if matches!(text, "" | "?") || (text.len() > 1 && word(text)) {
        return Some(None);
    }
    let (score, ending) = text.split_once(':').unwrap_or((text, ""));
    Score::from_discs(number::read(score)?)?;
    let (_, ending) = ENDINGS.into_iter().find(|(letter, _)| letter.eq_ignore_ascii_case(ending.trim()))?;
    Some(read_score(score).map(|score| GameResult { score, ending }))
}

pub(super) fn write_result(result: &GameResult) -> String {
    let letter =
        ENDINGS.into_iter().find(|(_, ending)| *ending == result.ending).map_or("", |(letter, _)| letter);
    format!("{}0{}{letter}", result.score, if letter.is_empty() { "" } else { ":" })
}
