//! Patterns for lines with variable parts: times, nodes, evaluations.
//!
//! | part | matches |
//! | --- | --- |
//! | `{n}` | a whole number |
//! | `{t}` | a number with or without decimals |
//! | `{e}` | an evaluation: an optional sign, a number with two decimals |
//! | `{sq}` | a square, in upper or lower case |
//! | `{pv}` | squares and passes without separators |
//! | `{w}` | a word |
//! | `{*}` | any text |
//!
//! Braces around an unknown part match themselves.

use regex::{Regex, escape};

/// The variable parts, and the expressions that match them.
const PARTS: [(&str, &str); 7] = [
    ("{n}", "[0-9]+"),
    ("{t}", r"[0-9]+(\.[0-9]+)?"),
    ("{e}", r"[+-]?[0-9]+\.[0-9]{2}"),
    ("{sq}", "[a-hA-H][1-8]"),
    ("{pv}", "(PA|[a-hA-H][1-8])+"),
    ("{w}", "[^ \t]+"),
    ("{*}", ".*"),
];

#[derive(Clone, Debug)]
pub struct Pattern {
    pub text: String,
    regex: Regex,
}

impl Pattern {
    pub fn new(text: &str) -> Pattern {
        let mut regex = escape(text);
        for (part, expression) in PARTS {
            regex = regex.replace(&escape(part), expression);
        }
        let regex = Regex::new(&format!("^(?:{regex})$"));
        Pattern { text: text.to_owned(), regex: regex.unwrap_or_else(|error| panic!("{error}")) }
    }

    pub fn matches(&self, line: &str) -> bool {
        self.regex.is_match(line)
    }
}
