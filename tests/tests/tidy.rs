//! Rules for the sources: which module may import which, and what the engine must not use.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// A module imports only itself and modules before it.
const ORDER: [&str; 14] = [
    "random", "square", "bitboard", "kernel", "board", "score", "game", "notation", "book", "eval", "search",
    "analysis", "session", "driver",
];

/// Words that the engine must not contain.
const FORBIDDEN: &str = "println!|eprintln!|print!(|eprint!(|dbg!|Instant|SystemTime|std::env|std::fs|std::thread|\
    thread::|thread_local!|static mut|LazyLock|OnceLock|stdin()|stdout()|process::exit";

/// Modules that read input of other programs and users.
const READERS: [&str; 4] = ["game", "notation", "book", "session"];

struct Source {
    path: PathBuf,
    /// The first part of the path in `src`.
    module: String,
    /// The code before the test module, without comments.
    code: Vec<String>,
    lines: Vec<String>,
}

#[test]
fn modules_import_only_earlier_modules() {
    let mut errors = Vec::new();
    for source in engine() {
        let Some(own) = place(&source.module) else { continue };
        for (line, number) in source.code.iter().zip(1..) {
            for (at, _) in line.match_indices("crate::") {
                let name = word(&line[at + "crate::".len()..]);
                if place(&name).is_some_and(|other| other > own) {
                    errors.push(format!(
                        "{}:{number}: {} imports {name}",
                        source.path.display(),
                        source.module
                    ));
                }
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn the_engine_has_no_clock_thread_or_output() {
    refuse(|_| true, &FORBIDDEN.split('|').collect::<Vec<_>>());
}

/// Lints cover the rest: `unwrap_used` everywhere, and the lints that `lib.rs` enables for these modules.
#[test]
fn readers_do_not_assert() {
    refuse(|source| READERS.contains(&source.module.as_str()), &["assert!(", "assert_eq!(", "assert_ne!("]);
}

/// The last column of the table names tests.
#[test]
fn every_fault_has_a_test() {
    let table = fs::read_to_string(root().join("cli/docs/faults.md")).unwrap();
    let tests: String = ["cli", "engine", "tests"]
        .iter()
        .flat_map(|package| sources(&root().join(package)))
        .flat_map(|source| source.lines)
        .filter(|line| line.trim_start().starts_with("fn "))
        .collect();
    let cases: String = fs::read_dir(root().join("tests/console"))
        .unwrap()
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() >= 9, "{rows:?}");
    for row in rows {
        let names = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        assert!(names.contains('`'), "no test: {row}");
        for name in names.split(", ").map(|name| name.trim_matches('`')) {
            let is_test = tests.contains(&format!("fn {name}()")) || cases.contains(&format!("\n# {name}\n"));
            assert!(is_test, "no test is named {name}");
        }
    }
}

/// Every check then also checks the minimum supported compiler.
#[test]
fn pinned_compiler_is_the_minimum() {
    let value = |file: &str, name: &str| {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let oldest = value("Cargo.toml", "rust-version = ");
    assert_eq!(value("rust-toolchain.toml", "channel = "), format!("{oldest}.0"));
}

fn refuse(judged: impl Fn(&Source) -> bool, forbidden: &[&str]) {
    let mut errors = Vec::new();
    for source in engine().into_iter().filter(judged) {
        for (line, number) in source.code.iter().zip(1..) {
            for word in forbidden.iter().filter(|word| contains(line, word)) {
                errors.push(format!("{}:{number}: {word}", source.path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// Returns `true` if `line` contains `word`, except as the end of a longer name: `debug_assert!` does not contain `assert!`.
fn contains(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == module)
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn engine() -> Vec<Source> {
    let sources = sources(&root().join("engine/src"));
    assert!(sources.len() > 20, "the engine's sources are found");
    sources
}

fn sources(folder: &Path) -> Vec<Source> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<_> = text.lines().map(str::to_owned).collect();
            let code = code(&path, &lines);
            let module = path.strip_prefix(folder).unwrap().iter().next().unwrap().to_string_lossy();
            let module = module.trim_end_matches(".rs").to_owned();
            Source { path: path.strip_prefix(root()).unwrap().to_owned(), module, code, lines }
        })
        .collect()
}

/// Returns the lines without comments, up to the tests at the end of the file. Returns no lines for a file that its parent
/// declares as a test module.
fn code(path: &Path, lines: &[String]) -> Vec<String> {
    let name = path.file_stem().unwrap().to_string_lossy();
    let parent = fs::read_to_string(path.with_file_name("mod.rs")).unwrap_or_default();
    if parent.contains(&format!("#[cfg(test)]\nmod {name};\n")) {
        return Vec::new();
    }
    let ends = |index: usize| {
        lines[index].trim() == "#[cfg(test)]" && !lines.get(index + 1).is_some_and(|next| next.ends_with(';'))
    };
    let end = (0..lines.len()).find(|&index| ends(index)).unwrap_or(lines.len());
    lines[..end].iter().map(|line| line.split("//").next().unwrap_or_default().to_owned()).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules" && name != "target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
