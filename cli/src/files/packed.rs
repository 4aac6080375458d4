//! Compressed files, and the files in folders.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::native::in_file;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::FrameDecoderError::ReadFrameHeaderError as InHeader;
use ruzstd::decoding::errors::ReadFrameHeaderError::SkipFrame;

use super::Format;

/// Largest size of the content of a compressed file, in bytes.
const MAX_UNPACKED_BYTES: usize = 1 << 30;
/// Length of the header of a frame that readers of Zstandard skip.
const SKIPPED_HEADER: usize = 8;

/// Returns the content of a file that gzip or Zstandard has compressed. `None` for other files.
pub(super) fn unpacked(bytes: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut content = Vec::new();
    match bytes {
        [0x1f, 0x8b, ..] => append(&mut MultiGzDecoder::new(bytes), &mut content)?,
        // A frame, or one that readers skip.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => frames(bytes, &mut content)?,
        _ => return Ok(None),
    }
    Ok(Some(content))
}

fn frames(mut bytes: &[u8], content: &mut Vec<u8>) -> io::Result<()> {
    while !bytes.is_empty() {
        let mut rest = bytes;
        let decoder = match StreamingDecoder::new(&mut rest) {
            Ok(mut frame) => append(&mut frame, content).map(|()| frame.into_frame_decoder())?,
            Err(InHeader(SkipFrame { length, .. })) => {
                bytes = bytes.get(SKIPPED_HEADER + length as usize..).unwrap_or_default();
                continue;
            }
            Err(_) => return Err(damaged()),
        };
        let stored = decoder.get_checksum_from_data();
        if stored.is_some() && stored != decoder.get_calculated_checksum() {
            return Err(damaged());
        }
        bytes = rest;
    }
    Ok(())
}

fn append(reader: &mut dyn Read, content: &mut Vec<u8>) -> io::Result<()> {
    let left = MAX_UNPACKED_BYTES - content.len();
    reader.take(left as u64 + 1).read_to_end(content).map_err(|_| damaged())?;
    if content.len() > MAX_UNPACKED_BYTES {
        return Err(io::Error::other(format!("its content is longer than {MAX_UNPACKED_BYTES} bytes")));
    }
    Ok(())
}

fn damaged() -> io::Error {
    io::Error::other("the compressed file is damaged or truncated")
}

/// Returns the path without the ending of a compressed file.
pub(super) fn without_packing(path: &Path) -> PathBuf {
    let is_packed =
        |ending: &std::ffi::OsStr| ["gz", "zst"].iter().any(|one| ending.eq_ignore_ascii_case(one));
    if path.extension().is_some_and(is_packed) { path.with_extension("") } else { path.to_owned() }
}

/// Returns the files of a folder and its subfolders that have the ending of a format, in the order of their names. Pipes
/// and devices are omitted.
///
/// # Errors
/// If a folder cannot be read, or if there is no file.
pub(super) fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(in_file(&folder))? {
            let entry = entry.map_err(in_file(&folder))?;
            let path = entry.path();
            // A link to a folder is not followed: it may lead to a folder around it.
            if entry.file_type().map_err(in_file(&path))?.is_dir() {
                folders.push(path);
            } else if Format::of_path(&without_packing(&path)).is_some()
                && fs::metadata(&path).map_or(true, |data| data.is_file())
            {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        let error = "no file with an ending of games, such as ggf, sgf, pgn, wtb, obf, txt or ggf.gz";
        return Err(in_file(folder)(io::Error::other(error)));
    }
    files.sort();
    Ok(files)
}
