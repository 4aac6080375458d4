//! The native engine: building it, and telling desktop programs about it.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{process, workspace};

/// Builds the engine in release and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    build_as("release", &["--release"])
}

/// Builds the engine as the tests have it, optimised but not as a whole, which is much quicker.
pub(crate) fn build_for_tests() -> Result<PathBuf> {
    build_as("debug", &[])
}

fn build_as(folder: &str, profile: &[&str]) -> Result<PathBuf> {
    let engine = ["build", "--locked", "--package", "outflank-cli", "--bin", "outflank"];
    process::run(process::cargo().args(engine).args(profile))?;
    Ok(workspace::target().join(folder).join(format!("outflank{EXE_SUFFIX}")))
}

/// How to register the engine in the desktop programs.
pub(crate) fn registration(engine: &Path) -> String {
    let folder = engine.parent().unwrap_or(Path::new(".")).display();
    let path = engine.display();
    let mut text = format!(
        "The native engine is {path}\n\
         \x20 NBoard: register an engine with\n\
         \x20   working directory  {folder}\n\
         \x20   command            {path} nboard\n\
         \x20 Cassio: make a folder `Outflank` among its engines with an executable `engine.sh` of the two lines\n\
         \x20   #!/bin/sh\n\
         \x20   exec \"{path}\" cassio\n"
    );
    if path.to_string().contains(char::is_whitespace) {
        text.push_str(
            "  NBoard splits commands at white space: copy the engine to a path without any first.\n",
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registration_names_the_engine_and_warns_of_spaces() {
        let plain = registration(Path::new("/opt/outflank/outflank"));
        assert!(plain.contains("/opt/outflank/outflank nboard"));
        assert!(plain.contains("exec \"/opt/outflank/outflank\" cassio"));
        assert!(!plain.contains("white space"));
        assert!(registration(Path::new("/my programs/outflank")).contains("white space"));
    }
}
