//! Games, positions and moves as text: no panic, every error says something, and what was read is written and read back.

use std::time::Duration;

use outflank::board::{Move, Position};
use outflank::game::{Game, RecordedMove, Tags};
use outflank::notation::{self, ReadError, fen, moves, obf as suite, squares};
use outflank::notation::{ggf as ggs, pgn as headers, sgf as smart, transcript as squares_only};

/// Whatever a person pastes, in whatever notation it is.
///
/// Either games and faults that say something, or one error; all or nothing says the same as one by one. What was read can
/// be handed on in GGF.
pub fn paste(bytes: &[u8]) {
    pasted(&crate::text(bytes));
}

/// Games as Othello Quest sends them. What the other notations read is not looked at here.
pub fn json(bytes: &[u8]) {
    let text = crate::text(bytes);
    if text.contains(['{', '[']) {
        pasted(&text);
    }
}

fn pasted(text: &str) {
    let mut games = Vec::new();
    let faults = notation::read_each(text, notation::MAX_TEXT_CHARS, &mut |game| games.push(game));
    match &faults {
        Ok(faults) => {
            assert!(!games.is_empty(), "neither a game nor an error");
            assert!(faults.reported.len() == faults.count.min(notation::MAX_REPORTED_ERRORS), "{faults:?}");
            faults.reported.iter().for_each(says_something);
        }
        Err(error) => {
            assert!(games.is_empty(), "games, and an error nevertheless");
            says_something(error);
        }
    }
    let all = notation::read(text);
    let first = match faults {
        Ok(faults) => faults.reported.into_iter().next(),
        Err(error) => Some(error),
    };
    match (all, first) {
        (Ok(all), None) => assert_eq!(all, games, "all at once and one by one"),
        (Err(error), Some(first)) => assert_eq!(error, first, "all at once and one by one"),
        (all, first) => panic!("{all:?} at once, {first:?} one by one"),
    }
    games.iter().for_each(written_in_ggf);
}

fn says_something(error: &ReadError) {
    let said = error.to_string();
    assert!(!said.trim().is_empty() && !said.contains('\n') && said.len() < 1_000, "{said:?}");
}

/// GGF: games are found in any text, and what was read of them is written and read back, in both ways of writing.
pub fn ggf(bytes: &[u8]) {
    let text = crate::text(bytes);
    let games = numbered(&text, ggs::games(&text));
    for game in games {
        written_in_ggf(&game);
    }
    let _ = ggs::read_all(&text).map_err(|error| error.to_string());
}

fn written_in_ggf(game: &Game) {
    let text = ggs::write_all(game);
    let once = ggs::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    same_moves(&once, game, &text);
    same_tags(&in_whole_seconds(once.clone()), &in_whole_seconds(game.clone()), &text);
    let again = ggs::write_all(&once);
    assert_eq!(ggs::read(&again).as_ref(), Ok(&once), "{again}");
    let text = ggs::write(game);
    assert!(!text.contains(char::is_control), "{text:?}");
    let once = ggs::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    same_moves(&once, game, &text);
}

/// The game with clocks as GGF writes them where there are no options beside them: fractions of a second are rounded up.
pub(crate) fn in_whole_seconds(mut game: Game) -> Game {
    let up = |time: Duration| Duration::from_secs(time.as_secs() + u64::from(time.subsec_nanos() > 0));
    let tags = &mut game.tags;
    for clock in [&mut tags.clock, &mut tags.black.clock, &mut tags.white.clock].into_iter().flatten() {
        for time in [&mut clock.main, &mut clock.increment, &mut clock.grace] {
            *time = up(*time);
        }
    }
    game
}

/// SGF.
pub fn sgf(bytes: &[u8]) {
    let text = crate::text(bytes);
    let first = |text: &str| smart::games(text).next().map(|(_, _, game)| game);
    for game in numbered(&text, smart::games(&text)) {
        let text = smart::write(&game);
        let once = match first(&text) {
            Some(Ok(once)) => once,
            other => panic!("{other:?}: {text}"),
        };
        same_moves(&once, &game, &text);
        same_tags(&once, &game, &text);
        let again = smart::write(&once);
        assert_eq!(first(&again), Some(Ok(once)), "{again}");
    }
}

/// PGN, of Cassio's kind and of XBoard's.
pub fn pgn(bytes: &[u8]) {
    let text = crate::text(bytes);
    let first = |text: &str| headers::games(text).next().map(|(_, _, game)| game);
    for game in numbered(&text, headers::games(&text)) {
        let text = headers::write(&game);
        let once = match first(&text) {
            Some(Ok(once)) => once,
            other => panic!("{other:?}: {text}"),
        };
        same_moves(&once, &game, &text);
        same_tags(&once, &game, &text);
        let again = headers::write(&once);
        let twice = match first(&again) {
            Some(Ok(twice)) => twice,
            other => panic!("{other:?}: {again}"),
        };
        assert_eq!(sorted(twice), sorted(once), "{again}");
    }
}

