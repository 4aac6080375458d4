//! Seeded random numbers, boards and games.

use outflank::board::{Bitboard, Board, Move, Status};
use outflank::game::Game;

/// The generator SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to pick moves.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end` − 1.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Any two disjoint sets of discs, reachable or not, from nearly empty to full.
    pub(crate) fn board(&mut self) -> Board {
        let mut taken = self.bits();
        match self.below(4) {
            0 => taken &= self.bits(),
            1 => taken |= self.bits(),
            2 => taken |= self.bits() | self.bits() | self.bits(),
            _ => {}
        }
        let side = self.bits();
        Board { player: Bitboard(taken & side), opponent: Bitboard(taken & !side) }
    }

    /// A legal move of the game's last position; nothing when the game is over.
    pub(crate) fn legal_move(&mut self, game: &Game) -> Option<Move> {
        let position = game.position();
        match position.status() {
            Status::Over => None,
            Status::MustPass => Some(Move::Pass),
            Status::ToMove => {
                let moves: Vec<_> = position.moves().into_iter().collect();
                Some(Move::Place(self.pick(&moves)))
            }
        }
    }

    /// A game of random moves from the usual start, at most `plies` long.
    pub(crate) fn game(&mut self, plies: usize) -> Game {
        let mut game = Game::default();
        while game.plies() < plies {
            let Some(mv) = self.legal_move(&game) else { break };
            game.play(mv).expect("a legal move");
        }
        game
    }
}
