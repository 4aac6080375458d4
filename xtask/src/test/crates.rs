//! What would be published on crates.io: each package built from its own archive, without the workspace around it.

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use crate::process;

/// The packages, each after those it needs.
const PUBLISHED: [&str; 2] = ["outflank", "outflank-cli"];

/// What cargo warns of where the registry is slow, or somebody else's package was withdrawn: no fault of these packages.
const OF_THE_REGISTRY: [&str; 2] = ["spurious network error", "is yanked in registry"];

/// Packs and builds them. A warning is a fault: it would be met when it is too late.
pub(super) fn run() -> Result<Tally> {
    let mut cargo = process::cargo();
    cargo.args(["package", "--locked", "--allow-dirty", "--color=never"]);
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

/// Whether a line of cargo's is about these packages.
fn is_ours(line: &str) -> bool {
    OF_THE_REGISTRY.iter().all(|foreign| !line.contains(foreign))
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn warnings_of_the_registry_are_no_fault_of_the_packages() {
        assert!(!is_ours("warning: spurious network error (3 tries remaining): [28] Timeout was reached"));
        assert!(!is_ours("warning: package `leb128 v0.2.5` in Cargo.lock is yanked in registry `crates-io`"));
        assert!(is_ours("warning: manifest has no documentation, homepage or repository"));
    }
}
