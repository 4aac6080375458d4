//! Compiles the modules to WebAssembly and generates their JavaScript glue. The code generation flags are in
//! `.cargo/config.toml`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
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
    /// How much it is optimized.
    level: u8,
    /// Compiler flags of the shipped module.
    flags: &'static [&'static str],
}

/// The engine for one worker.
pub(crate) const ENGINE: Module =
    Module { stem: "outflank", feature: "engine", is_shared: false, level: 3, flags: &[] };
/// The engine for workers that share memory.
pub(crate) const THREADS: Module =
    Module { stem: "outflank-threads", feature: "engine", is_shared: true, level: 3, flags: &[] };
/// The rules, for the main thread of the page. The first visit waits for them: a level more takes 3 kB more, inlining as usual
/// (225) 5 kB.
pub(crate) const RULES: Module = Module {
    stem: "rules",
    feature: "rules",
    is_shared: false,
    level: 2,
    flags: &["-Cllvm-args=--inline-threshold=120"],
};
/// Types of the module of the rules, in `www/`.
const RULES_TYPES: &str = "rules-module.d.ts";
/// The index of games by position, for the database worker.
pub(crate) const DATABASE: Module =
    Module { stem: "database", feature: "database", is_shared: false, level: 3, flags: &[] };

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

/// The user of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Optimized as a whole, without paths of this machine.
    Release,
    /// Compiled by the flags of the tests in workers, so that the engine is compiled once for both.
    Tests,
}

/// Builds a module and writes its glue and the final module to `folder`, as `stem.js` and `stem_bg.wasm`.
pub(crate) fn build(module: Module, purpose: Purpose, folder: &Path) -> Result<()> {
    toolchain::ensure_target(TARGET)?;
    let is_release = purpose == Purpose::Release;
    let mut cargo = if is_release { process::cargo() } else { process::linting(&["build"]) };
    if is_release {
        cargo.args(["build", "--locked", "--profile", PROFILE]);
        cargo.arg("--config").arg(format!("profile.{PROFILE}.opt-level={}", module.level));
    }
    cargo.args(["--package", "outflank-web", "--target", TARGET, "--lib"]);
    cargo.args(["--no-default-features", "--features", module.feature]);
    let (mut target, mut flags) = (workspace::target(), Vec::new());
    if is_release {
        flags = toolchain::without_private_paths()?;
        flags.extend(module.flags.iter().map(ToString::to_string));
    } else {
        target = folder_of_tests();
        // The module does not use them, but the tests do.
        cargo.args(["--features", "outflank/embedded-weights"]);
    }
    if module.is_shared {
        // The compiled standard library has no atomic instructions.
        ensure_sources()?;
        // A separate target folder: the other modules use the compiled standard library.
        target = workspace::target().join("threads");
        cargo.arg("-Zbuild-std=std,panic_abort");
        // `-Zbuild-std` is unstable. This variable enables it in the pinned compiler.
        cargo.env("RUSTC_BOOTSTRAP", "1");
        if !is_release {
            // This build of the engine serves few tests, so it takes less time to compile than to optimize.
            cargo.args(["--config", "profile.dev.package.outflank.opt-level=1"]);
        }
        flags.extend(SHARED.map(str::to_owned));
    }
    cargo.args(toolchain::flags(TARGET, &flags)).arg("--target-dir").arg(&target);
    process::run(&mut cargo)?;
    let profile = if is_release { PROFILE } else { "debug" };
    write_glue(&target.join(TARGET).join(profile).join("outflank_web.wasm"), folder, module.stem)
}

/// Returns the target folder of the tests in workers and of the modules for tests. Cargo locks a target folder while it compiles, and
/// the native tests are compiled at the same time.
pub(crate) fn folder_of_tests() -> PathBuf {
    workspace::target().join("workers")
}

/// Returns the folder of the built tests in workers.
pub(crate) fn tests() -> PathBuf {
    folder_of_tests().join("tests")
}

/// Lints the package, builds its tests in workers and writes their glue.
pub(crate) fn build_tests() -> Result<()> {
    let folder = &tests();
    workspace::remove_folder(folder)?;
    let mut cargo = process::linting(&["build"]);
    cargo.args(["--package", "outflank-web", "--target", TARGET, "--test", "*"]);
    cargo.arg("--target-dir").arg(folder_of_tests());
    let output = process::output(cargo.arg("--message-format=json-render-diagnostics"))?;
    let messages = output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    for message in messages.filter(|message| message["target"]["kind"][0] == "test") {
        let (name, module) = (message["target"]["name"].as_str(), message["executable"].as_str());
        let (name, module) = name.zip(module).context("cargo prints no path of a test")?;
        let mut bindgen = Bindgen::new();
        // The tests are exports of the module.
        bindgen.input_path(module).out_name(name).web(true)?.typescript(false).export_wasm(true);
        bindgen.emit_start(false).generate(folder)?;
    }
    Ok(())
}

/// Writes the glue and the final module.
///
/// The glue is an ES module for a page or a module worker. It contains the URL of the module relative to its own, so `init()`
/// needs no argument.
///
/// `wasm-opt` is not used. The compiler has already optimized the module as a whole; the output of binaryen 108 is not faster,
/// is larger after compression, and exports the wrong table.
fn write_glue(module: &Path, folder: &Path, stem: &str) -> Result<()> {
    let mut output = Bindgen::new()
        .input_path(module)
        .out_name(stem)
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(false)
        .generate_output()?;
    // Only tools use this section.
    output.wasm_mut().customs.remove_raw("target_features");
    output.emit(folder)?;
    let glue = folder.join(format!("{stem}.js"));
    let text = fs::read_to_string(&glue).with_context(|| format!("cannot read {}", glue.display()))?;
    // The only statement without a semicolon. Without it, the minified glue is invalid.
    let text = text.replace("let thread_stack_size\n", "let thread_stack_size;\n");
    fs::write(&glue, text).with_context(|| format!("cannot write {}", glue.display()))?;
    let types = folder.join(format!("{stem}.d.ts"));
    let text = fs::read_to_string(&types).with_context(|| format!("cannot read {}", types.display()))?;
    for file in [types, folder.join(format!("{stem}_bg.wasm.d.ts"))] {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    if stem == RULES.stem { check_types(&text) } else { Ok(()) }
}

/// Compares the types of the rules with those that the modules of the page are checked against, or writes them.
fn check_types(text: &str) -> Result<()> {
    let path = workspace::root().join("www").join(RULES_TYPES);
    // The page does not call the functions behind the glue.
    let (before, rest) = text.split_once("export interface InitOutput {").context("no types of exports")?;
    let (_, after) = rest.split_once("\n}\n").context("no types of exports")?;
    let text = format!("{before}export type InitOutput = object;\n{after}");
    if env::var_os("OUTFLANK_WRITE_TABLES").is_some() {
        return fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()));
    }
    let is_current = fs::read_to_string(&path).is_ok_and(|found| found == text);
    ensure!(
        is_current,
        "{}: other types than those of the module: OUTFLANK_WRITE_TABLES=1 writes it",
        path.display()
    );
    Ok(())
}
