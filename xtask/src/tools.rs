//! `cargo xtask tools`: the programs that `wasm-pack` and `cargo test` want for browser tests.
//!
//! Both are thin wrappers of the library `wasm-bindgen-cli`, pinned to the version in `Cargo.lock`,
//! so nothing is downloaded ready-made and nothing is installed outside the target folder.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{process, workspace};

/// The program as cargo builds it, and the name under which it is looked for. Cargo itself refuses
/// a program named like the crate `wasm_bindgen`.
const PROGRAMS: [(&str, &str); 2] =
    [("outflank-bindgen", "wasm-bindgen"), ("outflank-test-runner", "wasm-bindgen-test-runner")];

/// The folder with the programs.
pub(crate) fn folder() -> PathBuf {
    workspace::target().join("tools")
}

/// The program that runs a test module in a browser.
pub(crate) fn runner() -> PathBuf {
    folder().join(format!("wasm-bindgen-test-runner{EXE_SUFFIX}"))
}

/// Builds the programs into [`folder`].
pub(crate) fn build() -> Result<()> {
    process::run(process::cargo().args(["build", "--locked", "--package", "xtask-runner"]))?;
    fs::create_dir_all(folder()).with_context(|| format!("cannot make {}", folder().display()))?;
    for (built, wanted) in PROGRAMS {
        let built = workspace::target().join("debug").join(format!("{built}{EXE_SUFFIX}"));
        let wanted = folder().join(format!("{wanted}{EXE_SUFFIX}"));
        // Put in place by renaming: the old one may be running.
        let next = wanted.with_extension("next");
        fs::copy(&built, &next)
            .and_then(|_| fs::rename(&next, &wanted))
            .with_context(|| format!("cannot copy {} to {}", built.display(), wanted.display()))?;
    }
    Ok(())
}

/// Builds the programs and prints how to use them.
pub(crate) fn run() -> Result<()> {
    build()?;
    println!(
        "wasm-bindgen and wasm-bindgen-test-runner are in {folder}\n\
         to run the browser tests by hand:\n\
         \x20 export PATH=\"{folder}:$PATH\"\n\
         \x20 cd web && wasm-pack test --headless --chrome",
        folder = folder().display()
    );
    Ok(())
}
