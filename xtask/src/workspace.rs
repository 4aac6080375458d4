//! Paths in the workspace, and files in its folders.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

use anyhow::{Context, Result};

/// Returns the root of the workspace.
///
/// Uses the package folder that cargo passes to a program it runs. Otherwise uses the folder in which this program was built,
/// which is wrong if two checkouts share a target folder.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let package = package.filter(|folder| folder.ends_with("xtask"));
        let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        package.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
    })
}

/// Folder of the built page, in the root of the repository.
pub(crate) const DIST: &str = "dist";

/// Names another folder of the page, for tests.
pub(crate) const PAGE: &str = "OUTFLANK_PAGE";

/// Returns the folder of the built page.
pub(crate) fn dist() -> PathBuf {
    env::var_os(PAGE).map_or_else(|| root().join(DIST), PathBuf::from)
}

/// Returns the folder of the page that the tests build.
pub(crate) fn page_for_tests() -> PathBuf {
    target().join("page")
}

/// Returns the folder of the browser tests and their npm packages.
pub(crate) fn tests() -> PathBuf {
    root().join("tests")
}

/// Returns the path of this program, `<target>/<profile>/xtask`.
///
/// The first call must come before any cargo command: a build with the features of the whole workspace replaces the file, and
/// after that the system reports the path of the old file as deleted.
pub(crate) fn program() -> Result<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(|| env::current_exe().ok()).as_deref().context("the path of this program is unknown")
}

/// Returns cargo's target folder.
pub(crate) fn target() -> PathBuf {
    program()
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.to_path_buf()))
        .unwrap_or_else(|| root().join("target"))
}

/// Contents of files by their paths, with `/` between the parts.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Returns the files in a folder and its subfolders, without links.
pub(crate) fn files(folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    list(folder, "", &mut files).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(files)
}

fn list(folder: &Path, prefix: &str, files: &mut Files) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Removes a folder with its contents, if it exists.
pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
