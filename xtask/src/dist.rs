//! Builds `dist/`, the page as a folder for any static web host.
//!
//! | path | contents |
//! | --- | --- |
//! | `index.html`, … | `www/` without development files; scripts without comments and blanks |
//! | `engine/outflank.js`, `engine/outflank_bg.wasm` | module of the worker, and its glue |
//! | `engine/outflank-threads.js`, `engine/outflank-threads_bg.wasm` | the same for workers that share memory |
//! | `engine/outflank-….weights` | weights of both, named by their digest |
//! | `engine/outflank-large-….weights` | weights of the large network, loaded on request |
//! | `engine/build.js` | URLs of the weights and modules, for the worker; `null` for a module that was not built |
//! | `engine/rules.js`, `engine/rules_bg.wasm` | the rules, for the main thread |
//! | `engine/database.js`, `engine/database_bg.wasm` | the index of games by position, for a worker |
//! | `version.json` | `{"version": …, "files": {path: SHA-256}, "later": [path]}`: the digest of every file, and of the list of digests. The offline cache stores only these files, and those in `later` only after their first use |
//! | `*.br` | brotli copies |

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::wasm::Module;
use crate::workspace::{self, remove_folder};
use crate::{bindgen, compress, minify, wasm};

/// The weights in the repository.
pub(crate) const WEIGHTS: &str = "engine/weights/outflank.weights";

/// The weights of the large network.
const LARGE_WEIGHTS: &str = "cli/weights/outflank-large.weights";

/// The file with the digests.
const VERSION: &str = "version.json";

/// Builds the modules and the page into `dist/`. A failed build leaves the old folder unchanged.
pub(crate) fn build() -> Result<()> {
    let start = Instant::now();
    let next = workspace::target().join("dist-next");
    remove_folder(&next)?;
    let is_shipped = |name: &str| {
        let is_development = name.ends_with(".test.js") || name.ends_with(".d.ts") || name == "package.json";
        !name.starts_with('.') && !is_development
    };
    copy(&workspace::root().join("www"), &next, &is_shipped)?;
    let engine = next.join("engine");
    // The threads module takes longest and has a separate target folder, so it is built in parallel with the others.
    let (others, threads) = thread::scope(|scope| {
        let threads = scope.spawn(|| write(Module::Threads, &engine));
        let others = [Module::Engine, Module::Rules, Module::Database];
        let others = others.into_iter().try_for_each(|module| write(module, &engine));
        (others, threads.join().unwrap_or_else(|_| Err(anyhow!("the build panicked"))))
    });
    others?;
    if let Err(error) = &threads {
        println!("building the page without threads; it will use one core: {error:#}");
    }
    let large = write_weights(&engine, threads.is_ok())?;
    minify::scripts(&next)?;
    let dist = workspace::dist();
    finish(&next, &dist, &[format!("engine/{large}")])?;
    remove_folder(&dist)?;
    if fs::rename(&next, &dist).is_err() {
        // The target folder may be on another file system.
        copy(&next, &dist, &|_| true)?;
        remove_folder(&next)?;
    }
    println!("page: {} ({:.1} s)", dist.display(), start.elapsed().as_secs_f64());
    Ok(())
}

fn write(module: Module, folder: &Path) -> Result<()> {
    bindgen::write(&wasm::build(module)?, folder, module.stem())
}

/// Writes the weights of both networks and the build script. Returns the file name of the large network.
fn write_weights(folder: &Path, has_threads: bool) -> Result<String> {
    let read = |path: &str| {
        let file = workspace::root().join(path);
        fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
    };
    let (small, large) = (read(WEIGHTS)?, read(LARGE_WEIGHTS)?);
    let name = weights_name("outflank", &small);
    let large_name = weights_name("outflank-large", &large);
    let glue = if has_threads { Glue::Dynamic } else { Glue::WithoutThreads };
    let script = build_script(&name, Some((&large_name, &large)), glue);
    for (name, bytes) in [("build.js", script.as_bytes()), (&name, &small), (&large_name, &large)] {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(large_name)
}

/// Returns a file name that no other weights have.
pub(crate) fn weights_name(stem: &str, weights: &[u8]) -> String {
    format!("{stem}-{}.weights", &digest(weights)[..16])
}

/// The way the worker loads the glue of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glue {
    /// Imports the glue of the module it needs.
    Dynamic,
    /// As `Dynamic`, without a module for shared memory.
    WithoutThreads,
    /// Imports both, as bundlers that write a worker into one file require.
    Static,
}

/// Returns the script with the URLs of the weights and modules. `large` is the file name and the contents of the large network,
/// if there is one. Bundlers find the files because each URL is a literal.
pub(crate) fn build_script(weights: &str, large: Option<(&str, &[u8])>, glue: Glue) -> String {
    let import = |name: &str, stem: &str| match glue {
        Glue::Static => format!("import * as {name} from './{stem}.js';\n"),
        Glue::Dynamic | Glue::WithoutThreads => String::new(),
    };
    let build = |constant: &str, name: &str, stem: &str| {
        let load = match glue {
            Glue::Static => format!("async () => {name}"),
            Glue::Dynamic | Glue::WithoutThreads => format!("() => import('./{stem}.js')"),
        };
        format!(
            "export const {constant} = {{\n  module: new URL('./{stem}_bg.wasm', import.meta.url),\n  glue: {load},\n}};\n"
        )
    };
    let (alone, threads) = (Module::Engine.stem(), Module::Threads.stem());
    let threads_build = match glue {
        Glue::WithoutThreads => "export const THREADS = null;\n".to_owned(),
        Glue::Dynamic | Glue::Static => build("THREADS", "threads", threads),
    };
    let large = large.map_or("null".to_owned(), |(name, bytes)| {
        let (length, digest) = (bytes.len(), digest(bytes));
        format!(
            "{{\n  address: new URL('./{name}', import.meta.url),\n  bytes: {length},\n  digest: '{digest}',\n}}"
        )
    });
    format!(
        "// The files that were built with this worker.\n\n{}{}\
         export const WEIGHTS = new URL('./{weights}', import.meta.url);\n\
         // The large network, or null.\nexport const LARGE = {large};\n{}{threads_build}",
        import("alone", alone),
        import("threads", threads),
        build("ALONE", "alone", alone),
    )
}

