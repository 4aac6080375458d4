//! Every set of kernels against the portable one, and the last flip of that one against the naive rules.

use outflank::board::{Bitboard, Color, Position, Square, Status};
use outflank::kernel::{Kernel, KernelTask, Kernels, ORDERED, Portable};

use crate::naive::Naive;
use crate::random::Random;

/// Boards to try: fewer in a debug build, and fewer still in a browser, where the tests are not optimized.
const BOARDS: u64 = if cfg!(target_arch = "wasm32") {
    20_000
} else if cfg!(debug_assertions) {
    100_000
} else {
    1_000_000
};

/// Compares one set of kernels with the portable one on random boards.
struct Compare(u64);

impl KernelTask for Compare {
    type Output = ();

    fn run<K: Kernels>(self) {
        println!("{}", K::KERNEL.name());
        let mut random = Random::new(self.0);
        for _ in 0..BOARDS {
            let board = random.board();
            let (player, opponent) = (board.player.0, board.opponent.0);
            assert_eq!(K::moves(player, opponent), Portable::moves(player, opponent), "{board:?}");
            let discs = K::discs(player, opponent);
            assert_eq!(K::sides(discs), (player, opponent), "{board:?}");
            assert_eq!(K::sides(K::passed(discs)), (opponent, player), "{board:?}");
            for square in board.empty() {
                let flips = Portable::flips(square, player, opponent);
                assert_eq!(K::flips(square, player, opponent), flips, "{square} {board:?}");
                let place = Bitboard::of(square).0;
                let expected = (flips != 0).then_some((opponent ^ flips, player ^ flips ^ place));
                let after = K::after(square, discs);
                assert_eq!(after.map(K::sides), expected, "{square} {board:?}");
                // What a move gives can be moved on, passed and taken apart as what was given.
                let Some((after, (next, other))) = after.zip(expected) else { continue };
                let reply = Square::new(random.below(64) as u8).expect("below 64");
                assert_eq!(K::flips_among(reply, after), Portable::flips(reply, next, other));
                assert_eq!(K::sides(K::passed(after)), (other, next));
            }
            let bytes = random.bits() as u32;
            let places = [(); 4].map(|()| [(); 4].map(|()| random.below(4) as u8));
            let words = places
                .map(|word| u32::from_le_bytes(word.map(|place| bytes.to_le_bytes()[usize::from(place)])));
            assert_eq!(K::shuffled(bytes, &places), words, "{bytes:x} {places:?}");
            // Of many moves, of few, of an odd number of them: all pairs of squares meet in time.
            let moves = board.empty().0 & random.bits() & random.bits();
            let mut replies = Vec::new();
            K::replies(moves, player, opponent, |square, reply| replies.push((square, reply)));
            let mut expected = Vec::new();
            Portable::replies(moves, player, opponent, |square, reply| expected.push((square, reply)));
            assert_eq!(replies, expected, "{board:?}");
            // Keys with their places; some are taken already.
            let mut keys: [u16; ORDERED] = std::array::from_fn(|place| {
                let key = (random.bits() as u16) & !(15 << 6) | (place as u16) << 6;
                if random.below(4) == 0 { u16::MAX } else { key }
            });
            let mut sorted = keys;
            sorted.sort_unstable();
            assert_eq!([(); ORDERED].map(|()| K::take_lowest(&mut keys)), sorted);
            assert_eq!(keys, [u16::MAX; ORDERED]);
            let square = Square::new((random.bits() & 63) as u8).expect("below 64");
            let discs = random.bits() & !Bitboard::of(square).0;
            let expected = Portable::last_flips(square, discs);
            assert_eq!(K::last_flips(square, discs), expected, "{square} {:?}", Bitboard(discs));
            let (set, others) = (Bitboard(discs), !discs & !Bitboard::of(square).0);
            let expected = Portable::last_score(square, (discs, others));
            assert_eq!(K::last_score(square, K::discs(discs, others)), expected, "{square} {set:?}");
            let count = set.count() + (set & Bitboard::CORNERS).count();
            assert_eq!(K::count_with_corners(discs), count, "{set:?}");
        }
    }
}

#[test]
pub(crate) fn every_kernel_equals_the_portable_one() {
    for (seed, &kernel) in Kernel::available().iter().enumerate() {
        kernel.dispatch(Compare(seed as u64 + 10));
    }
}

#[test]
pub(crate) fn last_flips_and_score_equal_the_naive_ones() {
    let mut random = Random::new(20);
    for square in Square::all() {
        for _ in 0..500 {
            let hole = Bitboard::of(square);
            // Full boards of all mixtures: a run of flips needs many discs of the opponent.
            let mut player = Bitboard(random.bits());
            for _ in 0..random.below(3) {
                player &= Bitboard(random.bits());
            }
            player &= !hole;
            let opponent = !(player | hole);
            let position = Position::from_discs(player, opponent, Color::Black).expect("disjoint");
            let naive = Naive::of(&position);
            let twice = 2 * naive.flips(square).len() as u32;
            assert_eq!(Portable::last_flips(square, player.0), twice, "{square} {player:?}");
            let score = match naive.status() {
                Status::ToMove => -naive.after_move(square).final_score(),
                Status::MustPass => naive.after_pass().after_move(square).final_score(),
                Status::Over => naive.final_score(),
            };
            assert_eq!(Portable::last_score(square, (player.0, opponent.0)), score, "{square} {player:?}");
        }
    }
}
