//! Compiles the modules to WebAssembly and generates their JavaScript glue. The code generation flags are in
//! `.cargo/config.toml`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::{process, toolchain, workspace};

/// The only target of the page.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The profile of the shipped modules, described in the root manifest.
const PROFILE: &str = "wasm";

/// A module built from the `web` package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module {
    /// The stem of the file names: `outflank` for `outflank.js` and `outflank_bg.wasm`.
    pub(crate) stem: &'static str,
    feature: &'static str,
    is_shared: bool,
}

/// The engine for one worker.
pub(crate) const ENGINE: Module = Module { stem: "outflank", feature: "engine", is_shared: false };
/// The engine for workers that share memory.
pub(crate) const THREADS: Module = Module { stem: "outflank-threads", feature: "engine", is_shared: true };
/// The rules, for the main thread of the page.
pub(crate) const RULES: Module = Module { stem: "rules", feature: "rules", is_shared: false };
/// The index of games by position, for the database worker.
pub(crate) const DATABASE: Module = Module { stem: "database", feature: "database", is_shared: false };

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

/// Adds the sources of the standard library if they are missing.
pub(crate) fn ensure_sources() -> Result<()> {
    let sources = "lib/rustlib/src/rust/library/Cargo.lock";
    toolchain::ensure_component(sources, "rust-src", &["component", "add", "rust-src"])
}

/// Builds a module and writes its glue and the final module to `folder`, as `stem.js` and `stem_bg.wasm`.
pub(crate) fn build(module: Module, folder: &Path) -> Result<()> {
    toolchain::ensure_target(TARGET)?;
    let mut cargo = process::cargo();
    cargo
        .args(["build", "--locked", "--package", "outflank-web", "--target", TARGET])
        .args(["--profile", PROFILE])
        .args(["--no-default-features", "--features", module.feature]);
    let mut target = workspace::target();
    let mut flags = toolchain::without_private_paths()?;
    if module.is_shared {
        // The compiled standard library has no atomic instructions.
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
    write_glue(&target.join(TARGET).join(PROFILE).join("outflank_web.wasm"), folder, module.stem)
}

/// Writes the glue and the final module.
///
/// The glue is an ES module for a page or a module worker. It contains the URL of the module relative to its own, so `init()`
/// needs no argument.
///
/// `wasm-opt` is not used. The compiler has already optimized the module as a whole; the output of binaryen 108 is not faster,
/// is larger after compression, and exports the wrong table.
fn write_glue(module: &Path, folder: &Path, stem: &str) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .out_name(stem)
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(false)
        .generate(folder)?;
    let glue = folder.join(format!("{stem}.js"));
    let text = fs::read_to_string(&glue).with_context(|| format!("cannot read {}", glue.display()))?;
    // The only statement without a semicolon. Without it, the minified glue is invalid.
    let text = text.replace("let thread_stack_size\n", "let thread_stack_size;\n");
    fs::write(&glue, text).with_context(|| format!("cannot write {}", glue.display()))
}
