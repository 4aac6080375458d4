//! Command lines with their output, in `tests/native/console`.
//!
//! `# NAME` begins a case, which has an empty folder. A line that starts with `  $ ` is a command of the shell, continued by
//! `  > `. The indented lines after it are its output, with standard error, and `? STATUS` if that is not 0.
//! `outflank_tests::pattern` describes the variable parts; `...` is any number of lines. All other lines are comments.
//!
//! `outflank` is the program. `$OUTFLANK` is its path, for commands that start it, and `$FAKE` the path of `fake_engine`. `$TESTS`
//! is the folder of this package.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, absolute};
use std::process::{Command, Stdio};

use outflank_tests::folder::{Folder, temporary};
use outflank_tests::pattern::Pattern;
use outflank_tests::spawned::program;

macro_rules! files {
    ($($(#[$attribute:meta])? $name:ident)*) => {
        const FILES: &[&str] = &[$(stringify!($name)),*];
        $(#[test] $(#[$attribute])? fn $name() { check(stringify!($name)); })*
    };
}

files! { analyze arguments books convert faults faulty #[ignore = "release: waits for programs that hang"] hanging hint matches play workflows }

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/console"))
}

#[test]
fn every_file_is_tested() {
    let names = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let names: BTreeSet<_> =
        names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert!(names.iter().eq(FILES), "{names:?}");
}

fn check(file: &str) {
    let text = fs::read_to_string(folder().join(file).with_extension("txt")).unwrap();
    let errors: Vec<String> = text.split("\n# ").skip(1).flat_map(errors_of).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
}

/// Runs the commands of a case. Returns those with another output.
fn errors_of(case: &str) -> Vec<String> {
    let folder = Folder::new("console");
    let mut lines = case.lines().filter_map(|line| line.strip_prefix("  ")).peekable();
    let mut errors = Vec::new();
    while let Some(line) = lines.next() {
        let mut command = line.strip_prefix("$ ").unwrap().to_owned();
        while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
            command = format!("{command}\n{}", &more[2..]);
        }
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push(Pattern::new(line));
        }
        let output = Command::new("sh")
            .args(["-c", &format!("outflank() {{ \"$OUTFLANK\" \"$@\"; }}; exec 2>&1; {command}")])
            .env("OUTFLANK", absolute(program()).unwrap())
            .env("FAKE", env!("CARGO_BIN_EXE_fake_engine"))
            .env("TESTS", env!("CARGO_MANIFEST_DIR"))
            .env("TMPDIR", temporary())
            .env("LC_ALL", "C")
            .current_dir(folder.as_path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let mut found = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.code() != Some(0) {
            found += &format!("? {}", output.status.code().unwrap_or(-1));
        }
        if !is_match(&expected, &found.lines().collect::<Vec<_>>()) {
            let name = case.lines().next().unwrap();
            errors.push(format!("{name}: $ {command}\n{found}"));
        }
    }
    errors
}

/// Compares lines with patterns, in which `...` matches any number of lines.
fn is_match(expected: &[Pattern], lines: &[&str]) -> bool {
    match (expected, lines) {
        ([any, rest @ ..], _) if any.text == "..." => {
            (0..=lines.len()).any(|at| is_match(rest, &lines[at..]))
        }
        ([first, rest @ ..], [line, others @ ..]) => first.matches(line) && is_match(rest, others),
        _ => expected.is_empty() && lines.is_empty(),
    }
}
