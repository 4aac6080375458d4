//! Scripts as they are served: the same program without comments and blanks, by a third fewer bytes to load.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

/// Rewrites every script in a folder and below. Names stay as they are, so that what a browser reports can be
/// found in the sources; `tests/page/served.test.js` compares the syntax trees of both.
///
/// # Errors
/// When a file cannot be read, understood or written.
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
                .map_err(|fault| anyhow!("cannot shorten {}: {fault}", path.display()))?;
            fs::write(&path, short.to_string())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