/// Headers have an order of their own.
fn sorted(mut game: Game) -> Game {
    game.tags.others.sort();
    game
}

/// Games are numbered from 1, the lines they begin in rise, and errors say something. The games that could be read.
fn numbered<E: std::fmt::Display>(
    text: &str,
    games: impl Iterator<Item = (usize, usize, Result<Game, E>)>,
) -> Vec<Game> {
    let lines = text.lines().count() + 1;
    let (mut last, mut read) = (1, Vec::new());
    for ((number, line, game), expected) in games.zip(1..) {
        assert_eq!(number, expected);
        assert!((last..=lines).contains(&line), "game {number} in line {line} of {lines}");
        last = line;
        match game {
            Ok(game) => read.push(game),
            Err(error) => assert!(!error.to_string().trim().is_empty(), "game {number}"),
        }
    }
    read
}

fn same_moves(read: &Game, written: &Game, text: &str) {
    assert_eq!((read.start(), read.moves()), (written.start(), written.moves()), "{text}");
}

/// Who played and with which clocks, and how it ended.
pub(crate) fn same_tags(read: &Game, written: &Game, text: &str) {
    let tags = |game: &Game| {
        let Tags { black, white, clock, result, .. } = game.tags.clone();
        let names = [black.name, white.name]
            .map(|name| name.map(plain).filter(|name| !UNKNOWN.contains(&name.as_str())));
        (names, [clock, black.clock, white.clock], [black.rating, white.rating], result)
    };
    assert_eq!(tags(read), tags(written), "{text}");
}

/// Names that say that there is none.
const UNKNOWN: [&str; 4] = ["", "?", "-", "????.??.??"];

/// A name as every notation can hold it: GGF no square brackets, and none of them line ends or more than a space.
fn plain(name: String) -> String {
    let name = name.replace('[', "(").replace(']', ")").replace(char::is_control, " ");
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Transcripts: what is written without passes is read back with them.
pub fn transcript(bytes: &[u8]) {
    let text = crate::text(bytes);
    let game = match squares_only::read(&text) {
        Ok(game) => game,
        Err(error) => return assert!(!error.to_string().trim().is_empty()),
    };
    let mut moves: Vec<Move> = game.moves().iter().map(|played: &RecordedMove| played.mv).collect();
    // A pass at the end is not written: nobody could tell it from a game that stops before it.
    while moves.last() == Some(&Move::Pass) {
        moves.pop();
    }
    let written = squares_only::write(&game);
    if moves.is_empty() {
        return;
    }
    let again =
        squares_only::read_from(game.start(), &written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again.moves().iter().map(|played| played.mv).collect::<Vec<_>>(), moves, "{written}");
}

/// OBF, the format of the FFO suites: a faulty line keeps no other from being read.
pub fn obf(bytes: &[u8]) {
    let text = crate::text(bytes);
    let mut last = 0;
    for (number, read) in suite::read(&text) {
        assert!(number > last, "line {number} after line {last}");
        last = number;
        match read {
            Ok(scored) => {
                let line = suite::write(&scored);
                assert_eq!(suite::read_line(&line).as_ref(), Ok(&scored), "{line}");
            }
            Err(error) => assert!(!error.to_string().trim().is_empty()),
        }
    }
}

/// Positions as squares and in FEN, and single moves.
pub fn positions(bytes: &[u8]) {
    let text = crate::text(bytes);
    for read in [squares::read(&text).map_err(|e| e.to_string()), fen::read(&text).map_err(|e| e.to_string())]
    {
        match read {
            Ok(position) => written_as_squares(&position),
            Err(error) => assert!(!error.trim().is_empty()),
        }
    }
    if let Ok((position, rest)) = squares::read_prefix(&text) {
        assert!(text.ends_with(rest), "{rest:?}");
        written_as_squares(&position);
    }
    if let Ok(played) = moves::read_played(&text) {
        let written = moves::write_played(&played);
        assert_eq!(moves::read_played(&written), Ok(played), "{written}");
    }
    let _ = moves::read(&text).map_err(|error| error.to_string());
}

fn written_as_squares(position: &Position) {
    let line = squares::write(position);
    assert_eq!(squares::read(&line), Ok(*position), "{line}");
    let line = fen::write(position, 'd');
    assert_eq!(fen::read(&line), Ok(*position), "{line}");
}
