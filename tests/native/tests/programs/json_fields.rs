//! The documents list the fields of every JSON output: no other, and none that no command prints.

use std::collections::BTreeSet;
use std::fs;

use outflank_tests::folder::Folder;
use outflank_tests::spawned::run;
use serde_json::Value;

const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cli/docs/");
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/report/games.txt");
/// g8 and b2 are mistakes.
const MISTAKEN: &str = "(;GM[Othello]PB[]PW[]RE[?]TY[8]\
    BO[8 --OOOO--*-OOOO--**O*OO--*OO*OOO-*OO**O--*OOO*****O****------*--- O]W[g8]B[f8]W[b2];)";

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
            let (prefix, own) =
                name.rsplit_once('.').map_or((path, name), |(_, own)| (&name[..name.len() - own.len()], own));
            path = prefix;
            fields.extend(
                prefix.match_indices('.').map(|(at, _)| prefix[..at].trim_end_matches("[]").to_owned()),
            );
            fields.insert(format!("{path}{own}"));
        }
    }
    fields
}

/// Adds the paths of the fields in a value. The sums of both sides have the same fields.
fn collect(value: &Value, path: &str, fields: &mut Fields) {
    match value {
        Value::Array(entries) => {
            entries.iter().for_each(|entry| collect(entry, &format!("{path}[]"), fields))
        }
        Value::Object(entries) => {
            for (name, value) in entries {
                let path = format!("{path}{}{name}", if path.is_empty() { "" } else { "." });
                collect(value, &path.replace("summary.white.", "summary.black."), fields);
                fields.insert(path.replace("summary.white.", "summary.black."));
            }
        }
        _ => {}
    }
}

/// Returns the fields that a command prints, in one value or in one per line.
fn printed(arguments: &[&str]) -> Fields {
    let mut fields = Fields::new();
    let ended = run(arguments, b"");
    for line in ended.out.lines() {
        collect(&serde_json::from_str(line).unwrap(), "", &mut fields);
    }
    assert!(!fields.is_empty(), "{arguments:?}: {}", ended.err);
    fields
}

fn check(document: &str, heading: &str, commands: &[&[&str]], unseen: &[&str]) {
    let mut fields: Fields = unseen.iter().map(|&name| name.to_owned()).collect();
    for command in commands {
        fields.extend(printed(command));
    }
    assert_eq!(documented(document, heading), fields, "{document}.md, {heading}");
}

#[test]
fn fields_of_analyze() {
    let folder = Folder::new("json").unwrap();
    let [named, invalid, mistaken] =
        ["named.ggf", "invalid.txt", "mistaken.ggf"].map(|name| folder.name(name));
    fs::write(&named, "(;GM[Othello]PB[a]PW[b]RE[+2.00]TY[8]B[F5]W[D6];)").unwrap();
    fs::write(&invalid, "f5a1\n").unwrap();
    let command = [
        "analyze", GAMES, &named, &invalid, "--depth", "1", "--exact", "3", "--time", "60", "--nodes",
        "1000000", "--book", "built-in", "--given", "1",
    ];
    fs::write(&mistaken, MISTAKEN).unwrap();
    let explained = ["analyze", &mistaken, "--depth", "12", "--reasons"];
    check("analyze", "Fields of JSON", &[&command, &explained], &[]);
}

#[test]
fn fields_of_other_commands() {
    let folder = Folder::new("json").unwrap();
    let [suite, scored, book] = ["suite.obf", "scored.obf", "a.book"].map(|name| folder.name(name));
    let position = "OOOOOOXXOOXOOXXXOXOXOXXXOOXXXOXXOOXXXXOX-OXXXXOXO--XXOOX--XXX-OO X;";
    fs::write(&suite, format!("{position} A6:+0;\nnothing\n")).unwrap();
    fs::write(&scored, format!("{position} A6:+0; F8:-10;\n")).unwrap();
    check("json", "`outflank hint`", &[&["hint", &suite, "--depth", "1", "--json"]], &[]);
    check("json", "`outflank solve`", &[&["solve", &suite, "--json"]], &[]);
    check("json", "`outflank bench`", &[&["bench", "--json"]], &[]);
    let mistaken = folder.name("mistaken.ggf");
    fs::write(&mistaken, MISTAKEN).unwrap();
    let reasons = ["bench", "reasons", &mistaken, "--depth", "12", "--deeper", "0", "--json"];
    check("json", "`outflank bench reasons`", &[&reasons], &[]);
    let accuracy = |depth| run(&["bench", "accuracy", &scored, "--depth", depth, "--json"], b"");
    let one: Value = serde_json::from_str(&accuracy("1").out).unwrap();
    let several: Value = serde_json::from_str(&accuracy("1,2").out).unwrap();
    let mut fields = Fields::new();
    collect(&one, "", &mut fields);
    assert_eq!(several["searches"].as_array().unwrap().len(), 2);
    assert!(several["residual"].is_number());
    fields.insert("searches".to_owned());
    assert_eq!(documented("json", "`outflank bench accuracy`"), fields);
    let built = run(&["book", "build", GAMES, "--book", &book, "--plies", "2", "--depth", "1"], b"");
    assert_eq!(built.code, Some(0), "{}", built.err);
    check("json", "`outflank book query`", &[&["book", "query", "--book", &book, "--json"]], &[]);
    let solved = ["threads", "nodes", "seconds", "agrees"].map(|name| format!("solved[].{name}"));
    let memory = ["memory_gib"];
    let unseen: Vec<&str> = solved.iter().map(String::as_str).chain(memory).collect();
    check("json", "`outflank doctor`", &[&["doctor", "--quick", "--json"]], &unseen);
    let program = outflank_tests::spawned::program().unwrap().to_string_lossy().into_owned();
    let player = format!("{program} nboard --book none");
    check(
        "json",
        "`outflank match`",
        &[&["match", &player, &player, "--games", "2", "--depth", "1", "--json", "--sprt", "0,5"]],
        &["sprt_accepted"],
    );
}
