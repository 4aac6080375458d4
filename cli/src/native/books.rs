//! Opening books: the one of the program, or one in a file: a text, a packed book, or a store ([`crate::store`]).

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;

use outflank::book::{Book, BookStore, Entry, Key, MemoryStore, is_packed};
use outflank::game::Game;
use outflank::session::{BookError, OpenBook};

use super::files::open_regular;
use crate::store::Store;

/// Cache of a store in a session, in mebibytes.
const CACHE: usize = 64;
/// More moves than a game has.
const MAX_PLIES: usize = 64;

/// Name of the book of the program.
const BUILT_IN: &str = "built-in";
/// The book of the program; `cli/docs/book.md` has the recipe.
static OPENING: LazyLock<MemoryStore> =
    LazyLock::new(|| MemoryStore::unpack(include_bytes!("../../book/opening.packed")).unwrap_or_default());

#[derive(Debug)]
struct BuiltIn;

impl BookStore for BuiltIn {
    fn look_up(&self, key: &Key) -> Option<Entry> {
        OPENING.look_up(key)
    }

    fn len(&self) -> usize {
        OPENING.len()
    }
}

/// Returns the book of the program. A thread unpacks it, so that the session starts at once. The first question waits for it.
pub fn built_in() -> OpenBook {
    // Without the thread, the first question unpacks the book.
    drop(thread::Builder::new().spawn(|| LazyLock::force(&OPENING)));
    OpenBook { path: BUILT_IN.to_owned(), book: Arc::new(Book::from_store(Arc::new(BuiltIn))) }
}

/// Opens the book in the file `path`, or the book of the program.
///
/// # Errors
/// The file and its error, with line and field for an invalid line.
pub fn open(path: String) -> Result<OpenBook, BookError> {
    if path == BUILT_IN {
        return Ok(built_in());
    }
    let (mut file, head) = open_head(&path)?;
    let book = if Store::is_store(&head) {
        Arc::new(open_store(&path)?).book()
    } else {
        let mut bytes = head;
        file.read_to_end(&mut bytes).map_err(in_file(&path))?;
        if is_packed(&bytes) {
            let store = MemoryStore::unpack(&bytes).map_err(in_file(&path))?;
            Book::from_store(Arc::new(store))
        } else {
            Book::read(&String::from_utf8_lossy(&bytes)).map_err(in_file(&path))?
        }
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

/// Adds a finished game to a store, in one transaction. The book of the program learns nothing.
///
/// # Errors
/// The book is not stored, or the store cannot be written. The file is unchanged.
pub fn learn(open: &OpenBook, game: &Game) -> Result<OpenBook, BookError> {
    if open.path == BUILT_IN {
        return Ok(open.clone());
    }
    let (_, head) = open_head(&open.path)?;
    if !Store::is_store(&head) {
        let import = "only a stored book can learn: `outflank book import` makes one of it";
        return Err(in_file(&open.path)(import));
    }
    open_store(&open.path)?.change(|edit| edit.add_new_game(game, MAX_PLIES))?;
    Ok(open.clone())
}
