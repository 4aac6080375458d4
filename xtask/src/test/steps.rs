//! The steps of the test run.

use std::env;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail, ensure};

use super::counts::{check, tests, tests_in_files};
use super::{sanitize, systems};
use crate::{dist, native, package, process, setup, toolchain, tools, wasm, workspace};

/// A named part of the test run.
pub(crate) struct Step {
    pub name: &'static str,
    pub description: &'static str,
    /// Returns the number of passed tests and other checks.
    pub run: fn() -> Result<u64>,
}

/// All steps, short ones first.
pub(crate) const STEPS: &[Step] = &[
    step("fmt", "formatting", fmt),
    step("unit", "unit tests of the page's modules in Node", unit),
    step("biome", "formatting and lints of the page's modules and their tests", biome),
    step("types", "types in the comments of the page's modules", types),
    step("clippy", "lints, native and for WebAssembly", clippy),
    step("tidy", "module order, limits of size and wording, part of `native`", tidy),
    step("native", "native tests", native_tests),
    step(AHEAD, "builds for the steps `arm`, `windows` and `package`", ahead),
    step("tables", "transposition tables that store whole boards and check each entry", tables),
    step("doc", "documentation and its examples", doc),
    step("targets", "lints of the published packages for other systems", targets),
    step("crates", "the published packages, built from their archives", crates),
    step("deny", "licenses, sources and duplicates of all dependencies", deny),
    step("miri", "the transposition table and the search threads under Miri, if available", miri),
    step("wasm", "tests in a worker of a headless browser", in_browsers),
    step("cluster", "the cluster example with a killed worker, if Python is available", cluster),
    step("page", "the built page in Chromium and Firefox, end to end", page),
    step("arm", "the program for 64-bit ARM, under QEMU", systems::arm),
    step("windows", "the program for Windows, under Wine", systems::windows),
    step("package", "the packages, each unpacked in an empty folder and used", packages),
    step("sanitize", "shared state of threads: loom, Miri and sanitizers", sanitize::run),
];

/// Name of the step that compiles for later ones.
pub(crate) const AHEAD: &str = "ahead";

/// Steps that run only if named: they take too long, or another step contains them.
pub(crate) const EXTRA: [&str; 3] = ["tidy", AHEAD, "sanitize"];

const fn step(name: &'static str, description: &'static str, run: fn() -> Result<u64>) -> Step {
    Step { name, description, run }
}

/// The runner of the browser tests has no tests, and its 170 dependencies take a minute to build.
pub(super) const ALL_BUT_RUNNER: [&str; 3] = ["--workspace", "--exclude", "xtask-runner"];

/// Time limit in seconds for all tests in the browser together.
const BROWSER_TIMEOUT: &str = "600";

fn fmt() -> Result<u64> {
    check(process::cargo().args(["fmt", "--all", "--check"]))
}

/// Lints for this machine, and for WebAssembly, which compiles other kernels and the bindings.
fn clippy() -> Result<u64> {
    toolchain::ensure_target(wasm::TARGET)?;
    let clippy = |packages: &[&str]| {
        let mut command = process::cargo();
        command.args(["clippy", "--locked", "--all-targets"]).args(packages).args(["--", "-D", "warnings"]);
        check(&mut command)
    };
    // The build of the runner lints it.
    Ok(clippy(&ALL_BUT_RUNNER)? + clippy(&["--package", "outflank-web", "--target", wasm::TARGET])?)
}

fn tidy() -> Result<u64> {
    tests(process::cargo().args(["test", "--locked", "--package", "xtask", "--test", "tidy"]))
}

fn native_tests() -> Result<u64> {
    // Builds the program with the features of all packages. A build of its package alone would compile its dependencies again.
    let mut build = process::cargo();
    process::run(build.args(["build", "--locked", "--tests", "--bins"]).args(ALL_BUT_RUNNER))?;
    let mut command = process::cargo();
    command.env("OUTFLANK_PROGRAM", native::set_built_for_tests());
    command.args(test_words()).args(["--locked", "--lib", "--bins", "--tests"]);
    tests(command.args(ALL_BUT_RUNNER))
}

