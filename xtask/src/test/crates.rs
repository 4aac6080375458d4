//! Builds the published packages from their archives, without the workspace.

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::{self, remove_folder};
use crate::{process, toolchain};

/// The packages, each after its dependencies.
const PUBLISHED: [&str; 2] = ["outflank", "outflank-cli"];

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Warnings about the registry, not about these packages: a slow network, a withdrawn dependency.
const REGISTRY_WARNINGS: [&str; 2] = ["spurious network error", "is yanked in registry"];

/// Packs and builds the packages. A warning is a failure, because `cargo publish` cannot be undone.
pub(super) fn run() -> Result<u64> {
    let target = workspace::target().join("published");
    remove_unpacked(&target)?;
    let mut cargo = process::cargo();
    cargo.args(["package", "--locked", "--allow-dirty", "--color=never", "--target-dir"]).arg(&target);
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
fn remove_unpacked(target: &std::path::Path) -> Result<()> {
    remove_folder(target)?;
    for registry in toolchain::registry_sources()? {
        for name in PUBLISHED {
            remove_folder(&registry.join(format!("{name}-{VERSION}")))?;
        }
    }
    Ok(())
}
