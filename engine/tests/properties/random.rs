//! Seeded random numbers, boards and games.

use outflank::board::{Bitboard, Board, Move, Status};
use outflank::game::Game;
use outflank::random;

pub(crate) struct Random(random::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(random::Random::new(seed))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u32) as usize
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

    /// A legal move of the last position of a game. `None` if the game is over.
    pub(crate) fn legal_move(&mut self, game: &Game) -> Option<Move> {
        legal_move(&mut self.0, game, u32::MAX)
    }

    /// A game of random moves from the usual start, at most `plies` long.
    pub(crate) fn game(&mut self, plies: usize) -> Game {
        random_game(&mut self.0, plies, u32::MAX)
    }
}

fn legal_move(random: &mut random::Random, game: &Game, choices: u32) -> Option<Move> {
    let moves = game.position().moves();
    match game.position().status() {
        Status::Over => None,
        Status::MustPass => Some(Move::Pass),
        Status::ToMove => {
            moves.into_iter().nth(random.below(moves.count().min(choices)) as usize).map(Move::Place)
        }
    }
}

/// A game of at most `plies` moves. Each is one of the first `choices` legal moves of its position.
pub(crate) fn random_game(random: &mut random::Random, plies: usize, choices: u32) -> Game {
    let mut game = Game::default();
    while game.plies() < plies {
        let Some(mv) = legal_move(random, &game, choices) else { break };
        game.play(mv).expect("a legal move");
    }
    game
}
