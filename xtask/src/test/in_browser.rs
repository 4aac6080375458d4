//! The modules for the page and the tests in workers, compiled without optimization of the whole and with assertions.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::counts::tests;
use crate::{dist, process, setup, toolchain, tools, wasm, workspace};

/// Names a run that has built the modules, in the environment of its later steps.
pub(super) const ARE_BUILT: &str = "OUTFLANK_MODULES_ARE_BUILT";

/// Time limit in seconds for all tests in the browser together.
const TIMEOUT: &str = "600";

fn folder() -> PathBuf {
    workspace::target().join("worker-tests")
}

/// Builds the page and the tests in workers, unless this run has built them.
pub(super) fn build() -> Result<()> {
    if env::var_os(ARE_BUILT).is_some() { Ok(()) } else { modules().map(drop) }
}

/// Lints and builds the tests in workers and the page.
pub(super) fn modules() -> Result<u64> {
    toolchain::ensure_target(wasm::TARGET)?;
    wasm::build_tests(&folder())?;
    dist::build_for_tests()?;
    Ok(2)
}

pub(super) fn in_chromium() -> Result<u64> {
    build()?;
    let mut node = setup::node()?;
    setup::prepare_browser(&mut node)?;
    run(&mut node, "chromium")
}

fn run(node: &mut Command, browser: &str) -> Result<u64> {
    tests(node.args(["tests/harness/wasm.js", browser]).arg(folder()))
}

/// Runs the tests in Firefox, and in Chromium with the runner of `wasm-bindgen`.
pub(super) fn others() -> Result<u64> {
    build()?;
    let passed = run(setup::node()?.env("FIREFOX_PATH", setup::firefox()?), "firefox")?;
    tools::build()?;
    let (_, driver) = setup::chromium()?;
    Ok(passed + with_runner(&driver)?)
}

/// Runs the tests with `wasm-pack` if it is installed, otherwise with cargo and the same runner.
fn with_runner(driver: &Path) -> Result<u64> {
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
    tests(command.env_remove("GECKODRIVER").env_remove("NO_HEADLESS"))
}
