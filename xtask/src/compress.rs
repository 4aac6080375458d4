//! Compresses the files that a browser loads.

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;

/// Bytes of the smallest file that is compressed.
const MIN_BYTES: usize = 512;

const EXTENSIONS: [&str; 10] =
    ["html", "js", "mjs", "css", "json", "svg", "wasm", "webmanifest", "txt", "bin"];

/// Returns the brotli copy of a file. `None` if the type is not compressible or the copy is not smaller.
pub(crate) fn brotli(path: &str, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    if bytes.len() < MIN_BYTES || !EXTENSIONS.contains(&extension) {
        return Ok(None);
    }
    let mut packed = Vec::new();
    let parameters = BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &parameters)
        .with_context(|| format!("cannot compress {path}"))?;
    Ok(Some(packed).filter(|packed| packed.len() < bytes.len()))
}