/// Returns the SHA-256 in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes `version.json` and the compressed copies. `later` are the files that are loaded on request. Compressing takes seconds,
/// so copies of unchanged files are taken from the folder `before`.
fn finish(folder: &Path, before: &Path, later: &[String]) -> Result<()> {
    let files = files(folder)?;
    let digests: BTreeMap<_, _> = files.iter().map(|(path, bytes)| (path, digest(bytes))).collect();
    let all: String = digests.iter().map(|(path, digest)| format!("{path} {digest}\n")).collect();
    let version = serde_json::json!({ "version": digest(all.as_bytes()), "files": digests, "later": later });
    let known = fs::read(before.join(VERSION)).ok();
    let known: Value = known.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    for (path, bytes) in &files {
        let packed = format!("{path}.br");
        let is_unchanged = known["files"][path].as_str() == Some(&digests[path]);
        if !(is_unchanged && fs::copy(before.join(&packed), folder.join(&packed)).is_ok()) {
            compress::write_beside(&folder.join(path), bytes)?;
        }
    }
    let version = format!("{version:#}\n");
    let file = folder.join(VERSION);
    fs::write(&file, &version).with_context(|| format!("cannot write {VERSION}"))?;
    compress::write_beside(&file, version.as_bytes())
}

/// Returns the files in a folder and its subfolders, by their paths with `/` between the parts.
pub(crate) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    list(folder, "", &mut files).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(files)
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

fn copy(from: &Path, to: &Path, is_included: &dyn Fn(&str) -> bool) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if !name.to_str().is_some_and(is_included) {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target, is_included)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot copy to {}", target.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_sha_256() {
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn build_script_names_the_files() {
        let url = |file: &str| format!("new URL('./{file}', import.meta.url)");
        for (glue, imports, threads) in [
            (Glue::Dynamic, "=> import('./", true),
            (Glue::WithoutThreads, "=> import('./", false),
            (Glue::Static, "import * as", true),
        ] {
            let script = build_script("some.weights", None, glue);
            assert!(script.contains(&url("some.weights")) && script.contains("LARGE = null;"), "{script}");
            assert!(script.contains(&url("outflank_bg.wasm")), "{script}");
            assert_eq!(script.contains(&url("outflank-threads_bg.wasm")), threads, "{script}");
            assert_eq!(script.contains("THREADS = null"), !threads, "{script}");
            assert_eq!(script.matches(imports).count(), if threads { 2 } else { 1 }, "{script}");
            assert_eq!(script.contains("import * as"), glue == Glue::Static, "{script}");
        }
        let script = build_script("some.weights", Some(("large.weights", b"abc")), Glue::Dynamic);
        assert!(script.contains(&format!("address: {}", url("large.weights"))), "{script}");
        assert!(script.contains("bytes: 3,") && script.contains(&digest(b"abc")), "{script}");
    }

    #[test]
    fn unchanged_files_keep_their_compressed_copies() {
        let folder = std::env::temp_dir().join(format!("outflank-dist-{}", std::process::id()));
        let (old, new) = (folder.join("old"), folder.join("new"));
        for (at, same, other) in [(&old, "same ", "old "), (&new, "same ", "new ")] {
            fs::create_dir_all(at.join("js")).unwrap();
            fs::write(at.join("js/same.js"), same.repeat(1000)).unwrap();
            fs::write(at.join("other.js"), other.repeat(1000)).unwrap();
            fs::write(at.join("tiny.js"), "1").unwrap();
        }
        finish(&old, &folder.join("none"), &[]).unwrap();
        fs::write(old.join("js/same.js.br"), "marked").unwrap();
        finish(&new, &old, &["js/same.js".into()]).unwrap();
        let (copied, made) = (fs::read(new.join("js/same.js.br")), fs::read(new.join("other.js.br")));
        let tiny = new.join("tiny.js.br").exists();
        let version: Value = serde_json::from_slice(&fs::read(new.join(VERSION)).unwrap()).unwrap();
        fs::remove_dir_all(&folder).unwrap();

        assert_eq!(copied.unwrap(), b"marked");
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &made.unwrap()[..], &mut plain).unwrap();
        assert_eq!(plain, "new ".repeat(1000).into_bytes());
        assert!(!tiny, "a tiny file has no copy");
        assert_eq!(version["files"].as_object().unwrap().len(), 3);
        assert_eq!(version["files"]["tiny.js"], digest(b"1"));
        assert_eq!(version["later"], serde_json::json!(["js/same.js"]));
        let list: String = ["js/same.js", "other.js", "tiny.js"]
            .iter()
            .map(|path| format!("{path} {}\n", version["files"][path].as_str().unwrap()))
            .collect();
        assert_eq!(version["version"], digest(list.as_bytes()), "digest of the list");
    }
}
