//! Compiles the worker to WebAssembly. The code generation flags are in `.cargo/config.toml`.

use std::path::PathBuf;

use anyhow::Result;

use crate::{process, toolchain, workspace};

/// The only target of the page.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of the shipped modules, described in the root manifest.
const PROFILE: &str = "wasm";

/// Adds the standard library of the target if it is missing.
pub(crate) fn ensure_target() -> Result<()> {
    toolchain::ensure_target(TARGET)
}

/// Adds the sources of the standard library if they are missing. The compiled one has no atomic instructions.
fn ensure_sources() -> Result<()> {
    let sources = "lib/rustlib/src/rust/library/Cargo.lock";
    toolchain::ensure_component(sources, "rust-src", &["component", "add", "rust-src"])
}

/// The modules built from the `web` package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Module {
    /// The engine for one worker.
    Engine,
    /// The engine for workers that share memory.
    Threads,
    /// The rules, for the main thread of the page.
    Rules,
    /// The index of games by position, for the database worker.
    Database,
}

impl Module {
    /// Returns the stem of the file names: `outflank` for `outflank.js` and `outflank_bg.wasm`.
    pub(crate) fn stem(self) -> &'static str {
        match self {
            Module::Engine => "outflank",
            Module::Threads => "outflank-threads",
            Module::Rules => "rules",
            Module::Database => "database",
        }
    }

    fn feature(self) -> &'static str {
        match self {
            Module::Engine | Module::Threads => "engine",
            Module::Rules => "rules",
            Module::Database => "database",
        }
    }
}

/// Compiler flags for shared memory, in addition to those in `.cargo/config.toml`: atomic instructions, an imported memory
/// of at most 1 GiB, and exports of which `wasm-bindgen` creates one copy per thread.
const SHARED: [&str; 8] = [
    "-Ctarget-feature=+atomics,+bulk-memory",
    "-Clink-arg=--shared-memory",
    "-Clink-arg=--import-memory",
    "-Clink-arg=--max-memory=1073741824",
    "-Clink-arg=--export=__wasm_init_tls",
    "-Clink-arg=--export=__tls_size",
    "-Clink-arg=--export=__tls_align",
    "-Clink-arg=--export=__tls_base",
];

/// Builds a module and returns its path. The next build overwrites it.
pub(crate) fn build(module: Module) -> Result<PathBuf> {
    ensure_target()?;
    let mut cargo = process::cargo();
    cargo
        .args(["build", "--locked", "--package", "outflank-web", "--target", TARGET])
        .args(["--profile", PROFILE])
        .args(["--no-default-features", "--features", module.feature()]);
    let mut target = workspace::target();
    let mut flags = toolchain::without_private_paths()?;
    if module == Module::Threads {
        ensure_sources()?;
        // A separate target folder: the other modules use the compiled standard library.
        target = target.join("threads");
        cargo.arg("-Zbuild-std=std,panic_abort").arg("--target-dir").arg(&target);
        // `-Zbuild-std` is unstable. This variable enables it in the pinned compiler.
        cargo.env("RUSTC_BOOTSTRAP", "1");
        flags.extend(SHARED.map(str::to_owned));
    }
    cargo.args(toolchain::flags(TARGET, &flags));
    process::run(&mut cargo)?;
    Ok(target.join(TARGET).join(PROFILE).join("outflank_web.wasm"))
}
