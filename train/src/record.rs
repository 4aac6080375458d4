//! Labelled positions and the files they are kept in.
//!
//! A file is a plain row of 24-byte records, little-endian: player, opponent (64 bits each), game (32),
//! value in centidiscs for the mover (16), how it was found (8: 0 the outcome of the game, 255 exact, else
//! plies searched; 100 more plies, or 254, where a random move was played), outcome of the game in discs for
//! the mover (8, −128 where a random move came after).

use std::fs;
use std::path::{Path, PathBuf};

use outflank::board::{Bitboard, Board};
use outflank::random::scatter;

use crate::error::Error;

/// Bytes of a record.
const SIZE: usize = 24;
/// Added to the plies searched where a random move was played.
const RANDOM: u8 = 100;

/// A position with what is known about its value.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    pub(crate) board: Board,
    /// The game it comes from; all its positions are held out or none.
    pub(crate) game: u32,
    /// The value for the mover in centidiscs.
    pub(crate) value: i16,
    pub(crate) proof: Proof,
    /// Whether a random move was played here, not the one found.
    pub(crate) random: bool,
    /// How the game ended, in discs for the mover, if no random move came after.
    pub(crate) outcome: Option<i8>,
}

/// How a value was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// It is how the game ended.
    Outcome,
    /// A search of so many plies.
    Search(u8),
    /// Best play of both sides.
    Exact,
}

impl Record {
    /// Whether the game is held out from training: one in 64, chosen by a hash of its number.
    pub(crate) fn held_out(&self) -> bool {
        scatter(u64::from(self.game)) & 63 == 0
    }

    /// What to learn, in discs: a mean of value and outcome, the outcome having this weight.
    pub(crate) fn target(&self, outcome_weight: f32) -> f32 {
        let value = f32::from(self.value) / 100.0;
        match self.outcome {
            Some(outcome) if self.proof != Proof::Exact => {
                value + outcome_weight * (f32::from(outcome) - value)
            }
            _ => value,
        }
    }

    fn to_bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.board.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.game.to_le_bytes());
        bytes[20..22].copy_from_slice(&self.value.to_le_bytes());
        bytes[22] = match self.proof {
            Proof::Outcome => 0,
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
            0 => (Proof::Outcome, false),
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
            outcome: (proof != Proof::Outcome && outcome != i8::MIN).then_some(outcome),
        })
    }
}

/// Writes a file of records; it appears under its name only when it is complete.
pub(crate) fn write(path: &Path, records: &[Record]) -> Result<(), Error> {
    let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
    let part = path.with_extension("part");
    fs::write(&part, bytes).map_err(|error| Error::at(&part, error))?;
    fs::rename(&part, path).map_err(|error| Error::at(path, error))
}

/// Reads a file of records.
pub(crate) fn read(path: &Path) -> Result<Vec<Record>, Error> {
    let bytes = fs::read(path).map_err(|error| Error::at(path, error))?;
    if bytes.len() % SIZE != 0 {
        return Err(Error::at(path, "not a whole number of records"));
    }
    let record = |(n, bytes)| {
        Record::from_bytes(bytes).ok_or_else(|| Error::at(path, format!("record {n} is not valid")))
    };
    bytes.chunks_exact(SIZE).enumerate().map(record).collect()
}

/// The record files that `words` name: files as they are, of folders all `*.bin`, in order.
pub(crate) fn files(words: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for word in words {
        let path = PathBuf::from(word);
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).map_err(|error| Error::at(&path, error))?;
        let mut inside: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
            .collect();
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
