//! Makes the page a part of the program, if the variable `OUTFLANK_DIST` names its folder, as it does in `cargo xtask`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=OUTFLANK_DIST");
    let mut files = String::new();
    if let Some(folder) = env::var_os("OUTFLANK_DIST").map(PathBuf::from) {
        // Its list of files has the digest of each.
        println!("cargo::rerun-if-changed={}", folder.join("version.json").display());
        list(&folder, "", &mut files)?;
    }
    let page = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs");
    fs::write(page, format!("vec![{files}]"))
}

/// Lists the names and contents of a folder as Rust. A file with a compressed copy is omitted, and so is a weights file of the
/// program.
fn list(folder: &Path, prefix: &str, files: &mut String) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", file_name(&path));
        if path.is_dir() {
            list(&path, &format!("{name}/"), files)?;
            continue;
        }
        let contents = match weights_in(&name) {
            Some(weights) => weights.to_owned(),
            None if folder.join(format!("{}.br", file_name(&path))).exists() => continue,
            None => format!("include_bytes!({path:?})"),
        };
        let _ = write!(files, "({name:?}, {contents}), ");
    }
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the weights of the program that a file of the page has: the page names both files by their digest.
fn weights_in(name: &str) -> Option<&'static str> {
    let network = name.strip_prefix("engine/outflank-")?.strip_suffix(".weights")?;
    match network.rsplit_once('-') {
        None => Some("outflank::search::Evaluator::embedded()"),
        Some(("large", _)) => Some("crate::engine::LARGE"),
        _ => None,
    }
}
