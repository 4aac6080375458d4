//! `cargo xtask package`: packs releases for users without a compiler, into `target/package/`.
//!
//! | file | contents |
//! | --- | --- |
//! | `outflank-VERSION-TARGET.tar.gz`, `.zip` for Windows | the program with its manual, for GUIs and terminals |
//! | `outflank-c-VERSION-TARGET`, packed likewise | the C library with its header |
//! | `outflank-page-VERSION.zip` | the page, for any web host |
//! | `outflank-VERSION.tgz` | the engine's worker and its client, for npm |
//! | `outflank-VERSION-py3-none-PLATFORM.whl` | the program and its client, for Python |
//! | `SHA256SUMS` | the checksums of these files |
//!
//! Packing the same sources twice gives the same bytes: order, times and modes of the files are fixed, and no file contains a
//! path of this machine.

mod archive;
mod licenses;
mod wheel;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use cbindgen::{Builder, Config};

use crate::{dist, element, headers, native, process, toolchain, wasm, workspace};
use archive::Tree;
use licenses::Build;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const SUMS: &str = "SHA256SUMS";

#[derive(Debug)]
struct Package {
    name: String,
    bytes: Vec<u8>,
}

impl Package {
    /// Packs files into `folder` of an archive. The end of `name` selects its format.
    ///
    /// # Errors
    /// If a file contains a path of this machine.
    fn new(name: String, tree: &Tree, folder: &str) -> Result<Package> {
        tree.refuse_private_paths()?;
        let bytes = if name.ends_with(".zip") || name.ends_with(".whl") {
            tree.zip(folder)
        } else {
            tree.tar_gz(folder)
        };
        Ok(Package { name, bytes: bytes? })
    }
}

pub(crate) fn folder() -> PathBuf {
    workspace::target().join("package")
}

