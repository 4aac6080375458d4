//! Where things lie.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
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
