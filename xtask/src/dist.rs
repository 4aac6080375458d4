//! Builds `dist/`, the page as a folder for any static web host.
//!
//! | path | contents |
//! | --- | --- |
//! | `index.html`, … | `www/` without development files; scripts without comments and blanks |
//! | `js/shell/start.js`, `js/shell/parts.js` | the modules of `www/js`, joined (see [`bundle`]) |
//! | `engine/outflank.js`, `engine/outflank_bg.wasm` | module of the worker, and its glue |
//! | `engine/outflank-threads.js`, `engine/outflank-threads_bg.wasm` | the same for workers that share memory |
//! | `engine/outflank-….weights` | weights of both, named by their digest |
//! | `engine/outflank-large-….weights` | weights of the large network, loaded on request |
//! | `engine/outflank-coarse-….weights` | weights of few rows, which the first visit on a slow network begins with |
//! | `engine/opening-….packed` | the opening book, loaded after the first values |
//! | `engine/build.js` | URLs of the weights, the book and the modules, for the worker; `null` for a module that was not built |
//! | `engine/rules.js`, `engine/rules_bg.wasm` | the rules, for the main thread |
//! | `engine/database.js`, `engine/database_bg.wasm` | the index of games by position, for a worker |
//! | `version.json` | `{"version": …, "files": {path: SHA-256}, "later": [path]}`: the digest of every file, and of the list of digests. The offline cache stores only these files, and those in `later` only after their first use |
//! | `*.br` | brotli copies |
//!
//! The script of `<outflank-board>` is written into `target/element/` ([`element`]).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use brotli::enc::BrotliEncoderParams;
use brotli::enc::backward_references::BrotliEncoderMode;
use sha2::{Digest, Sha256};

use crate::wasm::{Module, Purpose};
use crate::workspace::{self, Files, files, remove_folder};
use crate::{bundle, element, headers, wasm};

pub(crate) const WEIGHTS: &str = "engine/weights/outflank.weights";

pub(crate) const LARGE_WEIGHTS: &str = "cli/weights/outflank-large.weights";

const COARSE_WEIGHTS: &str = "web/weights/outflank-coarse.weights";

const BOOK: &str = "cli/book/opening.packed";

const VERSION: &str = "version.json";

/// Bytes of the smallest file that is compressed.
const MIN_COMPRESSED_BYTES: usize = 512;

/// Levels of compression by brotli.
const MAX_QUALITY: i32 = 11;
const TESTS_QUALITY: i32 = 1;

/// `true` if this run has built the page.
static IS_BUILT: AtomicBool = AtomicBool::new(false);

/// Builds the page unless this run has built it.
pub(crate) fn build_once() -> Result<()> {
    if IS_BUILT.load(Ordering::Relaxed) { Ok(()) } else { build() }
}

/// Builds the modules and the page into `dist/`. A failed build leaves the old folder unchanged.
pub(crate) fn build() -> Result<()> {
    build_into(&workspace::root().join(workspace::DIST), Purpose::Release)?;
    IS_BUILT.store(true, Ordering::Relaxed);
    Ok(())
}

/// Builds the page for tests and the tests in workers, which share a build of the engine.
pub(crate) fn build_for_tests() -> Result<()> {
    build_into(&workspace::page_for_tests(), Purpose::Tests)
}

