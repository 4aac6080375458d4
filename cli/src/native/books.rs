//! Opening books in files: a text, or a store ([`crate::store`]).

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use outflank::book::Book;
use outflank::game::Game;
use outflank::session::{BookError, OpenBook};

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
pub fn open(path: String) -> Result<OpenBook, BookError> {
    let (mut file, head) = open_head(&path)?;
    let book = if Store::is_store(&head) {
        Arc::new(open_store(&path)?).book()
    } else {
        let mut text = head;
        file.read_to_end(&mut text).map_err(in_file(&path))?;
        Book::read(&String::from_utf8_lossy(&text)).map_err(in_file(&path))?
    };
    Ok(OpenBook { path, book: Arc::new(book) })
}

fn in_file<E: Display>(path: &str) -> impl Fn(E) -> BookError {
    move |error| BookError(format!("{path}: {error}"))
}

/// Opens a file and reads its first bytes.
fn open_head(path: &str) -> Result<(File, Vec<u8>), BookError> {
    let mut file = open_regular(Path::new(path)).map_err(in_file(path))?;
    let mut head = [0; 16];
    let read = file.read(&mut head).map_err(in_file(path))?;
    Ok((file, head[..read].to_vec()))
}

/// Opens a store whose values were backed up by this version.
fn open_store(path: &str) -> Result<Store, BookError> {
    let store = Store::open(Path::new(path), false, CACHE)?;
    if store.is_outdated()? {
        let update = format!("a book of an earlier version: `outflank book check --book {path}` updates it");
        return Err(in_file(path)(update));
    }
    Ok(store)
}

/// Adds a finished game to a store, in one transaction.
///
/// # Errors
/// The book is a text, or the store cannot be written. The file is unchanged.
pub fn learn(open: &OpenBook, game: &Game) -> Result<OpenBook, BookError> {
    let (_, head) = open_head(&open.path)?;
    if !Store::is_store(&head) {
        let import = "cannot learn into a text: `outflank book import` makes a stored book of it";
        return Err(in_file(&open.path)(import));
    }
    open_store(&open.path)?.change(|edit| edit.add_new_game(game, MAX_PLIES))?;
    Ok(open.clone())
}
