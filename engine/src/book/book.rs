//! An opening book: what is known of positions beforehand.
//!
//! Every line of a book ends in a value ([`book`]), which is backed up along the lines by minimax: a position is
//! worth what the best of its known moves is worth. What the book does not know of it cannot judge, so a value is
//! proven only where all moves are known or the book says so. A move in the book that has no value bounds nothing: unless
//! the position has a value of its own, it has none either.
//!
//! A book is read from a text, or is a [`Shelf`] that a host lends: then the host keeps the values backed up, and adds
//! what is learnt.
//!
//! Symmetric positions are one, and so are positions with exchanged colours. A forced pass is no position of its own.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Shelf;
use crate::board::{Board, Color, Move, Position, Square, Status};
use crate::game::Game;
use crate::notation::ReadError;
use crate::notation::book::{self, BookValue, Entry};
use crate::score::Score;

/// Known positions, and the text they were read from or the store they stand in.
#[derive(Clone, Debug, Default)]
pub struct Book {
    text: Vec<u8>,
    nodes: HashMap<Board, Node>,
    shelf: Option<Arc<dyn Shelf>>,
}

/// What a draw is held for, in discs for Black: 0 for a draw, 100 for a win of Black, −100 for one of White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contempt(pub i32);

/// A move of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The moves of the book from here on, the move first.
    pub line: Vec<Move>,
    /// What it is worth to the side to move; a draw is worth what it is held for.
    pub score: Score,
    /// Whether it leads to a draw.
    pub draw: bool,
    /// Whether the value is proven, and not only the best that is known.
    pub proven: bool,
    /// Number of lines of the book that contain it.
    pub games: u32,
    /// Whether the line ends in a final score.
    exact: bool,
}

/// The game cannot be learnt: it is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Node {
    /// What the book says of it, for the mover.
    given: Option<BookValue>,
    games: u32,
}

/// What a position is worth to its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    score: i32,
    draw: bool,
    exact: bool,
    proven: bool,
}

type Memo = HashMap<(Board, Color), Option<Worth>>;

impl Book {
    /// Reads a book.
    ///
    /// # Errors
    /// For the first faulty line.
    pub fn read(text: &str) -> Result<Book, ReadError> {
        Book::from_bytes(text.as_bytes().to_vec())
    }

    /// Reads a book in whatever encoding: moves, values and tags are ASCII in all of them, and every line stays as it is.
    ///
    /// # Errors
    /// For the first faulty line.
    pub fn from_bytes(text: Vec<u8>) -> Result<Book, ReadError> {
        let entries = book::read(&String::from_utf8_lossy(&text))?;
        let mut book = Book { text, ..Book::default() };
        for entry in entries {
            book.add(&entry);
        }
        Ok(book)
    }

    /// The book of a store.
    pub fn lent(shelf: Arc<dyn Shelf>) -> Book {
        Book { shelf: Some(shelf), ..Book::default() }
    }

    /// Whether it is a store that a host lends, which adds what is learnt.
    pub fn is_lent(&self) -> bool {
        self.shelf.is_some()
    }

    /// The text of the book, with what was learnt, as the bytes it was read from.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.shelf.as_ref().map_or(self.nodes.len(), |shelf| shelf.len())
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a finished game to a text; whether it was new.
    ///
    /// # Errors
    /// Where the game is not over.
    pub fn learn(&mut self, game: &Game) -> Result<bool, Unfinished> {
        let line = book::write(game).ok_or(Unfinished)?;
        let mut lines = self.text.split(|&byte| byte == b'\n');
        let end: &[u8] =
            if lines.next().is_some_and(|first| first.ends_with(b"\r")) { b"\r\n" } else { b"\n" };
        if self.text.split(|&byte| byte == b'\n').any(|known| known.trim_ascii() == line.as_bytes()) {
            return Ok(false);
        }
        if !self.text.is_empty() && !self.text.ends_with(b"\n") {
            self.text.extend_from_slice(end);
        }
        self.text.extend_from_slice(line.as_bytes());
        self.text.extend_from_slice(end);
        let end = game.position();
        let score = crate::score::Discs::new(end.board().final_score());
        let value = BookValue::Exact(if end.side() == Color::Black { score } else { -score });
        self.add(&Entry::Line(Box::new(game.clone()), value));
        Ok(true)
    }

    /// The known moves of `position`, best first.
    pub fn moves(&self, position: &Position, contempt: Contempt) -> Vec<BookMove> {
        let mut memo = Memo::new();
        let mut moves = self.known(position, contempt, &mut memo);
        for known in &mut moves {
            self.prolong(position, contempt, &mut known.line, &mut memo);
        }
        moves
    }

