//! Files of whole lines. One program at a time appends to such a file, and continues it after being killed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::native::{KILLED_LOCK_TIMEOUT, in_file, locked};

/// A file of lines that is locked while it is open.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    len: u64,
}

impl Journal {
    /// Opens or creates a file. `read` receives the whole lines and the incomplete line after them, which a killed program may
    /// have left. It returns the content, or an error if the file has another purpose. If it succeeds, the incomplete line is
    /// removed.
    ///
    /// # Errors
    /// Each error names the file. The file is not a regular one, another program has it open, or `read` refuses it. The file
    /// stays unchanged.
    pub(crate) fn open<T>(
        path: &Path,
        read: impl FnOnce(&str, &[u8]) -> Result<T, String>,
    ) -> io::Result<(Journal, T)> {
        let open = || {
            let mut file = locked(path, true, KILLED_LOCK_TIMEOUT)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let len = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let (whole, torn) = bytes.split_at(len);
            let whole = std::str::from_utf8(whole).map_err(|_| io::Error::other("not a text in UTF-8"))?;
            let found = read(whole, torn).map_err(io::Error::other)?;
            if !torn.is_empty() {
                file.set_len(len as u64)?;
            }
            file.seek(SeekFrom::End(0))?;
            Ok((Journal { path: path.to_owned(), file, len: len as u64 }, found))
        };
        open().map_err(in_file(path))
    }

    /// Appends whole lines in one write. If the write fails, none of them stays in the file.
    pub(crate) fn append(&mut self, lines: &str) -> io::Result<()> {
        match self.file.write_all(lines.as_bytes()) {
            Ok(()) => self.len += lines.len() as u64,
            Err(error) => {
                let _ = self.file.set_len(self.len);
                return Err(in_file(&self.path)(error));
            }
        }
        Ok(())
    }
}

/// Returns `true` if `torn` can be the start of a line that starts with `head`.
pub(crate) fn begins(torn: &[u8], head: &str) -> bool {
    torn.starts_with(head.as_bytes()) || head.as_bytes().starts_with(torn)
}
