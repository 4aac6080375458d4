//! Opening books of the page: packed books, texts, and books of Edax and Egaroucid.

use std::sync::Arc;

use outflank::board::{Color, Move, Position};
use outflank::book::{Book, BookMove, BookStore, Contempt, Key, MemoryStore, ToKnow, is_packed};
use outflank::game::Game;
use outflank::notation::foreign::Foreign;
use outflank::score::{Discs, Score};
use serde::Serialize;

use crate::exchange::write;

/// First bytes of a stored book, which only the native program reads.
const STORED: &[u8] = b"redb";
/// The replies that a player must know lose at most this many discs, within the first moves: as in `outflank book stats --line`.
const WINDOW: i32 = 2;
const PLIES: u8 = 20;

#[derive(Debug)]
pub(super) struct BookFile {
    pub(super) id: u32,
    store: Arc<MemoryStore>,
    book: Book,
}

/// The result of reading a book.
#[derive(Debug, Serialize)]
pub(super) struct BookOpened {
    pub(super) positions: usize,
    /// The errors of skipped positions.
    pub(super) faults: Vec<String>,
}

/// The numbers of positions that Black and White must know of a line until a ply, with `+` if lines leave the book before.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct LineToKnow {
    ply: u8,
    black: String,
    white: String,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct BookRow {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// In discs for the side to move.
    pub(super) value: f64,
}

/// A position, its value for the side to move in discs, and the moves of the book from there on, without passes.
pub(super) type BookValue = (String, f64, String);

/// Returns the values of a position in the last book that knows it, and of the positions after its moves in the last book that
/// contains them.
pub(super) fn values(books: &[BookFile], position: &Position) -> Vec<BookValue> {
    let all: Vec<_> =
        books.iter().rev().map(|file| file.book.values(position, Contempt::default())).collect();
    let is_own = |value: &&(Position, BookMove)| value.0 == *position;
    let own = all.iter().flatten().find(is_own);
    let moves = all.iter().find(|values| !values.iter().all(|value| is_own(&value)));
    let moves = moves.into_iter().flatten().filter(|value| !is_own(value));
    let row = |(at, known): &(Position, BookMove)| (write(at), known.score.discs(), line(known));
    own.into_iter().chain(moves).map(row).collect()
}

impl BookFile {
    /// Reads a file. The error names the invalid line and field.
    pub(super) fn open(id: u32, bytes: &[u8]) -> Result<(BookFile, BookOpened), String> {
        if bytes.starts_with(STORED) {
            return Err("a stored book: `outflank book pack` writes it as a packed book".to_owned());
        }
        let (store, faults) = if let Some(program) = Foreign::of(bytes) {
            let (positions, faults) = program.read(bytes).map_err(|error| error.to_string())?;
            (MemoryStore::import(&positions), faults)
        } else if is_packed(bytes) {
            (MemoryStore::unpack(bytes).map_err(|error| error.to_string())?, Vec::new())
        } else {
            let text = String::from_utf8_lossy(bytes);
            (MemoryStore::read(&text).map_err(|error| error.to_string())?, Vec::new())
        };
        if store.is_empty() {
            return Err(faults.into_iter().next().unwrap_or_else(|| "no positions".to_owned()));
        }
        let store = Arc::new(store);
        let opened = BookOpened { positions: store.len(), faults };
        Ok((BookFile { id, book: Book::from_store(Arc::clone(&store) as Arc<dyn BookStore>), store }, opened))
    }

    /// Returns the known moves of a position, best first.
    pub(super) fn rows(&self, position: &Position) -> Vec<BookRow> {
        let known = self.book.moves(position, Contempt::default());
        known
            .iter()
            .map(|known| BookRow { mv: known.line[0].to_string(), value: known.score.discs() })
            .collect()
    }

    /// Returns what Black and White must know to play a line and the best moves after it. `None` if its end is not in the book.
    pub(super) fn to_know(&self, game: &Game) -> Option<LineToKnow> {
        self.book.look_up(&Key::of(game.position().after_forced_pass().board()).0)?;
        let window = Score::from(Discs::new(WINDOW));
        let [black, white] = [Color::Black, Color::White].map(|side| {
            let ToKnow { positions, outside } = self.book.to_know(game, side, window, PLIES);
            format!("{positions}{}", if outside > 0 { "+" } else { "" })
        });
        Some(LineToKnow { ply: PLIES, black, white })
    }

