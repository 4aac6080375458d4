//! Labelled positions and the files they are kept in.
//!
//! A file is a plain row of 24-byte records, little-endian: player, opponent (64 bits each), game (32),
//! label in centidiscs for the mover (16), what the label is (8), its depth (8).

use std::fs;
use std::path::{Path, PathBuf};

use outflank::board::{Bitboard, Board};

use crate::args::Problem;
use crate::rng::mix;

/// Bytes of a record.
const SIZE: usize = 24;

/// A position with what is known about its value.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) board: Board,
    /// The game it comes from; all its positions are held out or none.
    pub(crate) game: u32,
    /// The value for the mover in centidiscs.
    pub(crate) label: i16,
    pub(crate) kind: Kind,
    /// Plies searched, where it is a search value.
    pub(crate) depth: u8,
}

/// What a label is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// How the game ended.
    Outcome,
    /// The value of a search.
    Search,
    /// The value under best play.
    Exact,
}

impl Record {
    /// Whether the game is held out from training: one in 64, chosen by a hash of its number.
    pub(crate) fn held_out(&self) -> bool {
        mix(u64::from(self.game)) & 63 == 0
    }

    fn to_bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.board.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.game.to_le_bytes());
        bytes[20..22].copy_from_slice(&self.label.to_le_bytes());
        bytes[22] = self.kind as u8;
        bytes[23] = self.depth;
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Record> {
        let player = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
        let opponent = u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
        let label = i16::from_le_bytes(bytes.get(20..22)?.try_into().ok()?);
        let kind = match *bytes.get(22)? {
            0 => Kind::Outcome,
            1 => Kind::Search,
            2 => Kind::Exact,
            _ => return None,
        };
        (player & opponent == 0 && (-6400..=6400).contains(&label)).then_some(Record {
            board: Board { player: Bitboard(player), opponent: Bitboard(opponent) },
            game: u32::from_le_bytes(bytes.get(16..20)?.try_into().ok()?),
            label,
            kind,
            depth: *bytes.get(23)?,
        })
    }
}

/// Writes a file of records; it appears under its name only when it is complete.
pub(crate) fn write(path: &Path, records: &[Record]) -> Result<(), Problem> {
    let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
    let part = path.with_extension("part");
    fs::write(&part, bytes).map_err(|error| Problem::at(&part, error))?;
    fs::rename(&part, path).map_err(|error| Problem::at(path, error))
}

/// Reads a file of records.
pub(crate) fn read(path: &Path) -> Result<Vec<Record>, Problem> {
    let bytes = fs::read(path).map_err(|error| Problem::at(path, error))?;
    if bytes.len() % SIZE != 0 {
        return Err(Problem::at(path, "not a whole number of records"));
    }
    let record = |(n, bytes)| {
        Record::from_bytes(bytes).ok_or_else(|| Problem::at(path, format!("record {n} is not valid")))
    };
    bytes.chunks_exact(SIZE).enumerate().map(record).collect()
}

/// The record files that `words` name: files as they are, of folders all `*.bin`, in order.
pub(crate) fn files(words: &[String]) -> Result<Vec<PathBuf>, Problem> {
    let mut files = Vec::new();
    for word in words {
        let path = PathBuf::from(word);
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).map_err(|error| Problem::at(&path, error))?;
        let mut inside: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
            .collect();
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
