//! Compiling the worker to WebAssembly. The code generation flags are in `.cargo/config.toml`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::toolchain::{self, sysroot};
use crate::{process, workspace};

/// The only target the page is built for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of the shipped module, described in the root manifest.
const PROFILE: &str = "wasm";

/// Adds the target's standard library where it is missing.
pub(crate) fn ensure_target() -> Result<()> {
    toolchain::ensure_target(TARGET)
}

/// Adds the sources of the standard library where they are missing: the one that comes with the target was
/// compiled without atomic instructions.
fn ensure_sources() -> Result<()> {
    let sysroot = sysroot()?;
    if sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").is_file() {
        return Ok(());
    }
    if process::find("rustup").is_none() {
        bail!(
            "the compiler in {} has no sources of its standard library and there is no rustup to add them; \
             install the package that your system has for them (often `rust-src`)",
            sysroot.display()
        );
    }
    println!("adding the component rust-src");
    process::run(Command::new("rustup").current_dir(workspace::root()).args(["component", "add", "rust-src"]))
        .context("run `rustup component add rust-src` where there is a network")
}

/// The modules made from the `web` package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Module {
    /// The engine in one worker.
    Engine,
    /// The engine in workers that share their memory.
    Threads,
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

/// What the compiler is told for shared memory, beside the flags in `.cargo/config.toml`: atomic instructions, a
/// memory that comes from outside and may grow to a gibibyte, and names for what `wasm-bindgen` gives every thread a
/// copy of.
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

/// Builds one of the modules and returns it raw; the next build takes its place.
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
        // A folder of its own: other modules need neither the standard library nor their tools built anew.
        target = target.join("threads");
        cargo.arg("-Zbuild-std=std,panic_abort").arg("--target-dir").arg(&target);
        // To build the standard library is not yet stable; the compiler is the pinned one all the same.
        cargo.env("RUSTC_BOOTSTRAP", "1");
        flags.extend(SHARED.map(str::to_owned));
    }
    cargo.args(toolchain::flags(TARGET, &flags));
    process::run(&mut cargo)?;
    Ok(target.join(TARGET).join(PROFILE).join("outflank_web.wasm"))
}
