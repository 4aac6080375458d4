//! Rules for the sources: which module may import which, and what the engine must not use.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use outflank::session::Level;
use regex::Regex;

/// A module imports only itself and modules before it.
const ORDER: [&str; 16] = [
    "random", "coder", "square", "bitboard", "kernel", "board", "score", "game", "notation", "book", "eval",
    "search", "analysis", "session", "study", "driver",
];

/// What the engine must not contain.
const FORBIDDEN: &str = r"(?x-u)\b(println!|eprintln!|print!\(|eprint!\(|dbg!|Instant|SystemTime|std::env|std::fs|std::thread|
    thread::|thread_local!|static\ mut|LazyLock|OnceLock|stdin\(\)|stdout\(\)|process::exit)";

/// Modules that read input of other programs and users.
const READERS: [&str; 5] = ["game", "notation", "book", "session", "study"];

#[test]
fn modules_import_only_earlier_modules() {
    let place = |module: &str| ORDER.iter().position(|name| *name == module);
    let imports = Regex::new(r"(?-u)crate::(\w+)").unwrap();
    refuse(|module, line| {
        let is_later = |name: &str| place(module).is_some_and(|own| place(name) > Some(own));
        imports.captures_iter(line).any(|found| is_later(&found[1]))
    });
}

#[test]
fn the_engine_has_no_clock_thread_or_output() {
    let forbidden = Regex::new(FORBIDDEN).unwrap();
    refuse(|_, line| forbidden.is_match(line));
}

/// Lints cover the rest: `unwrap_used` everywhere, and the lints that `lib.rs` enables for these modules.
#[test]
fn readers_do_not_assert() {
    let assertion = Regex::new(r"(?-u)\bassert(_eq|_ne)?!\(").unwrap();
    refuse(|module, line| READERS.contains(&module) && assertion.is_match(line));
}

/// The last column of the table names tests.
#[test]
fn every_fault_has_a_test() {
    let table = read(root().join("cli/docs/faults.md"));
    let rust = ["cli", "engine", "tests"].iter().flat_map(|package| sources(&root().join(package)));
    let cases = fs::read_dir(root().join("tests/native/console")).unwrap().map(|file| file.unwrap().path());
    let tests: String = rust.chain(cases).map(read).collect();
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let names = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for name in names.split(", ").map(|name| name.trim_matches('`')) {
            let is_test =
                [format!("fn {name}()"), format!("\n# {name}\n")].iter().any(|head| tests.contains(head));
            assert!(is_test, "no test is named {name}");
        }
    }
}

/// The page draws the moves of its opponents itself.
#[test]
fn page_has_the_levels_of_the_engine() {
    let page = read(root().join("www/js/model/opponents.js"));
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("  { id: '")).collect();
    let row = |level: Level| {
        let Level { name, loss, depth, temperature } = level;
        let temperature = temperature.map(|t| format!(", temperature: {t}")).unwrap_or_default();
        format!("  {{ id: '{name}', loss: {loss}, depth: {depth}{temperature} }},")
    };
    assert_eq!(rows, Level::ALL.map(row));
    let shares = ["COUNT_FROM = 12;", "LAST_SHARE = 0.3;"];
    assert!(shares.iter().all(|constant| page.contains(constant)));
}

/// `loom` is for the tests of the queues only.
#[test]
fn dependents_lock_no_model_checker() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["tree", "--locked", "--offline", "--package=outflank", "--target=all"]);
    let tree = String::from_utf8(cargo.arg("--edges=normal,build").output().unwrap().stdout).unwrap();
    assert!(tree.contains("arrayvec") && !tree.contains("loom"), "{tree}");
}

/// Checks all lines of the engine, except comments and tests. A line of a module is an error if `is_error` returns `true`.
fn refuse(is_error: impl Fn(&str, &str) -> bool) {
    let folder = root().join("engine/src");
    let files = sources(&folder);
    assert!(files.len() > 20, "the engine's sources are found");
    let mut errors = Vec::new();
    for path in files {
        let module = path.strip_prefix(&folder).unwrap().iter().next().unwrap().to_str().unwrap();
        for (line, number) in code(&path).iter().zip(1..) {
            if is_error(module.trim_end_matches(".rs"), line) {
                errors.push(format!("{}:{number}: {line}", path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap()
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(path).unwrap()
}

/// Returns the lines without comments, up to the tests at the end of the file. Returns no lines for a file that its parent
/// declares as a test module.
fn code(path: &Path) -> Vec<String> {
    let name = path.file_stem().unwrap().to_string_lossy();
    let parent = fs::read_to_string(path.with_file_name("mod.rs")).unwrap_or_default();
    if parent.contains(&format!("#[cfg(test)]\nmod {name};\n")) {
        return Vec::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect()
}

/// Returns the Rust files in a folder and in those below it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| match path.extension() {
        Some(extension) if extension == "rs" => vec![path],
        None if path.is_dir() && !path.ends_with("node_modules") && !path.ends_with("target") => {
            sources(&path)
        }
        _ => Vec::new(),
    };
    paths.flat_map(of).collect()
}
