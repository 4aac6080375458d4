//! Compares the values that `outflank analyze` marks as exact with plain alpha-beta, with searches that end or are stopped. Tests
//! of the engine check the claims of reports, and the invariants of the sessions that each line states what its report states.

use std::fs;

use outflank::board::{Board, Color, Position};
use outflank::notation::squares;
use outflank_tests::folder::Folder;
use outflank_tests::spawned;

use plain::{Random, plain, random_board};

#[path = "../../../engine/tests/plain/mod.rs"]
mod plain;

/// A position and its value for Black.
#[derive(Clone)]
struct Known {
    position: Position,
    value: f64,
}

impl Known {
    fn of(board: Board) -> Known {
        let side = if board.empties().is_multiple_of(2) { Color::Black } else { Color::White };
        Known {
            position: Position::new(board, side),
            value: side.for_black(f64::from(plain(board, -64, 64))),
        }
    }
}

/// Returns 40 positions with 8 to 12 empty squares.
fn positions() -> Vec<Known> {
    let mut random = Random::new(0x00a1_1ed9_e5ee_d001);
    let mut known = Vec::new();
    while known.len() < 40 {
        let board = random_board(&mut random, 8 + known.len() as u32 % 5);
        if !board.is_over() {
            known.push(Known::of(board));
        }
    }
    known
}

#[test]
fn exact_values_of_analyze_are_true() {
    let folder = Folder::new("claims").unwrap();
    let mut known = positions();
    // The last iteration of this position takes long enough to be stopped.
    let text = "---O----XXXXXOOO-XOXXXO-XXXOXOXO-XXOXXO-O-XOOOOO-OXXXXXXXXXXXXXX O";
    let slow = Known::of(squares::read(text).unwrap().board());
    known.extend(vec![slow; 20]);
    let file = folder.path("positions.txt");
    fs::write(&file, known.iter().map(|known| squares::write(&known.position) + "\n").collect::<String>())
        .unwrap();
    let mut claims = 0;
    for time in ["0.0001", "0.001", "0.003", "0.01", ""] {
        let mut arguments =
            vec!["analyze", file.to_str().unwrap(), "--depth", "8", "--exact", "14", "--hash", "1"];
        if !time.is_empty() {
            arguments.extend(["--time", time]);
        }
        let text = spawned::run(&arguments, b"").out;
        assert_eq!(text.lines().count(), known.len());
        for (line, known) in text.lines().zip(&known) {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let first = &row["positions"][0];
            for found in [first, &first["searched"]] {
                if found["proof"] == "exact" {
                    claims += 1;
                    assert_eq!(found["value"].as_f64(), Some(known.value), "{time}: {line}");
                }
            }
        }
    }
    assert!(claims >= 60, "{claims}");
}
