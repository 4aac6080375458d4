//! The compiler: its paths, its targets, and the flags that keep paths of this machine out of its output. The nightly toolchain
//! is required by Miri, the sanitizers and the coverage counters of fuzzing, and is not installed automatically.

use std::env;
use std::fs::DirEntry;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::{process, workspace};

/// Returns the folder of the compiler.
pub(crate) fn sysroot() -> Result<PathBuf> {
    Ok(PathBuf::from(process::output(rustc().args(["--print", "sysroot"]))?.trim()))
}

/// Returns the target of this machine.
pub(crate) fn host() -> Result<String> {
    let version = process::output(rustc().arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` prints no host")?.to_owned())
}

/// Adds the standard library of a target if it is missing.
pub(crate) fn ensure_target(target: &str) -> Result<()> {
    ensure_component(
        &format!("lib/rustlib/{target}"),
        &format!("rust-std-{target}"),
        &["target", "add", target],
    )
}

/// Runs `rustup` with `arguments` if the compiler's folder lacks `path`. `package` is the usual name of the component in
/// distributions that have no `rustup`.
pub(crate) fn ensure_component(path: &str, package: &str, arguments: &[&str]) -> Result<()> {
    // Parallel builds need the same component, and two instances of rustup delete each other's download.
    static ADDING: Mutex<()> = Mutex::new(());
    let _alone = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
    let sysroot = sysroot()?;
    if sysroot.join(path).exists() {
        return Ok(());
    }
    if process::find("rustup").is_none() {
        bail!(
            "the compiler in {} has no {path}, and rustup, which would add it, is not installed; \
             install the package of your system (often `{package}`)",
            sysroot.display()
        );
    }
    println!("running rustup {}", arguments.join(" "));
    process::run(Command::new("rustup").current_dir(workspace::root()).args(arguments))
}

/// Returns the folder in which cargo stores downloads, or `None` without a home folder.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    let named = env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// Returns the folders in which cargo unpacks the packages of its registries.
pub(crate) fn registry_sources() -> Result<Vec<PathBuf>> {
    let sources = cargo_home().context("no home folder")?.join("registry/src");
    let entries = sources.read_dir().into_iter().flatten();
    let path = |entry: std::io::Result<DirEntry>| Ok(entry?.path());
    entries.map(path).collect::<Result<_>>().with_context(|| format!("cannot read {}", sources.display()))
}

/// Returns the folders of this machine that messages of panics would contain, and their replacements.
pub(crate) fn private_paths() -> Result<Vec<(PathBuf, &'static str)>> {
    Ok(vec![
        (workspace::root().to_owned(), "/outflank"),
        (cargo_home().context("no home folder")?, "/cargo"),
        (sysroot()?.join("lib/rustlib/src/rust"), "/rust"),
    ])
}

/// Returns the arguments of cargo that add compiler flags for a target to those of the configuration.
pub(crate) fn flags(target: &str, flags: &[String]) -> Vec<String> {
    // A JSON list of strings is also TOML.
    vec!["--config".to_owned(), format!("target.{target}.rustflags={}", serde_json::json!(flags))]
}

/// Returns the compiler flags that replace the private paths.
pub(crate) fn without_private_paths() -> Result<Vec<String>> {
    let paths = private_paths()?.into_iter();
    Ok(paths.map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display())).collect())
}

fn rustc() -> Command {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(workspace::root());
    rustc
}

/// Tests that need it are skipped without it and print the reason.
const NIGHTLY: &str = "nightly";

/// Checks that the nightly toolchain is installed and at least as new as the `rust-version` of the packages, and adds missing components.
///
/// # Errors
/// If the toolchain is missing or too old, or a component cannot be added.
pub(crate) fn ensure_nightly(components: &[&str]) -> Result<()> {
    ensure!(process::find("rustup").is_some(), "rustup, which runs the nightly toolchain, is not installed");
    let version = process::output(nightly(&["rustc", "--version"]).stderr(Stdio::null()))
        .map_err(|_| anyhow!("not installed (`rustup toolchain install {NIGHTLY}`)"))?;
    let (version, required) = (version.trim(), env!("CARGO_PKG_RUST_VERSION"));
    ensure!(
        minor(version.trim_start_matches("rustc ")) >= minor(required),
        "the {NIGHTLY} toolchain is too old: {version}, not {required}"
    );
    let list = ["component", "list", "--installed", "--toolchain", NIGHTLY];
    let installed = process::output(Command::new("rustup").args(list))?;
    let is_installed = |name: &&str| installed.lines().any(|line| line.starts_with(*name));
    if components.iter().all(is_installed) {
        return Ok(());
    }
    println!("adding {} to the {NIGHTLY} toolchain", components.join(" and "));
    let mut rustup = Command::new("rustup");
    process::run(rustup.args(["component", "add", "--toolchain", NIGHTLY]).args(components))
}

/// Returns a command that runs with this toolchain, without the variables that cargo set for this program.
pub(crate) fn nightly(words: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(workspace::root()).args(["run", NIGHTLY]).args(words);
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command
}

/// Returns the second number of a version such as `1.95.0`.
fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}
