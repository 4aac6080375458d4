//! Questions to a book.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use super::changes::{Changes, Nodes};
use super::entry::{Contempt, Entry, Key, KeyHasher};
use super::imported::imported;
use crate::board::{Color, Move, Position, Status};
use crate::game::Game;
use crate::notation::foreign::ForeignEntry;
use crate::notation::{ReadError, book};
use crate::score::Score;

/// A book of positions with backed up values.
#[derive(Clone, Debug)]
pub struct Book(Arc<dyn BookStore>);

/// Positions of a book, which a host may store: the engine uses no files.
pub trait BookStore: fmt::Debug + Send + Sync {
    /// Returns a position, `None` if it is not in the book or cannot be read.
    fn look_up(&self, key: &Key) -> Option<Entry>;

    /// Returns the number of positions.
    fn len(&self) -> usize;

    /// Returns `true` if the book has no positions.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A move of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, and the best moves of the book after it.
    pub line: Vec<Move>,
    /// The value for the side to move, with the value of a draw by [`Contempt`].
    pub score: Score,
    /// The value is that of a draw.
    pub draw: bool,
    /// The value is proven, and not only the best one known.
    pub proven: bool,
    /// Number of lines of the book that contain the move.
    pub games: u32,
    /// The line ends in a final score.
    exact: bool,
}

impl BookMove {
    /// Returns `true` if the move loses, so that an unknown one may be better.
    pub(crate) fn loses(&self) -> bool {
        /// An estimate below this value, in centidiscs, counts as a loss.
        const LOSS: i32 = -200;
        let score = self.score.centidiscs();
        score < LOSS || self.exact && score < 0
    }
}

/// What a player must know of an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToKnow {
    /// Positions in which the player must know the move.
    pub positions: usize,
    /// Positions of lines that leave the book, so that more may have to be known.
    pub outside: usize,
}

