//! Laying out `dist/`, the folder that any static web host can serve.
//!
//! | path | what |
//! | --- | --- |
//! | `index.html`, … | `www/` as it is, without its tests and package file |
//! | `engine/outflank.js`, `engine/outflank_bg.wasm` | the worker's module and its glue |
//! | `version.json` | `{"version": …, "files": {path: fingerprint}}`: one fingerprint of the whole and one of each file, for the offline cache |
//! | `*.br` | brotli copies |

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::{bindgen, compress, shrink, wasm, workspace};

/// Builds the module and the page into `dist/`.
///
/// The folder is built beside and then put in place, so that a failed build leaves the old one.
pub(crate) fn build() -> Result<()> {
    let start = Instant::now();
    let module = wasm::build()?;
    let next = workspace::target().join("dist-next");
    remove(&next)?;
    copy_page(&workspace::root().join("www"), &next)?;
    let engine = next.join("engine");
    bindgen::write(&module, &engine)?;
    let size = shrink::in_place(&engine.join("outflank_bg.wasm"))?;
    println!("wasm: {size}");
    finish(&next)?;
    let dist = workspace::dist();
    remove(&dist)?;
    if fs::rename(&next, &dist).is_err() {
        // The target folder may lie on another file system.
        copy_all(&next, &dist)?;
        remove(&next)?;
    }
    println!("page: {} ({:.1} s)", dist.display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// A short fingerprint of some bytes (FNV-1a, 64 bits): names a version, guards against nothing.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// Writes `version.json` and the compressed copies.
fn finish(folder: &Path) -> Result<()> {
    let mut files = BTreeMap::new();
    list(folder, "", &mut files)?;
    let all: String = files.iter().map(|(path, bytes)| format!("{path} {}\n", fingerprint(bytes))).collect();
    let version = serde_json::json!({
        "version": fingerprint(all.as_bytes()),
        "files": files.iter().map(|(path, bytes)| (path.clone(), fingerprint(bytes))).collect::<BTreeMap<_, _>>(),
    });
    fs::write(folder.join("version.json"), format!("{version:#}\n"))?;
    for (path, bytes) in &files {
        compress::write_beside(&folder.join(path), bytes)?;
    }
    Ok(())
}

fn list(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}

fn copy_page(from: &Path, to: &Path) -> Result<()> {
    copy(from, to, &|name| !name.starts_with('.') && !name.ends_with(".test.js") && name != "package.json")
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    copy(from, to, &|_| true)
}

fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if !name.to_str().is_some_and(wanted) {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target, wanted)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot copy to {}", target.display()))?;
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    /// Vectors of the FNV reference page.
    #[test]
    fn fingerprints_are_those_of_fnv_1a() {
        assert_eq!(fingerprint(b""), "cbf29ce484222325");
        assert_eq!(fingerprint(b"a"), "af63dc4c8601ec8c");
        assert_eq!(fingerprint(b"foobar"), "85944171f73967e8");
    }
}
