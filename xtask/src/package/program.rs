//! The native program with its manual.

use std::env::consts::EXE_SUFFIX;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::archive::Tree;
use super::licenses::Build;
use super::{Package, VERSION, add_from_root, add_licenses, filled, read};
use crate::{dist, process, toolchain, workspace};

/// Packs the program that was built for shipping.
pub(super) fn pack(program: &Path) -> Result<Package> {
    let target = toolchain::host()?;
    let is_windows = target.contains("-windows-");
    let mut tree = Tree::default();
    tree.add_program(&format!("outflank{EXE_SUFFIX}"), read(program)?);
    add_from_root(&mut tree, "CHANGELOG.md")?;
    let build = Build { package: "outflank-cli", target: &target, features: None };
    add_licenses(&mut tree, &[build])?;
    let values = [("version", VERSION), ("program", &format!("outflank{EXE_SUFFIX}"))];
    tree.add("README.md", filled("cli/package/README.md", &values)?);
    tree.add("nboard.txt", filled("cli/package/nboard.txt", &values)?);
    if !is_windows {
        tree.add_program("engine.sh", filled("cli/package/engine.sh", &values)?);
    }
    for folder in ["docs", "examples"] {
        for (path, bytes) in dist::files(&workspace::root().join("cli").join(folder))? {
            let path = format!("{folder}/{path}");
            if path.ends_with(".sh") {
                tree.add_program(&path, bytes);
            } else {
                tree.add(&path, bytes);
            }
        }
    }
    add_manual(&mut tree, program)?;
    let folder = format!("outflank-{VERSION}-{target}");
    Package::new(format!("{folder}.{}", if is_windows { "zip" } else { "tar.gz" }), &tree, &folder)
}

/// Adds the manual pages and shell completions that the program writes.
fn add_manual(tree: &mut Tree, program: &Path) -> Result<()> {
    let folder = workspace::target().join("manual");
    workspace::remove_folder(&folder)?;
    process::run(Command::new(program).arg("manual").arg(&folder))?;
    let files = dist::files(&folder)?;
    for name in ["outflank.1", "outflank.bash", "outflank.fish", "_outflank", "_outflank.ps1"] {
        if !files.contains_key(name) {
            bail!("the manual of the program has no {name}");
        }
    }
    for (name, bytes) in files {
        let kind = if name.ends_with(".1") { "man/man1" } else { "completions" };
        tree.add(&format!("{kind}/{name}"), bytes);
    }
    Ok(())
}