impl Book {
    /// Reads a text.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn read(text: &str) -> Result<Book, ReadError> {
        Ok(Book::from_store(Arc::new(MemoryStore::read(text)?)))
    }

    /// Returns the book of a store.
    pub fn from_store(store: Arc<dyn BookStore>) -> Book {
        Book(store)
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a position. `None` if it is not in the book.
    pub fn look_up(&self, key: &Key) -> Option<Entry> {
        self.0.look_up(key)
    }

    /// Returns the known moves of `position`, best first: those that lead to positions of the book, and that of its own value.
    pub fn moves(&self, position: &Position, contempt: Contempt) -> Vec<BookMove> {
        let mut moves = self.known(position, contempt);
        for known in &mut moves {
            self.extend(position, contempt, &mut known.line);
        }
        moves
    }

    /// Returns the best move of `position`, with the value of the position. `None` if another move may be better: the book has no
    /// value of some moves, nor of the best of them.
    pub fn best(&self, position: &Position, contempt: Contempt) -> Option<BookMove> {
        let here = self.look_up(&Key::of(position.board()).0)?;
        let known = self.known(position, contempt);
        let is_complete = here.own.is_some() || known.len() == position.moves().count() as usize;
        let mut best = self.principal(position, contempt, known).filter(|_| is_complete)?;
        self.extend(position, contempt, &mut best.line);
        Some(BookMove { proven: here.value?.proven, ..best })
    }

    /// Returns the best of the `known` moves if the value of the position is that of this move, and proven only if that is.
    fn principal(&self, position: &Position, contempt: Contempt, known: Vec<BookMove>) -> Option<BookMove> {
        let value = self.look_up(&Key::of(position.board()).0)?.value?;
        let best = known.into_iter().next()?;
        let is_value = best.score == value.score(contempt, position.side()).0;
        (is_value && (best.proven || !value.proven)).then_some(best)
    }

    /// Returns the values of `position` and of the positions after its known moves, for their sides to move. The position after a move
    /// need not be in the book. Its line is empty then, like that of a position without a known move.
    pub fn values(&self, position: &Position, contempt: Contempt) -> Vec<(Position, BookMove)> {
        let known = self.moves(position, contempt);
        let own =
            if known.is_empty() { self.leaf(position, contempt) } else { self.best(position, contempt) };
        let mut values: Vec<_> = own.map(|own| (*position, own)).into_iter().collect();
        for (square, after) in position.successors() {
            let Some(known) = known.iter().find(|known| known.line[0] == Move::Place(square)) else {
                continue;
            };
            let score = if after.side() == position.side() { known.score } else { -known.score };
            values.push((after, BookMove { line: known.line[1..].to_vec(), score, ..known.clone() }));
        }
        values
    }

    /// Returns the value of a position without known moves.
    fn leaf(&self, position: &Position, contempt: Contempt) -> Option<BookMove> {
        let Entry { value, games, .. } = self.look_up(&Key::of(position.board()).0)?;
        let value = value?;
        let (score, draw) = value.score(contempt, position.side());
        Some(BookMove { line: Vec::new(), score, draw, proven: value.proven, games, exact: value.exact })
    }

    /// Returns the move to play in `position`. `None` if the best known move loses and an unknown one may be better.
    pub fn choice(&self, position: &Position, contempt: Contempt) -> Option<BookMove> {
        self.choices(position, contempt, Score::ZERO).into_iter().next()
    }

    /// Returns the known moves that are at most `window` worse than the best one, best first. Empty if the best one loses and an
    /// unknown move may be better.
    pub fn choices(&self, position: &Position, contempt: Contempt, window: Score) -> Vec<BookMove> {
        let mut moves = self.moves(position, contempt);
        let is_complete = moves.len() == position.moves().count() as usize;
        let Some(best) = moves.first() else { return moves };
        let (least, best_loses) = (best.score - window, best.loses());
        if best_loses && !is_complete {
            return Vec::new();
        }
        moves.retain(|known| known.score >= least && (best_loses || !known.loses()));
        moves
    }

    /// Counts the positions that `side` must know to play `game` and then the best moves of the book against all replies that lose at
    /// most `window`, within the first `plies` moves.
    pub fn to_know(&self, game: &Game, side: Color, window: Score, plies: u8) -> ToKnow {
        type Keys<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;
        let key = |position: &Position| Key::of(position.board()).0;
        let positions: Vec<_> = game.positions().map(|position| position.after_forced_pass()).collect();
        let own_turns = positions.windows(2).filter(|pair| pair[0].side() == side);
        let line: Keys<Key> = own_turns.map(|pair| (key(&pair[0]), key(&pair[1]))).collect();
        let (mut counted, mut know) = (Keys::default(), ToKnow::default());
        let mut open = vec![positions[0]];
        while let Some(here) = open.pop() {
            let at = key(&here);
            if at.discs() >= 4 + plies || here.status() == Status::Over || counted.insert(at, ()).is_some() {
                continue;
            }
            let known = self.known(&here, Contempt::default());
            let least = known.first().map(|best| best.score - window);
            let is_own_turn = here.side() == side;
            let played = line.get(&at).filter(|_| is_own_turn);
            let mut replies = here.successors().filter(|(square, after)| match played {
                Some(played) => key(after) == *played,
                None => known
                    .iter()
                    .take(if is_own_turn { 1 } else { known.len() })
                    .any(|known| Some(known.score) >= least && known.line[0] == Move::Place(*square)),
            });
            let replies: Vec<_> =
                if is_own_turn { replies.next().into_iter().collect() } else { replies.collect() };
            know.positions += usize::from(is_own_turn && !replies.is_empty());
            know.outside += usize::from(replies.is_empty());
            open.extend(replies.into_iter().map(|(_, after)| after));
        }
        know
    }

    /// Returns the known moves of `position`, best first, without the moves after them.
    fn known(&self, position: &Position, contempt: Contempt) -> Vec<BookMove> {
        let look_up = |position: &Position| self.0.look_up(&Key::of(position.board()).0);
        let mut known = Vec::new();
        let Some(here) = look_up(position) else { return known };
        for (square, child) in position.successors() {
            let Some(entry) = look_up(&child) else { continue };
            let Some(value) = entry.value else { continue };
            let (score, draw) = value.score(contempt, child.side());
            let score = if child.side() == position.side() { score } else { -score };
            let (proven, exact) = (value.proven, value.exact);
            known.push(BookMove {
                line: vec![Move::Place(square)],
                score,
                draw,
                proven,
                games: entry.games,
                exact,
            });
        }
        // The move of the own value, which need not be in the book.
        let symmetry = Key::of(position.board()).1.inverse();
        let best = here.own.and_then(|own| Some((own, symmetry.square(own.best?))));
        if let Some((own, square)) = best
            && position.moves().contains(square)
            && known.iter().all(|known| known.line != [Move::Place(square)])
        {
            let (score, draw) = own.backed_up().score(contempt, position.side());
            let (line, proven) = (vec![Move::Place(square)], own.exact);
            known.push(BookMove { line, score, draw, proven, games: 0, exact: own.exact });
        }
        known.sort_by_key(|known| Reverse((known.score, known.games)));
        known
    }

    /// Extends a line by the best known moves and by passes, as long as the values of the positions are those of the moves.
    fn extend(&self, root: &Position, contempt: Contempt, line: &mut Vec<Move>) {
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
                    let best = self.principal(&here, contempt, self.known(&here, contempt));
                    best.and_then(|best| best.line.first().copied())
                }
            };
            let Some(mv) = mv else { break };
            let Ok(next) = here.play(mv) else { break };
            line.push(mv);
            here = next;
        }
        // A line does not end with a pass.
        while line.len() > 1 && line.last() == Some(&Move::Pass) {
            line.pop();
        }
    }
}