fn build_into(dist: &Path, purpose: Purpose) -> Result<()> {
    let start = Instant::now();
    let next = dist.with_extension("next");
    remove_folder(&next)?;
    let engine = next.join("engine");
    fs::create_dir_all(&engine).with_context(|| format!("cannot create {}", engine.display()))?;
    let write = |module: Module| wasm::build(module, purpose, &engine);
    // The threads module takes longest and has a separate target folder, so it is built in parallel with the others.
    let (others, threads) = thread::scope(|scope| {
        let threads = scope.spawn(|| write(wasm::THREADS));
        let tests = if purpose == Purpose::Tests { wasm::build_tests() } else { Ok(()) };
        let modules = [wasm::ENGINE, wasm::RULES, wasm::DATABASE];
        let others = tests.and_then(|()| modules.into_iter().try_for_each(write));
        (others, threads.join().unwrap_or_else(|_| Err(anyhow!("the build panicked"))))
    });
    others?;
    if let Err(error) = &threads {
        println!("building the page without threads; it will use one core: {error:#}");
    }

    let mut page = files(&workspace::root().join("www"))?;
    page.retain(|path, _| is_shipped(path));
    page.extend(files(&next)?);
    let weights = [read_named(WEIGHTS)?, read_named(COARSE_WEIGHTS)?, read_named(LARGE_WEIGHTS)?];
    let book = read_named(BOOK)?;
    let script = build_script(&weights, &book.0, threads.is_ok());
    page.insert("engine/build.js".to_owned(), script.into_bytes());
    let later = [&weights[1], &weights[2], &book].map(|(name, _)| format!("engine/{name}"));
    page.extend(weights.into_iter().chain([book]).map(|(name, bytes)| (format!("engine/{name}"), bytes)));
    bundle::bundle(&mut page)?;
    minify(&mut page)?;
    let quality = if purpose == Purpose::Release { MAX_QUALITY } else { TESTS_QUALITY };
    finish(&mut page, &files(dist).unwrap_or_default(), &later, quality)?;
    write_files(&next, &page)?;
    remove_folder(dist)?;
    fs::rename(&next, dist).with_context(|| format!("cannot write {}", dist.display()))?;
    element::write()?;
    println!("page: {} ({:.1} s)", dist.display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// Returns `false` for the development files in `www/`.
fn is_shipped(path: &str) -> bool {
    let is_development = path.ends_with(".test.js") || path.ends_with(".d.ts") || path == "package.json";
    !is_development && !path.split('/').any(|part| part.starts_with('.'))
}

/// Removes comments and blanks from the scripts, which saves a third of their bytes. Names do not change, so messages of a browser
/// can be found in the sources. `tests/page/unit/served.test.js` compares the syntax trees.
fn minify(page: &mut Files) -> Result<()> {
    // The joined modules are short already, with one line for each.
    let is_long = |path: &str| path.ends_with(".js") && ![bundle::START, bundle::PARTS].contains(&path);
    for (path, bytes) in page.iter_mut().filter(|(path, _)| is_long(path)) {
        let text = std::str::from_utf8(bytes).with_context(|| path.clone())?;
        *bytes = bundle::short(text).with_context(|| path.clone())?.into_bytes();
    }
    Ok(())
}

/// Reads a weights file, or the book. Returns its name in the page, which no other contents have, and its contents.
pub(crate) fn read_named(path: &str) -> Result<(String, Vec<u8>)> {
    let path = workspace::root().join(path);
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(path.file_stem()), part(path.extension()));
    Ok((format!("{stem}-{}.{ending}", &digest(&bytes)[..16]), bytes))
}

/// Returns the script with the URLs of the weights, the book and the modules. `weights` are the file names and contents of the
/// small, the coarse and the large network.
fn build_script(weights: &[(String, Vec<u8>); 3], book: &str, has_threads: bool) -> String {
    let build = |stem: &str| {
        format!(
            "{{\n  module: new URL('./{stem}_bg.wasm', import.meta.url),\n  glue: () => import('./{stem}.js'),\n}}"
        )
    };
    let alone = build(wasm::ENGINE.stem);
    let threads = if has_threads { build(wasm::THREADS.stem) } else { "null".to_owned() };
    let [(small, _), (coarse, _), (large, bytes)] = weights;
    let (length, digest) = (bytes.len(), digest(bytes));
    format!(
        "// The files that were built with this worker.\n\n\
         export const WEIGHTS = new URL('./{small}', import.meta.url);\n\
         export const COARSE = new URL('./{coarse}', import.meta.url);\n\
         export const LARGE = {{\n  address: new URL('./{large}', import.meta.url),\n  bytes: {length},\n  \
         digest: '{digest}',\n}};\n\
         export const BOOK = new URL('./{book}', import.meta.url);\n\
         export const ALONE = {alone};\nexport const THREADS = {threads};\n"
    )
}

/// Returns the SHA-256 in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Adds `version.json` and the compressed copies. `later` are the files that are loaded on request. Compressing takes seconds, so
/// copies of unchanged files are taken from the page `before`.
fn finish(page: &mut Files, before: &Files, later: &[String], quality: i32) -> Result<()> {
    let digests: BTreeMap<_, _> = page.iter().map(|(path, bytes)| (path.clone(), digest(bytes))).collect();
    let all: String = digests.iter().map(|(path, digest)| format!("{path} {digest}\n")).collect();
    let version = serde_json::json!({ "version": digest(all.as_bytes()), "files": digests, "later": later });
    page.insert(VERSION.to_owned(), format!("{version:#}\n").into_bytes());
    let mut copies = Files::new();
    for (path, bytes) in &*page {
        let name = format!("{path}.br");
        let old = before.get(&name).filter(|_| before.get(path) == Some(bytes)).cloned();
        let copy = if old.is_some() { old } else { brotli(path, bytes, quality)? };
        copies.extend(copy.map(|copy| (name, copy)));
    }
    page.append(&mut copies);
    Ok(())
}

/// Returns the brotli copy of a file. `None` if the type is not compressible or the copy is not smaller.
fn brotli(path: &str, bytes: &[u8], quality: i32) -> Result<Option<Vec<u8>>> {
    let kind = headers::content_type(path);
    let is_compressible =
        kind.starts_with("text/") || ["json", "wasm", "svg"].iter().any(|part| kind.contains(part));
    if bytes.len() < MIN_COMPRESSED_BYTES || !is_compressible {
        return Ok(None);
    }
    let mut packed = Vec::new();
    // The mode for fonts takes the fewest bytes for modules.
    let mode = BrotliEncoderMode::BROTLI_MODE_FONT;
    let parameters = BrotliEncoderParams { quality, mode, lgwin: 22, lgblock: 24, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &parameters)
        .with_context(|| format!("cannot compress {path}"))?;
    Ok(Some(packed).filter(|packed| packed.len() < bytes.len()))
}

fn write_files(folder: &Path, files: &Files) -> Result<()> {
    for (path, bytes) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&file, bytes))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn build_script_without_threads_names_one_module() {
        let weights = ["small", "coarse", "large"].map(|name| (format!("{name}.weights"), Vec::new()));
        let script = build_script(&weights, "book.packed", false);
        assert!(script.contains("THREADS = null") && script.contains("bytes: 0,"), "{script}");
        assert!(
            !script.contains("outflank-threads") && script.contains("import('./outflank.js')"),
            "{script}"
        );
    }

    #[test]
    fn unchanged_files_keep_their_compressed_copies() {
        let page = |other: &str| {
            let files = [("js/same.js", "same ", 1000), ("other.js", other, 1000), ("tiny.js", "1", 1)];
            Files::from(files.map(|(path, text, times)| (path.to_owned(), text.repeat(times).into_bytes())))
        };
        let (mut old, mut new) = (page("old "), page("new "));
        finish(&mut old, &Files::new(), &[], TESTS_QUALITY).unwrap();
        old.insert("js/same.js.br".to_owned(), b"marked".to_vec());
        finish(&mut new, &old, &["js/same.js".into()], TESTS_QUALITY).unwrap();

        assert_eq!(new["js/same.js.br"], b"marked");
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &new["other.js.br"][..], &mut plain).unwrap();
        assert_eq!(plain, "new ".repeat(1000).into_bytes());
        let version: Value = serde_json::from_slice(&new[VERSION]).unwrap();
        assert_eq!(version["files"]["tiny.js"], digest(b"1"));
        assert_eq!(version["later"], serde_json::json!(["js/same.js"]));
        let before: Value = serde_json::from_slice(&old[VERSION]).unwrap();
        assert_ne!(version["version"], before["version"]);
    }
}