    /// The move to play in `position`. Where the best known move loses and others are not known, there is none:
    /// one of those may be better.
    pub fn choice(&self, position: &Position, contempt: Contempt) -> Option<BookMove> {
        /// An estimate below this, in centidiscs, is as bad as a loss.
        const BAD: i32 = -200;
        let moves = self.moves(position, contempt);
        let complete = moves.len() == position.moves().count() as usize;
        let best = moves.into_iter().next()?;
        let score = best.score.centidiscs();
        let loses = score < BAD || best.exact && score < 0;
        (complete || !loses).then_some(best)
    }

    fn add(&mut self, entry: &Entry) {
        match entry {
            Entry::Line(game, value) => {
                let mut last = None;
                for position in game.positions() {
                    let key = key(&position.after_forced_pass());
                    if last != Some(key) {
                        self.nodes.entry(key).or_default().games += 1;
                    }
                    last = Some(key);
                }
                self.give(&game.position(), *value, Color::Black);
            }
            Entry::Position(position, own, values) => {
                self.nodes.entry(key(&position.after_forced_pass())).or_default().games += 1;
                if let Some(own) = own {
                    self.give(position, *own, position.side());
                }
                for (mv, value) in values {
                    if let Ok(child) = position.play(*mv) {
                        self.nodes.entry(key(&child.after_forced_pass())).or_default().games += 1;
                        self.give(&child, *value, position.side());
                    }
                }
            }
        }
    }

    /// Notes what `position` is worth to `side`. A proven value is not given up for an estimate.
    fn give(&mut self, position: &Position, value: BookValue, side: Color) {
        let position = position.after_forced_pass();
        let value = if position.side() == side { value } else { -value };
        let given = &mut self.nodes.entry(key(&position)).or_default().given;
        if !matches!((&given, value), (Some(BookValue::Exact(_)), BookValue::Estimate(_))) {
            *given = Some(value);
        }
    }

    /// The known moves of `position`, best first, without what follows them.
    fn known(&self, position: &Position, contempt: Contempt, memo: &mut Memo) -> Vec<BookMove> {
        let mut known = Vec::new();
        let there = match &self.shelf {
            Some(shelf) => shelf.contains(&key(position)),
            None => self.nodes.contains_key(&key(position)),
        };
        if !there {
            return known;
        }
        for square in position.moves() {
            let mv = Move::Place(square);
            let Ok(child) = position.play(mv).map(Position::after_forced_pass) else { continue };
            let Some((worth, games)) = self.worth_and_games(&child, contempt, memo) else { continue };
            let score = if child.side() == position.side() { worth.score } else { -worth.score };
            let Worth { draw, proven, exact, .. } = worth;
            let score = Score::from_centidiscs(score);
            known.push(BookMove { line: vec![mv], score, draw, proven, games, exact });
        }
        known.sort_by_key(|known| std::cmp::Reverse((known.score, known.games)));
        known
    }

    fn worth_and_games(
        &self,
        position: &Position,
        contempt: Contempt,
        memo: &mut Memo,
    ) -> Option<(Worth, u32)> {
        let Some(shelf) = &self.shelf else {
            let worth = self.worth(position, contempt, memo)?;
            return Some((worth, self.nodes.get(&key(position)).map_or(0, |node| node.games)));
        };
        let found = shelf.look(&key(position))?;
        let (score, draw) = found.score(contempt, position.side());
        Some((Worth { score, draw, exact: found.exact, proven: found.proven }, found.games))
    }

    /// What `position`, no forced pass, is worth; nothing when it is not in the book.
    fn worth(&self, position: &Position, contempt: Contempt, memo: &mut Memo) -> Option<Worth> {
        let key = key(position);
        if let Some(&worth) = memo.get(&(key, position.side())) {
            return worth;
        }
        let node = self.nodes.get(&key)?;
        let given = node.given.map(|value| Worth::of(value, contempt.for_side(position.side())));
        let worth = if given.is_some_and(|given| given.exact) {
            given
        } else {
            let known = self.known(position, contempt, memo);
            let complete = known.len() == position.moves().count() as usize;
            let best = known
                .first()
                .filter(|_| given.is_some() || known.len() == self.children(position))
                .map(|best| Worth {
                    score: best.score.centidiscs(),
                    draw: best.draw,
                    exact: best.exact,
                    proven: complete && known.iter().all(|known| known.proven),
                });
            match (best, given) {
                (Some(best), Some(given)) if !complete && given.score > best.score => Some(given),
                (Some(best), _) => Some(best),
                (None, given) => given,
            }
        };
        memo.insert((key, position.side()), worth);
        worth
    }

    /// Returns the number of moves that lead to positions of a text, whether they have values or not.
    fn children(&self, position: &Position) -> usize {
        let after = |square| position.play(Move::Place(square)).map(Position::after_forced_pass);
        let known = |&square: &Square| after(square).is_ok_and(|child| self.nodes.contains_key(&key(&child)));
        position.moves().into_iter().filter(known).count()
    }

