//! The steps of the test run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::{in_browser, sanitize, systems};
use crate::args::Differential;
use crate::native::{self, PACKAGES};
use crate::{dist, package, process, setup, toolchain, tools, workspace};

/// The run that a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// `cargo xtask test`
    Quick,
    /// `cargo xtask test release`
    Release,
}

/// Steps of a lane run in sequence, those of the two lanes at the same time: a browser waits while a compiler works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Compilers and native programs.
    Native,
    /// Steps that build or use the page, or packages of npm.
    Page,
}

/// A named part of the test run.
#[derive(Debug)]
pub(crate) struct Step {
    pub name: &'static str,
    pub set: Set,
    pub lane: Lane,
    /// Processor seconds in a clean clone, when its set runs in the order of the table.
    pub budget: u32,
    pub description: &'static str,
    pub run: fn() -> Result<()>,
}

/// The step that compiles for the others of its lane, without their programs.
pub(crate) const MODULES: &str = "modules";

/// All steps, in the order of their start.
#[rustfmt::skip]
pub(crate) const STEPS: &[Step] = {
    use Lane::{Native, Page};
    use Set::{Quick, Release};
    const fn step(
        name: &'static str, set: Set, lane: Lane, budget: u32, description: &'static str, run: fn() -> Result<()>,
    ) -> Step {
        Step { name, set, lane, budget, description, run }
    }
    &[
        step("fmt", Quick, Native, 5, "formatting", || process::run(process::cargo().args(["fmt", "--all", "--check"]))),
        step("clippy", Quick, Native, 250, "lints; compiles the native tests", clippy),
        step("native", Quick, Native, 130, "native tests", native_tests),
        step("doc", Quick, Native, 60, "documentation of the engine, and all examples", doc),
        step(MODULES, Quick, Page, 215, "lints for WebAssembly; compiles the modules of the page and of tests", in_browser::build),
        step("unit", Quick, Page, 30, "unit tests of the page's modules in Node", unit),
        step("biome", Quick, Page, 5, "formatting and lints of the page's modules and their tests", || npm_check("@biomejs/biome/bin/biome", &["ci", "--colors=off"])),
        step("types", Quick, Page, 10, "types in the comments of the page's modules and workers", types),
        step("wasm", Quick, Page, 60, "tests of the engine in a worker of Chromium", in_browser::in_chromium),
        step("page", Quick, Page, 200, "the page in Chromium, by the flows that users depend on", page),
        step("long", Release, Native, 300, "native tests that take long: random walks, kills, whole games", || run_native(&PACKAGES, true)),
        step("tables", Release, Native, 100, "transposition tables that store whole boards and check each entry", tables),
        step("miri", Release, Native, 160, "the transposition table and the search threads under Miri, if available", miri),
        step("sanitize", Release, Native, 700, "shared state of threads: loom and sanitizers", sanitize::run),
        step("docs", Release, Native, 60, "documentation of all packages", || document(&PACKAGES)),
        step("targets", Release, Native, 80, "lints of the published packages and the C library for macOS", targets),
        step("deny", Release, Native, 5, "licenses, sources and duplicates of all dependencies", deny),
        step("crates", Release, Native, 120, "the published packages, built from their archives", crates),
        step("arm", Release, Page, 400, "the program and the C library for 64-bit ARM, under QEMU", systems::arm),
        step("windows", Release, Page, 300, "the program and the C library for Windows, under Wine", systems::windows),
        step("cluster", Release, Native, 30, "the cluster example with a killed worker, if Python is available", cluster),
        step("differential", Release, Page, 200, "endgames of all builds, kernels and thread counts compared", || native::differential(&Differential { minutes: 1, seed: 1, native: false })),
        step("package", Release, Page, 560, "the packages, each unpacked in an empty folder and used", packages),
        step("pages", Release, Page, 400, "the rest of the page tests, with Firefox", pages),
        step("workers", Release, Page, 280, "tests of the engine in a worker with wasm-pack or its runner, and in Firefox", in_browser::others),
    ]
};

