//! Reads text in any notation.

use super::ReadErrorCode::{Empty, Illegal, NoMoves, Obf, TooFewSquares, TooLong, TooMany, Unknown};
#[cfg(feature = "json")]
use super::quest;
use super::{ReadError, diagram, fen, ggf, labels, markup, obf, pgn, plain, sgf, squares, transcript};
use crate::game::{Ending, Game, GameResult, Tags};
use crate::score::Score;

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
    if text.len() > max_chars && text.chars().nth(max_chars).is_some() {
        return Err(ReadError::new(TooLong, format!("the text has more than {max_chars} characters")));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_MARKED_BYTES {
        return read_as_is(text, take);
    }
    let attempt = |text: &str| {
        let mut games = Vec::new();
        let read = read_as_is(text, &mut |game| games.push(game));
        (read, games)
    };
    let (mut read, mut games) = attempt(text);
    for all in [false, true] {
        if read.as_ref().is_ok_and(|errors| errors.count == 0) {
            break;
        }
        let (again, found) = attempt(&markup::without(&plain::plain(text), all));
        // No game was read to its end.
        let cut = |read: &Result<SkippedErrors, ReadError>, games: &[Game]| {
            let cut = |errors: &SkippedErrors| errors.reported.iter().filter(|e| e.before.is_some()).count();
            read.as_ref().map_or(true, |errors| cut(errors) == games.len())
        };
        let better = match (&read, &again) {
            (_, Err(_)) => false,
            (_, Ok(errors)) if cut(&read, &games) => {
                // An illegal move after others shows that the text is a game.
                let unknown = read.as_ref().is_err_and(|error| error.code == Unknown);
                let illegal = errors.reported.first().is_some_and(|error| error.code == Illegal);
                errors.count == 0 || (unknown && illegal && cut(&again, &found))
            }
            // Brackets are signs of notations with fields.
            (_, Ok(errors)) => {
                errors.count == 0 && !text.contains('{') && !ggf::begins(text) && !pgn::begins(text)
            }
        };
        if better {
            (read, games) = (again, found);
        }
    }
    games.into_iter().for_each(take);
    read
}

/// Reads the games of a text without marks around it.
fn read_as_is(text: &str, take: &mut dyn FnMut(Game)) -> Result<SkippedErrors, ReadError> {
    let mut collector = Collector { take, games: 0, errors: SkippedErrors::default() };
    #[cfg(feature = "json")]
    let of_quest = if quest::begins(text) { Some(quest::read(text)?) } else { None };
    #[cfg(not(feature = "json"))]
    let of_quest: Option<Vec<_>> = None;
    if let Some(games) = of_quest {
        collector.add_numbered(&mut games.into_iter());
    } else if sgf::begins(text) {
        collector.add_numbered(&mut sgf::games(text).map(|(.., game)| game));
    } else if ggf::begins(text) {
        collector.add_numbered(&mut ggf::games(text).map(|(.., game)| game));
    } else if pgn::begins(text) {
        collector.add_numbered(&mut pgn::pasted(text));
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

struct Collector<'a> {
    take: &'a mut dyn FnMut(Game),
    games: usize,
    errors: SkippedErrors,
}

impl Collector<'_> {
    fn add(&mut self, game: Result<Game, ReadError>) {
        match game {
            Ok(game) => {
                self.games += 1;
                (self.take)(game);
            }
            Err(error) => {
                if let Some(game) = &error.before {
                    self.games += 1;
                    (self.take)((**game).clone());
                }
                self.errors.count += 1;
                if self.errors.reported.len() < MAX_REPORTED_ERRORS {
                    self.errors.reported.push(error);
                }
            }
        }
    }

    /// Adds at most [`MAX_GAMES`] games. An error states that there are more.
    fn add_all(&mut self, games: &mut dyn Iterator<Item = Result<Game, ReadError>>) {
        for game in (&mut *games).take(MAX_GAMES) {
            self.add(game);
        }
        if games.next().is_some() {
            self.add(Err(ReadError::new(TooMany, format!("the text has more than {MAX_GAMES} games"))));
        }
    }

    /// Like [`Collector::add_all`]. Errors get the number of their game.
    fn add_numbered(&mut self, games: &mut dyn Iterator<Item = Result<Game, ReadError>>) {
        self.add_all(&mut (1..).zip(games).map(|(number, game)| game.map_err(|error| error.in_game(number))));
    }
}

