//! The licences of everything that is linked into what is shipped.
//!
//! Cargo tells what is linked for a target and with which features: tools of the build and macros are not. Each package
//! states its licence as an SPDX expression; one that allows nothing of [`ALLOWED`], or is not understood, ends the
//! packing. Their texts come from the packages themselves, each once however many have it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

use crate::process;

/// What may be part of a program under MIT or Apache-2.0 without asking for more than to be named.
const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
];

/// Names of files with a licence's text begin so, in any case.
const TEXTS: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Something that is linked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Linked {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
}

/// What one of our packages is made with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build<'a> {
    pub(super) package: &'a str,
    pub(super) target: &'a str,
    /// Features beside none, else the default ones.
    pub(super) features: Option<&'a str>,
}

/// The texts for these builds together.
///
/// # Errors
/// When a licence is none that goes with ours, or a package has no text of its own.
pub(super) fn texts(builds: &[Build<'_>]) -> Result<String> {
    let mut linked = Vec::new();
    for build in builds {
        let known = known(build.target)?;
        for (name, version) in tree(build)? {
            let package = known.get(&(name.clone(), version.clone()));
            linked.extend(package.with_context(|| format!("cargo does not know {name} {version}"))?.clone());
        }
    }
    linked.sort();
    linked.dedup();
    if linked.is_empty() {
        bail!("nothing is linked by {builds:?}");
    }
    written(&linked)
}

/// Names and versions of what is linked.
fn tree(build: &Build<'_>) -> Result<Vec<(String, String)>> {
    let mut cargo = process::cargo();
    cargo.args(["tree", "--locked", "--package", build.package, "--target", build.target]);
    cargo.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe", "--format", "{p}"]);
    if let Some(features) = build.features {
        cargo.args(["--no-default-features", "--features", features]);
    }
    named(&process::output(&mut cargo)?)
}

/// Lines such as `memchr v2.8.3` and `outflank v0.1.0 (/home/me/engine)`.
fn named(lines: &str) -> Result<Vec<(String, String)>> {
    let mut names = Vec::new();
    for line in lines.lines().filter(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next(), words.next().and_then(|word| word.strip_prefix('v')));
        let both = name.zip(version).ok_or_else(|| anyhow!("cargo tree says `{line}`"))?;
        names.push((both.0.to_owned(), both.1.to_owned()));
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Everything the workspace may be built from for a target, by name and version; `None` is ours.
fn known(target: &str) -> Result<BTreeMap<(String, String), Option<Linked>>> {
    let mut cargo = process::cargo();
    let told = process::output(cargo.args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ]))?;
    let told: Value = serde_json::from_str(&told).context("cargo metadata")?;
    let packages = told["packages"].as_array().context("cargo metadata names no packages")?;
    let known = packages.iter().map(|package| {
        let text = |field: &str| package[field].as_str().map(str::to_owned);
        let name = text("name").context("a package without a name")?;
        let version = text("version").with_context(|| format!("{name} has no version"))?;
        let manifest = text("manifest_path").with_context(|| format!("{name} lies nowhere"))?;
        let folder = Path::new(&manifest).parent().unwrap_or(Path::new("/")).to_owned();
        let licence = text("license").unwrap_or_default();
        let key = (name.clone(), version.clone());
        let is_ours = package["source"].is_null();
        Ok((key, (!is_ours).then_some(Linked { name, version, licence, folder })))
    });
    known.collect()
}

