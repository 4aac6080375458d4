//! The steps of the test run.

use std::env;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};

use super::cluster;
use super::crates;
use super::deny;
use super::miri;
use super::sanitize;
use super::setup::{Need, Setup};
use super::tally::Tally;
use super::targets;
use crate::{browser, dist, native, package, process, tools, wasm, workspace};

/// A named part of the test run.
pub(crate) struct Step {
    pub name: &'static str,
    pub what: &'static str,
    pub needs: &'static [Need],
    pub part: Part,
    pub run: fn(&Setup) -> Result<Tally>,
}

/// When a step is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// With all others.
    Whole,
    /// Only where it is named: it takes too long.
    Named,
}

/// All steps, quick ones first.
pub(crate) const STEPS: &[Step] = &[
    Step { name: "fmt", what: "formatting", needs: &[], part: Part::Whole, run: fmt },
    Step {
        name: "unit",
        what: "unit tests of the page's modules in Node",
        needs: &[Need::Packages],
        part: Part::Whole,
        run: unit,
    },
    Step {
        name: "biome",
        what: "formatting and lints of the page's modules and their tests",
        needs: &[Need::Packages, Need::Npm],
        part: Part::Whole,
        run: biome,
    },
    Step {
        name: "types",
        what: "types of the page's modules, as their comments give them",
        needs: &[Need::Packages, Need::Npm],
        part: Part::Whole,
        run: types,
    },
    Step {
        name: "clippy",
        what: "lints, natively and for WebAssembly",
        needs: &[],
        part: Part::Whole,
        run: clippy,
    },
    Step { name: "native", what: "native tests", needs: &[], part: Part::Whole, run: native_tests },
    Step {
        name: "tables",
        what: "the tables with whole boards beside their entries",
        needs: &[],
        part: Part::Whole,
        run: tables,
    },
    Step { name: "doc", what: "documentation and its examples", needs: &[], part: Part::Whole, run: doc },
    Step {
        name: "targets",
        what: "the library and the program for other systems, compiled as far as that goes here",
        needs: &[],
        part: Part::Whole,
        run: |_| targets::run(),
    },
    Step {
        name: "crates",
        what: "what would be published on crates.io, built from its archives",
        needs: &[],
        part: Part::Whole,
        run: |_| crates::run(),
    },
    Step {
        name: "deny",
        what: "licences and sources of all dependencies, and that none is there twice unawares",
        needs: &[],
        part: Part::Whole,
        run: |_| deny::run(),
    },
    Step {
        name: "miri",
        what: "the transposition table and the threads of a search under Miri, where a nightly toolchain has it",
        needs: &[],
        part: Part::Whole,
        run: |_| miri::run(),
    },
    Step {
        name: "wasm",
        what: "tests in a dedicated worker of a headless browser",
        needs: &[Need::Packages, Need::Runner],
        part: Part::Whole,
        run: in_browsers,
    },
    Step {
        name: "cluster",
        what: "the cluster example, with a worker killed on the way, where Python is at hand",
        needs: &[],
        part: Part::Whole,
        run: |_| cluster::run(),
    },
    Step {
        name: "page",
        what: "the built page in Chromium and Firefox, end to end",
        needs: &[Need::Packages, Need::Npm],
        part: Part::Whole,
        run: page,
    },
    Step {
        name: "package",
        what: "the packages, each unpacked in an empty folder and used",
        needs: &[Need::Packages, Need::Npm],
        part: Part::Whole,
        run: packages,
    },
    Step {
        name: "sanitize",
        what: "what threads share under loom and Miri and with the sanitizers of threads and addresses",
        needs: &[],
        part: Part::Named,
        run: |_| sanitize::run(),
    },
];

/// The browser runner is one line around a library of 170 crates and has no test of its own: building those
/// for the native tests costs a minute.
const ALL_BUT_RUNNER: [&str; 3] = ["--workspace", "--exclude", "xtask-runner"];

