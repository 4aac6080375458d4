//! Opening books in files: a text, or a store (`crate::store`).

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank::game::Book;
use outflank::session::OpenBook;

use crate::store::Store;

/// What a session keeps of a store in memory, in mebibytes.
const CACHE: usize = 64;
/// More moves than a game has.
const WHOLE: usize = 64;

/// Opens the book in the file `path`; the error names the file, and the line and field if one is faulty.
pub fn open(path: String) -> Result<OpenBook, String> {
    let mut head = [0; 16];
    let read = File::open(&path).and_then(|mut file| file.read(&mut head));
    if Store::is_store(&head[..read.map_err(|error| format!("{path}: {error}"))?]) {
        let store = Store::open(Path::new(&path), false, CACHE).map_err(|fault| fault.to_string())?;
        let book = Arc::new(Book::lent(Arc::new(store).shelf()));
        return Ok(OpenBook { path, book });
    }
    let text = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let book = Book::read(&String::from_utf8_lossy(&text)).map_err(|error| format!("{path}: {error}"))?;
    Ok(OpenBook { path, book: Arc::new(book) })
}

/// Writes a book to its file. A text is written beside it first and then put in its place, so that the file holds the old
/// book or the new one, whenever the program or the machine ends. A store takes the games that were learnt, in one
/// transaction.
pub fn save(book: &OpenBook) -> Result<(), String> {
    let path = Path::new(&book.path);
    if let Some(games) = book.book.learnt() {
        let learn = |store: &Store| {
            store.change(|edit| games.iter().try_for_each(|game| edit.add_game(game, WHOLE).map(|_| ())))
        };
        return Store::open(path, false, CACHE)
            .and_then(|store| learn(&store))
            .map_err(|fault| fault.to_string());
    }
    replace(path, book.book.text()).map_err(|error| format!("{}: {error}", path.display()))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one: what it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let beside: PathBuf = path.with_file_name(name);
    let mut file = File::create(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    written.and_then(|()| fs::rename(&beside, &path)).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::game::notation::transcript;

    #[test]
    fn learnt_and_opened_again() {
        let folder = std::env::temp_dir().join(format!("outflank-books-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("book.txt");
        fs::write(&path, "% openings\nf5d6 +0.5\n").unwrap();
        let mut opened = open(path.to_string_lossy().into_owned()).unwrap();
        let game = transcript::read("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!(Arc::make_mut(&mut opened.book).learn(&game), Ok(true));
        save(&opened).unwrap();
        assert_eq!(open(opened.path.clone()), Ok(opened.clone()));
        assert!(fs::read_to_string(&path).unwrap().starts_with("% openings\nf5d6 +0.5\n(;GM[Othello]"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");

        fs::write(&path, "f5d6 +0.5\nf5a1 +1\n").unwrap();
        let problem = open(opened.path.clone()).unwrap_err();
        assert_eq!(problem, format!("{}: line 2: move 2 (a1) is illegal: a1 flips nothing", opened.path));
        opened.path = folder.join("none").join("book.txt").to_string_lossy().into_owned();
        assert!(save(&opened).is_err() && open(opened.path).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
