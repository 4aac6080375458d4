//! The documents list the fields of every JSON output: no other, and none that no command prints.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::{program, run};
use serde_json::Value;

const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cli/docs/");
/// Files, and a game of which g8 and b2 are mistakes.
const FILES: [(&str, &str); 7] = [
    ("named.ggf", "(;GM[Othello]PB[a]PW[b]RE[+2.00]TY[8]B[F5]W[D6];)"),
    (
        "full.pgn",
        "[Event \"x\"]\n[Date \"2001\"]\n[Black \"a\"]\n[White \"b\"]\n[Result \"33-31\"]\n\n1. f5 d6 33-31",
    ),
    ("invalid.txt", "f5a1"),
    ("remarks.txt", "Round 3\nf5d6\nnice"),
    (
        "mistaken.ggf",
        "(;GM[Othello]PB[]PW[]RE[?]TY[8]\
         BO[8 --OOOO--*-OOOO--**O*OO--*OO*OOO-*OO**O--*OOO*****O****------*--- O]W[g8]B[f8]W[b2];)",
    ),
    ("suite.obf", "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO X; A6:+0;\nnothing"),
    ("scored.obf", "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO X; A6:+0; F8:-10;"),
];

/// Documents with a heading, and a command that prints its fields, or `=` and fields that no command prints here.
const COMMANDS: &str = "\
analyze, Fields of JSON | analyze GAMES $/named.ggf $/invalid.txt --depth 1 --exact 3 --time 60 --nodes 1000000 --book built-in --given 1
analyze, Fields of JSON | analyze $/mistaken.ggf --depth 12 --reasons
json, `outflank hint` | hint $/suite.obf --depth 1 --json
json, `outflank read` | read $/full.pgn $/remarks.txt $/invalid.txt
json, `outflank solve` | solve $/suite.obf --json
json, `outflank bench` | bench --json
json, `outflank bench reasons` | bench reasons $/mistaken.ggf --depth 12 --deeper 0 --json
json, `outflank bench accuracy` | bench accuracy $/scored.obf --depth 1 --json
json, `outflank bench accuracy` | bench accuracy $/scored.obf --depth 1,2 --json
json, `outflank book query` | book build GAMES --book $/a.book --plies 2 --depth 1
json, `outflank book query` | book query --book $/a.book --json
json, `outflank doctor` | doctor --quick --json
json, `outflank doctor` | = memory_gib solved[].threads solved[].nodes solved[].seconds solved[].agrees
json, `outflank match` | match PLAYER PLAYER --games 2 --depth 1 --json --sprt 0,5
json, `outflank match` | = sprt_accepted";

type Fields = BTreeSet<String>;

/// Returns the fields of the table after a heading, and those that contain them. Names without dots follow the path of the first
/// name in their cell.
fn documented(document: &str, heading: &str) -> Fields {
    let text = fs::read_to_string(format!("{DOCUMENTS}{document}.md")).unwrap();
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut fields = Fields::new();
    for cell in section.lines().filter_map(|row| row.strip_prefix("| `")?.split('|').next()) {
        let mut path = "";
        for name in cell.split('`').step_by(2) {
            let (prefix, own) = name.split_at(name.rfind('.').map_or(0, |at| at + 1));
            path = if prefix.is_empty() { path } else { prefix };
            fields
                .extend(path.match_indices('.').map(|(at, _)| path[..at].trim_end_matches("[]").to_owned()));
            fields.insert(format!("{path}{own}"));
        }
    }
    fields
}

/// Adds the paths of the fields in a value. The sums of both sides have the same fields, and so has each of several searches.
fn collect(value: &Value, path: &str, fields: &mut Fields) {
    match value {
        Value::Array(entries) => {
            entries.iter().for_each(|entry| collect(entry, &format!("{path}[]"), fields))
        }
        Value::Object(entries) => {
            for (name, value) in entries {
                let path = format!("{path}{}{name}", if path.is_empty() { "" } else { "." });
                let path = path.replace("summary.white.", "summary.black.").replace("searches[].", "");
                collect(value, &path, fields);
                fields.insert(path);
            }
        }
        _ => {}
    }
}

#[test]
fn documents_list_the_fields_of_every_output() {
    let folder = Folder::new("json");
    for (name, text) in FILES {
        fs::write(folder.path(name), text).unwrap();
    }
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/data/report/games.txt");
    let player = format!("{} nboard --book none", program().display());
    let word = |word: &str| match word.strip_prefix("$/") {
        Some(name) => folder.name(name),
        None => word.replace("GAMES", games).replace("PLAYER", &player),
    };
    let mut printed: BTreeMap<&str, Fields> = BTreeMap::new();
    for row in COMMANDS.lines() {
        let (section, command) = row.split_once(" | ").unwrap();
        let fields = printed.entry(section).or_default();
        if let Some(others) = command.strip_prefix("= ") {
            fields.extend(others.split(' ').map(str::to_owned));
            continue;
        }
        let words: Vec<String> = command.split(' ').map(word).collect();
        let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>()).out;
        for line in output.lines() {
            collect(&serde_json::from_str(line).unwrap(), "", fields);
        }
    }
    for (section, fields) in printed {
        let (document, heading) = section.split_once(", ").unwrap();
        assert_eq!(documented(document, heading), fields, "{document}.md, {heading}");
    }
}