/// Seconds that the tests in the browser may take together.
const BROWSER_TIMEOUT: &str = "600";

fn fmt(_: &Setup) -> Result<Tally> {
    Tally::of_check(process::cargo().args(["fmt", "--all", "--check"]))
}

/// For this machine, and for WebAssembly, which alone compiles its kernels and bindings.
fn clippy(_: &Setup) -> Result<Tally> {
    wasm::ensure_target()?;
    let clippy = |packages: &[&str]| {
        let mut command = process::cargo();
        command.args(["clippy", "--locked", "--all-targets"]).args(packages).args(["--", "-D", "warnings"]);
        Tally::of_check(&mut command)
    };
    let mut tally = clippy(&["--workspace"])?;
    tally += clippy(&["--package", "outflank-web", "--target", wasm::TARGET])?;
    Ok(tally)
}

fn native_tests(_: &Setup) -> Result<Tally> {
    let mut command = process::cargo();
    if process::find("cargo-nextest").is_some() {
        println!("with cargo-nextest, which is installed");
        command.args(["nextest", "run", "--locked", "--no-fail-fast", "--no-tests=pass"]);
        command.args(["--status-level=slow", "--final-status-level=fail"]);
    } else {
        println!("with cargo test; cargo-nextest is not installed");
        command.args(["test", "--locked", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    }
    Tally::of_tests(command.args(ALL_BUT_RUNNER))
}

/// A build of the search that keeps every board beside its entry and ends at the first false hit.
fn tables(_: &Setup) -> Result<Tally> {
    let mut command = process::cargo();
    command.args(["test", "--locked", "--package", "outflank", "--test", "endgame"]);
    command.arg("--target-dir").arg(workspace::root().join("target/whole-boards"));
    command.arg("no_table_answers_for_another_board").env("RUSTFLAGS", "--cfg whole_boards");
    at_least_one(Tally::of_tests(&mut command)?)
}

fn doc(_: &Setup) -> Result<Tally> {
    let mut pages = process::cargo();
    pages.args(["doc", "--locked", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings");
    let mut tally = Tally::of_check(&mut pages)?;
    tally += Tally::of_tests(process::cargo().args(["test", "--locked", "--doc"]).args(ALL_BUT_RUNNER))?;
    Ok(tally)
}

fn in_browsers(setup: &Setup) -> Result<Tally> {
    let (_, chromium) = setup.browser()?;
    let runner = setup.runner()?;
    let mut tally = in_browser(&runner, "--chrome", ("CHROMEDRIVER", &chromium), "GECKODRIVER")?;
    match browser::firefox_driver() {
        Some(firefox) => {
            println!("and in Firefox");
            tally += in_browser(&runner, "--firefox", ("GECKODRIVER", &firefox), "CHROMEDRIVER")?;
        }
        None => println!("not in Firefox: there is none, or no geckodriver (`cargo install geckodriver`)"),
    }
    Ok(tally)
}

/// The browser tests in the browser that `option` of `wasm-pack` and the driver mean; `other` names a driver that must
/// not be found.
fn in_browser(runner: &Path, option: &str, driver: (&str, &Path), other: &str) -> Result<Tally> {
    let mut command;
    if let Some(wasm_pack) = process::find("wasm-pack") {
        println!("with wasm-pack, which is installed");
        command = Command::new(wasm_pack);
        command.current_dir(workspace::root().join("web"));
        command.args(["test", "--headless", option, "--mode", "no-install"]);
        command.env("PATH", path_with(&tools::folder())?);
    } else {
        println!("with cargo test and the runner of this repository; wasm-pack is not installed");
        command = process::cargo();
        command.args(["test", "--locked", "--package", "outflank-web", "--target", wasm::TARGET]);
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
        command.env("WASM_BINDGEN_TEST_ONLY_WEB", "1");
    }
    command
        .env(driver.0, driver.1)
        .env_remove(other)
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
        .env_remove("NO_HEADLESS");
    at_least_one(Tally::of_tests(&mut command)?)
}

fn unit(_: &Setup) -> Result<Tally> {
    node_tests(&[workspace::root().join("www"), workspace::tests().join("unit")], &[])
}

fn biome(setup: &Setup) -> Result<Tally> {
    npm_check(setup, "@biomejs/biome/bin/biome", &["ci", "--colors=off"])
}

fn types(setup: &Setup) -> Result<Tally> {
    npm_check(setup, "typescript/bin/tsc", &["--project", "tests/tsconfig.json"])
}

/// Runs a program of an npm package, at the root of the repository, as one check.
fn npm_check(setup: &Setup, program: &str, arguments: &[&str]) -> Result<Tally> {
    setup.npm()?;
    let node = process::find("node").context("node is missing")?;
    let mut command = Command::new(node);
    command.current_dir(workspace::root());
    command.arg(workspace::tests().join("node_modules").join(program)).args(arguments);
    Tally::of_check(&mut command)
}

fn page(setup: &Setup) -> Result<Tally> {
    setup.npm()?;
    let (browser, _) = setup.browser()?;
    let firefox = setup.firefox()?;
    dist::build()?;
    let native = native::build_for_tests()?;
    let xtask = env::current_exe().context("where this program is")?;
    let environment = [
        ("CHROME_PATH", browser.as_path()),
        ("FIREFOX_PATH", firefox.as_path()),
        ("OUTFLANK_NATIVE", native.as_path()),
        ("OUTFLANK_XTASK", xtask.as_path()),
    ];
    let folders = [workspace::tests().join("page")];
    node_tests(&folders, &environment)
}

/// Packs twice what is built once: the bytes have to be the same.
fn packages(setup: &Setup) -> Result<Tally> {
    setup.npm()?;
    let (browser, _) = setup.browser()?;
    package::run()?;
    let sums = package::sums()?;
    package::run()?;
    let mut tally = if package::sums()? == sums {
        Tally::PASSED
    } else {
        println!("what is packed twice is not the same:\n{sums}{}", package::sums()?);
        Tally::FAILED
    };
    let packages = package::folder();
    let environment = [("CHROME_PATH", browser.as_path()), ("OUTFLANK_PACKAGES", packages.as_path())];
    tally += node_tests(&[workspace::tests().join("package")], &environment)?;
    Ok(tally)
}

/// Runs every `*.test.js` under the folders that are there in Node's test runner.
fn node_tests(folders: &[PathBuf], environment: &[(&str, &Path)]) -> Result<Tally> {
    let mut files = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        find_tests(folder, &mut files)?;
    }
    files.sort();
    if files.is_empty() {
        bail!("there is no *.test.js under {folders:?}");
    }
    let node = process::find("node").context("node is missing")?;
    let mut command = Command::new(node);
    // Node leaves one core idle, but a browser test waits more than it computes.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let concurrency = format!("--test-concurrency={}", cores.saturating_sub(1).max(2));
    command.current_dir(workspace::root()).args(["--test", "--test-reporter=spec", &concurrency]);
    command.args(files.iter().map(|file| file.strip_prefix(workspace::root()).unwrap_or(file)));
    command.envs(environment.iter().copied());
    at_least_one(Tally::of_tests(&mut command)?)
}

fn find_tests(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            find_tests(&entry.path(), files)?;
        } else if entry.file_name().to_string_lossy().ends_with(".test.js") {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// A run that counted nothing proves nothing.
pub(super) fn at_least_one(tally: Tally) -> Result<Tally> {
    if tally == Tally::default() {
        bail!("no test was run");
    }
    Ok(tally)
}

fn path_with(folder: &Path) -> Result<std::ffi::OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths(std::iter::once(folder.to_path_buf()).chain(env::split_paths(&old)))?)
}
