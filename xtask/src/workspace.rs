//! Where things lie.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

use anyhow::{Context, Result};

/// The root of the workspace.
///
/// Cargo tells where the package lies when it runs us. Where we were built is asked second: two checkouts
/// may share a target folder, and with it this program.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let told = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let package = told.filter(|folder| folder.ends_with("xtask"));
        let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        package.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
    })
}

/// The built page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The folder of the browser tests and their npm packages.
pub(crate) fn tests() -> PathBuf {
    root().join("tests")
}

/// Cargo's target folder.
///
/// Cargo put us in `<target>/<profile>/`, which is how a target folder named by configuration or
/// environment is found without asking cargo.
pub(crate) fn target() -> PathBuf {
    env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.parent()?.to_path_buf()))
        .unwrap_or_else(|| root().join("target"))
}

/// Removes a folder with all that is in it, if it is there.
pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
