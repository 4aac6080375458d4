//! What can be wrong with what the page hands over.

use serde::Serialize;

/// A fault, with a code for the page's translations and the message in English.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct RulesError {
    /// Which sentence of the page says it.
    pub(super) code: &'static str,
    /// The fault in English, naming the field.
    pub(super) message: String,
    /// The number of the move at fault: 1 for the first disc placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<usize>,
    /// The move at fault.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<String>,
    /// The beginning of the text at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

impl RulesError {
    pub(super) fn new(code: &'static str, message: impl ToString) -> RulesError {
        RulesError { code, message: message.to_string(), number: None, mv: None, text: None }
    }

    pub(super) fn with_text(self, text: impl ToString) -> RulesError {
        RulesError { text: Some(text.to_string()), ..self }
    }
}