    pub(super) fn text(&self) -> String {
        let mut text = "% Positions, and their own values for the side to move\n".to_owned();
        for (key, entry) in self.store.entries() {
            text.push_str(&entry.line(&key));
            text.push('\n');
        }
        text
    }
}

/// Returns the moves of a line with spaces between them.
fn line(known: &BookMove) -> String {
    let squares = known.line.iter().filter(|mv| **mv != Move::Pass);
    squares.map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use outflank::notation::{squares, transcript};

    use super::*;

    // The same four positions. Version 2 lists the moves of each instead of the best other move.
    const EDAX: &[u8] = include_bytes!("../../../tests/native/data/books/edax.dat");
    const EGAROUCID: &[u8] = include_bytes!("../../../tests/native/data/books/egaroucid.egbk3");
    const EGAROUCID_2: &[u8] = include_bytes!("../../../tests/native/data/books/egaroucid.egbk2");

    fn opened(bytes: &[u8]) -> (BookFile, BookOpened) {
        BookFile::open(1, bytes).unwrap()
    }

    #[test]
    fn files_of_all_kinds_give_equal_texts() {
        let text = opened(EGAROUCID).0.text();
        for bytes in [EGAROUCID, EDAX, text.as_bytes()] {
            let (book, opened_as) = opened(bytes);
            assert_eq!((opened_as.positions, opened_as.faults.len(), &book.text()), (4, 0, &text));
        }
        let [three, two] = [EGAROUCID, EGAROUCID_2].map(opened);
        assert_eq!((two.1.positions, two.1.faults.len()), (7, 0));
        let after = ["f5", "f5d6", "f5f6"].map(|moves| transcript::read(moves).unwrap().position());
        for position in [Position::START].into_iter().chain(after) {
            let rows = three.0.rows(&position);
            assert!(!rows.is_empty() && rows == two.0.rows(&position), "{position:?}: {rows:?}");
        }
    }

    #[test]
    fn moves_have_values_for_the_side_to_move_also_if_the_positions_after_them_are_not_in_the_book() {
        let after = |moves| transcript::read(moves).unwrap().position();
        let text = format!("f5f6 +4\n{}; -1.00 f4;\n", squares::write(&after("f5")));
        let books = [opened(b"f5d6 +2.50\n").0, opened(text.as_bytes()).0];
        let expected = [("f5", -1.0, "f4"), ("f5f4", 1.0, ""), ("f5f6", 4.0, "")];
        let expected = expected.map(|(moves, value, line)| (write(&after(moves)), value, line.to_owned()));
        assert_eq!(values(&books, &after("f5")), expected);
        assert_eq!(values(&books, &after("f5f6")), expected[2..]);
        let row = BookRow { mv: "d6".to_owned(), value: -2.5 };
        assert_eq!(books[0].rows(&after("f5")), [row]);
    }

    #[test]
    fn line_of_the_book_has_positions_to_know() {
        let (book, _) = opened(b"f5d6c3 +2\nf5f6 +3\n");
        let to_know = |moves| book.to_know(&transcript::read(moves).unwrap());
        // Black knows f5 and c3; f5f6 leaves the book. White knows d6; c3 leaves it.
        let expected = LineToKnow { ply: 20, black: "2+".to_owned(), white: "1+".to_owned() };
        assert_eq!((to_know("f5"), to_know("f5f4")), (Some(expected), None));
    }

    /// `tests/native/console/books.txt` has other damaged files.
    #[test]
    fn damaged_files_give_errors() {
        let error = |bytes: &[u8]| BookFile::open(1, bytes).err().unwrap_or_default();
        assert!(error(b"f5d6 high").contains("line 1: "), "{}", error(b"f5d6 high"));
        assert!(error(b"redb\x1a\x0a").contains("outflank book pack"));
        assert!(error(b"").contains("no positions"));
        let faults = opened(&EGAROUCID[..EGAROUCID.len() - 3]).1.faults;
        assert_eq!(faults, ["position 4 of 4: the file ends in the field `best other move`"]);
    }
}
