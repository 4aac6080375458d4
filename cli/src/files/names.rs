//! The files of names beside a file of the WTHOR database.

use std::fs;
use std::path::{Path, PathBuf};

use outflank::game::notation::wthor::{self, Names};

/// The names of players and tournaments, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) players: Vec<String>,
    pub(super) tournaments: Vec<String>,
    /// What could not be read of them.
    pub(super) faults: Vec<String>,
}

/// Reads the names beside `path`: files of the same name, else the only ones of the folder. None at all is no fault:
/// games keep without names.
pub(super) fn beside(path: &Path) -> Named {
    let mut named = Named::default();
    let mut read = |ending, kind| match find(path, ending) {
        None => Vec::new(),
        Some(file) => {
            let bytes = fs::read(&file).map_err(|error| error.to_string());
            let names =
                bytes.and_then(|bytes| wthor::read_names(&bytes, kind).map_err(|error| error.to_string()));
            names.unwrap_or_else(|error| {
                named.faults.push(format!("{}: {error}", file.display()));
                Vec::new()
            })
        }
    };
    let players = read("jou", Names::Players);
    let tournaments = read("trn", Names::Tournaments);
    named.players = players;
    named.tournaments = tournaments;
    named
}

/// The file of that ending, in whatever case.
fn find(path: &Path, ending: &str) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|known| known.eq_ignore_ascii_case(ending)))
        .collect();
    found.sort();
    let own = found.iter().position(|file| file.file_stem() == path.file_stem());
    match own {
        Some(at) => Some(found.swap_remove(at)),
        // Which of several is meant nobody knows.
        None if found.len() == 1 => found.pop(),
        None => found
            .into_iter()
            .find(|file| file.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("wthor"))),
    }
}
