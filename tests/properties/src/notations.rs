//! Games, positions and moves as text: no text causes a panic, every error has a message, and each game that was read is
//! written and read back.

use outflank::board::{Move, Position};
use outflank::game::Game;
use outflank::notation::{self, NumberedGame, ReadError, fen, moves, obf as suite, squares};
use outflank::notation::{ggf as ggs, pgn as headers, sgf as smart, transcript as squares_only};

use crate::has_message;

#[derive(Clone, Copy)]
pub(crate) struct Notation {
    pub(crate) name: &'static str,
    pub(crate) write: fn(&Game) -> String,
    pub(crate) read: fn(&str) -> Vec<NumberedGame>,
}

pub(crate) const GGF: Notation =
    Notation { name: "GGF", write: ggs::write_all, read: |text| ggs::games(text).collect() };
pub(crate) const SGF: Notation =
    Notation { name: "SGF", write: smart::write, read: |text| smart::games(text).collect() };
pub(crate) const PGN: Notation =
    Notation { name: "PGN", write: headers::write, read: |text| headers::games(text).collect() };

pub(crate) const NOTATIONS: [Notation; 3] = [GGF, SGF, PGN];

impl Notation {
    /// Writes a game and reads it back as the only game of the text.
    pub(crate) fn through(self, game: &Game) -> Game {
        let text = (self.write)(game);
        match (self.read)(&text).as_slice() {
            [(1, 1, Ok(read))] => sorted(read.clone()),
            other => panic!("{}: {other:?}: {text}", self.name),
        }
    }

    /// Reads a text. Games are numbered from 1, their lines ascend, and errors have a message. Each game is written and read
    /// back.
    fn check(self, bytes: &[u8]) {
        let text = crate::text(bytes);
        let lines = text.lines().count() + 1;
        let mut last = 1;
        for ((number, line, game), expected) in (self.read)(&text).into_iter().zip(1..) {
            assert_eq!(number, expected);
            assert!((last..=lines).contains(&line), "game {number} in line {line} of {lines}");
            last = line;
            match game {
                Ok(game) => NOTATIONS.iter().for_each(|notation| notation.check_game(&game)),
                Err(error) => has_message(error),
            }
        }
    }

    /// Writes the game and reads it back: it has all its moves and variations. A game that was read once stays the same.
    /// `cli/src/files/round_trips.rs` checks that each other difference is reported.
    pub(crate) fn check_game(self, game: &Game) {
        let once = self.through(game);
        let moves = |game: &Game| (game.start(), game.moves().to_vec(), game.tree().len());
        assert_eq!(moves(&once), moves(game), "{}", (self.write)(game));
        assert_eq!(self.through(&once), once, "{}", (self.write)(game));
    }
}

/// The game with its tags in one order, without the notes of a reader. Headers of PGN have a fixed order.
pub(crate) fn sorted(mut game: Game) -> Game {
    game.tags.others.sort();
    game.tags.dropped.clear();
    game
}

fn value<T>(read: Result<T, ReadError>) -> Option<T> {
    read.map_err(has_message).ok()
}

/// A pasted text in any notation.
///
/// The reader returns games and errors, or one error. [`notation::read`] returns the same. Each game is written in GGF and
/// read back.
pub fn paste(bytes: &[u8]) {
    let text = &crate::text(bytes);
    let mut games = Vec::new();
    let skipped = notation::read_each(text, notation::MAX_TEXT_CHARS, &mut |game| games.push(game));
    let errors = match skipped {
        Ok(skipped) => {
            assert!(!games.is_empty(), "neither a game nor an error");
            assert_eq!(skipped.reported.len(), skipped.count.min(notation::MAX_REPORTED_ERRORS));
            skipped.reported
        }
        Err(error) => {
            assert!(games.is_empty(), "games and an error");
            vec![error]
        }
    };
    errors.iter().for_each(has_message);
    match (notation::read(text), errors.into_iter().next()) {
        (Ok(all), None) => assert_eq!(all, games),
        (Err(error), Some(first)) => assert_eq!(error, first),
        (all, first) => panic!("{all:?} at once, {first:?} one by one"),
    }
    for game in &games {
        NOTATIONS.iter().for_each(|notation| notation.check_game(game));
        written_for_nboard(game);
    }
}

/// NBoard's form has the moves, on one line.
fn written_for_nboard(game: &Game) {
    let text = ggs::write(game);
    assert!(!text.contains(char::is_control), "{text:?}");
    let read = ggs::read(&text).unwrap();
    assert_eq!((read.start(), read.moves()), (game.start(), game.moves()), "{text}");
}

pub fn ggf(bytes: &[u8]) {
    GGF.check(bytes);
    value(ggs::read_all(&crate::text(bytes))).unwrap_or_default().iter().for_each(written_for_nboard);
}

pub fn sgf(bytes: &[u8]) {
    SGF.check(bytes);
}

/// Games in PGN, of both kinds.
pub fn pgn(bytes: &[u8]) {
    PGN.check(bytes);
}

/// Transcripts: a game is written without passes and read back with them.
pub fn transcript(bytes: &[u8]) {
    let Some(game) = value(squares_only::read(&crate::text(bytes))) else { return };
    let game = without_last_pass(game);
    let written = squares_only::write(&game);
    if !written.is_empty() {
        let again = squares_only::read_from(game.start(), &written);
        assert_eq!(again.as_ref().map(Game::moves), Ok(game.moves()), "{written}");
    }
}

/// The game without passes at its end. A notation without passes does not contain them.
pub(crate) fn without_last_pass(mut game: Game) -> Game {
    while game.moves().last().is_some_and(|played| played.mv == Move::Pass) {
        game.undo();
    }
    game
}

/// OBF: an invalid line does not affect the others.
pub fn obf(bytes: &[u8]) {
    let text = crate::text(bytes);
    let mut last = 0;
    for (number, read) in suite::read(&text) {
        assert!(number > last, "line {number} after line {last}");
        last = number;
        if let Some(scored) = value(read) {
            let line = suite::write(&scored);
            assert_eq!(suite::read_line(&line).as_ref(), Ok(&scored), "{line}");
        }
    }
}

/// Positions as squares and in FEN, and single moves.
pub fn positions(bytes: &[u8]) {
    let text = crate::text(bytes);
    let read = [value(squares::read(&text)), value(fen::read(&text))];
    read.iter().flatten().for_each(written_as_squares);
    if let Ok((position, rest)) = squares::read_prefix(&text) {
        assert!(text.ends_with(rest), "{rest:?}");
        written_as_squares(&position);
    }
    if let Some(played) = value(moves::read_played(&text)) {
        let written = moves::write_played(&played);
        assert_eq!(moves::read_played(&written), Ok(played), "{written}");
    }
    value(moves::read(&text));
}

fn written_as_squares(position: &Position) {
    let line = squares::write(position);
    assert_eq!(squares::read(&line), Ok(*position), "{line}");
    let line = fen::write(position, 'd');
    assert_eq!(fen::read(&line), Ok(*position), "{line}");
}