    /// Goes on with the best known moves, passes included.
    fn prolong(&self, root: &Position, contempt: Contempt, line: &mut Vec<Move>, memo: &mut Memo) {
        let mut here = *root;
        for &mv in line.iter() {
            let Ok(next) = here.play(mv) else { return };
            here = next;
        }
        loop {
            let mv = match here.status() {
                Status::Over => return,
                Status::MustPass => Some(Move::Pass),
                Status::ToMove => {
                    self.known(&here, contempt, memo).first().and_then(|best| best.line.first().copied())
                }
            };
            let Some(mv) = mv else { break };
            let Ok(next) = here.play(mv) else { break };
            line.push(mv);
            here = next;
        }
        // A pass at the end leads nowhere that the book knows.
        while line.len() > 1 && line.last() == Some(&Move::Pass) {
            line.pop();
        }
    }
}

/// Books of stores are the same if the store is.
impl PartialEq for Book {
    fn eq(&self, other: &Book) -> bool {
        let shelf = match (&self.shelf, &other.shelf) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (own, others) => own.is_none() && others.is_none(),
        };
        shelf && self.text == other.text && self.nodes == other.nodes
    }
}

impl Contempt {
    /// What a draw is held for by `side`, in centidiscs within the range of scores.
    pub fn for_side(self, side: Color) -> i32 {
        let discs = self.0.clamp(-64, 64);
        100 * if side == Color::Black { discs } else { -discs }
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the game is not over")
    }
}

impl std::error::Error for Unfinished {}

impl Worth {
    fn of(value: BookValue, draw: i32) -> Worth {
        let score = value.score().centidiscs();
        match value {
            BookValue::Exact(_) if score == 0 => Worth { score: draw, draw: true, exact: true, proven: true },
            BookValue::Exact(_) => Worth { score, draw: false, exact: true, proven: true },
            BookValue::Estimate(_) => Worth { score, draw: false, exact: false, proven: false },
        }
    }
}

