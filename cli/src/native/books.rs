//! Opening books in files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank::game::Book;
use outflank::session::OpenBook;

/// Reads the book in the file `path`; the error names the file, and the line and field if one is faulty.
pub fn open(path: String) -> Result<OpenBook, String> {
    let text = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let book = Book::read(&String::from_utf8_lossy(&text)).map_err(|error| format!("{path}: {error}"))?;
    Ok(OpenBook { path, book: Arc::new(book) })
}

/// Writes a book to its file. It is written beside it first and then put in its place, so that the file holds the old
/// book or the new one, whenever the program or the machine ends.
pub fn save(book: &OpenBook) -> Result<(), String> {
    let path = Path::new(&book.path);
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
