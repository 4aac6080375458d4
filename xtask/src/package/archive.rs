//! Archives whose bytes follow from their content alone: in order of their paths, with one time and two kinds of
//! rights for all.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use anyhow::{Context, Result, bail};
use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;

use crate::toolchain;

/// The time of every file, that of npm's packages: 26 October 1985, 8:15. Zip knows nothing before 1980.
const TIME: u64 = 499_162_500;
const ZIP_TIME: (u16, u8, u8, u8, u8, u8) = (1985, 10, 26, 8, 15, 0);

/// Files by their paths, with `/` between the parts.
#[derive(Debug, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, File>,
}

#[derive(Debug)]
struct File {
    bytes: Vec<u8>,
    mode: u32,
}

impl Tree {
    /// Adds a file that is read.
    pub(super) fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), File { bytes: bytes.into(), mode: 0o644 });
    }

    /// Adds a file that is run.
    pub(super) fn add_program(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), File { bytes: bytes.into(), mode: 0o755 });
    }

    /// Packs it as `tar.gz`, all in one folder.
    pub(super) fn tar_gz(&self, folder: &str) -> Result<Vec<u8>> {
        // Neither a name nor a time, and no word of the system.
        let packed = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
        let mut tar = tar::Builder::new(packed);
        for (path, file) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(file.bytes.len().try_into()?);
            header.set_mode(file.mode);
            header.set_mtime(TIME);
            header.set_uid(0);
            header.set_gid(0);
            header.set_entry_type(tar::EntryType::Regular);
            tar.append_data(&mut header, format!("{folder}/{path}"), &file.bytes[..])
                .with_context(|| format!("cannot pack {path}"))?;
        }
        Ok(tar.into_inner()?.finish()?)
    }

    /// Packs it as `zip`, all in one folder, or where `folder` is empty in none.
    pub(super) fn zip(&self, folder: &str) -> Result<Vec<u8>> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let (year, month, day, hour, minute, second) = ZIP_TIME;
        let time = zip::DateTime::from_date_and_time(year, month, day, hour, minute, second)?;
        for (path, file) in &self.files {
            let options = SimpleFileOptions::default()
                .compression_method(zip::CompressionMethod::Deflated)
                .compression_level(Some(9))
                .last_modified_time(time)
                .unix_permissions(file.mode);
            let name = if folder.is_empty() { path.clone() } else { format!("{folder}/{path}") };
            zip.start_file(name, options).with_context(|| format!("cannot pack {path}"))?;
            zip.write_all(&file.bytes)?;
        }
        Ok(zip.finish()?.into_inner())
    }

    /// Whether there is a file.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Looks for names of folders of this machine.
    ///
    /// # Errors
    /// Names the file that tells one.
    pub(super) fn refuse_private_paths(&self) -> Result<()> {
        for (private, _) in toolchain::private_paths()? {
            self.refuse(&private.display().to_string())?;
        }
        Ok(())
    }

    fn refuse(&self, text: &str) -> Result<()> {
        let holds = |file: &File| file.bytes.windows(text.len()).any(|window| window == text.as_bytes());
        match self.files.iter().find(|(_, file)| holds(file)) {
            Some((path, _)) => bail!("{path} tells of {text}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn tree(paths: &[&str]) -> Tree {
        let mut tree = Tree::default();
        for path in paths {
            tree.add(path, format!("{path} ").repeat(100));
        }
        tree.add_program("bin/run", *b"#!");
        tree
    }

    #[test]
    fn the_order_in_which_files_come_is_not_seen() {
        let (one, other) = (tree(&["a", "b/c", "d"]), tree(&["d", "b/c", "a"]));
        assert_eq!(one.tar_gz("x").unwrap(), other.tar_gz("x").unwrap());
        assert_eq!(one.zip("x").unwrap(), other.zip("x").unwrap());
        assert_ne!(one.zip("x").unwrap(), tree(&["a", "d"]).zip("x").unwrap());
    }

    #[test]
    fn a_private_path_is_found() {
        let mut tree = tree(&["a", "b"]);
        tree.refuse("/home/me").unwrap();
        tree.add("c", *b"\x7fELF at /home/me/engine.rs");
        assert_eq!(tree.refuse("/home/me").unwrap_err().to_string(), "c tells of /home/me");
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let long = format!("{}/name", "folder/".repeat(30));
        let tree = tree(&["a", &long]);

        let packed = tree.tar_gz("top").unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(&packed[..]));
        let mut found = Vec::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            let header = entry.header();
            assert_eq!(header.mtime().unwrap(), TIME);
            found.push((entry.path().unwrap().display().to_string(), header.mode().unwrap(), bytes));
        }
        let expected = |prefix: &str| {
            let file =
                |path: &str| (format!("{prefix}{path}"), 0o644, format!("{path} ").repeat(100).into_bytes());
            vec![file("a"), (format!("{prefix}bin/run"), 0o755, b"#!".to_vec()), file(&long)]
        };
        assert_eq!(found, expected("top/"));

        let mut zip = zip::ZipArchive::new(Cursor::new(tree.zip("").unwrap())).unwrap();
        let mut found = Vec::new();
        for index in 0..zip.len() {
            let mut entry = zip.by_index(index).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            found.push((entry.name().unwrap().into_owned(), entry.unix_mode().unwrap() & 0o777, bytes));
        }
        assert_eq!(found, expected(""));
    }
}
