//! What Rust's standard library asks to be told with programs that have it inside.

use std::fs;

use anyhow::{Context, Result};

use crate::toolchain;

/// Its name in a package.
pub(super) const NAME: &str = "rust-standard-library.html";

/// The notices that come with the compiler.
pub(super) fn notices() -> Result<Vec<u8>> {
    let file = toolchain::sysroot()?.join("share/doc/rust/COPYRIGHT-library.html");
    fs::read(&file).with_context(|| {
        format!(
            "the compiler's notices are to be shipped and are not in {}; rustup brings them",
            file.display()
        )
    })
}
