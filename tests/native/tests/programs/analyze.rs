//! `outflank analyze` and `solve` with lines: answers at once, and certain losses. `tests/native/console/analyze.txt` has the rest.

use std::fs;

use outflank_tests::folder::Folder;
use outflank_tests::games::random_games;
use outflank_tests::spawned::{Spawned, run};

#[test]
fn each_line_is_answered_at_once() {
    for (arguments, faults) in [
        ("analyze - --depth 2", "\"error\":"),
        ("analyze - --depth 2 --format ggf --jobs 3", "% "),
        ("solve - --json", "\"error\":"),
        ("solve -", " | "),
    ] {
        let mut child = Spawned::new(arguments.split(' '));
        // A client that waits for each answer receives it.
        for line in [
            "e6f4e3f6g5d6e7f5c5",
            "",
            "hello",
            "-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO X; ",
            "(;GM[Othello]TY[8]B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)",
            "OXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX- O",
        ] {
            child.send(line);
            let answer = child.next_line().unwrap();
            let is_invalid = line.is_empty() || line == "hello";
            assert!(!is_invalid || answer.contains(faults), "{arguments}: {line}: {answer}");
            let is_error = answer.contains("error") || answer.starts_with('%');
            assert!(arguments.starts_with("solve") || is_error == is_invalid, "{line}: {answer}");
        }
        // Two lines could not be read.
        assert_eq!(child.leave(), Some(1));
        assert_eq!(child.rest(), [""; 0]);
    }
}

/// At most 1 in 100 at depths of 4 plies and more (`train/RESULTS.md`).
#[test]
#[ignore = "release: searches 40 games four times"]
fn a_certain_loss_is_almost_never_above_the_exact_one() {
    let folder = Folder::new("certain");
    let file = folder.name("games.txt");
    fs::write(&file, random_games(40, 68, 60, 64).join("\n")).unwrap();
    let losses = |options: &[&str]| {
        let lines = run(&[&["analyze", &file], options].concat()).out;
        let rows = lines.lines().flat_map(|line| {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            game["losses"].as_array().unwrap().clone()
        });
        rows.map(|row| (row["exact"].as_bool().unwrap(), row["loss"].as_f64(), row["at_least"].as_f64()))
            .collect::<Vec<_>>()
    };
    let scores = losses(&["--depth", "1", "--exact", "16"]);
    let (mut given, mut false_ones) = (0, 0);
    for depth in ["4", "5", "6"] {
        for ((exact, _, least), (is_score, score, _)) in losses(&["--depth", depth]).iter().zip(&scores) {
            if let (Some(least), false, true) = (least, exact, is_score) {
                given += 1;
                false_ones += usize::from(*least > score.unwrap());
            }
        }
    }
    assert!(given >= 100 && 100 * false_ones <= given, "{false_ones} of {given}");
}