impl Default for Book {
    fn default() -> Book {
        Book(Arc::new(MemoryStore::default()))
    }
}

/// Books are equal if they have the same store.
impl PartialEq for Book {
    fn eq(&self, other: &Book) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A book in memory.
#[derive(Debug, Default)]
pub struct MemoryStore(HashMap<Key, Entry, BuildHasherDefault<KeyHasher>>);

impl MemoryStore {
    /// Reads a text.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn read(text: &str) -> Result<MemoryStore, ReadError> {
        let mut changes = Changes::new(MemoryStore::default());
        for line in book::read(text)? {
            let Ok(()) = changes.add_line(&line);
        }
        Ok(MemoryStore::backed_up(changes))
    }

    /// Returns the book with the positions of a book of another program.
    pub fn import(positions: &[ForeignEntry]) -> MemoryStore {
        let mut changes = Changes::new(MemoryStore::default());
        for (key, games, own) in imported(positions) {
            let Ok(()) = changes.change(&key, |entry| entry.add(games, own));
        }
        MemoryStore::backed_up(changes)
    }

    /// Returns all positions, sorted by discs.
    pub fn entries(&self) -> impl Iterator<Item = (Key, Entry)> {
        let mut entries: Vec<_> = self.0.iter().map(|(key, entry)| (*key, *entry)).collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries.into_iter()
    }

    pub(super) fn backed_up(mut changes: Changes<MemoryStore>) -> MemoryStore {
        let mut keys: Vec<Key> = changes.nodes.0.keys().copied().collect();
        // Children come before parents.
        keys.sort_unstable_by_key(|key| Reverse(*key));
        for key in &keys {
            let Ok(_) = changes.back_up(key);
        }
        changes.nodes
    }
}

impl Nodes for MemoryStore {
    type Error = Infallible;

    fn get(&self, key: &Key) -> Result<Option<Entry>, Infallible> {
        Ok(self.0.get(key).copied())
    }

    fn put(&mut self, key: &Key, entry: &Entry) -> Result<(), Infallible> {
        self.0.insert(*key, *entry);
        Ok(())
    }
}