/// Compiles the native tests and programs with the compiler of clippy, which lints the packages of the workspace.
fn clippy() -> Result<()> {
    ensure!(process::find("clippy-driver").is_some(), "clippy is not installed");
    let build = |packages: &[&str]| {
        process::run(process::linting(&["build"]).args(["--tests", "--bins"]).args(packages))
    };
    build(&PACKAGES)?;
    build(&["--package", "xtask"])
}

fn native_tests() -> Result<()> {
    run_native(&PACKAGES, false)?;
    run_native(&["--package", "xtask"], false)
}

/// Runs the tests of packages; if `is_long`, those that are marked as ignored.
fn run_native(packages: &[&str], is_long: bool) -> Result<()> {
    let mut command = process::testing();
    command.arg("--tests").args(packages);
    command.args(match (is_long, process::has_nextest()) {
        (true, true) => &["--run-ignored=only"][..],
        (true, false) => &["--", "--ignored"],
        (false, _) => &[],
    });
    process::run(command.env("OUTFLANK_PROGRAM", native::build_for_tests()?))
}

/// Runs a search that stores the whole board in every table entry and panics at the first entry of another board.
fn tables() -> Result<()> {
    let mut command = process::testing();
    command.args(["--package", "outflank", "--test", "endgame"]);
    command.arg("--target-dir").arg(workspace::root().join("target/whole-boards"));
    command.arg("no_table_answers_for_another_board").env("RUSTFLAGS", "--cfg whole_boards");
    process::run(&mut command)
}

/// Checks the documentation of the engine, and runs the examples of all packages.
fn doc() -> Result<()> {
    document(&["--package", "outflank"])?;
    process::run(process::linting(&["test"]).arg("--doc").args(PACKAGES))
}

fn document(packages: &[&str]) -> Result<()> {
    let mut pages = process::cargo();
    pages.args(["doc", "--locked", "--no-deps"]).args(packages);
    process::run(pages.env("RUSTDOCFLAGS", "-D warnings"))
}

const MAC: &str = "aarch64-apple-darwin";

/// Lints the published packages and the C library for macOS. The steps `arm` and `windows` compile for the other systems.
/// Nothing is linked, so no linker is required.
fn targets() -> Result<()> {
    toolchain::ensure_target(MAC)?;
    let mut cargo = process::cargo();
    cargo.args(["clippy", "--locked", "--quiet", "--all-features", "--target", MAC, "--target-dir"]);
    cargo.arg(systems::folder());
    cargo.args(PUBLISHED.iter().chain(&["outflank-c"]).flat_map(|name| ["--package", name]));
    process::run(cargo.args(["--", "-D", "warnings"]))
}

/// Components of the nightly compiler.
const MIRI: [&str; 2] = ["miri", "rust-src"];

/// Runs the tests of the transposition table, its memory and the threads under Miri, which detects undefined behavior. If Miri is
/// not available, prints the reason. Tests that would take minutes are disabled under Miri.
pub(super) fn miri() -> Result<()> {
    if let Err(reason) = toolchain::ensure_nightly(&MIRI) {
        println!("skipped: {reason:#}");
        return Ok(());
    }
    let mut miri =
        toolchain::nightly(&["cargo", "miri", "test", "--locked", "--package", "outflank", "--lib"]);
    process::run(miri.args(["--", "search::table", "search::memory", "search::threads"]))
}

fn unit() -> Result<()> {
    in_browser::build()?;
    node_tests(setup::node()?.arg("--test").env(workspace::PAGE, workspace::page_for_tests()), "page/unit")
}

fn types() -> Result<()> {
    let projects = ["tests/page/tsconfig.json", "tests/page/tsconfig.workers.json"];
    projects.into_iter().try_for_each(|project| npm_check("typescript/bin/tsc", &["--project", project]))
}

