//! Reads text in any notation.

use std::borrow::Cow;

use super::ReadErrorCode::{
    Empty, Illegal, NoMoves, NoSide, TooFewSquares, TooLong, TooMany, Unknown, Unreadable,
};
use super::line::{MAX_GAMES, Record, has_moves, is_silent};
#[cfg(feature = "json")]
use super::quest;
use super::{
    NumberedGame, ReadError, diagram, fen, ggf, labels, lines, link, markup, numbered, pgn, plain, scattered,
    sgf, squares, words,
};
use crate::game::{Game, Tags};

/// The most characters of a text that [`read`] accepts.
pub const MAX_TEXT_CHARS: usize = 100_000;

/// The most bytes of a text in which games are found among HTML, Markdown and links.
const MAX_MARKED_BYTES: usize = 1 << 20;

/// The most errors in [`SkippedErrors::reported`].
pub const MAX_REPORTED_ERRORS: usize = 200;

/// The errors of a text of which at least one game was read.
#[derive(Debug, Default, PartialEq)]
pub struct SkippedErrors {
    /// The first errors, at most [`MAX_REPORTED_ERRORS`].
    pub reported: Vec<ReadError>,
    /// The number of errors.
    pub count: usize,
}

/// Reads the games of a text in any notation: GGF, SGF, PGN, JSON of Othello Quest, positions (squares, diagrams, OBF, FEN,
/// with or without moves after them), or transcripts (one over all lines, or one per line). If that fails, HTML, Markdown
/// and the brackets of GGS are removed, and links are replaced by their moves.
///
/// A position becomes a game without moves, with the scores of a line of OBF in its tags. Returns at least one game.
///
/// # Errors
///
/// The first error of the text.
pub fn read(text: &str) -> Result<Vec<Game>, ReadError> {
    let mut games = Vec::new();
    let errors = read_each(text, MAX_TEXT_CHARS, &mut |game| games.push(game))?;
    errors.reported.into_iter().next().map_or(Ok(games), Err)
}

/// Like [`read`], for a text of at most `max_chars` characters. Passes each game to `take` and skips invalid ones. Of an invalid
/// game that is not one of several transcripts, the moves before the error are passed ([`ReadError::before`]).
///
/// # Errors
///
/// The first error of a text of which no game can be read.
pub fn read_each(
    text: &str,
    max_chars: usize,
    take: &mut dyn FnMut(Game),
) -> Result<SkippedErrors, ReadError> {
    read_records(text, max_chars, &mut |_, game| {
        if let Some(game) = game.map_or_else(|error| error.before.map(|game| *game), Some) {
            take(game);
        }
    })
}

