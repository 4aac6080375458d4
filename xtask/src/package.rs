//! `cargo xtask package`: what people without a compiler get, in `target/package/`.
//!
//! | file | what |
//! | --- | --- |
//! | `outflank-VERSION-TARGET.tar.gz`, `.zip` for Windows | the program with its manual, for GUIs and terminals |
//! | `outflank-page-VERSION.zip` | the page, for any web host |
//! | `outflank-VERSION.tgz` | the engine's worker, for npm |
//! | `SHA256SUMS` | the checksums of these |
//!
//! The same sources packed twice are the same bytes: order, times and rights of what is packed are fixed, and no
//! path of this machine is in it.

mod archive;
mod licences;
mod npm;
mod page;
mod program;
mod standard_library;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::{dist, native, workspace};
use archive::Tree;

/// The version of all packages: they are released together.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The list of checksums.
const SUMS: &str = "SHA256SUMS";

/// A finished package.
#[derive(Debug)]
struct Package {
    name: String,
    bytes: Vec<u8>,
}

/// The folder of the packages.
pub(crate) fn folder() -> PathBuf {
    workspace::target().join("package")
}

/// Builds everything and packs it.
pub(crate) fn run() -> Result<()> {
    dist::build()?;
    let program = native::build_to_ship()?;
    pack(&program)
}

/// Packs what is built.
pub(crate) fn pack(program: &Path) -> Result<()> {
    let start = Instant::now();
    let packages = [program::pack(program)?, page::pack()?, npm::pack()?];
    let folder = folder();
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut sums = String::new();
    for Package { name, bytes } in &packages {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
        let _ = writeln!(sums, "{}  {name}", sha256(bytes));
    }
    fs::write(folder.join(SUMS), &sums).with_context(|| format!("cannot write {SUMS}"))?;
    println!("packages: {} ({:.1} s)", folder.display(), start.elapsed().as_secs_f64());
    for Package { name, bytes } in &packages {
        println!("{:>9} bytes  {name}", bytes.len());
    }
    Ok(())
}

/// The checksums of the packages that are there, in words.
pub(crate) fn sums() -> Result<String> {
    fs::read_to_string(folder().join(SUMS)).with_context(|| format!("cannot read {SUMS}"))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Adds a file of the repository under its own name.
fn add_from_root(tree: &mut Tree, name: &str) -> Result<()> {
    tree.add(name, read(&workspace::root().join(name))?);
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// A file of the repository with `{version}` and the like filled in.
///
/// # Errors
/// Where it cannot be read, or asks for something that is not there.
fn filled(path: &str, values: &[(&str, &str)]) -> Result<String> {
    let text = String::from_utf8(read(&workspace::root().join(path))?)?;
    let text = values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    anyhow::ensure!(!text.contains("@version@"), "{path}: not all is filled in");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of FIPS 180-4's examples.
    #[test]
    fn checksums_are_those_of_sha256() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
