//! `cargo xtask tools`: builds the programs that `wasm-pack` and `cargo test` need for browser tests. Other tools are installed
//! when a task needs them.
//!
//! The programs are wrappers of the library `wasm-bindgen-cli`, whose version `Cargo.lock` pins. Nothing is installed outside the
//! target folder. The only compiled program that is downloaded is cargo-deny, by its digest.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{process, workspace};

/// Each program as cargo names it, and the name that `wasm-pack` searches for. Cargo rejects a program with the name of the
/// crate `wasm_bindgen`.
const PROGRAMS: [(&str, &str); 2] =
    [("outflank-bindgen", "wasm-bindgen"), ("outflank-test-runner", "wasm-bindgen-test-runner")];

/// Returns the folder of the programs.
pub(crate) fn folder() -> PathBuf {
    workspace::target().join("tools")
}

/// Returns the path of the program that runs a test module in a browser.
pub(crate) fn runner() -> PathBuf {
    folder().join(format!("wasm-bindgen-test-runner{EXE_SUFFIX}"))
}

/// Builds the programs into `target/tools/`.
pub(crate) fn build() -> Result<()> {
    process::run(process::linting(&["build"]).args(["--package", "xtask-runner"]))?;
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

/// Returns the path of a program of cargo in the pinned version. If it is missing, installs it from the list of its digests in
/// `xtask/wheels`, or compiles it without optimization.
pub(crate) fn pinned(name: &str, version: &str) -> Result<PathBuf> {
    let folder = folder().join(format!("{name}-{version}"));
    let installed = folder.join("bin").join(format!("{name}{EXE_SUFFIX}"));
    let is_pinned = |program: &PathBuf| {
        let output = process::output(Command::new(program).arg("--version"));
        output.is_ok_and(|output| output.trim() == format!("{name} {version}"))
    };
    if let Some(program) = process::find(name).into_iter().chain([installed.clone()]).find(is_pinned) {
        return Ok(program);
    }
    println!("installing {name} {version} into {}", folder.display());
    let wheels = workspace::root().join(format!("xtask/wheels/{name}.txt"));
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--only-binary=:all:", "--require-hashes", "--target"]).arg(&folder).arg("--requirement");
    if wheels.exists() && process::run(pip.arg(wheels)).is_ok() && is_pinned(&installed) {
        return Ok(installed);
    }
    let mut cargo = process::cargo();
    cargo.args(["install", "--quiet", "--locked", "--debug", "--root"]).arg(&folder);
    process::run(cargo.arg(format!("{name}@{version}"))).with_context(|| format!("{name} is missing"))?;
    Ok(installed)
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
