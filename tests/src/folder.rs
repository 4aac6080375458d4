//! Temporary folder of a test.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// An empty folder, which is removed when it is dropped.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    pub fn new(name: &str) -> io::Result<Folder> {
        tempfile::Builder::new().prefix(&format!("outflank-{name}-")).tempdir().map(Folder)
    }

    pub fn as_path(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.as_path().join(name)
    }

    /// Returns the path of a file as an argument of a program.
    pub fn name(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }
}
