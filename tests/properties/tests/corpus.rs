//! Runs each property on its inputs in `tests/fuzz/corpus`, so that an error that fuzzing found does not return.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use outflank::random::Random;
use outflank_properties::{TARGETS, archives};

/// Most bytes of all inputs together.
const MAX_BYTES: u64 = 300_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// Returns the files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_property_holds_for_its_inputs() {
    let mut broken = Vec::new();
    let mut size = 0;
    for target in TARGETS {
        let inputs = files(&folder().join("corpus").join(target.name));
        assert!(!inputs.is_empty(), "{}: no input", target.name);
        for input in inputs {
            let bytes = fs::read(&input).unwrap();
            size += bytes.len() as u64;
            if panic::catch_unwind(|| (target.check)(&bytes)).is_err() {
                broken.push(input.display().to_string());
            }
        }
    }
    assert!(broken.is_empty(), "{} inputs break their properties:\n{}", broken.len(), broken.join("\n"));
    assert!(size <= MAX_BYTES, "the inputs have {size} bytes, more than {MAX_BYTES}: remove some");
}

/// Converts random games between every pair of notations.
#[test]
fn games_pass_from_notation_to_notation() {
    let mut random = Random::new(80);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.below(2_000)).map(|_| random.below(256) as u8).collect();
        archives::archives(&bytes);
    }
}

#[test]
fn every_property_has_inputs_and_every_input_a_property() {
    let properties: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let folders = files(&folder().join("corpus"));
    let names = folders.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    assert_eq!(names.collect::<BTreeSet<String>>(), properties);
}
