//! The lines of a protocol, and the states of a session to send them in, read from `hub.txt` and the other texts.
//!
//! A section is a heading with one step per line:
//!
//! | heading | steps |
//! | --- | --- |
//! | `opening` | the line that selects the protocol |
//! | `long` | the start of a line that is too long; the rest would make it a command with a reply |
//! | `finale` | what shows that a session still works: see [`Grammar::finale`] |
//! | `lines` | lines of every kind, valid and invalid |
//! | `state NAME` | the steps that lead to a state |
//! | `search NAME` | the steps that start a search, and the line that ends it |

use std::sync::LazyLock;

use outflank::session::Protocol;
use regex::Regex;

/// The lines of a protocol, and the states to send them in.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) protocol: Protocol,
    pub(super) opening: &'static str,
    pub(super) long: &'static str,
    /// A line that abandons the current search, a question and its answer, the start of the answer of a search, and the lines that
    /// ask for a search of the start position.
    pub(super) finale: Vec<&'static str>,
    pub(super) lines: Vec<&'static str>,
    pub(super) states: Vec<State>,
}

/// A state, and the steps that lead there.
#[derive(Debug)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) steps: Vec<&'static str>,
}

pub(super) fn grammar(protocol: Protocol) -> &'static Grammar {
    static GRAMMARS: LazyLock<[Grammar; 5]> = LazyLock::new(|| {
        Protocol::ALL.map(|protocol| match protocol {
            Protocol::NBoard => read(protocol, include_str!("nboard.txt")),
            Protocol::Cassio => read(protocol, include_str!("cassio.txt")),
            Protocol::Hub => read(protocol, include_str!("hub.txt")),
            Protocol::XBoard => read(protocol, include_str!("xboard.txt")),
            Protocol::Gtp => read(protocol, include_str!("gtp.txt")),
        })
    });
    &GRAMMARS[protocol as usize]
}

fn read(protocol: Protocol, text: &'static str) -> Grammar {
    const MOMENTS: [(&str, &[&str]); 5] = [
        ("started", &[]),
        ("reporting", &["@report", "@partial", "@progress", "@report"]),
        ("finished", &["@report", "@done"]),
        ("failed", &["@report", "@failed"]),
        ("failed at once", &["@failed"]),
    ];
    let (finale, lines, states) = Default::default();
    let mut grammar = Grammar { protocol, opening: "", long: "", finale, lines, states };
    for section in text.split("\n\n") {
        let mut steps = section.lines().map(|line| match line.trim_start() {
            "(an empty line)" => "",
            line => line,
        });
        let heading = steps.next().unwrap_or_default();
        let mut steps: Vec<&'static str> = steps.collect();
        match (heading.split_once(' ').unwrap_or((heading, "")), steps.as_slice()) {
            (("opening", _), &[opening]) => grammar.opening = opening,
            (("long", _), &[long]) => grammar.long = long,
            (("finale", _), _) => grammar.finale = steps,
            (("lines", _), _) => grammar.lines = steps,
            (("state", name), _) => grammar.states.push(State { name: name.to_owned(), steps }),
            (("search", name), &[.., end]) => {
                steps.pop();
                let stopped = ["@report", end];
                for (moment, more) in MOMENTS.into_iter().chain([("stopped", stopped.as_slice())]) {
                    let (name, steps) = (format!("{name}, {moment}"), [steps.as_slice(), more].concat());
                    grammar.states.push(State { name, steps });
                }
            }
            _ => panic!("{protocol}: an invalid section: {section}"),
        }
    }
    grammar
}

/// Returns the words that the parser of `protocol` compares with, but that no line of its grammar contains.
///
/// # Panics
/// If the parser is not found.
pub fn missing_words(protocol: Protocol) -> Vec<String> {
    let source = match protocol {
        Protocol::NBoard => include_str!("../../../../engine/src/session/nboard/session.rs"),
        Protocol::Cassio => include_str!("../../../../engine/src/session/cassio/session.rs"),
        Protocol::Hub => include_str!("../../../../engine/src/session/hub/command.rs"),
        Protocol::XBoard => include_str!("../../../../engine/src/session/xboard/session.rs"),
        Protocol::Gtp => include_str!("../../../../engine/src/session/gtp/session.rs"),
    };
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    // A pattern: `"word" =>`, `"word" |`, `Some("word") =>`, `("word", value) =>`, `("word", "value") =>`.
    let pattern = Regex::new(r#""([^"]+)"(?:, "([^"]+)"|, [a-z]+)?\)?\s*(?:=>|\|)"#).expect("an expression");
    let found = pattern.captures_iter(code).flat_map(|found| [found.get(1), found.get(2)]);
    let words: Vec<&str> = found.flatten().map(|word| word.as_str()).collect();
    assert!(words.contains(&"quit"), "{protocol}: the parser is not found: {words:?}");
    let lines = &grammar(protocol).lines;
    let tried: Vec<&str> =
        lines.iter().flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '=')).collect();
    words.into_iter().filter(|word| !tried.contains(word)).map(str::to_owned).collect()
}
