//! A position of the store, as bytes.

use outflank::board::{Bitboard, Board, Square, Symmetry};
use outflank::book::Shelved;
use outflank::score::{Discs, Score};

/// A canonical board. Positions with more discs come later, so that a walk back settles children before parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; Key::SIZE]);

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What the book says of it itself.
    pub given: Option<Given>,
    /// What it is worth to its mover with all that follows; nothing until that is backed up.
    pub worth: Option<Worth>,
    /// Number of games or lines that contain it.
    pub games: u32,
}

/// What the book says of a position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The value for the mover.
    pub score: Score,
    /// Whether it is the proven final score of the position. Otherwise it is what the best of the moves is worth that the
    /// book does not know.
    pub exact: bool,
    /// The move it belongs to, on the canonical board; nothing where it is not known.
    pub best: Option<Square>,
    /// Depth or level of its search; 0 where it is not known.
    pub depth: u8,
}

/// What a position is worth, if a draw is the worst of all and if it is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    pub(crate) low: i16,
    pub(crate) high: i16,
    pub(crate) exact: bool,
    pub(crate) proven: bool,
}

impl Key {
    pub(crate) const SIZE: usize = 17;

    /// The key of a position that is no forced pass, and the symmetry that leads to its canonical board.
    pub fn of(board: Board) -> (Key, Symmetry) {
        let (board, symmetry) = board.canonical();
        (Key::canonical(board), symmetry)
    }

    /// The key of a board that is canonical.
    pub(crate) fn canonical(board: Board) -> Key {
        let mut bytes = [0; Key::SIZE];
        bytes[0] = (64 - board.empties()) as u8;
        bytes[1..9].copy_from_slice(&board.player.0.to_be_bytes());
        bytes[9..].copy_from_slice(&board.opponent.0.to_be_bytes());
        Key(bytes)
    }

    /// The board.
    pub fn board(&self) -> Board {
        let half = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&self.0[at..at + 8]);
            Bitboard(u64::from_be_bytes(bytes))
        };
        Board { player: half(1), opponent: half(9) }
    }

    /// Number of discs.
    pub fn discs(&self) -> u8 {
        self.0[0]
    }

    pub(crate) fn bytes(&self) -> &[u8; Key::SIZE] {
        &self.0
    }

    pub(crate) fn from_bytes(bytes: &[u8; Key::SIZE]) -> Key {
        Key(*bytes)
    }

    /// Returns `true` if the bytes are those of a canonical board.
    pub(crate) fn is_sound(&self) -> bool {
        let board = self.board();
        (board.player & board.opponent).is_empty() && Key::of(board).0 == *self
    }
}

impl Entry {
    pub(crate) const SIZE: usize = 16;

    /// Takes a value in: a proven one is not given up for a guess, nor a deep one for a shallow one.
    pub fn give(&mut self, given: Given) {
        let better = match self.given {
            None => true,
            Some(old) => given.exact || (!old.exact && given.depth >= old.depth),
        };
        if better {
            self.given = Some(given);
        }
    }

    /// What it is worth, for a book.
    pub fn shelved(&self) -> Option<Shelved> {
        let worth = self.worth?;
        Some(Shelved {
            low: Score::from_centidiscs(i32::from(worth.low)),
            high: Score::from_centidiscs(i32::from(worth.high)),
            exact: worth.exact,
            proven: worth.proven,
            games: self.games,
        })
    }

    pub(crate) fn to_bytes(self) -> [u8; Entry::SIZE] {
        let mut bytes = [0; Entry::SIZE];
        let mut flags = 0;
        if let Some(given) = self.given {
            flags |= 1 | (u8::from(given.exact) << 1);
            bytes[1] = given.best.map_or(64, |square| square.index() as u8);
            bytes[2] = given.depth;
            bytes[4..6].copy_from_slice(&(given.score.centidiscs() as i16).to_le_bytes());
        }
        if let Some(worth) = self.worth {
            flags |= 4 | (u8::from(worth.exact) << 3) | (u8::from(worth.proven) << 4);
            bytes[6..8].copy_from_slice(&worth.low.to_le_bytes());
            bytes[8..10].copy_from_slice(&worth.high.to_le_bytes());
        }
        bytes[0] = flags;
        bytes[12..].copy_from_slice(&self.games.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Entry::SIZE]) -> Entry {
        let flags = bytes[0];
        // Numbers of a damaged file stay within the range of scores.
        let number = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]).clamp(-6400, 6400);
        let given = (flags & 1 != 0).then(|| Given {
            score: Score::from_centidiscs(i32::from(number(4))),
            exact: flags & 2 != 0,
            best: Square::new(bytes[1]),
            depth: bytes[2],
        });
        let worth = (flags & 4 != 0).then(|| Worth {
            low: number(6),
            high: number(8),
            exact: flags & 8 != 0,
            proven: flags & 16 != 0,
        });
        let games = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
        Entry { given, worth, games }
    }
}

impl Given {
    /// The result of a finished game, for its mover.
    pub fn of_end(board: Board) -> Given {
        Given { score: Score::from(Discs::new(board.final_score())), exact: true, best: None, depth: 60 }
    }

    /// The worth of a position of which nothing else is known.
    pub(crate) fn worth(self) -> Worth {
        let score = self.score.centidiscs() as i16;
        if self.exact && score == 0 {
            // A draw is worth what it is held for.
            return Worth { low: -6400, high: 6400, exact: true, proven: true };
        }
        Worth { low: score, high: score, exact: self.exact, proven: self.exact }
    }
}

impl Worth {
    /// Seen by the other side.
    pub(crate) fn turned(self) -> Worth {
        Worth { low: -self.high, high: -self.low, ..self }
    }

    /// What it is worth where a draw is a draw.
    pub(crate) fn value(self) -> i16 {
        0.clamp(self.low, self.high.max(self.low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::random::Random;

    #[test]
    fn as_bytes_and_back() {
        let mut random = Random::new(1);
        for _ in 0..2_000 {
            let (taken, side) = (random.bits(), random.bits());
            let board = Board { player: Bitboard(taken & side), opponent: Bitboard(taken & !side) };
            let (key, symmetry) = Key::of(board);
            assert_eq!(key.board(), symmetry.board(board));
            assert_eq!(u32::from(key.discs()), 64 - board.empties());
            assert_eq!(Key::from_bytes(key.bytes()), key);
            let bit = |random: &mut Random| random.below(2) == 0;
            let number = |random: &mut Random| random.below(12_801) as i32 - 6_400;
            let given = Given {
                score: Score::from_centidiscs(number(&mut random)),
                exact: bit(&mut random),
                best: Square::new(random.below(65) as u8),
                depth: random.below(61) as u8,
            };
            let worth = Worth {
                low: number(&mut random) as i16,
                high: number(&mut random) as i16,
                exact: bit(&mut random),
                proven: bit(&mut random),
            };
            let entry = Entry {
                given: bit(&mut random).then_some(given),
                worth: bit(&mut random).then_some(worth),
                games: random.bits() as u32,
            };
            assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
        }
    }
}
