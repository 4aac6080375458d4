//! The modules for the page and the tests in workers, compiled without optimization of the whole and with assertions.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{dist, process, setup, toolchain, tools, wasm, workspace};

/// Sources of the modules and the page. Cargo would compile `outflank-web` every time, because all modules have one file name.
const SOURCES: [&str; 10] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "cli/weights",
    "clippy.toml",
    "engine",
    "rust-toolchain.toml",
    "web",
    "www",
    "xtask",
];

/// Time limit in seconds for all tests in the browser together.
const TIMEOUT: &str = "600";

/// Lints and builds the tests in workers and the page, unless they were built from the same sources before.
pub(super) fn build() -> Result<()> {
    let stamp = workspace::target().join("page.built-from");
    let sources = digest_of_sources()?;
    if fs::read_to_string(&stamp).is_ok_and(|built| built == sources) {
        println!("the modules are built already");
        return Ok(());
    }
    toolchain::ensure_target(wasm::TARGET)?;
    dist::build_for_tests()?;
    fs::write(&stamp, sources).with_context(|| format!("cannot write {}", stamp.display()))
}

fn digest_of_sources() -> Result<String> {
    let mut digests = String::new();
    for path in SOURCES {
        let path = workspace::root().join(path);
        let files =
            if path.is_dir() { workspace::files(&path)? } else { [(String::new(), fs::read(&path)?)].into() };
        for (name, bytes) in files.iter().filter(|(name, _)| !name.starts_with("node_modules/")) {
            digests += &format!("{name} {}\n", dist::digest(bytes));
        }
    }
    Ok(dist::digest(digests.as_bytes()))
}

pub(super) fn in_chromium() -> Result<()> {
    build()?;
    let mut node = setup::node()?;
    setup::prepare_browser(&mut node)?;
    run(&mut node, "chromium")
}

fn run(node: &mut Command, browser: &str) -> Result<()> {
    process::run(node.args(["tests/page/harness/wasm.js", browser]).arg(wasm::tests()))
}

/// Runs the tests in Firefox, and in Chromium with the runner of `wasm-bindgen`.
pub(super) fn others() -> Result<()> {
    build()?;
    run(setup::node()?.env("FIREFOX_PATH", setup::firefox()?), "firefox")?;
    tools::build()?;
    let (_, driver) = setup::chromium()?;
    with_runner(&driver)
}

/// Runs the tests with `wasm-pack` if it is installed, otherwise with cargo and the same runner.
fn with_runner(driver: &Path) -> Result<()> {
    let mut command;
    if let Some(wasm_pack) = process::find("wasm-pack") {
        println!("with wasm-pack");
        let old = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(tools::folder()).chain(env::split_paths(&old));
        command = Command::new(wasm_pack);
        command
            .current_dir(workspace::root().join("web"))
            .args(["test", "--headless", "--chrome", "--mode", "no-install"])
            .env("PATH", env::join_paths(folders)?);
    } else {
        println!("with cargo test; wasm-pack is not installed");
        command = process::linting(&["test"]);
        command
            .args(["--package", "outflank-web", "--target", wasm::TARGET])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools::runner())
            .env("WASM_BINDGEN_TEST_ONLY_WEB", "1");
    }
    command.env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT).env("CHROMEDRIVER", driver);
    command.env("CARGO_TARGET_DIR", wasm::folder_of_tests());
    process::run(command.env_remove("GECKODRIVER").env_remove("NO_HEADLESS"))
}
