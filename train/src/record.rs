//! Labeled positions and their files.
//!
//! A file is a sequence of 24-byte records, little-endian: player, opponent (64 bits each), game (32), value in centidiscs for
//! the mover (16), origin of the value (8: 255 exact, else plies searched; 100 more plies, or 254, if a random move was
//! played), outcome of the game in discs for the mover (8; −128 if a random move came later).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use outflank::board::{Bitboard, Board};
use outflank::random::scatter;

use crate::{at, replace};

/// Bytes per record.
const SIZE: usize = 24;
/// Added to the plies searched if a random move was played.
const RANDOM: u8 = 100;

/// A position with its value.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) board: Board,
    pub(crate) game: u32,
    /// The value for the mover in centidiscs.
    pub(crate) value: i16,
    pub(crate) proof: Proof,
    /// A random move was played here, not the one found.
    pub(crate) random: bool,
    /// The result of the game in discs for the mover. `None` if a random move came later.
    pub(crate) outcome: Option<i8>,
}

/// The origin of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// A search of N plies.
    Search(u8),
    /// Best play by both sides.
    Exact,
}

impl Record {
    /// Returns `true` if the game is held out from learning: one in 64, chosen by a hash of its number.
    pub(crate) fn held_out(&self) -> bool {
        scatter(u64::from(self.game)) & 63 == 0
    }

    /// Returns `true` for one position of `every`, chosen by a hash of its discs.
    pub(crate) fn is_sampled(&self, every: u64) -> bool {
        scatter(self.board.player.0 ^ scatter(self.board.opponent.0)).is_multiple_of(every)
    }

    /// Returns the label in discs.
    pub(crate) fn target(&self) -> f32 {
        f32::from(self.value) / 100.0
    }

    fn to_bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.board.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.game.to_le_bytes());
        bytes[20..22].copy_from_slice(&self.value.to_le_bytes());
        bytes[22] = match self.proof {
            Proof::Search(depth) => depth.clamp(1, 60) + if self.random { RANDOM } else { 0 },
            Proof::Exact => 255 - u8::from(self.random),
        };
        bytes[23] = self.outcome.unwrap_or(i8::MIN) as u8;
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Record> {
        let player = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
        let opponent = u64::from_le_bytes(bytes.get(8..16)?.try_into().ok()?);
        let value = i16::from_le_bytes(bytes.get(20..22)?.try_into().ok()?);
        let outcome = *bytes.get(23)? as i8;
        let (proof, random) = match *bytes.get(22)? {
            exact @ 254.. => (Proof::Exact, exact == 254),
            depth if depth > RANDOM => (Proof::Search(depth - RANDOM), true),
            depth => (Proof::Search(depth), false),
        };
        (player & opponent == 0 && (-6400..=6400).contains(&value)).then_some(Record {
            board: Board { player: Bitboard(player), opponent: Bitboard(opponent) },
            game: u32::from_le_bytes(bytes.get(16..20)?.try_into().ok()?),
            value,
            proof,
            random,
            outcome: (outcome != i8::MIN).then_some(outcome),
        })
    }
}

/// Writes a file of records. It appears under its name when it is complete.
pub(crate) fn write(path: &Path, records: &[Record]) -> Result<()> {
    replace(path, records.iter().flat_map(|record| record.to_bytes()).collect::<Vec<u8>>())
}

/// Returns the records of all files that `words` name.
pub(crate) fn read_all(words: &[String]) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for file in files(words)? {
        records.extend(read(&file)?);
    }
    Ok(records)
}

pub(crate) fn read(path: &Path) -> Result<Vec<Record>> {
    let bytes = fs::read(path).with_context(at(path))?;
    ensure!(bytes.len() % SIZE == 0, "{}: not a whole number of records", path.display());
    let record = |(n, bytes)| {
        Record::from_bytes(bytes).ok_or_else(|| anyhow!("{}: record {n} is invalid", path.display()))
    };
    bytes.chunks_exact(SIZE).enumerate().map(record).collect()
}

/// Returns the record files that `words` name, in order: files, and the `*.bin` of folders.
pub(crate) fn files(words: &[String]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for word in words {
        let path = PathBuf::from(word);
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).with_context(at(&path))?;
        let mut inside: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
            .collect();
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
