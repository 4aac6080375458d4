//! Reads text in any notation.

use std::borrow::Cow;

use super::ReadErrorCode::{
    Empty, Illegal, NoMoves, NoSide, TooFewSquares, TooLong, TooMany, Unknown, Unreadable,
};
use super::error::excerpt;
#[cfg(feature = "json")]
use super::quest;
use super::{
    ReadError, diagram, fen, ggf, labels, lines, link, markup, numbered, obf, pgn, plain, scattered, sgf,
    squares,
};
use crate::game::{Game, Tags};

/// The most characters of a text that [`read`] accepts.
pub const MAX_TEXT_CHARS: usize = 100_000;

/// The most games of a text, invalid ones included. Reading stops after them.
pub const MAX_GAMES: usize = 50_000;

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
    if text.len() > MAX_MARKED_BYTES {
        return read_as_is(text, take);
    }
    let attempt = |text: &str| {
        let mut records = Vec::new();
        let read = read_as_is(text, &mut |line, game| records.push((line, game)));
        (read, records)
    };
    let (mut read, mut records) = attempt(text);
    // No game was read to its end.
    let cut = |records: &[Record]| records.iter().all(|(_, game)| game.is_err());
    for all in [false, true] {
        if read.as_ref().is_ok_and(|errors| errors.count == 0) {
            break;
        }
        let (plain, removed) = markup::without(&plain::plain(text), all);
        let (again, mut found) = attempt(&plain);
        let better = match (&read, &again) {
            (_, Err(_)) => false,
            (_, Ok(errors)) if cut(&records) => {
                // An error after other moves shows that the text is a game.
                let unknown = read.as_ref().is_err_and(|error| error.code == Unknown);
                let is_game = errors.reported.first().is_some_and(|error| {
                    error.code == Illegal || (error.code == Unreadable && error.before.is_some())
                });
                errors.count == 0 || (unknown && is_game && cut(&found))
            }
            // Brackets are signs of notations with fields.
            (_, Ok(errors)) => {
                let good = |records: &[Record]| records.iter().filter(|(_, game)| game.is_ok()).count();
                let old = read.as_ref().map_or(usize::MAX, |errors| errors.count);
                errors.count < old
                    && good(&found) >= good(&records)
                    && !text.contains('{')
                    && !ggf::begins(text)
                    && !pgn::begins(text)
            }
        };
        if better {
            let mut games = found.iter_mut().flat_map(|(_, game)| match game {
                Ok(game) => Some(game),
                Err(error) => error.before.as_deref_mut(),
            });
            if let (Some(part), Some(game)) = (removed, games.next()) {
                game.tags.note_around(&part);
            }
            (read, records) = (again, found);
        }
    }
    if cut(&records)
        && let Some(text) = columns_first(text)
        && let (Ok(errors), found) = attempt(&text)
        && errors.reported.iter().all(|error| error.before.is_some())
    {
        (read, records) = (Ok(errors), found);
    }
    // Games in one line.
    if cut(&records)
        && let (Ok(errors), found) = attempt(&text.replace([' ', ';'], "\n"))
        && errors.count == 0
        && found.len() > 1
        && found.iter().flat_map(|(_, game)| game).all(|game| game.discs_placed() > 2)
    {
        (read, records) = (Ok(errors), found);
    }
    // A link of the page, with variations, comments or a position.
    if cut(&records)
        && let Some((address, fragment)) = text.trim().split_once('#')
        && address.contains("://")
        && !address.contains(char::is_whitespace)
        && let Ok((tree, _)) = link::read(fragment)
    {
        (read, records) = (Ok(SkippedErrors::default()), vec![(None, Ok(tree.game(Tags::default())))]);
    }
    if cut(&records)
        && !ggf::begins(text)
        && !pgn::begins(text)
        && text.contains(['{', '$', '('])
        && !text.starts_with('(')
    {
        // Comments, judgements and variations of PGN without headers.
        let is_labeled = !text.starts_with(['{', '[']);
        let mut games = pgn::pasted(if is_labeled { labels::after(text) } else { text });
        if let (Some(Ok(mut game)), None) = (games.next(), games.next()) {
            if is_labeled {
                lines::note_label(&mut game, text);
            }
            (read, records) = (Ok(SkippedErrors::default()), vec![(None, Ok(game))]);
        }
    }
    let errors: Vec<_> = read
        .as_ref()
        .err()
        .into_iter()
        .chain(records.iter().filter_map(|(_, game)| game.as_ref().err()))
        .collect();
    if let Some(game) = scattered_game(text, &errors, cut(&records)) {
        (read, records) = (Ok(SkippedErrors::default()), vec![(None, Ok(game))]);
    }
    records.into_iter().for_each(|(line, game)| take(line, game));
    read
}

