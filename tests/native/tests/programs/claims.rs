//! Values that `outflank analyze` marks as exact, of searches that end or are stopped. Tests of the engine check the claims of
//! reports, and the invariants of the sessions that each line states what its report states.

use std::fs;

use outflank::board::{Color, Position};
use outflank::notation::squares;
use outflank_tests::folder::Folder;
use outflank_tests::spawned::succeed;

use plain::{Random, random_board};

#[path = "../../../../engine/tests/plain/mod.rs"]
mod plain;

#[test]
fn exact_values_of_analyze_are_true() {
    let folder = Folder::new("claims");
    let mut random = Random::new(0x00a1_1ed9_e5ee_d001);
    let boards = (0..60).map(|n| random_board(&mut random, 8 + n % 5)).filter(|board| !board.is_over());
    let mut lines: Vec<String> =
        boards.map(|board| squares::write(&Position::new(board, Color::Black)) + "\n").collect();
    // The last iteration of this position takes long enough to be stopped.
    let slow = "---O----XXXXXOOO-XOXXXO-XXXOXOXO-XXOXXO-O-XOOOOO-OXXXXXXXXXXXXXX O\n";
    lines.extend(vec![slow.to_owned(); 20]);
    let file = folder.name("positions.txt");
    fs::write(&file, lines.concat()).unwrap();
    let rows = |time: &[&str]| -> Vec<serde_json::Value> {
        let options = ["analyze", &file, "--depth", "8", "--exact", "14", "--hash", "1"];
        let text = succeed(&[&options[..], time].concat());
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // Searches that end, whose values the tests of the engine compare with plain alpha-beta.
    let whole = rows(&[]);
    assert_eq!(whole.len(), lines.len());
    assert!(whole.iter().all(|row| row["positions"][0]["proof"] == "exact"));
    for time in ["0.0001", "0.001", "0.003", "0.01"] {
        for (row, whole) in rows(&["--time", time]).iter().zip(&whole) {
            let first = &row["positions"][0];
            for found in [first, &first["searched"]] {
                let is_true = found["value"] == whole["positions"][0]["value"];
                assert!(is_true || found["proof"] != "exact", "{time}: {row}");
            }
        }
    }
}
