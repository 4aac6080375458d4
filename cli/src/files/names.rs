//! The files of names of a WTHOR database.

use std::fs;
use std::path::{Path, PathBuf};

use crate::native::read_whole;
use outflank::notation::wthor::{self, Names};

/// The names of players and tournaments, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) players: Vec<String>,
    pub(super) tournaments: Vec<String>,
    pub(super) errors: Vec<String>,
}

/// Reads the names of the database in `path`: the files of the same name, otherwise the only ones of the folder. If there are
/// none, the games have no names.
pub(super) fn read_names(path: &Path) -> Named {
    let mut errors = Vec::new();
    let mut read = |ending, kind| {
        let Some(file) = find(path, ending) else { return Vec::new() };
        let names = read_whole(&file).map_err(|error| error.to_string()).and_then(|bytes| {
            wthor::read_names(&bytes, kind).map_err(|error| format!("{}: {error}", file.display()))
        });
        names.unwrap_or_else(|error| {
            errors.push(error);
            Vec::new()
        })
    };
    let (players, tournaments) = (read("jou", Names::Players), read("trn", Names::Tournaments));
    Named { players, tournaments, errors }
}

/// The files of the database in `path`: games, players, tournaments. Endings may have either case.
pub(crate) fn files(path: &Path) -> [PathBuf; 3] {
    let is_own = |file: &PathBuf| file.file_stem() == path.file_stem();
    let of = |ending| {
        in_folder(path, ending).into_iter().find(is_own).unwrap_or_else(|| path.with_extension(ending))
    };
    [path.to_owned(), of("jou"), of("trn")]
}

/// The files with an ending, in either case, in the folder of `path`.
fn in_folder(path: &Path, ending: &str) -> Vec<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|known| known.eq_ignore_ascii_case(ending)))
        .collect();
    found.sort();
    found
}

fn find(path: &Path, ending: &str) -> Option<PathBuf> {
    let found = in_folder(path, ending);
    let is_usual = |file: &&PathBuf| file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("wthor"));
    let own = found.iter().find(|file| file.file_stem() == path.file_stem());
    let only = found.first().filter(|_| found.len() == 1);
    own.or(only).or_else(|| found.iter().find(is_usual)).cloned()
}