/// Runs a program of an npm package in the root of the repository.
fn npm_check(program: &str, arguments: &[&str]) -> Result<()> {
    setup::npm()?;
    let program = workspace::tests().join("node_modules").join(program);
    process::run(setup::node()?.arg(program).args(arguments))
}

/// Runs the flows that users depend on, with the page that the tests build.
fn page() -> Result<()> {
    in_browser::build()?;
    page_tests("page", setup::node()?.env(workspace::PAGE, workspace::page_for_tests()))
}

/// Runs the other page tests, with the page as it is shipped.
fn pages() -> Result<()> {
    dist::build()?;
    page_tests("page/release", setup::node()?.env("FIREFOX_PATH", setup::firefox()?))
}

/// Runs page tests with one server and one browser.
fn page_tests(folder: &str, node: &mut Command) -> Result<()> {
    setup::prepare_browser(node)?;
    node_tests(
        node.env("OUTFLANK_NATIVE", native::build_for_tests()?).arg("tests/page/harness/run.js"),
        folder,
    )
}

/// Builds and packs twice and compares the checksums, then uses the packages.
fn packages() -> Result<()> {
    let mut node = setup::node()?;
    setup::prepare_browser(&mut node)?;
    package::run()?;
    let first = package::sums()?;
    dist::build()?;
    package::run()?;
    let second = package::sums()?;
    ensure!(first == second, "packing twice gives different files:\n{first}{second}");
    node_tests(node.arg("--test").env("OUTFLANK_PACKAGES", package::folder()), "packages")
}

/// Runs every `*.test.js` in a folder of the browser tests.
fn node_tests(node: &mut Command, folder: &str) -> Result<()> {
    let folder = workspace::tests().join(folder);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    files.sort();
    ensure!(!files.is_empty(), "no *.test.js in {}", folder.display());
    let files = files.iter().map(|file| file.strip_prefix(workspace::root()).unwrap_or(file));
    process::run(node.arg("--test-reporter=spec").args(files))
}

/// The packages, each after its dependencies.
const PUBLISHED: [&str; 2] = ["outflank", "outflank-cli"];

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Warnings about the registry, not about these packages: a slow network, a withdrawn dependency.
const REGISTRY_WARNINGS: [&str; 2] = ["spurious network error", "is yanked in registry"];

/// Packs and builds the packages. A warning is a failure, because `cargo publish` cannot be undone.
fn crates() -> Result<()> {
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
    Ok(())
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
fn deny() -> Result<()> {
    let program = tools::pinned("cargo-deny", CARGO_DENY)?;
    let deny = |arguments: &[&str]| {
        process::run(Command::new(&program).current_dir(workspace::root()).args(arguments))
    };
    deny(&["--locked", "check", "licenses", "bans", "sources"])?;
    if has_advisories() {
        return deny(&["--locked", "--offline", "check", "advisories"]);
    }
    println!(
        "advisories are not checked: their database is not on this machine (`{} fetch db` downloads it from GitHub)",
        program.display()
    );
    Ok(())
}

fn has_advisories() -> bool {
    let folder = toolchain::cargo_home().map(|cargo| cargo.join("advisory-dbs"));
    folder.is_some_and(|folder| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()))
}

/// Positions of the test of the cluster. A worker is killed after 1000.
const CLUSTER_POSITIONS: &str = "1500";

/// Searches positions in four processes, one of which is killed, and in one process. If Python cannot create a virtual
/// environment, prints the reason.
fn cluster() -> Result<()> {
    let folder = workspace::tests().join("packages/cluster");
    let python = match environment(&folder.join("requirements.txt")) {
        Ok(python) => python,
        Err(reason) => {
            println!("skipped: {reason:#}");
            return Ok(());
        }
    };
    let outflank = native::build_for_tests()?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).arg(outflank).arg(CLUSTER_POSITIONS);
    // Dask logs a page of text when a worker is killed.
    command.env("DASK_DISTRIBUTED__LOGGING__DISTRIBUTED", "critical");
    process::run(&mut command)
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
