//! Laying out `dist/`, the folder that any static web host can serve.
//!
//! | path | what |
//! | --- | --- |
//! | `index.html`, … | `www/` without its package file; scripts without comments and blanks |
//! | `engine/outflank.js`, `engine/outflank_bg.wasm` | the worker's module and its glue |
//! | `engine/outflank-threads.js`, `engine/outflank-threads_bg.wasm` | the same for workers that share memory |
//! | `engine/outflank-….weights` | the weights of both, named by their fingerprint |
//! | `engine/outflank-large-….weights` | those of the large network likewise, which are loaded when somebody asks for them |
//! | `engine/build.js` | tells the worker where the weights and the modules are, and whether there is the one for shared memory |
//! | `engine/rules.js`, `engine/rules_bg.wasm` | the same of the rules alone, for the main thread |
//! | `engine/database.js`, `engine/database_bg.wasm` | the same of the games by position, for a worker |
//! | `version.json` | `{"version": …, "files": {path: SHA-256}, "later": [path]}`: the digest of each file, and that of the list of them; the offline cache keeps nothing else, and what is named under `later` only once it was asked for |
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

/// The weights, in the repository.
pub(crate) const WEIGHTS: &str = "engine/weights/outflank.weights";

/// Those of the large network.
const LARGE_WEIGHTS: &str = "cli/weights/outflank-large.weights";

/// The file with the digests.
const VERSION: &str = "version.json";