/// Reads positions and transcripts.
fn read_plain(text: &str, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !is_silent(line));
    let Some((_, first)) = lines().next() else { return Err(nothing()) };
    if let Some(game) = position_and_moves(text, first) {
        collector.add(game);
    } else if squares::begins(first) || fen::begins(first) {
        collector.add_all(&mut lines().map(|(index, line)| read_line(index + 1, line)));
    } else if let Some(game) = diagram::read(text) {
        collector.add(game);
    } else {
        read_transcripts(text, collector)?;
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
    let Some(sign) = line.chars().next().filter(|c| !c.is_alphanumeric()) else { return false };
    // Longer than the rows of any diagram, or than a board.
    let min_length = if "-._".contains(sign) { 65 } else { 40 };
    line.len() >= min_length && line.chars().all(|c| c == sign)
}

/// Reads one position on several lines, or one with lines of moves after it. `None` if the text has another form.
fn position_and_moves(text: &str, first: &str) -> Option<Result<Game, ReadError>> {
    if !squares::begins(first) {
        return None;
    }
    let error = match squares::read_prefix(first) {
        Ok((position, rest)) => {
            let (_, below) = text.split_once(first)?;
            if !matches!(rest.trim(), "" | ";") || below.trim().is_empty() {
                return None;
            }
            let mut moves = String::with_capacity(below.len());
            for line in below.lines().filter(|line| !is_silent(line)) {
                moves.push_str(labels::after(line));
                moves.push('\n');
            }
            let (moves, _) = labels::before_count(&moves);
            let begins = transcript::begins(moves) && !squares::begins(moves);
            return begins.then(|| transcript::read_from(position, moves));
        }
        Err(error) if error.code == TooFewSquares => match squares::read(text) {
            Ok(position) => return Some(Ok(Game::new(position))),
            Err(error) => error,
        },
        Err(_) => return None,
    };
    Some(diagram::read(text).unwrap_or(Err(error)))
}

/// Reads a line in its own notation: a position with scores or moves, or a transcript.
fn read_line(line: usize, text: &str) -> Result<Game, ReadError> {
    let game = if fen::begins(text.trim_start()) {
        fen::read(text).map(Game::new)
    } else if squares::begins(text) {
        match squares::read_prefix(text) {
            Ok((position, rest)) if !rest.trim_start().starts_with(';') && transcript::begins(rest) => {
                transcript::read_from(position, labels::before_count(rest).0)
            }
            _ => match obf::read_line(text) {
                // The squares may be meant to continue on the next lines.
                Err(error) if line == 1 && error.code != Obf => return Err(error),
                read => read.map(Game::from),
            },
        }
    } else {
        read_transcript(text)
    };
    game.map_err(|error| error.in_line(line))
}

/// Reads a transcript with its label and the final count.
fn read_transcript(text: &str) -> Result<Game, ReadError> {
    let (moves, count) = labels::before_count(labels::after(text));
    let mut game = transcript::read(moves)?;
    game.tags.result = counted(&game, count);
    Ok(game)
}

/// The result of an unfinished game by the count of discs after its moves.
fn counted(game: &Game, count: Option<(u32, u32)>) -> Option<GameResult> {
    let (black, white) = count.filter(|(black, white)| black + white >= 4 && !game.is_over())?;
    let score = Score::from_discs(f64::from(black) - f64::from(white))?;
    Some(GameResult { score, ending: Ending::Played })
}

