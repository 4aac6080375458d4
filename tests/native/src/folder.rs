//! Temporary folder of a test.

use std::env;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Returns the folder of temporary files, which is in memory on Linux. A program that writes a book waits about 30 times until it
/// is on the disk, and each time takes long while other programs write to it.
pub fn temporary() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { env::temp_dir() }
}

/// An empty folder, which is removed when it is dropped.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// Creates a folder with this part in its name.
    ///
    /// # Panics
    /// If it cannot be created.
    pub fn new(name: &str) -> Folder {
        let folder = tempfile::Builder::new().prefix(&format!("outflank-{name}-")).tempdir_in(temporary());
        Folder(folder.expect("a folder can be created"))
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
