//! Reproducible archives: files are sorted by path, and all have the same time and one of two modes.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use anyhow::{Context, Result, bail};
use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;

use crate::toolchain;

/// The time of every file, as in npm's packages: 26 October 1985, 8:15. Zip has no times before 1980.
const TIME: u64 = 499_162_500;
const ZIP_TIME: (u16, u8, u8, u8, u8, u8) = (1985, 10, 26, 8, 15, 0);

/// Contents and modes of files by their paths, with `/` between the parts.
#[derive(Debug, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, (Vec<u8>, u32)>,
}

impl Tree {
    pub(super) fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), (bytes.into(), 0o644));
    }

    /// Adds an executable file.
    pub(super) fn add_program(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), (bytes.into(), 0o755));
    }

    /// Returns the paths and contents of all files.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, (bytes, _))| (path.as_str(), &bytes[..]))
    }

    /// Returns a `tar.gz` with all files in `folder`.
    pub(super) fn tar_gz(&self, folder: &str) -> Result<Vec<u8>> {
        // The header contains no time, and 255 for an unknown system.
        let packed = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
        let mut tar = tar::Builder::new(packed);
        for (path, (bytes, mode)) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len().try_into()?);
            header.set_mode(*mode);
            header.set_mtime(TIME);
            header.set_uid(0);
            header.set_gid(0);
            header.set_entry_type(tar::EntryType::Regular);
            tar.append_data(&mut header, format!("{folder}/{path}"), &bytes[..])
                .with_context(|| format!("cannot pack {path}"))?;
        }
        Ok(tar.into_inner()?.finish()?)
    }

    /// Returns a `zip` with all files in `folder`, or in the root if `folder` is empty.
    pub(super) fn zip(&self, folder: &str) -> Result<Vec<u8>> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let (year, month, day, hour, minute, second) = ZIP_TIME;
        let time = zip::DateTime::from_date_and_time(year, month, day, hour, minute, second)?;
        for (path, (bytes, mode)) in &self.files {
            let options = SimpleFileOptions::default()
                .compression_method(zip::CompressionMethod::Deflated)
                .compression_level(Some(9))
                .last_modified_time(time)
                .unix_permissions(*mode);
            let name = if folder.is_empty() { path.clone() } else { format!("{folder}/{path}") };
            zip.start_file(name, options).with_context(|| format!("cannot pack {path}"))?;
            zip.write_all(bytes)?;
        }
        Ok(zip.finish()?.into_inner())
    }

    /// Checks that no file contains a path of this machine.
    pub(super) fn refuse_private_paths(&self) -> Result<()> {
        toolchain::private_paths()?.iter().try_for_each(|(path, _)| self.refuse(&path.display().to_string()))
    }

    fn refuse(&self, text: &str) -> Result<()> {
        for (path, (bytes, _)) in &self.files {
            if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                bail!("{path} contains {text}");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_path_is_found() {
        let mut tree = Tree::default();
        tree.refuse("/home/me").unwrap();
        tree.add("c", *b"\x7fELF at /home/me/engine.rs");
        assert_eq!(tree.refuse("/home/me").unwrap_err().to_string(), "c contains /home/me");
    }
}
