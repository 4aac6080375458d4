//! The words of a dialect, as its parser knows them: read in its source, so that a new one cannot be forgotten.

use outflank::session::Protocol;

use super::Model;

/// The words that the parser of `dialect` matches lines with.
pub fn words(dialect: Protocol) -> Vec<String> {
    let source = match dialect {
        Protocol::NBoard => include_str!("../../../engine/src/session/nboard/command.rs"),
        Protocol::Cassio => include_str!("../../../engine/src/session/cassio/command.rs"),
        Protocol::Hub => include_str!("../../../engine/src/session/hub/command.rs"),
        Protocol::XBoard => include_str!("../../../engine/src/session/xboard/command.rs"),
    };
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    // Texts and what stands between them, in turn.
    let pieces: Vec<&str> = code.split('"').map(str::trim).collect();
    let closes = |text: &str| text.split_once(')').is_some_and(|(_, rest)| rest.trim().starts_with("=>"));
    let mut words: Vec<String> = Vec::new();
    for (index, &word) in pieces.iter().enumerate().skip(1).step_by(2) {
        let after = |texts: usize| pieces.get(index + 1 + 2 * texts).copied().unwrap_or_default();
        // `"word" =>`, `"word" |`, `Some("word") =>`, `("word", value) =>`, `("word", "value") =>`.
        let in_pattern = match after(0) {
            "," => after(1).starts_with(')') && closes(after(1)),
            after => {
                let ends = after.starts_with(')') || after.starts_with(", ");
                after.starts_with("=>") || after.starts_with('|') || ends && closes(after)
            }
        };
        if in_pattern && !word.is_empty() && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// The words of a dialect that no line of its model has.
pub fn missing<M: Model>() -> Vec<String> {
    let tried: Vec<&str> =
        M::LINES.iter().flat_map(|line| line.text.split(|c: char| c.is_whitespace() || c == '=')).collect();
    words(M::DIALECT).into_iter().filter(|word| !tried.contains(&word.as_str())).collect()
}
