//! `cargo xtask package`: packs releases for users without a compiler, into `target/package/`.
//!
//! | file | contents |
//! | --- | --- |
//! | `outflank-VERSION-TARGET.tar.gz`, `.zip` for Windows | the program with its manual, for GUIs and terminals |
//! | `outflank-page-VERSION.zip` | the page, for any web host |
//! | `outflank-VERSION.tgz` | the engine's worker, for npm |
//! | `SHA256SUMS` | the checksums of these files |
//!
//! Packing the same sources twice gives the same bytes: order, times and modes of the files are fixed, and no file contains a
//! path of this machine.

mod archive;
mod licenses;
mod program;
mod web;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::{dist, native, toolchain, workspace};
use archive::Tree;
use licenses::Build;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const SUMS: &str = "SHA256SUMS";

#[derive(Debug)]
struct Package {
    name: String,
    bytes: Vec<u8>,
}

impl Package {
    /// Packs files into `folder` of an archive. The end of `name` selects its format.
    ///
    /// # Errors
    /// If a file contains a path of this machine.
    fn new(name: String, tree: &Tree, folder: &str) -> Result<Package> {
        tree.refuse_private_paths()?;
        let bytes = if name.ends_with(".zip") { tree.zip(folder) } else { tree.tar_gz(folder) };
        Ok(Package { name, bytes: bytes? })
    }
}

pub(crate) fn folder() -> PathBuf {
    workspace::target().join("package")
}

/// Builds everything and packs it. Older packages in the folder are removed.
pub(crate) fn run() -> Result<()> {
    dist::build()?;
    let program = native::build_to_ship()?;
    let start = Instant::now();
    let packages = [program::pack(&program)?, web::page()?, web::npm()?];
    let folder = folder();
    workspace::remove_folder(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut sums = String::new();
    for Package { name, bytes } in &packages {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
        let _ = writeln!(sums, "{}  {name}", dist::digest(bytes));
    }
    fs::write(folder.join(SUMS), &sums).with_context(|| format!("cannot write {SUMS}"))?;
    println!("packages: {} ({:.1} s)", folder.display(), start.elapsed().as_secs_f64());
    for Package { name, bytes } in &packages {
        println!("{:>9} bytes  {name}", bytes.len());
    }
    Ok(())
}

pub(crate) fn sums() -> Result<String> {
    fs::read_to_string(folder().join(SUMS)).with_context(|| format!("cannot read {SUMS}"))
}

/// Adds a file of the repository under the same path.
fn add_from_root(tree: &mut Tree, path: &str) -> Result<()> {
    tree.add(path, read(&workspace::root().join(path))?);
    Ok(())
}

/// Adds the licenses of the linked packages and of Rust's standard library.
fn add_licenses(tree: &mut Tree, builds: &[Build<'_>]) -> Result<()> {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        add_from_root(tree, name)?;
    }
    tree.add("THIRD-PARTY.txt", licenses::texts(builds)?);
    // rustup installs the notices with the compiler.
    let notices = toolchain::sysroot()?.join("share/doc/rust/COPYRIGHT-library.html");
    tree.add("rust-standard-library.html", read(&notices)?);
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns a file of the repository with the values in place of `@name@`.
///
/// # Errors
/// If the file cannot be read or still contains `@version@`.
fn filled(path: &str, values: &[(&str, &str)]) -> Result<String> {
    let text = String::from_utf8(read(&workspace::root().join(path))?)?;
    let text = values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    anyhow::ensure!(!text.contains("@version@"), "{path}: @version@ is not replaced");
    Ok(text)
}
