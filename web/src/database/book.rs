//! Opening books of the page: texts, and books of Edax and Egaroucid.

use std::sync::Arc;

use outflank::board::{Move, Position};
use outflank::book::{Book, BookStore, Contempt, MemoryStore};
use outflank::notation::foreign::Foreign;
use serde::Serialize;

/// First bytes of a stored book, which only the native program reads.
const STORED: &[u8] = b"redb";

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

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct BookRow {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// In discs for the side to move.
    pub(super) value: f64,
    pub(super) games: u32,
    /// The moves of the book from here on, without passes.
    pub(super) pv: Vec<String>,
}

impl BookFile {
    /// Reads a file. The error names the invalid line and field.
    pub(super) fn open(id: u32, bytes: &[u8]) -> Result<(BookFile, BookOpened), String> {
        if bytes.starts_with(STORED) {
            return Err("a stored book: `outflank book export FILE.txt` writes it as a text".to_owned());
        }
        let (store, faults) = if let Some(program) = Foreign::of(bytes) {
            let (positions, faults) = program.read(bytes).map_err(|error| error.to_string())?;
            (MemoryStore::import(&positions), faults)
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
        let moves = self.book.moves(position, Contempt::default()).into_iter();
        let row = |known: outflank::book::BookMove| {
            let squares = known.line.iter().filter(|mv| **mv != Move::Pass);
            let pv: Vec<String> = squares.map(ToString::to_string).collect();
            BookRow {
                mv: pv.first().cloned().unwrap_or_default(),
                value: f64::from(known.score.centidiscs()) / 100.0,
                games: known.games,
                pv,
            }
        };
        moves.map(row).collect()
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

#[cfg(test)]
mod tests {
    use outflank::board::{Board, Color};
    use outflank::random::Random;

    use super::*;

    /// Positions of random games, with values.
    fn positions(count: usize) -> Vec<(Board, i8)> {
        let mut random = Random::new(5);
        let mut known = std::collections::BTreeMap::new();
        while known.len() < count {
            let mut here = Position::START;
            for _ in 0..20 {
                let choice = random.below(here.moves().count()) as usize;
                let Some((_, next)) = here.successors().nth(choice) else { break };
                here = next;
                if here.moves().is_empty() {
                    break;
                }
                known.entry(here.board().canonical().0).or_insert(random.below(33) as i8 - 16);
            }
        }
        known.into_iter().take(count).collect()
    }

    fn egaroucid(version: u8, positions: &[(Board, i8)]) -> Vec<u8> {
        let mut bytes = b"DICUORAGE".to_vec();
        bytes.push(version);
        bytes.extend((positions.len() as i32).to_le_bytes());
        for (board, value) in positions {
            bytes.extend(board.player.0.reverse_bits().to_le_bytes());
            bytes.extend(board.opponent.0.reverse_bits().to_le_bytes());
            bytes.extend([*value as u8, 21]);
            // Version 2 has two moves, version 3 the number of lines and no other move.
            bytes.extend(if version == 2 { &[2, 0, 19, 1, 26][..] } else { &[7, 0, 0, 0, 130, 125, 0] });
        }
        bytes
    }

    fn opened(bytes: &[u8]) -> (BookFile, BookOpened) {
        BookFile::open(1, bytes).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn files_of_all_kinds_give_equal_books_and_texts() {
        let known = positions(300);
        let (book, opened_as) = opened(&egaroucid(3, &known));
        assert_eq!((opened_as.positions, opened_as.faults.len()), (300, 0));
        for bytes in [book.text().into_bytes(), egaroucid(2, &known)] {
            let (other, opened_as) = opened(&bytes);
            assert_eq!((opened_as.positions, other.text()), (300, book.text()));
            for (board, _) in &known {
                let position = Position::new(*board, Color::White);
                let values = |book: &BookFile| {
                    book.rows(&position).into_iter().map(|row| (row.mv, row.value)).collect::<Vec<_>>()
                };
                assert_eq!(values(&other), values(&book));
            }
        }
    }

    #[test]
    fn rows_are_for_the_side_to_move() {
        let (book, _) = opened(b"f5d6 +2.50\nf5f6 +4\n");
        let after = Position::START.play(Move::Place("f5".parse().unwrap())).unwrap();
        let row =
            |mv: &str, value, games| BookRow { mv: mv.to_owned(), value, games, pv: vec![mv.to_owned()] };
        assert_eq!(book.rows(&after), [row("d6", -2.5, 1), row("f6", -4.0, 1)]);
        let start = book.rows(&Position::START);
        assert_eq!((start.len(), &start[3].pv[..]), (4, &["e6".to_owned(), "f4".to_owned()][..]));
    }

    #[test]
    fn damaged_files_give_errors_that_name_the_field() {
        let whole = egaroucid(3, &positions(4));
        let error = |bytes: &[u8]| BookFile::open(1, bytes).err().unwrap_or_default();
        assert!(error(&whole[..12]).contains("the field `number of positions`"), "{}", error(&whole[..12]));
        assert!(error(&whole[..20]).contains("position 1 of 4: the file ends in the field `discs of the"));
        assert!(error(b"f5d6 high").contains("line 1: "), "{}", error(b"f5d6 high"));
        assert!(error(b"redb\x1a\x0a").contains("outflank book export"));
        assert!(error(b"").contains("no positions"));
        let faults = opened(&whole[..whole.len() - 3]).1.faults;
        assert_eq!(faults, ["position 4 of 4: the file ends in the field `best other move`"]);
        // Cut at any byte and with random bytes: no panic.
        let mut random = Random::new(9);
        for bytes in
            [whole, egaroucid(2, &positions(9)), opened(&egaroucid(2, &positions(9))).0.text().into_bytes()]
        {
            for length in 0..bytes.len() {
                let mut bytes = bytes[..length].to_vec();
                for _ in 0..random.below(4).min(length as u32) {
                    bytes[random.below(length as u32) as usize] = random.bits() as u8;
                }
                let _ = BookFile::open(1, &bytes);
            }
        }
    }
}
