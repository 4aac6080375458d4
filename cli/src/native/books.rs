//! Opening books in files: a text, or a store ([`crate::store`]).

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use outflank::book::Book;
use outflank::game::Game;
use outflank::session::OpenBook;

use super::files::open_regular;
use crate::store::Store;

/// Cache of a store in a session, in mebibytes.
const CACHE: usize = 64;
/// More moves than a game has.
const MAX_PLIES: usize = 64;

/// Opens the book in the file `path`.
///
/// # Errors
/// The file and its error, with line and field for an invalid line.
pub fn open(path: String) -> Result<OpenBook, String> {
    let named = |error: String| format!("{path}: {error}");
    let (mut file, head) = open_head(Path::new(&path)).map_err(|error| named(error.to_string()))?;
    let book = if Store::is_store(&head) {
        Arc::new(open_store(Path::new(&path))?).book()
    } else {
        let mut text = head;
        file.read_to_end(&mut text).map_err(|error| named(error.to_string()))?;
        Book::read(&String::from_utf8_lossy(&text)).map_err(|error| named(error.to_string()))?
    };
    Ok(OpenBook { path, book: Arc::new(book) })
}

/// Opens a file and reads its first bytes.
fn open_head(path: &Path) -> io::Result<(File, Vec<u8>)> {
    let mut file = open_regular(path)?;
    let mut head = [0; 16];
    let read = file.read(&mut head)?;
    Ok((file, head[..read].to_vec()))
}

/// Opens a store whose values were backed up by this version.
fn open_store(path: &Path) -> Result<Store, String> {
    let store = Store::open(path, false, CACHE).map_err(|error| error.to_string())?;
    if store.is_outdated().map_err(|error| error.to_string())? {
        let path = path.display();
        return Err(format!(
            "{path}: a book of an earlier version: `outflank book check --book {path}` updates it"
        ));
    }
    Ok(store)
}

/// Adds a finished game to a store, in one transaction.
///
/// # Errors
/// The book is a text, or the store cannot be written. The file is unchanged.
pub fn learn(open: &OpenBook, game: &Game) -> Result<OpenBook, String> {
    let path = Path::new(&open.path);
    let (_, head) = open_head(path).map_err(|error| format!("{}: {error}", open.path))?;
    if !Store::is_store(&head) {
        return Err(format!(
            "{}: cannot learn into a text: `outflank book import` makes a stored book of it",
            open.path
        ));
    }
    let store = open_store(path)?;
    store.change(|edit| edit.add_new_game(game, MAX_PLIES)).map_err(|error| error.to_string())?;
    Ok(open.clone())
}
