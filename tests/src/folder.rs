//! A place for the files of a test.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// An empty folder of a test's own, gone with it.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// One whose name no other test has.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn new(name: &str) -> io::Result<Folder> {
        let path = env::temp_dir().join(format!("outflank-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    /// The folder itself.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The same as an argument of a program.
    pub fn name(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
