//! The license texts of all packages that are linked into a shipped file.
//!
//! Cargo reports which packages are linked for a target and its features; build tools and macros are not. The texts come from
//! the packages, and each text is written once. `cargo deny` checks which licenses are allowed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{process, toolchain};

/// Beginnings of the names of license files, in lower case.
const NAMES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Packages without a license text, and the packages of the same repository whose text is also theirs.
const TEXTS_ELSEWHERE: [(&str, &str); 1] = [("alloc-stdlib ", "alloc-no-stdlib ")];

/// A linked package. `name` includes the version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Linked {
    name: String,
    license: String,
    folder: PathBuf,
}

/// A build of a package of the workspace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build<'a> {
    pub(super) package: &'a str,
    pub(super) target: &'a str,
    /// The only features that are enabled. `None` enables the default features.
    pub(super) features: Option<&'a str>,
}

/// Returns the text of `THIRD-PARTY.txt` for these builds together.
///
/// # Errors
/// If a package contains no license text.
pub(super) fn texts(builds: &[Build<'_>]) -> Result<String> {
    let mut linked = BTreeSet::new();
    for build in builds {
        linked.extend(packages(build)?);
    }
    ensure!(!linked.is_empty(), "nothing is linked by {builds:?}");
    written(&linked)
}

/// Returns the linked packages from a registry.
fn packages(build: &Build<'_>) -> Result<Vec<Linked>> {
    let mut tree = process::cargo();
    tree.args(["tree", "--locked", "--package", build.package, "--target", build.target]);
    tree.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe", "--format", "{p};{l}"]);
    if let Some(features) = build.features {
        tree.args(["--no-default-features", "--features", features]);
    }
    let sources = toolchain::registry_sources()?;
    let mut linked = Vec::new();
    // Lines such as `memchr v2.8.3;MIT` and `outflank v0.1.0 (/home/me/engine);MIT`.
    for line in process::output(&mut tree)?.lines().filter(|line| !line.contains(" (")) {
        let Some((name, license)) = line.split_once(';') else { continue };
        let name = name.replace(" v", " ");
        let mut folders = sources.iter().map(|sources| sources.join(name.replace(' ', "-")));
        let folder = folders.find(|folder| folder.is_dir());
        let folder = folder.with_context(|| format!("the sources of {name} are not in cargo's registry"))?;
        linked.push(Linked { name, license: license.to_owned(), folder });
    }
    Ok(linked)
}

fn written(linked: &BTreeSet<Linked>) -> Result<String> {
    let mut list = String::new();
    // Texts that differ only in white space are one text.
    let mut texts: BTreeMap<String, (Vec<&str>, String)> = BTreeMap::new();
    for Linked { name, license, folder } in linked {
        let _ = writeln!(list, "  {name}: {license}");
        let elsewhere = TEXTS_ELSEWHERE.iter().find(|(package, _)| name.starts_with(package));
        let other =
            elsewhere.and_then(|(_, other)| linked.iter().find(|linked| linked.name.starts_with(other)));
        let files = files(other.map_or(folder, |linked| &linked.folder))?;
        ensure!(!files.is_empty(), "{name} has no license text in {}", folder.display());
        for file in files {
            let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (users, _) = texts.entry(key).or_insert_with(|| (Vec::new(), text));
            if users.last() != Some(&name.as_str()) {
                users.push(name);
            }
        }
    }
    let mut all = format!(
        "Outflank is under MIT or Apache-2.0 (LICENSE-MIT, LICENSE-APACHE). It contains these packages:\n\n\
         {list}\nand Rust's standard library (rust-standard-library.html). Their licenses follow.\n"
    );
    for (users, text) in texts.into_values().collect::<BTreeSet<_>>() {
        let line = "=".repeat(80);
        let _ = write!(all, "\n{line}\n{}\n{line}\n\n{}\n", users.join(", "), text.trim_matches('\n'));
    }
    Ok(all)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_without_a_text_is_refused() {
        let folder = crate::workspace::root().join("xtask/src");
        let package = Linked { name: "one 1.0.0".to_owned(), license: "MIT".to_owned(), folder };
        let error = written(&BTreeSet::from([package])).unwrap_err().to_string();
        assert!(error.contains("one 1.0.0 has no license text"), "{error}");
    }

    #[test]
    fn every_package_of_the_program_has_a_text() {
        let target = toolchain::host().unwrap();
        let all = texts(&[Build { package: "outflank-cli", target: &target, features: None }]).unwrap();
        assert!(all.contains("tokio 1.") && all.contains("alloc-stdlib 0."), "{all}");
    }
}
