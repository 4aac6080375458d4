//! Patterns besides the engine's: of discs, of moves, and of both.

use anyhow::{Result, anyhow};
use outflank::board::{Bitboard, Board, Square, Symmetry};
use outflank::random::scatter;

/// Most rows of a pattern. Larger tables are hashed to this number.
const MAX_ROWS: usize = 1 << 19;

/// The facts of a square that a pattern contains, and the number of their states: disc, sides that can move there, or both.
const SIGHTS: [(&str, usize); 3] = [("discs", 3), ("moves", 4), ("both", 6)];

/// A board and the moves of both sides, square by square.
pub(crate) struct Seen {
    /// For each square the state in each of [`SIGHTS`].
    digits: [[u8; 3]; 64],
}

impl Seen {
    /// `own` are the moves of the side to move, `other` those of the opponent if it were to move.
    pub(crate) fn of(board: Board, own: Bitboard, other: Bitboard) -> Seen {
        let mut digits = [[0; 3]; 64];
        for (n, digits) in digits.iter_mut().enumerate() {
            let bit = |set: Bitboard| (set.0 >> n & 1) as u8;
            let discs = bit(board.player) + 2 * bit(board.opponent);
            let moves = bit(own) + 2 * bit(other);
            *digits = [discs, moves, if discs > 0 { 3 + discs } else { moves }];
        }
        Seen { digits }
    }
}

/// A pattern with all its instances.
pub(crate) struct Pattern {
    /// The index in [`SIGHTS`].
    sight: usize,
    /// Squares of each instance, in the order of the first.
    instances: Vec<Vec<Square>>,
    /// The orders in which an instance can be read: one per mirror image onto itself.
    orders: Vec<Vec<usize>>,
    hashed: bool,
    /// Rows of its table.
    pub(crate) rows: usize,
}

impl Pattern {
    /// Reads `discs:`, `moves:` or `both:` and the squares of an instance.
    pub(crate) fn parse(text: &str) -> Result<Pattern> {
        let wrong = || anyhow!("--more: `{text}` is not discs:, moves: or both: and squares");
        let (sight, squares) = text.split_once(':').ok_or_else(wrong)?;
        let sight = SIGHTS.iter().position(|(name, _)| *name == sight.trim()).ok_or_else(wrong)?;
        let squares: Vec<Square> = squares
            .split_whitespace()
            .map(|word| word.parse().map_err(|_| wrong()))
            .collect::<Result<_>>()?;
        if squares.is_empty() || squares.len() > 16 {
            return Err(wrong());
        }
        let mut instances: Vec<Vec<Square>> = Vec::new();
        let mut orders = Vec::new();
        for symmetry in Symmetry::all() {
            let image: Vec<Square> = squares.iter().map(|&square| symmetry.square(square)).collect();
            let set =
                |squares: &[Square]| squares.iter().fold(0, |set, square| set | 1_u64 << square.index());
            if !instances.iter().any(|other| set(other) == set(&image)) {
                instances.push(image.clone());
            }
            let place = |square: &Square| squares.iter().position(|other| other == square);
            orders.extend(image.iter().map(place).collect::<Option<Vec<usize>>>());
        }
        let states = SIGHTS[sight].1.checked_pow(squares.len() as u32).unwrap_or(usize::MAX);
        Ok(Pattern { sight, instances, orders, hashed: states > MAX_ROWS, rows: states.min(MAX_ROWS) })
    }

    pub(crate) fn instances(&self) -> usize {
        self.instances.len()
    }

    /// The row of each instance: mirror images have the same.
    pub(crate) fn look<'a>(&'a self, seen: &'a Seen) -> impl Iterator<Item = usize> + 'a {
        self.instances
            .iter()
            .map(|squares| self.row(|place| u64::from(seen.digits[squares[place].index()][self.sight])))
    }

    /// The row of an instance whose squares have the states `digit`.
    #[inline(always)]
    pub(crate) fn row(&self, digit: impl Fn(usize) -> u64) -> usize {
        let states = SIGHTS[self.sight].1 as u64;
        let number = |order: &Vec<usize>| order.iter().fold(0, |sum, &place| sum * states + digit(place));
        let number = self.orders.iter().map(number).min().unwrap_or(0);
        if self.hashed { (scatter(number) % self.rows as u64) as usize } else { number as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::random_board;
    use outflank::random::Random;

    fn rows(pattern: &Pattern, board: Board) -> Vec<usize> {
        let seen = Seen::of(board, board.moves(), board.after_pass().moves());
        let mut rows: Vec<usize> = pattern.look(&seen).collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn mirror_images_have_equal_rows() {
        let mut random = Random::of_stream(4, 4);
        for (text, instances) in [
            ("discs:a1 b1 c1 d1 e1 f1 g1 h1", 4),
            ("moves:c2 d2 c3 d3 c4 d4", 8),
            ("moves:a1 b1 c1 a2 b2 c2 a3 b3 c3", 4),
            ("both:a1 b1 c1 d1 a2 b2 c2 d2", 8),
            ("both:a1 b1 c1 a2 b2 c2 a3 b3 c3 d4 e4", 8),
        ] {
            let pattern = Pattern::parse(text).unwrap();
            assert_eq!(pattern.instances(), instances, "{text}");
            for plies in 0..40 {
                let board = random_board(&mut random, 8 + plies);
                let expected = rows(&pattern, board);
                assert!(expected.iter().all(|&row| row < pattern.rows), "{text}");
                for symmetry in Symmetry::all() {
                    assert_eq!(rows(&pattern, symmetry.board(board)), expected, "{text}");
                }
            }
        }
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for text in ["", "a1 b1", "stones:a1", "moves:", "discs:a1 i9"] {
            assert!(Pattern::parse(text).is_err_and(|error| error.to_string().contains("--more")), "{text}");
        }
    }
}
