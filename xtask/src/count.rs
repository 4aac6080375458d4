//! `cargo xtask count`: counts lines and code tokens of the tracked Rust and JavaScript files.
//!
//! A token is a word, a number, a string or character literal, or one punctuation character. Comments and blanks have none.
//! Tests are the files named `tests` or in a folder `tests`, and modules and items with `#[cfg(test)]`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::process::Command;

use anyhow::{Context, Result};
use regex::Regex;

use crate::{process, workspace};

/// Prints the sums by language, kind and area, and the sums of all areas.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    // Git otherwise rejects a checkout of another user.
    let git = ["-c", "safe.directory=*", "ls-files", "*.rs", "*.js"];
    let files = process::output(Command::new("git").current_dir(root).args(git))?;
    let [rust, script] = TOKENS.map(Regex::new);
    let (rust, script) = (rust?, script?);
    let mut sums: BTreeMap<String, usize> = BTreeMap::new();
    for file in files.lines().filter(|file| root.join(file).is_file()) {
        let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
        let (path, language) = file.rsplit_once('.').unwrap_or_default();
        let area = path.split('/').next().unwrap_or_default();
        let tokens = tokens(&text, if language == "rs" { &rust } else { &script });
        let spans = test_items(&tokens);
        let (folder, name) = path.rsplit_once('/').unwrap_or_default();
        let modules = fs::read_to_string(root.join(folder).join("mod.rs")).unwrap_or_default();
        let is_test_module = |scope| modules.contains(&format!("#[cfg(test)]\n{scope}mod {name};"));
        let is_test_file = path.split('/').any(|part| part == "tests")
            || ["", "pub(crate) "].into_iter().any(is_test_module);
        let mut counts = [[0; 2]; 2];
        let mut add = |line: usize, unit: usize| {
            let is_test = is_test_file || spans.iter().any(|span| span.contains(&line));
            counts[usize::from(is_test)][unit] += 1;
        };
        (1..=text.lines().count()).for_each(|line| add(line, 0));
        tokens.iter().for_each(|&(line, _)| add(line, 1));
        for (kind, counts) in ["product", "tests"].iter().zip(counts) {
            for (unit, count) in ["lines", "tokens"].iter().zip(counts) {
                for (language, area) in [(language, area), (language, "all"), ("all", "all")] {
                    *sums.entry(format!("{language} {kind} {area} {unit}")).or_default() += count;
                }
            }
        }
    }
    for (name, sum) in sums.iter().filter(|(_, sum)| **sum > 0) {
        println!("{name:28} {sum:8}");
    }
    Ok(())
}

/// Comments, blanks and tokens of both languages.
const TOKENS: [&str; 2] = [
    r##"(?sx) //[^\n]* | /\*.*?\*/ | \s+ | (?<token> b?r"[^"]*" | b?r\#".*?"\# | b?r\#\#".*?"\#\#
        | b?"(?: \\. | [^"\\] )*" | '(?: \\[^']*. | [^'\\] )' | \w+ | . )"##,
    r##"(?sx) //[^\n]* | /\*.*?\*/ | \s+ | (?<token> `(?: \\. | [^`\\] )*` | "(?: \\. | [^"\\\n] )*" | '(?: \\. | [^'\\\n] )*' | \w+ | . )"##,
];

/// Returns the tokens with the numbers of their lines.
fn tokens<'t>(text: &'t str, pattern: &Regex) -> Vec<(usize, &'t str)> {
    let (mut tokens, mut line, mut counted) = (Vec::new(), 1, 0);
    for token in pattern.captures_iter(text).filter_map(|found| found.name("token")) {
        line += text[counted..token.start()].matches('\n').count();
        counted = token.start();
        tokens.push((line, token.as_str()));
    }
    tokens
}

/// Returns the lines of the items with `#[cfg(test)]`.
fn test_items(tokens: &[(usize, &str)]) -> Vec<RangeInclusive<usize>> {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let starts = (0..tokens.len())
        .filter(|&at| ATTRIBUTE.iter().eq(tokens[at..].iter().take(7).map(|(_, token)| token)));
    let item = |start: usize| {
        let mut depth = 0_i32;
        let end = tokens[start + ATTRIBUTE.len()..].iter().find(|(_, token)| {
            depth += i32::from(["(", "[", "{"].contains(token)) - i32::from([")", "]", "}"].contains(token));
            depth == 0 && [";", "}"].contains(token)
        });
        tokens[start].0..=end.map_or(usize::MAX, |&(line, _)| line)
    };
    starts.map(item).collect()
}
