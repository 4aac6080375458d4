//! Properties for the inputs in `tests/properties/fuzz/corpus`, for spoiled copies of them and for random bytes.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use outflank::random::Random;
use outflank_properties::{TARGETS, archives, forms};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_property_holds_for_its_inputs() {
    assert_eq!(files(&folder().join("corpus")).len(), TARGETS.len(), "each folder belongs to a property");
    let mut broken = Vec::new();
    for target in TARGETS {
        let inputs = files(&folder().join("corpus").join(target.name));
        assert!(!inputs.is_empty(), "{}: no input", target.name);
        for input in inputs {
            let bytes = fs::read(&input).unwrap();
            if panic::catch_unwind(|| (target.check)(&bytes)).is_err() {
                broken.push(input.display().to_string());
            }
        }
    }
    assert!(broken.is_empty(), "{} inputs break their properties:\n{}", broken.len(), broken.join("\n"));
}

/// Random bytes for the properties that draw their games from the bytes.
#[test]
fn properties_hold_for_random_bytes() {
    let mut random = Random::new(80);
    for _ in 0..700 {
        let bytes: Vec<u8> = (0..random.below(2_000)).map(|_| random.below(256) as u8).collect();
        archives::archives(&bytes);
        archives::among_others(&bytes);
        forms::forms(&bytes);
    }
}

#[test]
fn notations_hold_for_spoiled_inputs() {
    let names =
        ["book", "ggf", "json", "names", "obf", "paste", "pgn", "positions", "sgf", "transcript", "wthor"];
    let mut random = Random::new(81);
    for target in TARGETS.iter().filter(|target| names.contains(&target.name)) {
        let inputs: Vec<Vec<u8>> = files(&folder().join("corpus").join(target.name))
            .iter()
            .map(|path| fs::read(path).unwrap())
            .filter(|bytes| bytes.len() < 5_000)
            .collect();
        for _ in 0..2_000 {
            let bytes = spoiled(&inputs, &mut random);
            let check = panic::catch_unwind(|| (target.check)(&bytes));
            assert!(check.is_ok(), "{}: {:?}", target.name, String::from_utf8_lossy(&bytes));
        }
    }
}

/// Returns an input in which up to five parts are replaced by parts of other inputs.
fn spoiled(inputs: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    const SIGNS: &[u8] = b"[](){};:/\"\\-+ \n05xfa";
    let mut pick = |end: usize| random.below(end as u32) as usize;
    let mut bytes = inputs[pick(inputs.len())].clone();
    for _ in 0..=pick(5) {
        let other = if pick(3) == 0 { SIGNS } else { &inputs[pick(inputs.len())] };
        let mut part = |length: usize, most: usize| {
            let start = pick(length + 1);
            start..length.min(start + pick(most))
        };
        let (old, new) = (part(bytes.len(), 9), part(other.len(), 40));
        drop(bytes.splice(old, other[new].iter().copied()));
    }
    bytes
}
