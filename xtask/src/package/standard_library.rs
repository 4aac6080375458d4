//! The copyright notices of Rust's standard library.

use std::fs;

use anyhow::{Context, Result};

use crate::toolchain;

/// The file name in a package.
pub(super) const NAME: &str = "rust-standard-library.html";

/// Returns the notices that rustup installs with the compiler.
pub(super) fn notices() -> Result<Vec<u8>> {
    let file = toolchain::sysroot()?.join("share/doc/rust/COPYRIGHT-library.html");
    fs::read(&file).with_context(|| {
        format!("cannot read {}, which packages must contain; rustup installs it", file.display())
    })
}