/// Reads a text as squares among other words: in their order if no record was read to its end (`is_cut`), or by their numbers. `None`
/// if that gives no more moves than were read before the `errors`.
fn scattered_game(text: &str, errors: &[&ReadError], is_cut: bool) -> Option<Game> {
    if errors.is_empty() || errors.iter().any(|error| error.place.game.is_some()) {
        return None;
    }
    let is_unknown =
        is_cut && errors.iter().all(|error| matches!(error.code, Empty | Unknown | Unreadable | NoMoves));
    let before = errors.iter().filter_map(|error| error.before.as_deref().map(Game::discs_placed)).max();
    let text = plain::plain(text);
    let in_order = is_unknown.then(|| scattered::read(&text, false)).flatten();
    in_order.or_else(|| scattered::read(&text, true)).filter(|game| Some(game.discs_placed()) > before)
}

/// The squares of a text with their columns first, if all have their rows first: `5f 6d`.
fn columns_first(text: &str) -> Option<String> {
    let mut signs = Vec::from_iter(text.chars());
    for at in 1..signs.len() {
        if signs[at].is_ascii_alphabetic() && signs[at - 1].is_ascii_digit() {
            signs.swap(at - 1, at);
        }
    }
    let swapped = String::from_iter(signs);
    let mut words = swapped.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let is_squares = |word: &str| 2 * labels::places(word) == word.len();
    (words.peek().is_some() && words.all(is_squares)).then_some(swapped)
}

/// The text without the soft line ends of quoted-printable messages, `=` and the end of the line (RFC 2045, section 6.7), if all of them
/// follow moves.
fn without_soft_ends(text: &str) -> Cow<'_, str> {
    let is_cut = |line: &str| {
        let word = line.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        // The end may divide a square, and the text before it may be the code of a space: `=20d`.
        !word.is_empty() && word.len() <= 2 * labels::places(word) + 3
    };
    let mut lines = text.rsplit("=\n");
    let is_soft = lines.next() != Some(text) && lines.all(is_cut);
    if is_soft && !text.contains("==") && !text.contains(['(', '[', '{']) {
        return Cow::Owned(text.replace("=\n", ""));
    }
    Cow::Borrowed(text)
}