/// Builds the module and the page into `dist/`.
///
/// The folder is built beside and then put in place, so that a failed build leaves the old one.
pub(crate) fn build() -> Result<()> {
    let start = Instant::now();
    let next = workspace::target().join("dist-next");
    remove_folder(&next)?;
    copy_page(&workspace::root().join("www"), &next)?;
    let engine = next.join("engine");
    // What takes longest has its own folders of Cargo: it is built beside the others.
    let (others, threads) = thread::scope(|scope| {
        let threads = scope.spawn(|| write(Module::Threads, &engine));
        let others = [Module::Engine, Module::Rules, Module::Database];
        let others = others.into_iter().try_for_each(|module| write(module, &engine));
        (others, threads.join().unwrap_or_else(|_| Err(anyhow!("the build died"))))
    });
    others?;
    if let Err(error) = &threads {
        println!("the page is built without threads, one core does all its work: {error:#}");
    }
    let large = write_weights(&engine, threads.is_ok())?;
    minify::scripts(&next)?;
    let dist = workspace::dist();
    finish(&next, &dist, &[format!("engine/{large}")])?;
    remove_folder(&dist)?;
    if fs::rename(&next, &dist).is_err() {
        // The target folder may lie on another file system.
        copy_all(&next, &dist)?;
        remove_folder(&next)?;
    }
    println!("page: {} ({:.1} s)", dist.display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// Builds a module and writes it, with its glue, to `folder`.
fn write(module: Module, folder: &Path) -> Result<()> {
    bindgen::write(&wasm::build(module)?, folder, module.stem())
}

/// Copies the weights under names that no other weights have, and tells them. Returns that of the large network's.
fn write_weights(folder: &Path, has_threads: bool) -> Result<String> {
    let read = |path: &str| {
        let file = workspace::root().join(path);
        fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
    };
    let (small, large) = (read(WEIGHTS)?, read(LARGE_WEIGHTS)?);
    let name = weights_name(&small);
    let large_name = format!("outflank-large-{}.weights", fingerprint(&large));
    let glue = if has_threads { Glue::Dynamic } else { Glue::WithoutThreads };
    let script = script(&name, Some((&large_name, &large)), glue);
    for (name, bytes) in [("build.js", script.as_bytes()), (&name, &small), (&large_name, &large)] {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(large_name)
}

/// A name that no other weights have.
pub(crate) fn weights_name(weights: &[u8]) -> String {
    format!("outflank-{}.weights", fingerprint(weights))
}

/// How the worker comes by the glue of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glue {
    /// It loads the one it needs, when it knows which.
    Dynamic,
    /// The same where there is no module for shared memory.
    WithoutThreads,
    /// It has both: tools that put a worker into one file cannot do otherwise.
    Static,
}

/// The script that tells the worker what it has: the addresses of the weights and of the modules, and their glue. Each
/// address is written out, which is how tools find the files.
pub(crate) fn build_script(weights: &str, glue: Glue) -> String {
    script(weights, None, glue)
}

/// The same with the large network, where there is one: its file's name and its bytes.
fn script(weights: &str, large: Option<(&str, &[u8])>, glue: Glue) -> String {
    let import = |name: &str, stem: &str| match glue {
        Glue::Static => format!("import * as {name} from './{stem}.js';\n"),
        Glue::Dynamic | Glue::WithoutThreads => String::new(),
    };
    let build = |constant: &str, name: &str, stem: &str| {
        let load = if glue == Glue::Static {
            format!("async () => {name}")
        } else {
            format!("() => import('./{stem}.js')")
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
    let large = match large {
        None => "null".to_owned(),
        Some((name, bytes)) => format!(
            "{{\n  address: new URL('./{name}', import.meta.url),\n  bytes: {},\n  digest: '{}',\n}}",
            bytes.len(),
            digest(bytes)
        ),
    };
    format!(
        "// What was built with this worker.\n\n{}{}export const WEIGHTS = new URL('./{weights}', import.meta.url);\n\
         // The large network, where the page has one.\nexport const LARGE = {large};\n{}{threads_build}",
        import("alone", alone),
        import("threads", threads),
        build("ALONE", "alone", alone),
    )
}

/// A short fingerprint of some bytes (FNV-1a, 64 bits): names a version, guards against nothing.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// The SHA-256 of some bytes in hexadecimal digits: the page's offline cache holds what it is sent to it.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes `version.json`, in which the files `later` are loaded later than the others, and the compressed copies. Copies of
/// files that are the same in the folder `before` are taken from there: compressing takes seconds.
fn finish(folder: &Path, before: &Path, later: &[String]) -> Result<()> {
    let files = files(folder)?;
    let digests: BTreeMap<_, _> = files.iter().map(|(path, bytes)| (path, digest(bytes))).collect();
    let all: String = digests.iter().map(|(path, digest)| format!("{path} {digest}\n")).collect();
    let version = serde_json::json!({ "version": digest(all.as_bytes()), "files": digests, "later": later });
    let known = fs::read(before.join(VERSION)).ok();
    let known: Value = known.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    for (path, bytes) in &files {
        let packed = format!("{path}.br");
        let same = known["files"][path].as_str() == Some(&digests[path]);
        if !(same && fs::copy(before.join(&packed), folder.join(&packed)).is_ok()) {
            compress::write_beside(&folder.join(path), bytes)?;
        }
    }
    let version = format!("{version:#}\n");
    let file = folder.join(VERSION);
    fs::write(&file, &version).with_context(|| format!("cannot write {VERSION}"))?;
    compress::write_beside(&file, version.as_bytes())
}

/// The files of a folder and below, by their paths with `/` between the parts.
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

fn copy_page(from: &Path, to: &Path) -> Result<()> {
    let is_of_the_workshop = |name: &str| {
        name.starts_with('.')
            || name.ends_with(".test.js")
            || name.ends_with(".d.ts")
            || name == "package.json"
    };
    copy(from, to, &|name| !is_of_the_workshop(name))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of the FNV reference page.
    #[test]
    fn fingerprints_are_those_of_fnv_1a() {
        assert_eq!(fingerprint(b""), "cbf29ce484222325");
        assert_eq!(fingerprint(b"a"), "af63dc4c8601ec8c");
        assert_eq!(fingerprint(b"foobar"), "85944171f73967e8");
    }

    /// Vectors of FIPS 180-2.
    #[test]
    fn digests_are_those_of_sha_256() {
        assert_eq!(digest(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn the_worker_is_told_what_was_built() {
        let address = |file: &str| format!("new URL('./{file}', import.meta.url)");
        for (glue, imports, threads) in [
            (Glue::Dynamic, "=> import('./", true),
            (Glue::WithoutThreads, "=> import('./", false),
            (Glue::Static, "import * as", true),
        ] {
            let script = build_script("some.weights", glue);
            for file in ["some.weights", "outflank_bg.wasm"] {
                assert!(script.contains(&address(file)), "{script}");
            }
            assert_eq!(script.contains(&address("outflank-threads_bg.wasm")), threads, "{script}");
            assert_eq!(script.contains("THREADS = null"), !threads, "{script}");
            assert_eq!(script.matches(imports).count(), if threads { 2 } else { 1 }, "{script}");
            assert_eq!(script.contains("import * as"), glue == Glue::Static, "{script}");
        }
    }

    #[test]
    fn the_worker_is_told_of_the_large_network() {
        let script = script("some.weights", Some(("large.weights", b"abc")), Glue::Dynamic);
        assert!(script.contains("address: new URL('./large.weights', import.meta.url)"), "{script}");
        assert!(script.contains("bytes: 3,") && script.contains(&digest(b"abc")), "{script}");
        assert!(build_script("some.weights", Glue::Dynamic).contains("LARGE = null;"));
    }

    #[test]
    fn compressed_copies_follow_their_files() {
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
        let (kept, made) = (fs::read(new.join("js/same.js.br")), fs::read(new.join("other.js.br")));
        let tiny = new.join("tiny.js.br").exists();
        let version: Value = serde_json::from_slice(&fs::read(new.join(VERSION)).unwrap()).unwrap();
        fs::remove_dir_all(&folder).unwrap();

        assert_eq!(kept.unwrap(), b"marked");
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
        assert_eq!(version["version"], digest(list.as_bytes()), "the list has a digest, too");
    }
}
