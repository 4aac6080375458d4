//! What a game may know that a notation has no place for, as tags of its own.

use super::moves;
use crate::board::Move;
use crate::score::Discs;

/// The tag of [`Tags::scores`](crate::game::Tags::scores): `G8:+18;H1:+12`.
pub(super) const SCORES: &str = "SCORES";

/// The tag of a result that the notation cannot tell, as GGF writes it.
pub(super) const RESULT: &str = "RESULTGGF";

pub(super) fn write_scores(scores: &[(Move, Discs)]) -> String {
    let texts: Vec<String> =
        scores.iter().map(|(mv, score)| format!("{}:{score}", moves::write_upper(*mv))).collect();
    texts.join(";")
}

pub(super) fn read_scores(text: &str) -> Option<Vec<(Move, Discs)>> {
    let score =
        |text: &str| text.trim().parse().ok().filter(|score| (-64..=64).contains(score)).map(Discs::new);
    text.split(';')
        .filter(|entry| !entry.trim().is_empty())
        .map(|entry| {
            let (mv, value) = entry.split_once(':')?;
            Some((moves::read(mv).ok()?, score(value)?))
        })
        .collect()
}

/// The name of a tag without a field where names are letters, digits and `_`, and those of `own` are taken.
pub(super) fn name_for(name: &str, own: &[&str]) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let taken = own.iter().any(|own| plain.eq_ignore_ascii_case(own));
    if taken || !plain.starts_with(|c: char| c.is_ascii_alphabetic()) { format!("X_{plain}") } else { plain }
}
