//! The wheel for Python: the modules of `cli/python/` and the program. A wheel is a zip with a list of its files.

use std::env::consts::EXE_SUFFIX;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::{Build, Package, Tree, VERSION, add_licenses, filled, read};
use crate::workspace;

/// Packs the program that was built for a target, with its client. Returns `None` if wheels have no tag for this system.
pub(super) fn pack(target: &str, program: &Path) -> Result<Option<Package>> {
    let bytes = read(program)?;
    let Some(platforms) = platforms(target) else { return Ok(None) };
    let mut tree = Tree::default();
    for (path, bytes) in workspace::files(&workspace::root().join("cli/python/outflank"))? {
        if [".py", "py.typed"].iter().any(|end| path.ends_with(end)) {
            tree.add(&format!("outflank/{path}"), bytes);
        }
    }
    tree.add_program(&format!("outflank/bin/outflank{EXE_SUFFIX}"), bytes);
    let info = format!("outflank-{VERSION}.dist-info");
    let mut licenses = Tree::default();
    add_licenses(&mut licenses, &[Build { package: "outflank-cli", target, features: None }])?;
    licenses.iter().for_each(|(name, bytes)| tree.add(&format!("{info}/licenses/{name}"), bytes));
    let description = filled("cli/python/README.md", &[])?;
    tree.add(
        &format!("{info}/METADATA"),
        filled("cli/python/METADATA", &[("version", VERSION)])? + &description,
    );
    let tags: String = platforms.iter().map(|platform| format!("Tag: py3-none-{platform}\n")).collect();
    tree.add(
        &format!("{info}/WHEEL"),
        format!("Wheel-Version: 1.0\nGenerator: outflank\nRoot-Is-Purelib: false\n{tags}"),
    );
    tree.add(&format!("{info}/entry_points.txt"), "[console_scripts]\noutflank = outflank:main\n");
    let mut record = String::new();
    for (path, bytes) in tree.iter() {
        let _ = writeln!(
            record,
            "{path},sha256={},{}",
            BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(bytes)),
            bytes.len()
        );
    }
    tree.add(&format!("{info}/RECORD"), format!("{record}{info}/RECORD,,\n"));
    Package::new(format!("outflank-{VERSION}-py3-none-{}.whl", platforms.join(".")), &tree, "").map(Some)
}

/// Returns the platform tags: the oldest systems on which the program runs. On Linux it contains its C library, so these are the
/// oldest ones for which there are tags.
fn platforms(target: &str) -> Option<&'static [&'static str]> {
    Some(match target {
        "aarch64-apple-darwin" => &["macosx_11_0_arm64"],
        "x86_64-apple-darwin" => &["macosx_10_12_x86_64"],
        "x86_64-pc-windows-msvc" | "x86_64-pc-windows-gnu" => &["win_amd64"],
        "x86_64-unknown-linux-musl" => &["manylinux_2_17_x86_64", "musllinux_1_1_x86_64"],
        "aarch64-unknown-linux-musl" => &["manylinux_2_17_aarch64", "musllinux_1_1_aarch64"],
        _ => return None,
    })
}
