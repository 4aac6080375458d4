//! Removes comments and blanks from scripts, which saves a third of their bytes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

/// Rewrites every script in a folder and its subfolders. Names do not change, so messages of a browser can be found in the
/// sources. `tests/page/served.test.js` compares the syntax trees.
///
/// # Errors
/// If a file cannot be read, parsed or written.
pub(crate) fn scripts(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            scripts(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "js") {
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let short = minifier::js::minify(&text)
                .map_err(|error| anyhow!("cannot minify {}: {error}", path.display()))?;
            fs::write(&path, short.to_string())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