/// Builds everything and packs it. Older packages in the folder are removed.
pub(crate) fn run() -> Result<()> {
    dist::build_once()?;
    let engine = native::build_to_ship()?;
    let c = library(&toolchain::host()?, &native::build_library_to_ship()?)?;
    let start = Instant::now();
    let target = native::shipped_target()?;
    let mut packages = vec![program(&target, &engine, Command::new(&engine))?, c, page()?, npm()?];
    packages.extend(wheel::pack(&target, &engine)?);
    write(&folder(), &packages)?;
    println!("packages: {} ({:.1} s)", folder().display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// Packs a program and a C library of any system into a folder, which is emptied before. `manual` starts the program.
pub(crate) fn pack_native(folder: &Path, target: &str, files: [&Path; 2], manual: Command) -> Result<()> {
    let [engine, c] = files;
    write(folder, &[program(target, engine, manual)?, library(target, c)?])
}

/// Writes packages and their checksums into a folder. Other files in the folder are removed.
fn write(folder: &Path, packages: &[Package]) -> Result<()> {
    workspace::remove_folder(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut sums = String::new();
    for Package { name, bytes } in packages {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
        let _ = writeln!(sums, "{}  {name}", dist::digest(bytes));
        println!("{:>9} bytes  {name}", bytes.len());
    }
    fs::write(folder.join(SUMS), &sums).with_context(|| format!("cannot write {SUMS}"))
}

pub(crate) fn sums() -> Result<String> {
    fs::read_to_string(folder().join(SUMS)).with_context(|| format!("cannot read {SUMS}"))
}

/// Packs a program. `manual` starts it.
fn program(target: &str, program: &Path, manual: Command) -> Result<Package> {
    let is_windows = target.contains("-windows-");
    let mut tree = Tree::default();
    let name = if is_windows { "outflank.exe" } else { "outflank" };
    tree.add_program(name, read(program)?);
    add_from_root(&mut tree, "CHANGELOG.md")?;
    add_licenses(&mut tree, &[Build { package: "outflank-cli", target, features: None }])?;
    let values = [("version", VERSION), ("program", name)];
    tree.add("README.md", filled("cli/package/README.md", &values)?);
    tree.add("nboard.txt", filled("cli/package/nboard.txt", &values)?);
    if !is_windows {
        tree.add_program("engine.sh", filled("cli/package/engine.sh", &values)?);
    }
    for folder in ["docs", "examples"] {
        for (path, bytes) in workspace::files(&workspace::root().join("cli").join(folder))? {
            let path = format!("{folder}/{path}");
            if path.ends_with(".sh") {
                tree.add_program(&path, bytes);
            } else {
                tree.add(&path, bytes);
            }
        }
    }
    add_manual(&mut tree, manual)?;
    packed("outflank", target, &tree)
}

fn packed(name: &str, target: &str, tree: &Tree) -> Result<Package> {
    let folder = format!("{name}-{VERSION}-{target}");
    let ending = if target.contains("-windows-") { "zip" } else { "tar.gz" };
    Package::new(format!("{folder}.{ending}"), tree, &folder)
}

/// Adds the manual pages and shell completions that the program writes.
fn add_manual(tree: &mut Tree, mut program: Command) -> Result<()> {
    let folder = workspace::target().join("manual");
    workspace::remove_folder(&folder)?;
    process::run(program.arg("manual").arg(&folder))?;
    let files = workspace::files(&folder)?;
    for name in ["outflank.1", "outflank.bash", "outflank.fish", "_outflank", "_outflank.ps1"] {
        if !files.contains_key(name) {
            bail!("the manual of the program has no {name}");
        }
    }
    for (name, bytes) in files {
        let kind = if name.ends_with(".1") { "man/man1" } else { "completions" };
        tree.add(&format!("{kind}/{name}"), bytes);
    }
    Ok(())
}

/// Packs the C library with its header and its description.
fn library(target: &str, library: &Path) -> Result<Package> {
    let sources = workspace::root().join("cli/c");
    let mut tree = Tree::default();
    add_licenses(&mut tree, &[Build { package: "outflank-c", target, features: None }])?;
    // With the compiler of Microsoft, programs are linked with a second file.
    for path in [library, &library.with_added_extension("lib")] {
        if path.exists() || path == library {
            tree.add(&path.file_name().unwrap_or_default().display().to_string(), read(path)?);
        }
    }
    let config = Config::from_file(sources.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    let mut header = Vec::new();
    let source = sources.join("src/lib.rs");
    Builder::new().with_config(config).with_src(source).generate()?.write(&mut header);
    tree.add("outflank.h", header);
    tree.add("README.md", filled("cli/c/README.md", &[])?);
    packed("outflank-c", target, &tree)
}

const MODULES: [&str; 6] = [
    "outflank.js",
    "outflank_bg.wasm",
    "outflank-threads.js",
    "outflank-threads_bg.wasm",
    "rules.js",
    "rules_bg.wasm",
];

const fn build(features: &'static str) -> Build<'static> {
    Build { package: "outflank-web", target: wasm::TARGET, features: Some(features) }
}

/// Packs the page for any host of static files, in any folder of the host.
fn page() -> Result<Package> {
    let mut tree = Tree::default();
    let files = workspace::files(&workspace::dist())?;
    ensure!(files.contains_key("engine/outflank-threads_bg.wasm"), "the page was built without threads");
    // Hosts compress files themselves, or do not know brotli copies.
    files
        .iter()
        .filter(|(path, _)| !path.ends_with(".br"))
        .for_each(|(path, bytes)| tree.add(path, &bytes[..]));
    // The headers that our server sends, in the format of Netlify and Cloudflare Pages.
    let headers = headers::HEADERS.map(|(name, value)| format!("  {name}: {value}\n"));
    tree.add("_headers", format!("/*\n{}", headers.concat()));
    add_licenses(&mut tree, &["engine", "rules", "database"].map(build))?;
    Package::new(format!("outflank-page-{VERSION}.zip"), &tree, "")
}

const NPM_SCRIPTS: [&str; 8] = [
    "www/js/base/position.js",
    "www/js/model/node-analysis.js",
    "www/thread.js",
    "www/worker.js",
    "web/npm/client-node.js",
    "web/npm/client.js",
    "web/npm/index.d.ts",
    "web/npm/node.js",
];

/// Packs the worker of the page with its modules and the weights of both networks, a client with the rules, and an adapter for Node.
fn npm() -> Result<Package> {
    let mut tree = Tree::default();
    let (root, engine) = (workspace::root(), workspace::dist().join("engine"));
    for name in MODULES {
        tree.add(&format!("engine/{name}"), read(&engine.join(name))?);
    }
    let weights = [dist::read_named(dist::WEIGHTS)?, dist::read_named(dist::LARGE_WEIGHTS)?];
    let names = [("small", weights[0].0.as_str()), ("large", weights[1].0.as_str())];
    tree.add("engine/build.js", filled("web/npm/build.js", &names)?);
    weights.iter().for_each(|(name, bytes)| tree.add(&format!("engine/{name}"), &bytes[..]));
    for path in NPM_SCRIPTS {
        tree.add(path.trim_start_matches("www/").trim_start_matches("web/npm/"), read(&root.join(path))?);
    }
    tree.add(element::NAME, element::script()?);
    for name in ["README.md", "package.json"] {
        tree.add(name, filled(&format!("web/npm/{name}"), &[("version", VERSION)])?);
    }
    add_from_root(&mut tree, "CHANGELOG.md")?;
    add_licenses(&mut tree, &["engine", "rules"].map(build))?;
    // npm unpacks the folder with this name.
    Package::new(format!("outflank-{VERSION}.tgz"), &tree, "package")
}

/// Adds a file of the repository under the same path.
fn add_from_root(tree: &mut Tree, path: &str) -> Result<()> {
    tree.add(path, read(&workspace::root().join(path))?);
    Ok(())
}

/// Adds the licenses of the linked packages, of Rust's standard library and of a C library in the program.
fn add_licenses(tree: &mut Tree, builds: &[Build<'_>]) -> Result<()> {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        add_from_root(tree, name)?;
    }
    tree.add("THIRD-PARTY.txt", licenses::texts(builds)?);
    if builds.iter().any(|build| build.target.ends_with("-musl")) {
        tree.add("musl.txt", filled("cli/package/musl.txt", &[])?);
    }
    // rustup installs the notices with the compiler.
    let notices = toolchain::sysroot()?.join("share/doc/rust/COPYRIGHT-library.html");
    tree.add("rust-standard-library.html", read(&notices)?);
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns a file of the repository with the values in place of `@name@`.
///
/// # Errors
/// If the file cannot be read or still contains `@version@`.
fn filled(path: &str, values: &[(&str, &str)]) -> Result<String> {
    let text = String::from_utf8(read(&workspace::root().join(path))?)?;
    let text = values.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    ensure!(!text.contains("@version@"), "{path}: @version@ is not replaced");
    Ok(text)
}