/// The text with `\n` instead of the line ends of old systems, `\r` alone.
pub fn with_line_ends(text: &str) -> Cow<'_, str> {
    let is_old = !text.contains('\n') && text.contains('\r');
    if is_old { Cow::Owned(text.replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// Receives a game or an error, with its line if it is known.
pub type Take<'a> = dyn FnMut(Option<usize>, Result<Game, ReadError>) + 'a;

pub(super) type Record = (Option<usize>, Result<Game, ReadError>);

/// The kind of text that is not kept: names and remarks around moves and boards.
pub(super) const AROUND: &str = "text around moves and boards";

impl Tags {
    /// Notes text that is not kept.
    pub(super) fn note_around(&mut self, text: &str) {
        self.drop_part(AROUND, || format!("`{}`", excerpt(text.trim())));
    }

    /// Notes a line below a board whose moves are not played.
    pub(super) fn note_unplayed(&mut self, line: &str) {
        self.drop_part("moves not played from the board", || format!("`{}`", excerpt(line.trim())));
    }
}

/// Reads the games of a text without marks around it.
fn read_as_is(text: &str, take: &mut Take<'_>) -> Result<SkippedErrors, ReadError> {
    let mut collector = Collector { take, games: 0, errors: SkippedErrors::default() };
    #[cfg(feature = "json")]
    let of_quest = if quest::begins(text) {
        match quest::read(text) {
            // The rows of a list, with the side to move after them. Objects are not boards, also if they are damaged.
            Err(_) if !text.contains('{') && !diagram::read_all(&plain::plain(text)).is_empty() => None,
            read => Some(read?),
        }
    } else {
        None
    };
    #[cfg(not(feature = "json"))]
    let of_quest: Option<Vec<_>> = None;
    if let Some(games) = of_quest {
        collector.add_numbered(&mut games.into_iter().map(|game| (None, game)));
    } else if sgf::begins(text) {
        collector.add_numbered(&mut sgf::games(text).map(|(_, line, game)| (Some(line), game)));
    } else if ggf::begins(text) {
        collector.add_numbered(&mut ggf::games(text).map(|(_, line, game)| (Some(line), game)));
    } else if ggf::is_fragment(text) {
        collector.add_all(&mut ggf::fragments(text).map(|game| (None, game)));
    } else if pgn::begins(text) {
        collector.add_numbered(&mut pgn::pasted(text).map(|game| (None, game)));
    } else {
        read_plain(&plain::plain(text), &mut collector)?;
    }
    match (collector.games, collector.errors.reported.is_empty()) {
        (0, true) => Err(nothing()),
        (0, false) => Err(collector.errors.reported.swap_remove(0)),
        _ => Ok(collector.errors),
    }
}

fn nothing() -> ReadError {
    ReadError::new(Empty, "there is nothing to read")
}

struct Collector<'a, 't> {
    take: &'a mut Take<'t>,
    games: usize,
    errors: SkippedErrors,
}

impl Collector<'_, '_> {
    fn add(&mut self, line: Option<usize>, game: Result<Game, ReadError>) {
        match &game {
            Ok(_) => self.games += 1,
            Err(error) => {
                self.games += usize::from(error.before.is_some());
                self.errors.count += 1;
                if self.errors.reported.len() < MAX_REPORTED_ERRORS {
                    self.errors.reported.push(error.clone());
                }
            }
        }
        (self.take)(line, game);
    }

    /// Adds at most [`MAX_GAMES`] games. An error states that there are more.
    fn add_all(&mut self, games: &mut dyn Iterator<Item = Record>) {
        for (line, game) in (&mut *games).take(MAX_GAMES) {
            self.add(line, game);
        }
        if games.next().is_some() {
            self.add(None, Err(ReadError::new(TooMany, format!("the text has more than {MAX_GAMES} games"))));
        }
    }

    /// Like [`Collector::add_all`]. Errors get the number of their game.
    fn add_numbered(&mut self, games: &mut dyn Iterator<Item = Record>) {
        self.add_all(
            &mut (1..)
                .zip(games)
                .map(|(number, (line, game))| (line, game.map_err(|error| error.in_game(number)))),
        );
    }
}

/// Reads positions and transcripts.
fn read_plain(text: &str, collector: &mut Collector<'_, '_>) -> Result<(), ReadError> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !is_silent(line));
    let Some((index, first)) = lines().next() else { return Err(nothing()) };
    let board = squares::begins(first).then(|| squares::read_prefix(first));
    let error = board.and_then(Result::err).map(|error| error.code);
    if error == Some(TooFewSquares) {
        if let Ok(position) = squares::read(text) {
            collector.add(Some(index + 1), Ok(Game::new(position)));
            return Ok(());
        }
    } else if lines().any(|(_, line)| lines::position_of(line).is_some() || fen::begins(line)) {
        collector.add_all(&mut lines::list(text).into_iter());
        return Ok(());
    }
    if let Some(game) = numbered::read(text) {
        collector.add(Some(index + 1), game);
        return Ok(());
    }
    let boards = if error == Some(NoSide) {
        // The side to move may be below.
        let signs = Vec::from_iter(first.chars().filter(|c| !c.is_whitespace()));
        let rows: Vec<_> = signs.chunks(8).map(String::from_iter).collect();
        diagram::read_all(&text.replacen(first, &rows.join("\n"), 1))
    } else {
        diagram::read_all(text)
    };
    if boards.is_empty() && squares::begins(first) {
        collector.add(Some(index + 1), squares::read(text).map(Game::new));
    } else if boards.is_empty() {
        collector.add_all(&mut lines::transcripts(text)?.into_iter());
    } else {
        let several = boards.len() > 1;
        collector.add_all(&mut boards.into_iter().map(|(line, game)| {
            (Some(line), game.map_err(|error| if several { error.in_line(line) } else { error }))
        }));
    }
    Ok(())
}

/// Returns `true` if a line has no content: a blank line, a comment, or a rule across the page.
pub fn is_silent(line: &str) -> bool {
    let line = line.trim_start();
    let is_comment = line.starts_with("//") || (line.starts_with('#') && !squares::begins(line));
    obf::is_silent(line) || is_comment || is_rule(line)
}

/// Returns `true` if a line repeats one sign. Such a line would otherwise be a board full of discs. If the sign is an empty
/// square and the line is no longer than a board, the line may be meant as a board and is not a rule.
fn is_rule(line: &str) -> bool {
    let line = line.trim_start_matches(['#', '/']).trim();
    // Longer than the rows of any diagram, or than a board.
    let min_length = if line.starts_with(['-', '.', '_']) { 65 } else { 40 };
    repeated(line) >= min_length
}

/// The length of a line that repeats one sign other than a letter or digit. 0 for other lines.
pub(super) fn repeated(line: &str) -> usize {
    let line = line.trim();
    let sign = line.chars().next().filter(|c| !c.is_alphanumeric());
    if line.chars().all(|c| Some(c) == sign) { line.len() } else { 0 }
}
