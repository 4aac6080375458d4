//! The wheel for Python: the modules of `cli/python/` and the program. A wheel is a zip with a list of its files.

use std::env::consts::EXE_SUFFIX;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::{Build, Package, Tree, VERSION, add_licenses, filled, read};
use crate::{dist, toolchain, workspace};

/// Packs the program that was built for shipping, with its client. Returns `None` if wheels have no tag for this system.
pub(super) fn pack(program: &Path) -> Result<Option<Package>> {
    let (target, bytes) = (toolchain::host()?, read(program)?);
    let Some(platform) = platform(&target, &bytes) else { return Ok(None) };
    let tag = format!("py3-none-{platform}");
    let mut tree = Tree::default();
    for (path, bytes) in dist::files(&workspace::root().join("cli/python/outflank"))? {
        if [".py", "py.typed"].iter().any(|end| path.ends_with(end)) {
            tree.add(&format!("outflank/{path}"), bytes);
        }
    }
    tree.add_program(&format!("outflank/bin/outflank{EXE_SUFFIX}"), bytes);
    let info = format!("outflank-{VERSION}.dist-info");
    let mut licenses = Tree::default();
    add_licenses(&mut licenses, &[Build { package: "outflank-cli", target: &target, features: None }])?;
    licenses.iter().for_each(|(name, bytes)| tree.add(&format!("{info}/licenses/{name}"), bytes));
    let description = filled("cli/python/README.md", &[])?;
    tree.add(
        &format!("{info}/METADATA"),
        filled("cli/python/METADATA", &[("version", VERSION)])? + &description,
    );
    tree.add(
        &format!("{info}/WHEEL"),
        format!("Wheel-Version: 1.0\nGenerator: outflank\nRoot-Is-Purelib: false\nTag: {tag}\n"),
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
    Package::new(format!("outflank-{VERSION}-{tag}.whl"), &tree, "").map(Some)
}

/// Returns the platform tag: the oldest system on which the program runs.
fn platform(target: &str, program: &[u8]) -> Option<String> {
    let (processor, _) = target.split_once('-').unwrap_or((target, ""));
    Some(match target {
        "aarch64-apple-darwin" => "macosx_11_0_arm64".to_owned(),
        "x86_64-apple-darwin" => "macosx_10_12_x86_64".to_owned(),
        "x86_64-pc-windows-msvc" | "x86_64-pc-windows-gnu" => "win_amd64".to_owned(),
        _ if target.ends_with("-linux-gnu") => format!("manylinux_2_{}_{processor}", glibc(program)),
        _ => return None,
    })
}

/// Returns the minor version of the newest symbol of the C library that a program requires.
fn glibc(program: &[u8]) -> u32 {
    let prefix = b"GLIBC_2.";
    let number = |at: usize| {
        let digits = program[at + prefix.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |number: u32, byte| number.saturating_mul(10) + u32::from(byte - b'0'))
    };
    let found = program.windows(prefix.len()).enumerate().filter(|(_, window)| window == prefix);
    // The oldest version for which such a tag exists.
    found.map(|(at, _)| number(at)).max().unwrap_or_default().max(17)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_are_those_of_wheels() {
        let program = b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0";
        assert_eq!(platform("aarch64-unknown-linux-gnu", program).unwrap(), "manylinux_2_34_aarch64");
        assert_eq!(platform("x86_64-unknown-linux-gnu", b"GLIBC_2").unwrap(), "manylinux_2_17_x86_64");
        assert_eq!(platform("riscv64-unknown-none", program), None);
    }
}