/// Returns the words of cargo that run tests: those of nextest, which runs all test programs at the same time, if it is installed.
pub(super) fn test_words() -> &'static [&'static str] {
    if process::find("cargo-nextest").is_some() {
        &["nextest", "run", "--no-fail-fast", "--status-level=slow", "--final-status-level=fail"]
    } else {
        println!("cargo-nextest is not installed: using cargo test");
        &["test", "--no-fail-fast"]
    }
}

/// Runs a search that stores the whole board in every table entry and panics at the first entry of another board.
fn tables() -> Result<u64> {
    let mut command = process::cargo();
    command.args(["test", "--locked", "--package", "outflank", "--test", "endgame"]);
    command.arg("--target-dir").arg(workspace::root().join("target/whole-boards"));
    command.arg("no_table_answers_for_another_board").env("RUSTFLAGS", "--cfg whole_boards");
    tests(&mut command)
}

fn doc() -> Result<u64> {
    let mut pages = process::cargo();
    pages.args(["doc", "--locked", "--no-deps"]).args(ALL_BUT_RUNNER).env("RUSTDOCFLAGS", "-D warnings");
    let mut examples = process::cargo();
    examples.args(["test", "--locked", "--doc"]).args(ALL_BUT_RUNNER);
    Ok(check(&mut pages)? + tests(&mut examples)?)
}

/// Adds the components of all steps to the compilers, except those that are not available. Processes that add components at the
/// same time delete each other's download.
pub(super) fn add_components() {
    for target in [wasm::TARGET].iter().chain(&systems::TARGETS).chain(&TARGETS) {
        toolchain::ensure_target(target).ok();
    }
    wasm::ensure_sources().ok();
    toolchain::ensure_nightly(&MIRI).ok();
}

/// Other systems. The step `arm` compiles for Linux on ARM.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Lints the published packages for other systems. Nothing is linked, so their linkers are not required.
fn targets() -> Result<u64> {
    let mut passed = 0;
    for target in TARGETS {
        toolchain::ensure_target(target)?;
        let mut cargo = process::cargo();
        cargo.args(["clippy", "--locked", "--quiet", "--package", "outflank", "--package", "outflank-cli"]);
        cargo.args(["--all-features", "--target", target, "--target-dir"]).arg(systems::folder());
        passed += check(cargo.args(["--", "-D", "warnings"]))?;
    }
    Ok(passed)
}

/// Components of the nightly compiler.
const MIRI: [&str; 2] = ["miri", "rust-src"];

/// Runs the tests of the transposition table, its memory and the threads under Miri, which detects undefined behavior. If Miri is
/// not available, prints the reason and counts no checks. Tests that would take minutes are disabled under Miri.
pub(super) fn miri() -> Result<u64> {
    if let Err(reason) = toolchain::ensure_nightly(&MIRI) {
        println!("skipped: {reason:#}");
        return Ok(0);
    }
    let mut miri =
        toolchain::nightly(&["cargo", "miri", "test", "--locked", "--package", "outflank", "--lib"]);
    tests(miri.args(["--", "search::table", "search::memory", "search::threads"]))
}

fn in_browsers() -> Result<u64> {
    let (_, chromium) = setup::chromium()?;
    toolchain::ensure_target(wasm::TARGET)?;
    tools::build()?;
    let mut passed = in_browser("--chrome", ("CHROMEDRIVER", &chromium), "GECKODRIVER")?;
    match setup::firefox_driver() {
        Some(firefox) => {
            println!("in Firefox");
            passed += in_browser("--firefox", ("GECKODRIVER", &firefox), "CHROMEDRIVER")?;
        }
        None => {
            println!("skipped in Firefox: Firefox or geckodriver is missing (`cargo install geckodriver`)")
        }
    }
    Ok(passed)
}

