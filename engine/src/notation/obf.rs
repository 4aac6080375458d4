//! OBF, the format of endgame suites: one position per line, with the scores of its moves.
//!
//! A line is `64 squares X; G8:+18; H1:+12;`: squares from a1 row by row, the side to move, then moves with their final disc
//! differences for the side to move. Blank lines, the text after a `%`, and `--:-127`, which fills lines, are skipped.

use super::{ReadError, ReadErrorCode, moves, number, squares};
use crate::board::{Move, Position};
use crate::game::Game;
use crate::score::Discs;

/// A line of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The position to solve.
    pub position: Position,
    /// Moves with their final disc difference for the side to move, in the order of the line.
    pub scores: Vec<(Move, Discs)>,
}

impl ScoredPosition {
    /// The best score of the line. `None` if it has no scores.
    pub fn best(&self) -> Option<Discs> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

impl From<ScoredPosition> for Game {
    /// Returns a game without moves, with the scores in its tags.
    fn from(scored: ScoredPosition) -> Game {
        let mut game = Game::new(scored.position);
        game.tags.scores = scored.scores;
        game
    }
}

/// Reads the lines of a suite with their numbers from 1. An invalid line does not affect the others.
pub fn read(text: &str) -> impl Iterator<Item = (usize, Result<ScoredPosition, ReadError>)> + '_ {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().filter(|(_, line)| !is_silent(line));
    lines.map(|(index, line)| (index + 1, read_line(line)))
}

/// Reads one line.
pub fn read_line(line: &str) -> Result<ScoredPosition, ReadError> {
    let (position, scores) = read_valued(line, "score", "a whole number", number::read_discs)?;
    Ok(ScoredPosition { position, scores })
}

/// Reads a line whose moves have other values. `value` reads one. `name` and `kind` describe a value in errors.
pub(super) fn read_valued<V>(
    line: &str,
    name: &str,
    kind: &str,
    value: impl Fn(&str) -> Option<V>,
) -> Result<(Position, Vec<(Move, V)>), ReadError> {
    let line = line.split_once('%').map_or(line, |(line, _)| line);
    let (position, rest) = squares::read_prefix(line)?;
    let mut values = Vec::new();
    let texts = rest.split(';').map(str::trim).filter(|text| !text.is_empty());
    for (entry, text) in (1..).zip(texts) {
        let invalid = |text: &str, message: &str| {
            ReadError::quoting(ReadErrorCode::Obf, text, &format!("entry {entry}: {message}"))
        };
        let (mv, text) = text.split_once(':').ok_or_else(|| invalid(text, "{} is not `move:score`"))?;
        let mv = moves::parse(mv).ok_or_else(|| invalid(mv, "{} is not a move"))?;
        // Padding.
        if mv == Move::Pass && text.trim() == "-127" {
            continue;
        }
        let message = || format!("the {name} {{}} is not {kind} from -64 to 64");
        let value = value(text.trim()).ok_or_else(|| invalid(text, &message()))?;
        let illegal = |reason| invalid(&mv.to_string(), &format!("the move {mv} is illegal: {reason}"));
        position.play(mv).map_err(illegal)?;
        values.push((mv, value));
    }
    Ok((position, values))
}

/// Returns `true` if a line is blank or a comment.
pub(super) fn is_silent(line: &str) -> bool {
    matches!(line.trim_start().chars().next(), None | Some('%'))
}

/// Writes a line without its end.
pub fn write(problem: &ScoredPosition) -> String {
    let mut line = squares::write(&problem.position);
    line.push(';');
    for &(mv, score) in &problem.scores {
        line.push_str(&format!(" {}:{score};", moves::write_upper(mv)));
    }
    line
}
