//! The command words of a protocol, read from the source of its parser.

use outflank::session::Dialect;

use super::grammar;

/// Returns the words that the parser of `dialect` compares with, but that no line of its grammar contains.
///
/// # Panics
/// If the parser is not found.
pub fn missing_words(dialect: Dialect) -> Vec<String> {
    let source = match dialect {
        Dialect::NBoard => include_str!("../../../../engine/src/session/nboard/command.rs"),
        Dialect::Cassio => include_str!("../../../../engine/src/session/cassio/command.rs"),
        Dialect::Hub => include_str!("../../../../engine/src/session/hub/command.rs"),
        Dialect::XBoard => include_str!("../../../../engine/src/session/xboard/command.rs"),
    };
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    // String literals, and the code between them, in turn.
    let pieces: Vec<&str> = code.split('"').map(str::trim).collect();
    let closes = |text: &str| text.split_once(')').is_some_and(|(_, rest)| rest.trim().starts_with("=>"));
    let words = pieces.iter().enumerate().skip(1).step_by(2).filter(|&(index, word)| {
        let after = |literals: usize| pieces.get(index + 1 + 2 * literals).copied().unwrap_or_default();
        // A pattern: `"word" =>`, `"word" |`, `Some("word") =>`, `("word", value) =>`, `("word", "value") =>`.
        let is_pattern = match after(0) {
            "," => after(1).starts_with(')') && closes(after(1)),
            after => {
                let ends = after.starts_with(')') || after.starts_with(", ");
                after.starts_with("=>") || after.starts_with('|') || ends && closes(after)
            }
        };
        is_pattern && !word.is_empty()
    });
    let words: Vec<&str> = words.map(|(_, word)| *word).collect();
    assert!(words.contains(&"quit"), "{dialect}: the parser is not found: {words:?}");
    let lines = grammar(dialect).lines;
    let tried: Vec<&str> =
        lines.iter().flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '=')).collect();
    words.into_iter().filter(|word| !tried.contains(word)).map(str::to_owned).collect()
}
