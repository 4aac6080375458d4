//! What can be wrong with what the page hands over.

use serde::Serialize;

/// A fault, with a code for the page's translations and the message in English.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct RulesError {
    /// Which sentence of the page says it.
    pub(super) code: &'static str,
    /// The fault in English, naming the field.
    pub(super) message: String,
    /// The line at fault, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u32>,
    /// The game at fault, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<u32>,
    /// How much there may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<u32>,
    /// The number of the move at fault: 1 for the first disc placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<u32>,
    /// The move at fault.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<String>,
    /// The beginning of the text at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

impl RulesError {
    pub(super) fn new(code: &'static str, message: impl ToString) -> RulesError {
        RulesError { code, message: message.to_string(), ..RulesError::default() }
    }

    pub(super) fn in_line(self, line: usize) -> RulesError {
        RulesError { line: Some(small(line)), ..self }
    }

    pub(super) fn in_game(self, game: usize) -> RulesError {
        RulesError { game: Some(small(game)), ..self }
    }

    pub(super) fn with_text(self, text: impl ToString) -> RulesError {
        RulesError { text: Some(text.to_string()), ..self }
    }
}

/// A number as it is told: no text has more lines, games or moves.
pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
