//! The games of one file or of the device.

use std::num::NonZeroU16;

use outflank::board::{Position, Square};
use outflank::notation::{ReadError, wthor};
use serde::Serialize;

use super::builder::{Facts, Fault, IndexBuilder, PlainGame};
use super::index::{Index, MAX_GAMES};
use crate::exchange::write;

/// Possible years of a game. Reversi was published in 1883.
const YEARS: std::ops::RangeInclusive<u16> = 1883..=2100;

/// Games with separate lists of names.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) id: u32,
    pub(super) indices: Vec<Index>,
    year: Option<NonZeroU16>,
    read: u32,
    /// The requested players, by number. `None` requests all.
    pub(super) players: Option<Vec<u8>>,
    /// The requested tournaments, by number. `None` requests all.
    pub(super) tournaments: Option<Vec<u8>>,
}

/// The header of a file.
#[derive(Debug, Serialize)]
pub(super) struct Opened {
    records: usize,
    /// The year of the games. `None` if it is invalid.
    year: Option<u16>,
    /// The year as it is in the file.
    written: u16,
    /// Bytes before the first game.
    first: usize,
    /// Bytes of a game.
    size: usize,
}

/// The result of reading a part of a file.
#[derive(Debug, Default, Serialize)]
pub(super) struct Part {
    /// Games added.
    taken: usize,
    /// The errors of invalid games and scores.
    faults: Vec<Fault>,
}

#[derive(Debug, Serialize)]
pub(super) struct GameRow {
    start: String,
    moves: String,
    #[serde(flatten)]
    facts: Facts,
}

impl Source {
    pub(super) fn new(id: u32) -> Source {
        Source { id, indices: Vec::new(), year: None, read: 0, players: None, tournaments: None }
    }

    /// A file of games with this header.
    pub(super) fn open(id: u32, header: &[u8]) -> Result<(Source, Opened), ReadError> {
        let header = wthor::read_header(header)?;
        let year = Some(header.year).filter(|year| YEARS.contains(year));
        let source = Source { year: year.and_then(NonZeroU16::new), ..Source::new(id) };
        let (records, written) = (header.records, header.year);
        Ok((source, Opened { records, year, written, first: wthor::HEADER, size: wthor::RECORD }))
    }

    /// Adds the next records of the file, at most [`MAX_GAMES`].
    pub(super) fn add_records(&mut self, records: &[u8]) -> Part {
        let mut builder = IndexBuilder::default();
        let mut part = Part::default();
        for record in wthor::read_records(records).take(MAX_GAMES) {
            if record.discs > 64 {
                let found = Some(u32::from(record.discs));
                part.faults.push(Fault { found, ..Fault::new(self.read + 1, "wthor-score") });
            }
            if let Err(fault) = builder.push_record(self.read, self.year, &record) {
                part.faults.push(fault);
            }
            self.read += 1;
        }
        part.taken = builder.games.len();
        self.indices.push(Index::new(builder));
        part
    }

    /// Adds games of the device, except games that are in the other sources.
    pub(super) fn add_games(&mut self, games: &[PlainGame], others: &[Source]) {
        let mut numbered = games.iter().zip(0..);
        loop {
            let mut builder = IndexBuilder::default();
            for (game, number) in numbered.by_ref().take(MAX_GAMES) {
                let base = others.iter().find(|source| Some(source.id) == game.base);
                let known = base
                    .is_some_and(|base| game.moves().is_some_and(|(start, moves)| base.has(start, &moves)));
                if !known {
                    builder.push_plain(number, game);
                }
                self.read += 1;
            }
            if builder.games.is_empty() && self.read as usize >= games.len() {
                return;
            }
            self.indices.push(Index::new(builder));
        }
    }

    fn has(&self, start: Position, moves: &[Square]) -> bool {
        self.indices.iter().any(|index| index.has(start, moves))
    }

    /// The number of games with a player or tournament that is not in lists of these lengths.
    pub(super) fn unnamed(&self, players: u32, tournaments: u32) -> usize {
        let facts = self.indices.iter().flat_map(|index| &index.games).map(|game| game.facts);
        let is_unnamed = |facts: &Facts| {
            facts.black >= players || facts.white >= players || facts.tournament >= tournaments
        };
        facts.filter(is_unnamed).count()
    }

    /// All games, in the order of their numbers.
    pub(super) fn list(&self) -> Vec<GameRow> {
        let row = |index: &Index, game: usize| GameRow {
            start: write(&index.start(game)),
            moves: index.moves(game).iter().map(ToString::to_string).collect(),
            facts: index.games[game].facts,
        };
        let rows = |index: &Index| (0..index.games.len()).map(|game| row(index, game)).collect::<Vec<_>>();
        let mut list: Vec<GameRow> = self.indices.iter().flat_map(rows).collect();
        list.sort_by_key(|game| game.facts.number);
        list
    }

    pub(super) fn games(&self) -> usize {
        self.indices.iter().map(|index| index.games.len()).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        self.indices.iter().map(Index::bytes).sum()
    }
}
