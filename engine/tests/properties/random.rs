//! Seeded random numbers, boards, games and networks, for the unit tests as well.
#![allow(dead_code, reason = "each test program uses a part")]

use outflank::board::{Bitboard, Board, Move, Square};
use outflank::eval::{Network, Rows};
use outflank::game::Game;
use outflank::random::{self, scatter};

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

    /// A game of random moves from the usual start, at most `plies` long.
    pub(crate) fn game(&mut self, plies: usize) -> Game {
        random_game(&mut self.0, plies, usize::MAX)
    }
}

/// A game of at most `plies` moves. Each is one of the first `choices` legal moves of its position.
pub(crate) fn random_game(random: &mut random::Random, plies: usize, choices: usize) -> Game {
    let mut game = Game::default();
    while game.plies() < plies {
        let moves: Vec<Move> = game.position().legal_moves().take(choices).collect();
        let Some(&mv) = moves.get(random.below(moves.len() as u32) as usize) else { break };
        game.play(mv).expect("a legal move");
    }
    game
}

pub(crate) fn random_boards(seed: u64) -> impl Iterator<Item = Board> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || random.board())
}

/// Returns the boards of random games, each with the next move and its flips. `None` if no disc is placed.
pub(crate) fn random_games(seed: u64, games: usize) -> Vec<(Board, Option<(Square, Bitboard)>)> {
    let mut random = Random::new(seed);
    let mut boards = Vec::new();
    for _ in 0..games {
        let game = random.game(usize::MAX);
        boards.extend(game.positions().enumerate().map(|(ply, position)| {
            let board = position.board();
            let square = game.moves().get(ply).and_then(|played| played.mv.square());
            (board, square.map(|square| (square, board.flips(square))))
        }));
    }
    boards
}

/// Returns a network of numbers of every size, in which one of `every` rows is not zero.
pub(crate) fn random_network<const WIDTH: usize>(seed: u64, every: u64) -> Network<WIDTH> {
    let mut random = Random::new(seed);
    let mut network = Network::<WIDTH>::zero();
    let mut word = |most: i32| random.below(2 * most as usize + 1) as i32 - most;
    network.biases.as_flattened_mut().fill_with(|| word(90) as i16);
    for head in network.heads.iter_mut() {
        head.matrix.as_flattened_mut().fill_with(|| word(300) as i16);
        head.bias.fill_with(|| word(20_000));
        head.direct.fill_with(|| word(300) as i16);
        head.output.fill_with(|| word(2000) as i16);
        head.base = word(100_000);
    }
    for index in 0..Rows::<WIDTH>::COUNT {
        let bits = scatter(seed ^ (index as u64) << 8);
        if bits.is_multiple_of(every) {
            network.rows.set(index, std::array::from_fn(|n| (scatter(bits + n as u64) % 41) as i8 - 20));
        }
    }
    network
}
