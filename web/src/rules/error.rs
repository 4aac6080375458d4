//! Errors in values from the page.

use outflank::notation::{ReadError, ReadErrorCode, link};
use serde::Serialize;

/// An error, with a code for the page's translations and a message in English.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct RulesError {
    /// Selects the sentence of the page.
    pub(super) code: &'static str,
    /// The error in English, with the field.
    pub(super) message: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u32>,
    /// The game, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<u32>,
    /// The most that is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<u32>,
    /// The number of the move: 1 for the first disc placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<u32>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<Box<str>>,
    /// The beginning of the invalid text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Box<str>>,
    /// The character of a link, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<u32>,
}

impl RulesError {
    pub(super) fn new(code: &'static str, message: impl ToString) -> RulesError {
        RulesError { code, message: message.to_string(), ..RulesError::default() }
    }

    pub(super) fn with_text(self, text: impl ToString) -> RulesError {
        RulesError { text: Some(text.to_string().into()), ..self }
    }
}

impl From<ReadError> for RulesError {
    fn from(error: ReadError) -> RulesError {
        let small = |number: Option<usize>| number.map(small);
        let illegal = error.code == ReadErrorCode::Illegal;
        let excerpt = Some(error.excerpt).filter(|text| !text.is_empty()).map(Into::into);
        let (mv, text) = if illegal { (excerpt, None) } else { (None, excerpt) };
        let number = small(error.place.number);
        let (number, at) =
            if error.code == ReadErrorCode::LinkText { (None, number) } else { (number, None) };
        RulesError {
            code: error.code.as_str(),
            message: error.message,
            line: small(error.place.line),
            game: small(error.place.game),
            number,
            mv,
            text,
            at,
            limit: (error.code == ReadErrorCode::TooLong).then_some(link::MAX_BYTES as u32),
        }
    }
}

/// A number for the page. No text has more lines, games or moves.
pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
