//! Overlays of the board: facts of the rules, not judgments.

use outflank::board::Bitboard;
use serde::Serialize;

use super::error::RulesError;
use super::look::{indices, read};

/// Squares by what they are, 0 (a1) to 63 (h8).
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Overlays {
    mobility: Mobility,
    /// Discs next to an empty square.
    frontier: Vec<usize>,
    /// Discs that no moves can flip, by their full lines and stable neighbors.
    stable: Vec<usize>,
    /// The connected regions of empty squares.
    regions: Vec<Vec<usize>>,
    /// Discs of the side to move that the other side would flip if it were to move.
    threats: Vec<usize>,
}

/// Legal squares of both sides.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Mobility {
    own: Vec<usize>,
    theirs: Vec<usize>,
}

pub(super) fn overlays(text: &str) -> Result<Overlays, RulesError> {
    let board = read(text)?.board();
    let passed = board.after_pass();
    let threats = passed.moves().into_iter().fold(Bitboard::EMPTY, |all, square| all | passed.flips(square));
    let discs = board.player | board.opponent;
    Ok(Overlays {
        mobility: Mobility { own: indices(board.moves()), theirs: indices(passed.moves()) },
        frontier: indices(discs & board.empty().dilated()),
        stable: indices(board.stable()),
        regions: board.empty().regions().map(indices).collect(),
        threats: indices(threats),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_has_one_region_and_no_stable_disc() {
        let seen = overlays("---------------------------OX------XO---------------------------X").unwrap();
        assert_eq!(seen.regions.iter().map(Vec::len).collect::<Vec<_>>(), [60]);
        assert!(seen.stable.is_empty());
        assert_eq!(seen.frontier, [27, 28, 35, 36]);
        assert_eq!(seen.mobility.own.len(), 4);
        assert_eq!(seen.threats, [28, 35]);
    }

    #[test]
    fn discs_are_stable_and_separate_regions() {
        for (edge, stable) in [("XX-O----", vec![0, 1]), ("XOOXXOXO", (0..8).collect())] {
            assert_eq!(overlays(&format!("{edge}{}X", "-".repeat(56))).unwrap().stable, stable, "{edge}");
        }
        let position = format!("-{}--O", "X".repeat(61));
        assert_eq!(overlays(&position).unwrap().regions, [vec![0], vec![62, 63]]);
    }
}
