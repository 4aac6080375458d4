//! `cargo xtask tools`: builds the programs that `wasm-pack` and `cargo test` need for browser tests.
//!
//! Both are wrappers of the library `wasm-bindgen-cli`, whose version `Cargo.lock` pins. No binary is downloaded, and nothing is
//! installed outside the target folder.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{process, workspace};

/// Each program as cargo names it, and the name that `wasm-pack` searches for. Cargo rejects a program with the name of the
/// crate `wasm_bindgen`.
const PROGRAMS: [(&str, &str); 2] =
    [("outflank-bindgen", "wasm-bindgen"), ("outflank-test-runner", "wasm-bindgen-test-runner")];

/// Returns the folder of the programs.
fn folder() -> PathBuf {
    workspace::target().join("tools")
}

/// Returns the path of the program that runs a test module in a browser.
pub(crate) fn runner() -> PathBuf {
    folder().join(format!("wasm-bindgen-test-runner{EXE_SUFFIX}"))
}

/// Builds the programs into `target/tools/`.
pub(crate) fn build() -> Result<()> {
    process::run(process::cargo().args(["build", "--locked", "--package", "xtask-runner"]))?;
    fs::create_dir_all(folder()).with_context(|| format!("cannot create {}", folder().display()))?;
    for (built, name) in PROGRAMS {
        let built = workspace::target().join("debug").join(format!("{built}{EXE_SUFFIX}"));
        let program = folder().join(format!("{name}{EXE_SUFFIX}"));
        // The old program may be running, so it is replaced by renaming.
        let next = program.with_extension("next");
        fs::copy(&built, &next)
            .and_then(|_| fs::rename(&next, &program))
            .with_context(|| format!("cannot copy {} to {}", built.display(), program.display()))?;
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