impl BookStore for MemoryStore {
    fn look_up(&self, key: &Key) -> Option<Entry> {
        self.0.get(key).copied()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::{Board, Symmetry};
    use crate::notation::book::BookValue;
    use crate::notation::transcript;
    use crate::random::Random;
    use crate::samples::random_game;

    fn after(moves: &str) -> Position {
        transcript::read_from(Position::START, moves).unwrap().position()
    }

    #[test]
    fn choices_are_near_the_best_move_and_do_not_lose() {
        let book = Book::read("f5d6 +1.00\nf5f6 +1.90\nf5f4 +2.10\n").unwrap();
        let choices = |window| {
            let moves = book.choices(&after("f5"), Contempt(0), Score::from_centidiscs(window));
            moves.iter().map(|known| known.line[0].to_string()).collect::<String>()
        };
        assert_eq!([choices(0), choices(90), choices(500)], ["d6", "d6f6", "d6f6"]);
        let losing = Book::read("f5d6 +2.50\nf5f6 +3.50\nf5f4 +9.00\n").unwrap();
        assert_eq!(losing.choices(&after("f5"), Contempt(0), Score::from_centidiscs(100)).len(), 2);
    }

    #[test]
    fn only_complete_values_are_proven_and_give_a_best_move() {
        // The move f5 is proven, and the best move after it.
        for (text, is_proven, expected) in [
            ("f5 +0", true, None),
            ("f5d6 +2", false, None),
            ("f5d6 +2\nf5f6 +4", false, None),
            ("f5d6 +2\nf5f6 +4\nf5f4 +6", true, Some("d6 -2.00 true")),
            ("f5d6 +2\nf5f6 +4\nf5f4 +6.5", false, Some("d6 -2.00 false")),
        ] {
            let book = Book::read(text).unwrap();
            assert_eq!(book.moves(&Position::START, Contempt(0))[0].proven, is_proven, "{text}");
            let best = book.best(&after("f5"), Contempt(0));
            let best = best.map(|best| format!("{} {} {}", best.line[0], best.score, best.proven));
            assert_eq!(best.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn best_move_has_the_value_of_a_position_that_the_book_knows() {
        let position = crate::notation::squares::write(&after("f5"));
        let best = |own: &str| {
            let book = Book::read(&format!("f5d6 +2\n{position};{own}\n")).unwrap();
            let best = book.best(&after("f5"), Contempt(0))?;
            Some(format!("{} {} {}", best.line[0], best.score, best.proven))
        };
        // The own value is that of the best of the other moves. The value of d6 is proven, that of the position is not.
        assert_eq!(best(" -1.50 f4;").as_deref(), Some("f4 -1.50 false"));
        assert_eq!(best(" -3.00 f4;").as_deref(), Some("d6 -2.00 false"));
        assert_eq!(best(" -1.50;"), None);
    }

    /// Value of a position of lines of moves at a contempt, by plain minimax over the whole text.
    fn minimax(book: &[(Board, Option<BookValue>)], here: Position, draw: i32) -> Option<i32> {
        let find = |position: &Position| {
            let board = position.board().canonical().0;
            book.iter().rev().find(|(known, _)| *known == board)
        };
        let own = find(&here)?.1;
        let own = own.map(|own| (own.score.centidiscs(), own.exact));
        if let Some((score, true)) = own {
            return Some(if score == 0 { draw } else { score });
        }
        let own = own.map(|(score, _)| score);
        let children = here.successors().map(|(_, child)| child);
        let known: Vec<_> = children.filter(|child| find(child).is_some()).collect();
        let value = |child: &Position| {
            let same = child.side() == here.side();
            let value = minimax(book, *child, if same { draw } else { -draw })?;
            Some(if same { value } else { -value })
        };
        let values: Vec<i32> = known.iter().filter_map(value).collect();
        let best = values.iter().copied().max();
        if values.len() == here.moves().count() as usize {
            return best.or(own);
        }
        if own.is_none() && values.len() < known.len() { None } else { best.max(own) }
    }

    #[test]
    fn values_are_those_of_a_plain_minimax() {
        let mut random = Random::new(11);
        let mut compared = 0;
        for round in 0..40 {
            let (mut text, mut known) = (String::new(), Vec::new());
            for _ in 0..1 + round {
                let plies = 1 + random.below(7) as usize;
                let game = random_game(&mut random, plies, 2);
                let end = game.position();
                let discs = random.below(9) as i32 - 4;
                let exact = random.below(3) == 0;
                let score = Score::from_centidiscs(if exact { 100 * discs } else { 10 * discs + 5 });
                let value = BookValue { score, exact };
                known.extend(game.positions().map(|position| (position.board().canonical().0, None)));
                known.push((end.board().canonical().0, Some(value)));
                let signed = end.side().for_black(value);
                let value =
                    if exact { format!("{:+}", signed.score.discs()) } else { signed.score.to_string() };
                text += &format!("{} {value}\n", transcript::write(&game));
            }
            // The last value counts, except that an estimate replaces no proven value.
            let mut values: HashMap<Board, Option<BookValue>> = HashMap::new();
            for (board, value) in known {
                let old = values.entry(board).or_default();
                if value.is_some_and(|value| value.exact || !old.is_some_and(|old| old.exact)) {
                    *old = value;
                }
            }
            let values: Vec<_> = values.into_iter().collect();
            let book = Book::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            for contempt in [0, 100, -100, 7, -5] {
                let symmetry = Symmetry::all().nth(random.below(8) as usize).unwrap();
                let mut here = Position::new(symmetry.board(Position::START.board()), Color::Black);
                loop {
                    let moves = book.moves(&here, Contempt(contempt));
                    for found in &moves {
                        let child = here.play(found.line[0]).unwrap();
                        let value =
                            minimax(&values, child, Contempt(contempt).for_side(child.side())).unwrap();
                        assert_eq!(found.score.centidiscs(), -value, "{contempt} {:?}\n{text}", found.line);
                        compared += 1;
                    }
                    let Some(best) = moves.first() else { break };
                    here = here.play(best.line[0]).unwrap();
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