fn key(position: &Position) -> Board {
    position.board().canonical().0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::notation::transcript;

    fn after(moves: &str) -> Position {
        transcript::read_from(Position::START, moves).unwrap().position()
    }

    fn scores(book: &Book, position: &Position, contempt: i32) -> Vec<String> {
        let moves = book.moves(position, Contempt(contempt));
        moves.iter().map(|known| format!("{} {}", known.line[0], known.score)).collect()
    }

    #[test]
    fn values_are_backed_up_along_the_lines() {
        let book = Book::read("f5d6c3 +1.00\nf5d6c5 -2.00\nf5f6e6 +3.00\nf5f4 +5.00").unwrap();
        // White's best is d6, where Black's best is c3.
        assert_eq!(scores(&book, &after("f5"), 0), ["d6 -1.00", "f6 -3.00", "f4 -5.00"]);
        assert_eq!(scores(&book, &after("f5d6"), 0), ["c3 +1.00", "c5 -2.00"]);
        assert_eq!(scores(&book, &after("f5d6c3"), 0), [""; 0]);
        let line = &book.moves(&after("f5"), Contempt(0))[0].line;
        assert_eq!(line.iter().map(Move::to_string).collect::<String>(), "d6c3");
    }

    #[test]
    fn all_four_first_moves_are_one() {
        let book = Book::read("f5d6 -0.30").unwrap();
        let all: Vec<_> = book.moves(&Position::START, Contempt(0));
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|known| known.score == Score::from_centidiscs(-30) && known.games == 1));
        for symmetry in Symmetry::all() {
            let turned = Position::new(symmetry.board(after("f5").board()), Color::White);
            assert_eq!(book.moves(&turned, Contempt(0)).len(), 1);
        }
        assert!(book.moves(&after("f5f4"), Contempt(0)).is_empty());
    }

    #[test]
    fn a_draw_is_worth_what_it_is_held_for() {
        let book = Book::read("f5d6 +0\nf5f6 +2\nf5f4 -1.5").unwrap();
        // White to move: f4 is worth a disc and a half to White.
        assert_eq!(scores(&book, &after("f5"), 0), ["f4 +1.50", "d6 +0.00", "f6 -2.00"]);
        assert_eq!(scores(&book, &after("f5"), -10), ["d6 +10.00", "f4 +1.50", "f6 -2.00"]);
        assert_eq!(scores(&book, &after("f5"), 100), ["f4 +1.50", "f6 -2.00", "d6 -64.00"]);
        assert!(book.moves(&after("f5"), Contempt(0))[1].draw);
    }

    #[test]
    fn a_losing_move_is_not_played_while_others_are_unknown() {
        let chosen = |text: &str| {
            let book = Book::read(text).unwrap();
            book.choice(&after("f5"), Contempt(0)).map(|best| best.line[0].to_string())
        };
        assert_eq!(chosen("f5d6 +2"), None);
        assert_eq!(chosen("f5d6 +2.50"), None);
        assert_eq!(chosen("f5d6 +0.50").as_deref(), Some("d6"));
        assert_eq!(chosen("f5d6 +2\nf5f6 +4\nf5f4 +6").as_deref(), Some("d6"));
        assert_eq!(chosen("f5d6 -2\nf5f6 +4").as_deref(), Some("d6"));
    }

    #[test]
    fn a_known_move_without_a_value_bounds_nothing() {
        let open = crate::notation::squares::write(&after("f5d6"));
        let book = |own: &str| Book::read(&format!("f5f6e6 +64\n{open};{own}\n")).unwrap();
        // White may go to d6, of which nothing is known: f5 has no value.
        assert_eq!(scores(&book(""), &Position::START, 0), [""; 0]);
        assert_eq!(scores(&book(""), &after("f5"), 0), ["f6 -64.00"]);
        assert_eq!(book("").choice(&Position::START, Contempt(0)), None);
        assert_eq!(scores(&book(" +1.00;"), &Position::START, 0).len(), 4);
        assert_eq!(scores(&book(" +1.00;"), &after("f5"), 0), ["d6 -1.00", "f6 -64.00"]);
    }

    #[test]
    fn what_is_proven() {
        let proven = |text: &str| {
            let book = Book::read(text).unwrap();
            book.moves(&Position::START, Contempt(0))[0].proven
        };
        assert!(proven("f5 +0"));
        assert!(!proven("f5d6 +2"));
        assert!(proven("f5d6 +2\nf5f6 +4\nf5f4 +6"));
        assert!(!proven("f5d6 +2\nf5f6 +4\nf5f4 +6.5"));
    }

    #[test]
    fn games_are_learnt_once() {
        let mut book = Book::read("% mine").unwrap();
        let game = transcript::read("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!(book.learn(&game.prefix(4)), Err(Unfinished));
        assert_eq!(book.text(), b"% mine");
        assert_eq!(book.learn(&game), Ok(true));
        assert_eq!(book.learn(&game), Ok(false));
        assert!(book.text().starts_with(b"% mine\n(;GM[Othello]") && book.text().ends_with(b";)\n"));
        assert_eq!(Book::from_bytes(book.text().to_vec()), Ok(book.clone()));
        // Black has won; White goes another way.
        assert!(book.choice(&game.position_at(0).unwrap(), Contempt(0)).is_some());
        assert_eq!(book.choice(&game.position_at(1).unwrap(), Contempt(0)), None);
    }

    #[test]
    fn lines_stay_as_they_are_whatever_their_encoding() {
        let game = transcript::read("e6f4e3f6g5d6e7f5c5").unwrap();
        // Latin-1, Windows line ends, and no end of the last line.
        let text = b"% \xe9t\xe9 \xff\r\nf5d6 +0.50\r\n% fin\xe9".to_vec();
        let mut book = Book::from_bytes(text.clone()).unwrap();
        assert_eq!(book.learn(&game), Ok(true));
        let learnt = book.text().strip_prefix(text.as_slice()).unwrap();
        assert!(learnt.starts_with(b"\r\n(;GM[Othello]") && learnt.ends_with(b";)\r\n"), "{learnt:?}");
        assert_eq!(Book::from_bytes(book.text().to_vec()).unwrap().learn(&game), Ok(false));
    }

    /// Plain minimax over the lines as they stand, without symmetry, against the book.
    #[test]
    fn as_a_plain_minimax_has_it() {
        let lines = [
            ("f5d6c3d3c4", 120),
            ("f5d6c3f4", -80),
            ("f5d6c5f4", 40),
            ("f5f6e6d6", 300),
            ("f5f6e6f4", 250),
            ("f5f4e3d6", 90),
        ];
        let text: String = lines
            .iter()
            .map(|(moves, value)| format!("{moves} {:+.2}\n", f64::from(*value) / 100.0))
            .collect();
        fn minimax(lines: &[(&str, i32)], here: &str, black: bool) -> Option<i32> {
            if let Some((_, value)) = lines.iter().find(|(moves, _)| *moves == here) {
                return Some(*value);
            }
            let next = lines.iter().filter(|(moves, _)| moves.starts_with(here));
            let values = next.filter_map(|(moves, _)| minimax(lines, &moves[..here.len() + 2], !black));
            if black { values.max() } else { values.min() }
        }
        let book = Book::read(&text).unwrap();
        for (here, black) in
            [("f5", false), ("f5d6", true), ("f5d6c3", false), ("f5f6", true), ("f5f6e6", false)]
        {
            let best = book.moves(&after(here), Contempt(0))[0].score.centidiscs();
            assert_eq!(Some(if black { best } else { -best }), minimax(&lines, here, black), "{here}");
        }
    }
}
