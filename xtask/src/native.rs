//! Builds the native engine and prints how to register it in desktop programs.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{process, toolchain, workspace};

/// Builds the engine in release and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    build_as("release", &["--release"])
}

/// Builds the engine as the tests do, optimized but without link-time optimization, which takes less time.
pub(crate) fn build_for_tests() -> Result<PathBuf> {
    build_as("debug", &[])
}

/// Builds the engine for other machines, without symbols and paths of this one.
pub(crate) fn build_to_ship() -> Result<PathBuf> {
    let target = toolchain::host()?;
    let mut flags = toolchain::without_private_paths()?;
    if target.ends_with("-windows-msvc") {
        // The dynamic C runtime is not part of Windows.
        flags.push("-Ctarget-feature=+crt-static".to_owned());
    }
    let mut arguments = toolchain::flags(&target, &flags);
    arguments.extend(["--release", "--config", "profile.release.strip='symbols'"].map(str::to_owned));
    build_as("release", &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn build_as(folder: &str, profile: &[&str]) -> Result<PathBuf> {
    let engine = ["build", "--locked", "--package", "outflank-cli", "--bin", "outflank"];
    process::run(process::cargo().args(engine).args(profile))?;
    Ok(workspace::target().join(folder).join(format!("outflank{EXE_SUFFIX}")))
}

/// Returns the instructions for registering the engine.
pub(crate) fn registration(engine: &Path) -> String {
    let folder = engine.parent().unwrap_or(Path::new(".")).display();
    let path = engine.display();
    let mut text = format!(
        "The native engine is {path}\n\
         \x20 NBoard: register an engine with\n\
         \x20   working directory  {folder}\n\
         \x20   command            {path} nboard\n\
         \x20 Cassio: create a folder `Outflank` in its folder of engines, with an executable `engine.sh` of two lines:\n\
         \x20   #!/bin/sh\n\
         \x20   exec \"{path}\" cassio --threads \"${{1:-1}}\" --hash 256\n"
    );
    if path.to_string().contains(char::is_whitespace) {
        text.push_str(
            "  NBoard splits commands at spaces: first copy the engine to a path without spaces.\n",
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
        // The command in the script of a release.
        let script = include_str!("../../cli/package/engine.sh");
        let line =
            script.lines().last().unwrap().replace("$(dirname \"$0\")/@program@", "/opt/outflank/outflank");
        assert!(plain.contains(&line), "{line}");
        assert!(!plain.contains("spaces"));
        assert!(registration(Path::new("/my programs/outflank")).contains("spaces"));
    }
}
