//! Compiling the worker to WebAssembly. The code generation flags are in `.cargo/config.toml`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::{process, workspace};

/// The only target the page is built for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of the shipped module, described in the root manifest.
const PROFILE: &str = "wasm";

/// Adds the target's standard library where it is missing.
pub(crate) fn ensure_target() -> Result<()> {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(workspace::root()).args(["--print", "sysroot"]);
    let sysroot = process::output(&mut rustc)?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).is_dir() {
        return Ok(());
    }
    if process::find("rustup").is_none() {
        bail!(
            "the compiler in {} has no standard library for {TARGET} and there is no rustup to add it; \
             install the package that your system has for it (often `rust-std-{TARGET}`)",
            sysroot.trim()
        );
    }
    println!("adding the target {TARGET}");
    process::run(Command::new("rustup").current_dir(workspace::root()).args(["target", "add", TARGET]))
}

/// The modules made from the `web` package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Module {
    /// Everything, for workers.
    Engine,
    /// The rules alone, for the page's main thread.
    Rules,
    /// Games by position, for the worker that looks them up.
    Database,
}

impl Module {
    /// Stem of the files: `outflank.js` and `outflank_bg.wasm`.
    pub(crate) fn stem(self) -> &'static str {
        match self {
            Module::Engine => "outflank",
            Module::Rules => "rules",
            Module::Database => "database",
        }
    }
}

/// Builds one of the modules and returns it raw; the next build takes its place.
pub(crate) fn build(module: Module) -> Result<PathBuf> {
    ensure_target()?;
    let feature = match module {
        Module::Engine => "engine",
        Module::Rules => "rules",
        Module::Database => "database",
    };
    process::run(
        process::cargo()
            .args(["build", "--locked", "--package", "outflank-web", "--target", TARGET])
            .args(["--profile", PROFILE])
            .args(["--no-default-features", "--features", feature]),
    )?;
    Ok(workspace::target().join(TARGET).join(PROFILE).join("outflank_web.wasm"))
}
