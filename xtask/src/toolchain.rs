//! The compiler: where it lies, what it compiles for, and how no path of this machine gets into what it makes.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// Where the compiler lies.
pub(crate) fn sysroot() -> Result<PathBuf> {
    Ok(PathBuf::from(process::output(rustc().args(["--print", "sysroot"]))?.trim()))
}

/// The target that is compiled for where none is named.
pub(crate) fn host() -> Result<String> {
    let told = process::output(rustc().arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("the compiler does not tell its host")?.to_owned())
}

/// Adds a target's standard library where it is missing.
pub(crate) fn ensure_target(target: &str) -> Result<()> {
    // Builds side by side want the same one, and rustup running twice loses the file that it loads.
    static ADDING: Mutex<()> = Mutex::new(());
    let _alone = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
    let sysroot = sysroot()?;
    if sysroot.join("lib/rustlib").join(target).is_dir() {
        return Ok(());
    }
    if process::find("rustup").is_none() {
        bail!(
            "the compiler in {} has no standard library for {target} and there is no rustup to add it; \
             install the package that your system has for it (often `rust-std-{target}`)",
            sysroot.display()
        );
    }
    println!("adding the target {target}");
    process::run(Command::new("rustup").current_dir(workspace::root()).args(["target", "add", target]))
}

/// Where cargo keeps what it loads.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    let named = env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// Folders of this machine whose names panics would tell, and what they tell instead.
pub(crate) fn private_paths() -> Result<Vec<(PathBuf, &'static str)>> {
    Ok(vec![
        (workspace::root().to_owned(), "/outflank"),
        (cargo_home().context("there is no home folder")?, "/cargo"),
        (sysroot()?.join("lib/rustlib/src/rust"), "/rust"),
    ])
}

/// Arguments of cargo that add flags of the compiler for a target to those of the configuration.
pub(crate) fn flags(target: &str, flags: &[String]) -> Vec<String> {
    // TOML reads strings of JSON.
    vec!["--config".to_owned(), format!("target.{target}.rustflags={}", serde_json::json!(flags))]
}

/// Flags that leave the private paths out of what is made.
pub(crate) fn without_private_paths() -> Result<Vec<String>> {
    let paths = private_paths()?.into_iter();
    Ok(paths.map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display())).collect())
}

fn rustc() -> Command {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(workspace::root());
    rustc
}