/// Like [`read_each`]. Passes games and errors in the order of the text, each with its line if it is known.
///
/// # Errors
///
/// Like [`read_each`].
pub fn read_records(text: &str, max_chars: usize, take: &mut Take<'_>) -> Result<SkippedErrors, ReadError> {
    if text.len() > max_chars && text.chars().nth(max_chars).is_some() {
        return Err(ReadError::new(TooLong, format!("the text has more than {max_chars} characters")));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = &*with_line_ends(text);
    let text = &*without_soft_ends(text);
    let text = &*without_cut_squares(text);
    if text.len() > MAX_MARKED_BYTES {
        return pass_on(records_of(text), take);
    }
    let mut records: Vec<Record> = records_of(text).collect();
    for all in [false, true] {
        if is_good(&records) {
            break;
        }
        let (plain, removed) = markup::without(&plain::plain(text), all);
        let mut found: Vec<Record> = records_of(&plain).collect();
        if !is_better(&found, &records, text) {
            continue;
        }
        let mut games = found.iter_mut().flat_map(|(_, game)| match game {
            Ok(game) => Some(game),
            Err(error) => error.before.as_deref_mut(),
        });
        if let (Some(part), Some(game)) = (removed, games.next()) {
            game.tags.note_around(&part);
        }
        records = found;
    }
    if is_cut(&records) {
        let found = columns_first(text)
            .or_else(|| games_in_line(text))
            .or_else(|| game_of_link(text))
            .or_else(|| game_without_headers(text));
        records = found.unwrap_or(records);
    }
    if let Some(game) = scattered_game(text, &records) {
        records = vec![(None, Ok(game))];
    }
    pass_on(records.into_iter(), take)
}

/// Passes on the records of a text. Returns their errors, or the first error if no record has a game.
fn pass_on(records: impl Iterator<Item = Record>, take: &mut Take<'_>) -> Result<SkippedErrors, ReadError> {
    let (mut skipped, mut has_game) = (SkippedErrors::default(), false);
    for record in records {
        has_game |= has_moves(&record);
        if let (_, Err(error)) = &record {
            skipped.count += 1;
            if skipped.reported.len() < MAX_REPORTED_ERRORS {
                skipped.reported.push(error.clone());
            }
        }
        take(record.0, record.1);
    }
    if has_game {
        return Ok(skipped);
    }
    let nothing = || ReadError::new(Empty, "there is nothing to read");
    Err(skipped.reported.into_iter().next().unwrap_or_else(nothing))
}

fn errors(records: &[Record]) -> impl Iterator<Item = &ReadError> {
    records.iter().filter_map(|(_, game)| game.as_ref().err())
}

fn is_good(records: &[Record]) -> bool {
    !records.is_empty() && errors(records).next().is_none()
}

/// Returns `true` if no game was read to its end.
fn is_cut(records: &[Record]) -> bool {
    errors(records).count() == records.len()
}

/// Returns `true` if the records of a text without marks around it replace those of the text itself.
fn is_better(found: &[Record], records: &[Record], text: &str) -> bool {
    let [new, old] = [found, records].map(|records| errors(records).count());
    if !found.iter().any(has_moves) {
        return false;
    }
    if is_cut(records) {
        // An error after other moves shows that the text is a game.
        let is_unknown = !records.iter().any(has_moves)
            && errors(records).next().is_some_and(|error| error.code == Unknown);
        let is_game = errors(found).next().is_some_and(|error| {
            error.code == Illegal || (error.code == Unreadable && error.before.is_some())
        });
        return new == 0 || (is_unknown && is_game && is_cut(found));
    }
    // Brackets are signs of notations with fields.
    new < old
        && found.len() - new >= records.len() - old
        && !text.contains('{')
        && !ggf::begins(text)
        && !pgn::begins(text)
}

/// Reads games that are the words of a line.
fn games_in_line(text: &str) -> Option<Vec<Record>> {
    let found: Vec<Record> = records_of(&text.replace([' ', ';'], "\n")).collect();
    let is_game = |(_, game): &Record| game.as_ref().is_ok_and(|game| game.discs_placed() > 2);
    (found.len() > 1 && found.iter().all(is_game)).then_some(found)
}

/// Reads a link of the page, with variations, comments or a position.
fn game_of_link(text: &str) -> Option<Vec<Record>> {
    let (address, fragment) = text.trim().split_once('#')?;
    if !address.contains("://") || address.contains(char::is_whitespace) {
        return None;
    }
    let (tree, _) = link::read(fragment).ok()?;
    Some(vec![(None, Ok(tree.game(Tags::default())))])
}

/// Reads comments, judgements and variations of PGN without headers.
fn game_without_headers(text: &str) -> Option<Vec<Record>> {
    if ggf::begins(text) || pgn::begins(text) || !text.contains(['{', '$', '(']) || text.starts_with('(') {
        return None;
    }
    let is_labeled = !text.starts_with(['{', '[']);
    let mut games = pgn::pasted(if is_labeled { labels::after(text) } else { text });
    let (Some(Ok(mut game)), None) = (games.next(), games.next()) else { return None };
    if is_labeled {
        lines::note_label(&mut game, text);
    }
    Some(vec![(None, Ok(game))])
}

/// Reads a text as squares among other words: in their order if no record was read to its end, or by their numbers. `None` if that
/// gives no more moves than the records have before their errors.
fn scattered_game(text: &str, records: &[Record]) -> Option<Game> {
    if is_good(records) || errors(records).any(|error| error.place.game.is_some()) {
        return None;
    }
    let is_unknown = is_cut(records)
        && errors(records).all(|error| matches!(error.code, Empty | Unknown | Unreadable | NoMoves));
    let before = errors(records).filter_map(|error| error.before.as_deref().map(Game::discs_placed)).max();
    let text = plain::plain(text);
    let in_order = is_unknown.then(|| scattered::read(&text, false)).flatten();
    in_order.or_else(|| scattered::read(&text, true)).filter(|game| Some(game.discs_placed()) > before)
}

/// Reads a text whose squares have their rows first: `5f 6d`.
fn columns_first(text: &str) -> Option<Vec<Record>> {
    let mut signs = Vec::from_iter(text.chars());
    for at in 1..signs.len() {
        if signs[at].is_ascii_alphabetic() && signs[at - 1].is_ascii_digit() {
            signs.swap(at - 1, at);
        }
    }
    let swapped = String::from_iter(signs);
    if swapped == text || !words::of(&swapped).all(words::is_places) {
        return None;
    }
    let found: Vec<Record> = records_of(&swapped).collect();
    (!found.is_empty() && found.iter().all(has_moves)).then_some(found)
}

/// The text without the soft line ends of quoted-printable messages, `=` and the end of the line (RFC 2045, section 6.7), if all of them
/// follow moves.
fn without_soft_ends(text: &str) -> Cow<'_, str> {
    let is_cut = |line: &str| {
        let word = line.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        // The end may divide a square, and the text before it may be the code of a space: `=20d`.
        !word.is_empty() && word.len() <= 2 * words::places(word) + 3
    };
    let mut lines = text.rsplit("=\n");
    let is_soft = lines.next() != Some(text) && lines.all(is_cut);
    if is_soft && !text.contains("==") && !text.contains(['(', '[', '{']) {
        return Cow::Owned(text.replace("=\n", ""));
    }
    Cow::Borrowed(text)
}

