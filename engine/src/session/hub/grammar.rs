//! The one form all lines have: a command and arguments.
//!
//! ```text
//! <command> <name>=<value> <name>="<value with spaces>" <flag> …
//! ```

use std::fmt;
use std::fmt::Write;

/// A line taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedLine<'a> {
    /// The first word.
    pub(super) command: &'a str,
    arguments: Vec<(&'a str, &'a str)>,
}

/// A quotation mark without its counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed;

impl<'a> ParsedLine<'a> {
    /// Reads a line; nothing when it is blank. White space around `=` is forgiven.
    pub(super) fn parse(line: &'a str) -> Result<Option<ParsedLine<'a>>, Unclosed> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(None);
        }
        let (command, mut rest) = split(line, char::is_whitespace);
        let mut arguments = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(Some(ParsedLine { command, arguments }));
            }
            let (name, after) = split(rest, |c| c == '=' || c.is_whitespace());
            let Some(value) = after.trim_start().strip_prefix('=') else {
                arguments.push((name, ""));
                rest = after;
                continue;
            };
            let value = value.trim_start();
            let (value, after) = match value.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').ok_or(Unclosed)?,
                None => split(value, char::is_whitespace),
            };
            arguments.push((name, value));
            rest = after;
        }
    }

    /// The value of an argument, the empty one for a flag; the last one counts.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.arguments.iter().rev().find(|argument| argument.0 == name).map(|argument| argument.1)
    }

    /// The names of all arguments.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.arguments.iter().map(|argument| argument.0)
    }
}

/// Text up to the first character of a kind, and the rest from there on.
fn split(text: &str, at: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(at).unwrap_or(text.len()))
}

/// Appends ` name=value`, quoted where it has to be. A quotation mark cannot be said, nor, to some clients, `=`
/// inside quotes: both become an apostrophe and a colon.
pub(super) fn push(line: &mut String, name: &str, value: impl fmt::Display) {
    let value = value.to_string().replace('"', "'").replace('=', ":");
    let quote = if value.is_empty() || value.contains(char::is_whitespace) { "\"" } else { "" };
    let _ = write!(line, " {name}={quote}{value}{quote}");
}

impl fmt::Display for Unclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quotation mark is not closed")
    }
}

impl std::error::Error for Unclosed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_flags_and_quotes() {
        let line =
            ParsedLine::parse(r#" pos  pos=Wbe moves="f5 d6"  flag empty="" late = x "#).unwrap().unwrap();
        assert_eq!(line.command, "pos");
        assert_eq!(line.value("pos"), Some("Wbe"));
        assert_eq!(line.value("moves"), Some("f5 d6"));
        assert_eq!(line.value("flag"), Some(""));
        assert_eq!(line.value("empty"), Some(""));
        assert_eq!(line.value("late"), Some("x"));
        assert_eq!(line.value("other"), None);
        assert_eq!(line.names().count(), 5);
        assert_eq!(ParsedLine::parse("  "), Ok(None));
        assert_eq!(ParsedLine::parse(r#"pos moves="f5"#), Err(Unclosed));
        assert_eq!(ParsedLine::parse("==").unwrap().unwrap().command, "==");
        assert!(ParsedLine::parse("a = = =").is_ok());
        assert!(ParsedLine::parse("a =").is_ok());
    }

    #[test]
    fn written_as_read() {
        let mut line = "id".to_owned();
        push(&mut line, "name", "Outflank");
        push(&mut line, "author", "several people");
        push(&mut line, "note", r#"a="b""#);
        push(&mut line, "nothing", "");
        assert_eq!(line, r#"id name=Outflank author="several people" note=a:'b' nothing="""#);
        let line = ParsedLine::parse(&line).unwrap().unwrap();
        assert_eq!(line.value("author"), Some("several people"));
    }
}