struct Line<'a> {
    /// From 1.
    number: usize,
    text: &'a str,
    /// A blank line is before it.
    apart: bool,
    /// The tags of the lines before it.
    tags: Tags,
}

/// Reads transcripts: one over all lines if possible, otherwise one per paragraph or per line.
fn read_transcripts(text: &str, collector: &mut Collector<'_>) -> Result<(), ReadError> {
    let (mut lines, mut tags, mut apart) = (Vec::new(), Tags::default(), false);
    for (index, text) in text.lines().enumerate() {
        apart |= text.trim().is_empty();
        if is_silent(text) || labels::take_tag(text, &mut tags) || labels::after(text).is_empty() {
            continue;
        }
        lines.push(Line { number: index + 1, text, apart, tags: std::mem::take(&mut tags) });
        apart = false;
    }
    let whole = match one_transcript(&lines) {
        Ok(game) => {
            collector.add(Ok(game));
            return Ok(());
        }
        Err(whole) => whole,
    };
    let mut read: Vec<Result<Game, ReadError>> = Vec::new();
    for paragraph in lines.chunk_by(|_, line| !line.apart) {
        if paragraph.len() < lines.len()
            && read.len() <= MAX_GAMES
            && let Ok(game) = one_transcript(paragraph)
        {
            read.push(Ok(game));
            continue;
        }
        let mut tags = Tags::default();
        // One more than the most games shows that there are more.
        for line in paragraph.iter().take((MAX_GAMES + 1).saturating_sub(read.len())) {
            let mut game = read_line(line.number, line.text);
            if line.tags != Tags::default() {
                tags = line.tags.clone();
            }
            if let Ok(game) = &mut game {
                named(game, std::mem::take(&mut tags));
            }
            read.push(game.map_err(|error| ReadError { before: None, ..error }));
        }
    }
    let good = read.iter().filter(|game| game.is_ok()).count();
    // One valid line and others are a list if the whole text is invalid at the beginning of a line, otherwise one game.
    if good > 1 || (good == 1 && whole.begins_line) {
        collector.add_all(&mut read.into_iter());
        return Ok(());
    }
    let unknown = matches!(whole.error.code, NoMoves | Unknown);
    let message =
        |text: &str| format!("`{text}` begins neither a transcript nor a position, GGF, PGN, OBF or FEN");
    if whole.error.before.is_some() && !unknown {
        collector.add(Err(whole.error));
        return Ok(());
    }
    Err(if unknown { ReadError::quoting(Unknown, text.trim(), message) } else { whole.error })
}

/// An error in a transcript over several lines.
struct WholeError {
    error: ReadError,
    /// The invalid move is the first of a line.
    begins_line: bool,
}

fn one_transcript(lines: &[Line<'_>]) -> Result<Game, WholeError> {
    let (mut text, mut starts, mut tags) = (String::new(), Vec::new(), Tags::default());
    for line in lines {
        starts.push(text.len());
        text.push_str(labels::after(line.text));
        text.push('\n');
        if line.tags != Tags::default() {
            tags = line.tags.clone();
        }
    }
    let (moves, count) = labels::before_count(&text);
    match transcript::read_located(moves) {
        Ok(mut game) => {
            game.tags.result = counted(&game, count);
            named(&mut game, tags);
            Ok(game)
        }
        Err(mut located) => {
            located.error.before.iter_mut().for_each(|game| named(game, tags.clone()));
            let start = starts.iter().rev().find(|&&start| start <= located.at);
            let before = start.and_then(|&start| moves.get(start..located.at)).unwrap_or_default();
            let begins_line = !before.chars().any(char::is_alphabetic);
            Err(WholeError { error: located.error, begins_line })
        }
    }
}

/// Gives a game the tags before it.
fn named(game: &mut Game, tags: Tags) {
    game.tags = Tags { result: game.tags.result, ..tags };
}