/// The text with lines of squares joined where a line end divides a square: `f5d6c` and `3d3`.
fn without_cut_squares(text: &str) -> Cow<'_, str> {
    let is_sign = |c: u8| matches!(c, b'a'..=b'h' | b'A'..=b'H' | b'1'..=b'8');
    let is_odd = |line: &str| line.len() % 2 == 1 && line.bytes().all(is_sign);
    if !text.lines().any(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut joined = String::with_capacity(text.len());
    // The last line ends within a square.
    let mut is_cut = false;
    for line in text.lines() {
        let continues = is_cut && line.bytes().all(is_sign) && line.starts_with(|c: char| c.is_ascii_digit());
        if continues {
            joined.pop();
        }
        joined += line;
        is_cut = (continues != is_odd(line)) && line.ends_with(|c: char| c.is_ascii_alphabetic());
        joined.push('\n');
    }
    Cow::Owned(joined)
}

/// The text with `\n` instead of the line ends of old systems, `\r` alone.
pub fn with_line_ends(text: &str) -> Cow<'_, str> {
    let is_old = !text.contains('\n') && text.contains('\r');
    if is_old { Cow::Owned(text.replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// Receives a game or an error, with its line if it is known.
pub type Take<'a> = dyn FnMut(Option<usize>, Result<Game, ReadError>) + 'a;

/// Reads the games of a text without marks around it, at most [`MAX_GAMES`]. An error states that there are more.
fn records_of(text: &str) -> impl Iterator<Item = Record> + '_ {
    let in_game = |number, game: Result<Game, ReadError>| game.map_err(|error| error.in_game(number));
    let numbered = move |(number, game)| (None, in_game(number, game));
    let in_line = move |(number, line, game): NumberedGame| (Some(line), in_game(number, game));
    let records: Box<dyn Iterator<Item = Record>> = if let Some(games) = games_of_json(text) {
        match games {
            Ok(games) => Box::new((1..).zip(games).map(numbered)),
            Err(error) => Box::new(std::iter::once((None, Err(error)))),
        }
    } else if sgf::begins(text) {
        Box::new(sgf::games(text).map(in_line))
    } else if ggf::begins(text) {
        Box::new(ggf::games(text).map(in_line))
    } else if ggf::is_fragment(text) {
        Box::new(ggf::fragments(text).map(|game| (None, game)))
    } else if pgn::begins(text) {
        Box::new((1..).zip(pgn::pasted(text)).map(numbered))
    } else {
        Box::new(read_plain(&plain::plain(text)).into_iter())
    };
    (0..=MAX_GAMES).zip(records).map(|(index, record)| {
        let too_many = || ReadError::new(TooMany, format!("the text has more than {MAX_GAMES} games"));
        if index < MAX_GAMES { record } else { (None, Err(too_many())) }
    })
}

/// Reads the games of JSON. `None` if the text is not JSON.
#[cfg(feature = "json")]
fn games_of_json(text: &str) -> Option<Result<Vec<Result<Game, ReadError>>, ReadError>> {
    let games = quest::begins(text).then(|| quest::read(text))?;
    // The rows of a list, with the side to move after them. Objects are not boards, also if they are damaged.
    let is_board = || !text.contains('{') && !diagram::read_all(&plain::plain(text)).is_empty();
    (games.is_ok() || !is_board()).then_some(games)
}

#[cfg(not(feature = "json"))]
fn games_of_json(_: &str) -> Option<Result<Vec<Result<Game, ReadError>>, ReadError>> {
    None
}

/// Reads positions and transcripts.
fn read_plain(text: &str) -> Vec<Record> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !is_silent(line));
    let Some((index, first)) = lines().next() else { return Vec::new() };
    let only = |game| vec![(Some(index + 1), game)];
    let board = squares::begins(first).then(|| squares::read_prefix(first));
    let error = board.and_then(Result::err).map(|error| error.code);
    if error == Some(TooFewSquares) {
        if let Ok(position) = squares::read(text) {
            return only(Ok(Game::new(position)));
        }
    } else if lines().any(|(_, line)| lines::position_of(line).is_some() || fen::begins(line)) {
        return lines::list(text);
    }
    if let Some(game) = numbered::read(text) {
        return only(game);
    }
    let mut boards = if error == Some(NoSide) {
        // The side to move may be below.
        let signs = Vec::from_iter(first.chars().filter(|c| !c.is_whitespace()));
        let rows: Vec<_> = signs.chunks(8).map(String::from_iter).collect();
        diagram::read_all(&text.replacen(first, &rows.join("\n"), 1))
    } else {
        diagram::read_all(text)
    };
    if boards.is_empty() && squares::begins(first) {
        return only(squares::read(text).map(Game::new));
    }
    if boards.is_empty() {
        return lines::transcripts(text);
    }
    if boards.len() > 1 {
        for (line, game) in &mut boards {
            if let Err(error) = game {
                error.place.line = *line;
            }
        }
    }
    boards
}