fn written(linked: &[Linked]) -> Result<String> {
    let mut list = String::new();
    // Texts that differ in white space alone are one.
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for package in linked {
        let Linked { name, version, licence, folder } = package;
        if !is_allowed(licence).with_context(|| format!("{name} {version}"))? {
            bail!("{name} {version} is under `{licence}`, which does not go with MIT or Apache-2.0");
        }
        let _ = writeln!(list, "  {name} {version}: {licence}");
        let files = files(folder)?;
        if files.is_empty() {
            bail!("{name} {version} has no text of its licence in {}", folder.display());
        }
        for file in files {
            let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, users) = texts.entry(key).or_insert_with(|| (text, Vec::new()));
            let user = format!("{name} {version}");
            if !users.contains(&user) {
                users.push(user);
            }
        }
    }
    let mut all = format!(
        "Outflank is under MIT or Apache-2.0 (LICENSE-MIT, LICENSE-APACHE). It is made with these packages of others:\n\n\
         {list}\nand with Rust's standard library (rust-standard-library.html). Their licences follow.\n"
    );
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by(|one, other| one.1.cmp(&other.1).then_with(|| one.0.cmp(&other.0)));
    for (text, users) in texts {
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
        if entry.file_type()?.is_file() && TEXTS.iter().any(|text| name.starts_with(text)) {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Whether an SPDX expression leaves a choice that goes with our licences.
///
/// # Errors
/// Where it is none.
fn is_allowed(expression: &str) -> Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let allowed = any(&mut words).filter(|_| words.peek().is_none());
    allowed.ok_or_else(|| anyhow!("`{expression}` is no licence expression"))
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>) -> Option<bool> {
    let mut allowed = all(words)?;
    while words.next_if_eq(&"OR").is_some() {
        allowed |= all(words)?;
    }
    Some(allowed)
}

fn all(words: &mut Words<'_>) -> Option<bool> {
    let mut allowed = one(words)?;
    while words.next_if_eq(&"AND").is_some() {
        allowed &= one(words)?;
    }
    Some(allowed)
}

fn one(words: &mut Words<'_>) -> Option<bool> {
    let word = words.next().filter(|word| !["AND", "OR", "WITH", ")"].contains(word))?;
    if word == "(" {
        let allowed = any(words)?;
        return (words.next()? == ")").then_some(allowed);
    }
    if words.next_if_eq(&"WITH").is_some() {
        let exception = words.next()?;
        return Some(ALLOWED.contains(&format!("{word} WITH {exception}").as_str()));
    }
    Some(ALLOWED.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_goes_with_ours_is_enough() {
        for allowed in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "Unlicense OR MIT",
            "GPL-3.0-only OR MIT",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "GPL-2.0 AND Zlib-not OR ISC",
        ] {
            assert!(is_allowed(allowed).unwrap(), "{allowed}");
        }
        for refused in [
            "GPL-3.0-or-later",
            "MIT AND GPL-2.0-only",
            "MIT AND (GPL-2.0-only OR LGPL-2.1)",
            "MPL-2.0",
            "GPL-2.0 WITH Classpath-exception-2.0",
            "mit",
        ] {
            assert!(!is_allowed(refused).unwrap(), "{refused}");
        }
        for nonsense in ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Apache-2.0", "MIT WITH"] {
            assert!(is_allowed(nonsense).is_err(), "{nonsense}");
        }
    }

    /// What `cargo deny` lets through is what may be shipped.
    #[test]
    fn deny_toml_allows_the_same() {
        let text = fs::read_to_string(crate::workspace::root().join("deny.toml")).unwrap();
        let list = text.split_once("allow = [").unwrap().1.split_once(']').unwrap().0;
        let names: Vec<&str> = list.split(',').map(|name| name.trim().trim_matches('"')).collect();
        assert_eq!(names.strip_suffix(&[""]).unwrap(), ALLOWED);
    }

    #[test]
    fn what_cargo_lists_is_read() {
        let lines = "outflank-cli v0.1.0 (/home/me/a b/cli)\nmemchr v2.8.3\n\nmemchr v2.8.3\n";
        let pair = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        assert_eq!(named(lines).unwrap(), [pair("memchr", "2.8.3"), pair("outflank-cli", "0.1.0")]);
        assert!(named("memchr 2.8.3").unwrap_err().to_string().contains("memchr 2.8.3"));
    }

    #[test]
    fn a_text_is_told_once_and_a_missing_one_refused() {
        let folder = std::env::temp_dir().join(format!("outflank-licences-{}", std::process::id()));
        let package = |name: &str, licence: &str| {
            let folder = folder.join(name);
            fs::create_dir_all(&folder).unwrap();
            let (name, version, licence) = (name.to_owned(), "1.0.0".to_owned(), licence.to_owned());
            Linked { name, version, licence, folder }
        };
        let all = ["one", "other", "odd"].map(|name| package(name, "MIT"));
        fs::write(all[0].folder.join("LICENSE"), "Copyright me\n\nPermission\n").unwrap();
        fs::write(all[1].folder.join("License.txt"), "Copyright me\r\nPermission").unwrap();
        let without = written(&all).unwrap_err().to_string();
        fs::write(all[2].folder.join("COPYING"), "Copyright you").unwrap();
        let whole = written(&all).unwrap();
        let copyleft = written(&[package("one", "GPL-3.0-only")]).unwrap_err().to_string();
        fs::remove_dir_all(&folder).unwrap();

        assert!(without.contains("odd 1.0.0 has no text"), "{without}");
        assert!(copyleft.contains("GPL-3.0-only"), "{copyleft}");
        assert_eq!(whole.matches("Permission").count(), 1, "{whole}");
        assert!(whole.contains("one 1.0.0, other 1.0.0\n===="), "{whole}");
        assert!(whole.contains("Copyright you"), "{whole}");
    }
}
