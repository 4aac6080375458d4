//! What would be published on crates.io: each package built from its own archive, without the workspace around it.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use crate::workspace::{self, remove_folder};
use crate::{process, toolchain};

/// The packages, each after those it needs.
const PUBLISHED: [&str; 2] = ["outflank", "outflank-cli"];

/// The version of all packages of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What cargo warns of where the registry is slow, or somebody else's package was withdrawn: no fault of these packages.
const OF_THE_REGISTRY: [&str; 2] = ["spurious network error", "is yanked in registry"];

/// Packs and builds them. A warning is a fault: it would be met when it is too late.
pub(super) fn run() -> Result<Tally> {
    let target = workspace::target().join("published");
    let home = toolchain::cargo_home().context("there is no home folder")?;
    forget(&target, &home)?;
    let mut cargo = process::cargo();
    cargo.args(["package", "--locked", "--allow-dirty", "--color=never", "--target-dir"]).arg(&target);
    cargo.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    let line = process::line(&cargo);
    println!("$ {line}");
    let told = cargo.output().with_context(|| format!("cannot run `{line}`"))?;
    let text = String::from_utf8_lossy(&told.stderr);
    let of = |kind: &str| -> Vec<_> {
        text.lines().filter(|line| line.starts_with(kind) && is_ours(line)).collect()
    };
    let warnings = of("warning");
    if !told.status.success() || !warnings.is_empty() {
        print!("{text}");
        match told.status.success() {
            true => bail!("`{line}` warns: {}", warnings.join("; ")),
            false => bail!("`{line}` failed: {}", of("error").join("; ")),
        }
    }
    for packaged in text.lines().filter(|line| line.trim_start().starts_with("Packag")) {
        println!("{}", packaged.trim());
    }
    Ok(Tally { passed: PUBLISHED.len() as u64, failed: 0 })
}

/// Removes what earlier runs left of the packages, in the folder `target` and in cargo's own, `home`: cargo takes the
/// package of a version to be the same for ever, so the second would be built on the first as it was once.
fn forget(target: &Path, home: &Path) -> Result<()> {
    remove_folder(target)?;
    let sources = home.join("registry/src");
    let Ok(registries) = sources.read_dir() else { return Ok(()) };
    for registry in registries {
        let registry = registry.with_context(|| format!("cannot read {}", sources.display()))?.path();
        for name in PUBLISHED {
            remove_folder(&registry.join(format!("{name}-{VERSION}")))?;
        }
    }
    Ok(())
}

/// Whether a line of cargo's is about these packages.
fn is_ours(line: &str) -> bool {
    OF_THE_REGISTRY.iter().all(|foreign| !line.contains(foreign))
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::{VERSION, forget, is_ours};

    #[test]
    fn packages_of_earlier_runs_are_forgotten_and_no_others() {
        let folder = env::temp_dir().join(format!("outflank-forget-{}", process::id()));
        let (target, home) = (folder.join("published"), folder.join("home"));
        forget(&target, &home).expect("nothing is there yet");
        let sources = home.join("registry/src");
        let names = ["one/outflank", "two/outflank", "two/outflank-cli", "two/outflank-book"];
        let sources = names.map(|name| sources.join(format!("{name}-{VERSION}")));
        for made in sources.iter().chain([&target]) {
            fs::create_dir_all(made.join("src")).unwrap();
        }
        forget(&target, &home).unwrap();
        assert!(!target.exists());
        assert_eq!(sources.each_ref().map(|folder| folder.exists()), [false, false, false, true]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn warnings_of_the_registry_are_no_fault_of_the_packages() {
        assert!(!is_ours("warning: spurious network error (3 tries remaining): [28] Timeout was reached"));
        assert!(!is_ours("warning: package `leb128 v0.2.5` in Cargo.lock is yanked in registry `crates-io`"));
        assert!(is_ours("warning: manifest has no documentation, homepage or repository"));
    }
}
