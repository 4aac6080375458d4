//! Opening books in files: a text, or a store (`crate::store`).
//!
//! Several programs may learn into one text. Each takes a lock of the file, reads what the others have written since, adds
//! its game and replaces the file as a whole ([`AtomicFile`]); so whoever reads it without a lock finds one state of it.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use outflank::book::Book;
use outflank::game::Game;
use outflank::session::OpenBook;

use super::files::{locked, open_regular};
use crate::atomic_file::AtomicFile;
use crate::store::Store;

/// What a session keeps of a store in memory, in mebibytes.
const CACHE: usize = 64;
/// More moves than a game has.
const WHOLE: usize = 64;
/// How long to wait for other programs to be done with a book: a session shall not be silent for longer.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the book in the file `path`; the error names the file, and the line and field if one is faulty.
pub fn open(path: String) -> Result<OpenBook, String> {
    let named = |error: io::Error| format!("{path}: {error}");
    let mut file = open_regular(Path::new(&path)).map_err(named)?;
    let mut head = [0; 16];
    let read = file.read(&mut head).map_err(named)?;
    if Store::is_store(&head[..read]) {
        let store = open_store(Path::new(&path))?;
        let book = Arc::new(Book::lent(Arc::new(store).shelf()));
        return Ok(OpenBook { path, book });
    }
    let mut text = head[..read].to_vec();
    file.read_to_end(&mut text).map_err(named)?;
    let book = Book::from_bytes(text).map_err(|error| format!("{path}: {error}"))?;
    Ok(OpenBook { path, book: Arc::new(book) })
}

/// Opens a store whose values hold by the rules of this version.
fn open_store(path: &Path) -> Result<Store, String> {
    let store = Store::open(path, false, CACHE).map_err(|fault| fault.to_string())?;
    if store.is_outdated().map_err(|fault| fault.to_string())? {
        let path = path.display();
        return Err(format!(
            "{path}: a book of an earlier version: `outflank book check --book {path}` updates it"
        ));
    }
    Ok(store)
}

/// Adds a finished game to the file of a book, where others may have changed it. When it returns, the game is on the disk;
/// else the file is as it was. The book as it is now.
pub fn learn(open: &OpenBook, game: &Game) -> Result<OpenBook, String> {
    let path = Path::new(&open.path);
    if open.book.is_lent() {
        // In one transaction.
        let learn = |store: &Store| store.change(|edit| edit.add_game(game, WHOLE).map(|_| ()));
        learn(&open_store(path)?).map_err(|fault| fault.to_string())?;
        return Ok(open.clone());
    }
    let named = |error: io::Error| format!("{}: {error}", path.display());
    let mut file = locked(path, false, LOCK_TIMEOUT).map_err(named)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(named)?;
    let mut book = if text == open.book.text() {
        Arc::clone(&open.book)
    } else {
        Arc::new(Book::from_bytes(text).map_err(|error| format!("{}: {error}", path.display()))?)
    };
    match Arc::make_mut(&mut book).learn(game) {
        Ok(true) => replace(path, book.text()).map_err(named)?,
        Ok(false) => {}
        Err(error) => return Err(error.to_string()),
    }
    // The lock is held until here.
    drop(file);
    Ok(OpenBook { path: open.path.clone(), book })
}

fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut new = AtomicFile::create(path)?;
    new.write_all(text)?;
    new.commit()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use outflank::notation::transcript;

    #[test]
    fn learnt_and_opened_again() {
        let folder = std::env::temp_dir().join(format!("outflank-books-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("book.txt");
        fs::write(&path, "% openings\nf5d6 +0.5\n").unwrap();
        let mut opened = open(path.to_string_lossy().into_owned()).unwrap();
        let game = transcript::read("e6f4e3f6g5d6e7f5c5").unwrap();
        let learnt = learn(&opened, &game).unwrap();
        assert_eq!(open(opened.path.clone()), Ok(learnt.clone()));
        assert!(fs::read_to_string(&path).unwrap().starts_with("% openings\nf5d6 +0.5\n(;GM[Othello]"));
        assert_eq!(learn(&opened, &game), Ok(learnt), "it is there already");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");

        fs::write(&path, "f5d6 +0.5\nf5a1 +1\n").unwrap();
        let problem = format!("{}: line 2: move 2 (a1) is illegal: a1 flips nothing", opened.path);
        assert_eq!(open(opened.path.clone()), Err(problem.clone()));
        assert_eq!(learn(&opened, &game), Err(problem));
        assert_eq!(fs::read(&path).unwrap(), b"f5d6 +0.5\nf5a1 +1\n");
        opened.path = folder.join("none").join("book.txt").to_string_lossy().into_owned();
        assert!(learn(&opened, &game).is_err() && open(opened.path).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
