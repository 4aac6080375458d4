//! Writes brotli copies of the files that a browser loads.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;

/// Bytes of the smallest file that is compressed.
const MIN_BYTES: usize = 512;

/// Writes `file.br` next to `file`, if its type is compressible and the copy is smaller.
pub(crate) fn write_beside(file: &Path, bytes: &[u8]) -> Result<()> {
    if bytes.len() < MIN_BYTES || !is_compressible(file) {
        return Ok(());
    }
    let mut packed = Vec::new();
    let parameters = BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &parameters)
        .with_context(|| format!("cannot compress {}", file.display()))?;
    if packed.len() >= bytes.len() {
        return Ok(());
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".br");
    fs::write(&name, packed).with_context(|| format!("cannot write {}", Path::new(&name).display()))
}

fn is_compressible(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(
        extension,
        Some("html" | "js" | "mjs" | "css" | "json" | "svg" | "wasm" | "webmanifest" | "txt" | "bin")
    )
}