/// Runs the tests with `wasm-pack` if it is installed, otherwise with cargo and the same runner.
///
/// `option` selects the browser in `wasm-pack`. The driver is the value of the variable `driver.0`. `other` is the variable of
/// the other driver, which must not be set.
fn in_browser(option: &str, driver: (&str, &Path), other: &str) -> Result<u64> {
    let mut command;
    if let Some(wasm_pack) = process::find("wasm-pack") {
        println!("with wasm-pack");
        let old = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(tools::folder()).chain(env::split_paths(&old));
        command = Command::new(wasm_pack);
        command
            .current_dir(workspace::root().join("web"))
            .args(["test", "--headless", option, "--mode", "no-install"])
            .env("PATH", env::join_paths(folders)?);
    } else {
        println!("with cargo test; wasm-pack is not installed");
        command = process::cargo();
        command
            .args(["test", "--locked", "--package", "outflank-web", "--target", wasm::TARGET])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools::runner())
            .env("WASM_BINDGEN_TEST_ONLY_WEB", "1");
    }
    command
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
        .env(driver.0, driver.1)
        .env_remove(other)
        .env_remove("NO_HEADLESS");
    tests(&mut command)
}

fn unit() -> Result<u64> {
    node_tests("unit", &mut setup::node()?)
}

fn biome() -> Result<u64> {
    npm_check("@biomejs/biome/bin/biome", &["ci", "--colors=off"])
}

fn types() -> Result<u64> {
    npm_check("typescript/bin/tsc", &["--project", "tests/tsconfig.json"])
}

/// Runs a program of an npm package in the root of the repository, as one check.
fn npm_check(program: &str, arguments: &[&str]) -> Result<u64> {
    setup::npm()?;
    let program = workspace::tests().join("node_modules").join(program);
    check(setup::node()?.arg(program).args(arguments))
}

fn page() -> Result<u64> {
    let mut node = setup::node()?;
    setup::prepare_browser(&mut node)?;
    node.env("FIREFOX_PATH", setup::firefox()?);
    dist::build()?;
    node_tests("page", node.env("OUTFLANK_NATIVE", native::build_for_tests()?))
}

fn ahead() -> Result<u64> {
    let built = [systems::build(), native::build_to_ship().map(drop)];
    Ok(built.into_iter().collect::<Result<Vec<_>>>()?.len() as u64)
}

/// Builds and packs twice and compares the checksums, then uses the packages.
fn packages() -> Result<u64> {
    let mut node = setup::node()?;
    setup::prepare_browser(&mut node)?;
    package::run()?;
    let first = package::sums()?;
    dist::build()?;
    package::run()?;
    let second = package::sums()?;
    ensure!(first == second, "packing twice gives different files:\n{first}{second}");
    Ok(1 + node_tests("package", node.env("OUTFLANK_PACKAGES", package::folder()))?)
}

/// Runs every `*.test.js` in a folder of the browser tests with the test runner of Node.
fn node_tests(folder: &str, node: &mut Command) -> Result<u64> {
    let folder = workspace::tests().join(folder);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    files.sort();
    ensure!(!files.is_empty(), "no *.test.js in {}", folder.display());
    // By default Node leaves one core unused, but a browser test mostly waits.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let concurrency = format!("--test-concurrency={}", cores + 1);
    node.args(["--test", "--test-reporter=spec", &concurrency]);
    let files: Vec<_> =
        files.iter().map(|file| file.strip_prefix(workspace::root()).unwrap_or(file)).collect();
    tests_in_files(node, &files)
}

/// The packages, each after its dependencies.
const PUBLISHED: [&str; 2] = ["outflank", "outflank-cli"];

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Warnings about the registry, not about these packages: a slow network, a withdrawn dependency.
const REGISTRY_WARNINGS: [&str; 2] = ["spurious network error", "is yanked in registry"];

