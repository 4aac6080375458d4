//! The edges of the house: which module may import which, and what none of them may do.
//!
//! Reads the engine's sources. Only what stands before a file's test module is judged.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::{Path, PathBuf};

/// A module imports only what stands before it, and itself.
const ORDER: [&str; 13] = [
    "random", "square", "bitboard", "kernel", "board", "score", "game", "notation", "book", "eval", "search",
    "session", "driver",
];

/// Modules that read what strangers write.
const READERS: [&str; 4] = ["game", "notation", "book", "session"];

/// A longer file is asking to be split.
const LONGEST: usize = 650;

struct Source {
    path: PathBuf,
    /// The first part of the path below `src`.
    module: String,
    /// The code before the test module, comments cut off.
    code: Vec<String>,
    /// All lines as they are.
    lines: Vec<String>,
}

#[test]
fn modules_import_only_what_stands_above_them() {
    let mut faults = Vec::new();
    for source in engine() {
        let Some(own) = place(&source.module) else { continue };
        for (number, line) in numbered(&source.code) {
            for (at, _) in line.match_indices("crate::") {
                let name = word(&line[at + "crate::".len()..]);
                if place(&name).is_some_and(|other| other > own) {
                    faults.push(format!(
                        "{}:{number}: {} imports {name}",
                        source.path.display(),
                        source.module
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_engine_has_no_clock_thread_or_output() {
    let forbidden = [
        "println!",
        "eprintln!",
        "print!(",
        "eprint!(",
        "dbg!",
        "Instant",
        "SystemTime",
        "std::env",
        "std::fs",
    ]
    .into_iter()
    .chain(["std::thread", "thread::", "thread_local!", "static mut", "LazyLock", "OnceLock"])
    .chain(["stdin()", "stdout()", "process::exit"]);
    let forbidden: Vec<_> = forbidden.collect();
    refuse(|_| true, &forbidden);
}

/// Lints see to the rest: `unwrap_used` everywhere, and what the engine's `lib.rs` asks of these modules.
#[test]
fn what_reads_input_asserts_nothing() {
    refuse(|source| READERS.contains(&source.module.as_str()), &["assert!(", "assert_eq!(", "assert_ne!("]);
}

/// The table of faults names the tests that show them.
#[test]
fn every_fault_has_its_test() {
    let table = fs::read_to_string(root().join("cli/docs/faults.md")).unwrap();
    let tests: String = ["cli", "engine", "tests"]
        .iter()
        .flat_map(|package| sources(&root().join(package)))
        .flat_map(|source| source.lines)
        .filter(|line| line.trim_start().starts_with("fn "))
        .collect();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() >= 9, "{rows:?}");
    for row in rows {
        let names = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        assert!(names.contains('`'), "no test: {row}");
        for name in names.split(", ").map(|name| name.trim_matches('`')) {
            assert!(tests.contains(&format!("fn {name}()")), "no test is called {name}");
        }
    }
}

/// So every check is one of the oldest compiler that is promised.
#[test]
fn the_oldest_compiler_is_the_one_in_use() {
    let value = |file: &str, name: &str| {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let oldest = value("Cargo.toml", "rust-version = ");
    assert_eq!(value("rust-toolchain.toml", "channel = "), format!("{oldest}.0"));
}

#[test]
fn files_are_short() {
    let long: Vec<_> = ["cli", "engine", "web", "xtask", "train", "tests"]
        .iter()
        .flat_map(|package| sources(&root().join(package)))
        .filter(|source| source.lines.len() > LONGEST)
        .map(|source| format!("{}: {} lines", source.path.display(), source.lines.len()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

fn refuse(judged: impl Fn(&Source) -> bool, forbidden: &[&str]) {
    let mut faults = Vec::new();
    for source in engine().into_iter().filter(judged) {
        for (number, line) in numbered(&source.code) {
            for word in forbidden.iter().filter(|word| contains(line, word)) {
                faults.push(format!("{}:{number}: {word}", source.path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whether `line` holds `word`, not as the end of a longer name (`debug_assert!` holds no `assert!`).
fn contains(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        word.starts_with('.') || !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == module)
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn numbered(code: &[String]) -> impl Iterator<Item = (usize, &str)> {
    code.iter().enumerate().map(|(index, line)| (index + 1, line.as_str()))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn engine() -> Vec<Source> {
    let sources = sources(&root().join("engine/src"));
    assert!(sources.len() > 20, "the engine's sources are read");
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

/// The lines without comments and without tests: up to the tests at the end of the file, and none of a file that its
/// parent declares as a module of tests.
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
