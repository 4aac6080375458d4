//! A position of a book: its key, and what the book knows about it, also in the form of stored bytes.

use std::hash::Hasher;

use crate::board::{Bitboard, Board, Color, Position, Square, Symmetry};
use crate::notation::book::BookValue;
use crate::notation::squares;
use crate::score::{Discs, Score};

/// A canonical board. Keys are ordered by the number of discs: in descending order, children come before parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; Key::SIZE]);

/// Hash of a key. The default of the library takes several times as long.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A position of a book. Its values are for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Value that was given to the position itself.
    pub own: Option<OwnValue>,
    /// Value that follows from the positions after it and from its own. `None` if there is none, or until it is backed up.
    pub value: Option<BackedUpValue>,
    /// Number of games or lines that contain the position.
    pub games: u32,
}

/// Value that was given to a position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnValue {
    /// The value for the side to move.
    pub score: Score,
    /// The value is the proven final score of the position. Otherwise it is the value of the best move that is not in the book.
    pub exact: bool,
    /// The move of the value, on the canonical board. `None` if it is not known.
    pub best: Option<Square>,
    /// Depth or level of the search, 0 if it is not known.
    pub depth: u8,
}

/// Value of a position at any contempt: a minimax of constants and of the value of a draw is the value of a draw, limited by
/// two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackedUpValue {
    /// Value in centidiscs if a draw is the worst result.
    pub(super) low: i16,
    /// Value in centidiscs if a draw is the best result. Equal to `low` if no draw can be reached.
    pub(super) high: i16,
    /// The line of the value ends in a final score.
    pub exact: bool,
    /// The value is proven, and not only the best one known.
    pub proven: bool,
}

impl Key {
    /// Number of bytes.
    pub const SIZE: usize = 17;

    /// Returns the key of a position that is not a forced pass, and the symmetry that leads to its canonical board.
    pub fn of(board: Board) -> (Key, Symmetry) {
        let (board, symmetry) = board.canonical();
        (Key::canonical(board), symmetry)
    }

    fn canonical(board: Board) -> Key {
        let mut bytes = [0; Key::SIZE];
        bytes[0] = (64 - board.empties()) as u8;
        bytes[1..9].copy_from_slice(&board.player.0.to_be_bytes());
        bytes[9..].copy_from_slice(&board.opponent.0.to_be_bytes());
        Key(bytes)
    }

    /// Returns the board.
    pub fn board(&self) -> Board {
        let half = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&self.0[at..at + 8]);
            Bitboard(u64::from_be_bytes(bytes))
        };
        Board { player: half(1), opponent: half(9) }
    }

    /// Returns the number of discs.
    pub fn discs(&self) -> u8 {
        self.0[0]
    }

    /// Returns the bytes of the key.
    pub fn bytes(&self) -> &[u8; Key::SIZE] {
        &self.0
    }

    /// Returns the key with these bytes, which may be invalid.
    pub fn from_bytes(bytes: &[u8; Key::SIZE]) -> Key {
        Key(*bytes)
    }

    /// Returns `true` if the bytes are those of a canonical board.
    pub fn is_valid(&self) -> bool {
        let board = self.board();
        (board.player & board.opponent).is_empty() && Key::of(board).0 == *self
    }
}

impl Entry {
    /// Number of bytes.
    pub const SIZE: usize = 16;

    /// Adds games, and an own value like [`give`](Self::give).
    pub fn add(&mut self, games: u32, own: Option<OwnValue>) {
        self.games = self.games.saturating_add(games);
        if let Some(own) = own {
            self.give(own);
        }
    }

    /// Sets the own value, unless the present one is proven or deeper.
    pub fn give(&mut self, own: OwnValue) {
        if self.own.is_none_or(|old| own.exact || (!old.exact && own.depth >= old.depth)) {
            self.own = Some(own);
        }
    }

    /// Sets the own value to that of a text, unless the present one is proven and the new one is not.
    pub(super) fn replace(&mut self, value: BookValue, best: Option<Square>) {
        let BookValue { score, exact } = value;
        if exact || !self.own.is_some_and(|own| own.exact) {
            self.own = Some(OwnValue { score, exact, best, depth: 0 });
        }
    }

    /// Returns the depth of the own value in the form of the level of other programs: from 1 to 60, 1 if it is not known.
    pub fn level(&self) -> u8 {
        self.own.map_or(1, |own| own.depth.clamp(1, 60))
    }

    /// Returns the line of the text form, without its end.
    pub fn line(&self, key: &Key) -> String {
        let position = squares::write(&Position::new(key.board(), Color::Black));
        let Some(own) = self.own else { return format!("{position};") };
        let best = own.best.map(|best| format!(" {best}")).unwrap_or_default();
        if own.exact {
            format!("{position}; {:+}{best};", own.score.centidiscs() / 100)
        } else {
            format!("{position}; {:+.2}{best};", own.score.discs())
        }
    }