/// Packs and builds the packages. A warning is a failure, because `cargo publish` cannot be undone.
fn crates() -> Result<u64> {
    let target = workspace::target().join("published");
    remove_unpacked(&target)?;
    let mut cargo = process::cargo();
    cargo.args(["package", "--locked", "--allow-dirty", "--color=never", "--target-dir"]).arg(&target);
    cargo.args(["--config", "profile.dev.debug=false"]);
    cargo.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    let line = process::line(&cargo);
    println!("$ {line}");
    let output = cargo.output().with_context(|| format!("cannot run `{line}`"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    print!("{text}");
    ensure!(output.status.success(), "`{line}` failed ({})", output.status);
    let is_own = |line: &&str| {
        line.starts_with("warning") && REGISTRY_WARNINGS.iter().all(|warning| !line.contains(warning))
    };
    if let Some(warning) = text.lines().find(is_own) {
        bail!("`{line}`: {warning}");
    }
    Ok(PUBLISHED.len() as u64)
}

/// Removes the packages of earlier runs from `target` and from cargo's registry. Cargo assumes that a version never
/// changes, and would build the second package with the first as it was in the earlier run.
fn remove_unpacked(target: &Path) -> Result<()> {
    workspace::remove_folder(target)?;
    for registry in toolchain::registry_sources()? {
        for name in PUBLISHED {
            workspace::remove_folder(&registry.join(format!("{name}-{VERSION}")))?;
        }
    }
    Ok(())
}

const CARGO_DENY: &str = "0.20.2";

/// Runs the checks. Advisories are checked only if a copy of their database is available.
fn deny() -> Result<u64> {
    let program = tools::pinned("cargo-deny", CARGO_DENY)?;
    let deny =
        |arguments: &[&str]| check(Command::new(&program).current_dir(workspace::root()).args(arguments));
    let mut passed = deny(&["--locked", "check", "licenses", "bans", "sources"])?;
    if has_advisories() {
        passed += deny(&["--locked", "--offline", "check", "advisories"])?;
    } else {
        println!(
            "advisories are not checked: their database is not on this machine \
             (`{} fetch db` downloads it from GitHub)",
            program.display()
        );
    }
    Ok(passed)
}

fn has_advisories() -> bool {
    let folder = toolchain::cargo_home().map(|cargo| cargo.join("advisory-dbs"));
    folder.is_some_and(|folder| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()))
}

/// Positions of the test of the cluster. A worker is killed after 1000.
const CLUSTER_POSITIONS: &str = "1500";

/// Searches positions in four processes, one of which is killed, and in one process. If Python cannot create a virtual
/// environment, prints the reason and returns 0.
fn cluster() -> Result<u64> {
    let folder = workspace::tests().join("cluster");
    let python = match environment(&folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason:#}");
            return Ok(0);
        }
    };
    let outflank = native::build_for_tests()?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).arg(outflank).arg(CLUSTER_POSITIONS);
    // Dask logs a page of text when a worker is killed.
    command.env("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical");
    check(&mut command)
}

/// Returns the Python of a virtual environment with the packages in `requirements`. It is created again if the file changes.
fn environment(requirements: &Path) -> Result<PathBuf> {
    let python = process::find("python3")
        .context("python3 is not installed (`apt-get install python3 python3-venv`)")?;
    let folder = workspace::target().join("cluster-venv");
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    setup::unless_installed(requirements, &folder, || {
        let mut venv = Command::new(python);
        process::run(venv.args(["-m", "venv", "--clear"]).arg(&folder).stdout(Stdio::null()))
            .context("python3 cannot create a virtual environment (`apt-get install python3-venv`)")?;
        let mut pip = Command::new(&inside);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        process::run(pip.arg(requirements)).context("cannot install Dask")
    })?;
    Ok(inside)
}
