//! The inputs that are kept in `tests/fuzz/corpus`, each given to its property: what fuzzing has found once stays mended.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use outflank::random::Random;
use outflank_properties::{TARGETS, archives};

/// What all inputs may have together, in bytes.
const MOST: u64 = 300_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_property_holds_for_what_is_kept() {
    let mut broken = Vec::new();
    let mut size = 0;
    for target in TARGETS {
        let inputs = files(&folder().join("corpus").join(target.name));
        assert!(!inputs.is_empty(), "{}: nothing to try it with", target.name);
        for input in inputs {
            let bytes = fs::read(&input).unwrap();
            size += bytes.len() as u64;
            // What the property says of it is printed where it breaks.
            if panic::catch_unwind(|| (target.check)(&bytes)).is_err() {
                broken.push(input.display().to_string());
            }
        }
    }
    assert!(broken.is_empty(), "{} inputs break their properties:\n{}", broken.len(), broken.join("\n"));
    assert!(size <= MOST, "the inputs have {size} bytes, more than {MOST}: remove some");
}

/// Games drawn at random, through every pair of notations.
#[test]
fn games_pass_from_notation_to_notation() {
    let mut random = Random::new(80);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.below(2_000)).map(|_| random.below(256) as u8).collect();
        archives::archives(&bytes);
    }
}

/// A property without a target would not be fuzzed, an input without a property not be read.
#[test]
fn properties_targets_and_inputs_belong_together() {
    let properties: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let names = |folder: PathBuf| -> BTreeSet<String> {
        files(&folder).iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names(folder().join("corpus")), properties);
    assert_eq!(names(folder().join("fuzz_targets")), properties);
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    let bins = manifest.split("[[bin]]").skip(1);
    let bins = bins.map(|bin| bin.split('"').nth(1).unwrap().to_owned());
    assert_eq!(bins.collect::<BTreeSet<String>>(), properties);
    for name in &properties {
        let source = fs::read_to_string(folder().join("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(source.contains(&format!("::{name}(bytes)")), "{name}.rs drives another property");
    }
}