    /// Returns the bytes of the entry.
    pub fn to_bytes(self) -> [u8; Entry::SIZE] {
        let mut bytes = [0; Entry::SIZE];
        let mut flags = 0;
        if let Some(own) = self.own {
            flags |= 1 | (u8::from(own.exact) << 1);
            bytes[1] = own.best.map_or(64, |square| square.index() as u8);
            bytes[2] = own.depth;
            bytes[4..6].copy_from_slice(&(own.score.centidiscs() as i16).to_le_bytes());
        }
        if let Some(value) = self.value {
            flags |= 4 | (u8::from(value.exact) << 3) | (u8::from(value.proven) << 4);
            bytes[6..8].copy_from_slice(&value.low.to_le_bytes());
            bytes[8..10].copy_from_slice(&value.high.to_le_bytes());
        }
        bytes[0] = flags;
        bytes[12..].copy_from_slice(&self.games.to_le_bytes());
        bytes
    }

    /// Returns the entry with these bytes. Values outside the range of scores are limited to it.
    pub fn from_bytes(bytes: &[u8; Entry::SIZE]) -> Entry {
        let flags = bytes[0];
        let number = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]).clamp(-6400, 6400);
        let own = (flags & 1 != 0).then(|| OwnValue {
            score: Score::from_centidiscs(i32::from(number(4))),
            exact: flags & 2 != 0,
            best: Square::new(bytes[1]),
            depth: bytes[2],
        });
        let value = (flags & 4 != 0).then(|| BackedUpValue {
            low: number(6),
            high: number(8),
            exact: flags & 8 != 0,
            proven: flags & 16 != 0,
        });
        let games = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
        Entry { own, value, games }
    }
}

impl OwnValue {
    /// Returns the result of a finished game, for the side to move.
    pub fn of_end(board: Board) -> OwnValue {
        OwnValue { score: Score::from(Discs::new(board.final_score())), exact: true, best: None, depth: 60 }
    }

    /// Returns the value of a position without other values.
    pub(super) fn backed_up(self) -> BackedUpValue {
        let score = self.score.centidiscs() as i16;
        // A proven draw has the value of a draw.
        let (low, high) = if self.exact && score == 0 { (-6400, 6400) } else { (score, score) };
        BackedUpValue { low, high, exact: self.exact, proven: self.exact }
    }
}

/// Value of a draw in discs for Black: 0 for a draw, 100 for a win of Black, −100 for a win of White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contempt(pub i32);

impl Contempt {
    /// Returns the value of a draw for `side`, in centidiscs within the range of scores.
    pub fn for_side(self, side: Color) -> i32 {
        let discs = self.0.clamp(-64, 64);
        100 * side.for_black(discs)
    }
}

impl BackedUpValue {
    /// Returns the value for `side`, the side to move, and `true` if it is that of a draw.
    pub fn score(self, contempt: Contempt, side: Color) -> (Score, bool) {
        let draw = contempt.for_side(side);
        let (low, high) = (i32::from(self.low), i32::from(self.high.max(self.low)));
        (Score::from_centidiscs(draw.clamp(low, high)), low < high && (low..=high).contains(&draw))
    }

    /// Returns the value for the side to move in centidiscs, without contempt.
    pub fn centidiscs(self) -> i32 {
        i32::from(0.clamp(self.low, self.high.max(self.low)))
    }

    pub(super) fn negated(self) -> BackedUpValue {
        BackedUpValue { low: -self.high, high: -self.low, ..self }
    }

    pub(super) fn or_better(self, other: BackedUpValue) -> BackedUpValue {
        BackedUpValue {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
            exact: if self.centidiscs() >= other.centidiscs() { self.exact } else { other.exact },
            proven: self.proven && other.proven,
        }
    }
}

/// Returns the number of steps in a value, rounded half away from zero.
pub(super) fn rounded(centidiscs: i32, step: i32) -> i32 {
    (centidiscs + step / 2 * centidiscs.signum()) / step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::random_boards;

    #[test]
    fn bytes_are_reversible() {
        for board in random_boards(2).take(2_000) {
            let (key, symmetry) = Key::of(board);
            assert_eq!((key.board(), key.discs().into()), (symmetry.board(board), 64 - board.empties()));
            assert_eq!(Key::from_bytes(key.bytes()), key);
        }
        for flags in 0..64 {
            let [one, two, three, four, five, six] = std::array::from_fn(|bit| flags & 1 << bit != 0);
            let best = one.then_some(Square::new(63)).flatten();
            let own = OwnValue { score: Score::from_centidiscs(-6_399), exact: two, best, depth: 60 };
            let value = BackedUpValue { low: -6_400, high: 6_399, exact: three, proven: four };
            let entry =
                Entry { own: five.then_some(own), value: six.then_some(value), games: u32::MAX - flags };
            assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
        }
    }
}
