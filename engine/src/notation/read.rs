//! Telling which notation a text is in, and reading it.

use std::fmt;

use super::diagram::{self, DiagramError};
use super::error::excerpt;
use super::fault::GameFault;
use super::fen::{self, FenError};
use super::ggf::{self, InGame};
use super::json::JsonError;
use super::obf::{self, ObfError};
use super::sgf::{self, SgfError};
use super::squares::{self, SquaresError};
use super::transcript::{self, TranscriptError};
use super::{labels, pgn, plain, quest};
use crate::game::{Ending, Game, GameResult, Tags};
use crate::score::Score;

/// The longest text [`read`] takes, in characters: what a person pastes is shorter.
pub const LONGEST: usize = 100_000;

/// The text cannot be read in any notation, or is faulty in the one it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is nothing but white space.
    Empty,
    /// More characters than may be.
    TooLong {
        /// How many may be.
        longest: usize,
    },
    /// More than [`MOST_GAMES`] games.
    TooMany,
    /// It begins like nothing known.
    Unknown {
        /// How it begins.
        text: String,
    },
    /// A faulty position.
    Squares(SquaresError),
    /// A faulty position in FEN.
    Fen {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// A faulty line of OBF.
    Obf {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: ObfError,
    },
    /// A faulty transcript.
    Transcript(TranscriptError),
    /// A faulty transcript among several, one to a line.
    TranscriptInLine {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        error: TranscriptError,
    },
    /// A faulty game in GGF.
    Ggf(InGame),
    /// A faulty game in SGF.
    Sgf {
        /// Which game, from 1.
        game: usize,
        /// What is wrong with it.
        error: SgfError,
    },
    /// A faulty text in JSON.
    Json(JsonError),
    /// A faulty game in PGN or JSON.
    InGame {
        /// Which game, from 1.
        game: usize,
        /// What is wrong with it.
        error: GameFault,
    },
}

/// What was wrong with a text of which some could be read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The faults in their order, at most [`MOST_TOLD`] of them.
    pub told: Vec<ReadError>,
    /// How many there are.
    pub count: usize,
}

/// The most faults that are told one by one.
pub const MOST_TOLD: usize = 200;

/// The most games of a text.
pub const MOST_GAMES: usize = 50_000;

/// Reads the games of a text in whatever notation it is: GGF, SGF, PGN, JSON of Othello Quest, positions (squares,
/// diagrams, OBF, FEN, perhaps with moves after them), or transcripts (one over all lines, or one to a line).
///
/// A position becomes a game of no moves; the scores of an OBF line are left to [`obf::read`]. At least one game is
/// returned, and nothing at all where any part of the text is faulty.
pub fn read(text: &str) -> Result<Vec<Game>, ReadError> {
    let mut games = Vec::new();
    let faults = read_each(text, LONGEST, &mut |game| games.push(game))?;
    faults.told.into_iter().next().map_or(Ok(games), Err)
}

/// Like [`read`], for a text of at most `longest` characters: hands each game over, and leaves faulty ones out.
///
/// An error where no game could be read.
pub fn read_each(text: &str, longest: usize, take: &mut dyn FnMut(Game)) -> Result<Faults, ReadError> {
    if text.len() > longest && text.chars().nth(longest).is_some() {
        return Err(ReadError::TooLong { longest });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut gather = Gather { take, games: 0, faults: Faults::default() };
    if quest::begins(text) {
        read_json(text, &mut gather)?;
    } else if sgf::begins(text) {
        for (game, _, read) in sgf::games(text) {
            gather.add(read.map_err(|error| ReadError::Sgf { game, error }));
        }
    } else if ggf::begins(text) {
        for game in ggf::read_each(text) {
            gather.add(game.map_err(ReadError::Ggf));
        }
    } else if pgn::begins(text) {
        for (index, game) in pgn::pasted(text).enumerate() {
            gather.add(game.map_err(|error| ReadError::InGame { game: index + 1, error }));
        }
    } else {
        read_plain(&plain::plain(text), &mut gather)?;
    }
    match (gather.games, gather.faults.told.is_empty()) {
        (0, true) => Err(ReadError::Empty),
        (0, false) => Err(gather.faults.told.swap_remove(0)),
        _ => Ok(gather.faults),
    }
}

/// Where the games and the faults of a text come together.
struct Gather<'a> {
    take: &'a mut dyn FnMut(Game),
    games: usize,
    faults: Faults,
}

impl Gather<'_> {
    fn add(&mut self, game: Result<Game, ReadError>) {
        let game = game.and_then(|game| {
            self.games += 1;
            if self.games > MOST_GAMES { Err(ReadError::TooMany) } else { Ok(game) }
        });
        match game {
            Ok(game) => (self.take)(game),
            Err(error) => {
                self.faults.count += 1;
                if self.faults.told.len() < MOST_TOLD {
                    self.faults.told.push(error);
                }
            }
        }
    }
}

fn read_json(text: &str, gather: &mut Gather<'_>) -> Result<(), ReadError> {
    let games = quest::read(text).map_err(ReadError::Json)?;
    for (index, game) in games.into_iter().enumerate() {
        gather.add(game.map_err(|error| ReadError::InGame { game: index + 1, error }));
    }
    Ok(())
}

/// Reads positions and transcripts.
fn read_plain(text: &str, gather: &mut Gather<'_>) -> Result<(), ReadError> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !is_silent(line));
    let Some((_, first)) = lines().next() else { return Err(ReadError::Empty) };
    if let Some(game) = position_and_moves(text, first) {
        gather.add(Ok(game?));
    } else if squares::begins(first) || fen::begins(first) {
        lines().for_each(|(index, line)| gather.add(read_line(index + 1, line)));
    } else if let Some(game) = diagram::read(text) {
        gather.add(Ok(game.map_err(ReadError::from)?));
    } else {
        read_transcripts(text, gather)?;
    }
    Ok(())
}

/// Whether a line says nothing: blank, a comment, or drawn across the page.
pub fn is_silent(line: &str) -> bool {
    let line = line.trim_start();
    let is_comment = line.starts_with("//") || (line.starts_with('#') && !squares::begins(line));
    obf::is_silent(line) || is_comment || is_rule(line)
}

/// Whether a line is the same sign over and over, which would otherwise be a board full of discs. Where that sign is an empty
/// square and they are no more than a board has, it may be meant as one, and what is wrong with it is told.
fn is_rule(line: &str) -> bool {
    let line = line.trim_start_matches(['#', '/']).trim();
    let Some(sign) = line.chars().next().filter(|c| !c.is_alphanumeric()) else { return false };
    // Longer than the rows of any diagram, or than a board.
    let shortest = if "-._".contains(sign) { 65 } else { 40 };
    line.len() >= shortest && line.chars().all(|c| c == sign)
}

/// One position whose squares go over several lines, or one that is followed by lines of moves.
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
            let game = begins.then(|| transcript::read_from(position, moves));
            return game.map(|game| game.map_err(ReadError::Transcript));
        }
        Err(SquaresError::TooFew { .. }) => match squares::read(text) {
            Ok(position) => return Some(Ok(Game::new(position))),
            Err(error) => error,
        },
        Err(_) => return None,
    };
    Some(match diagram::read(text) {
        Some(game) => game.map_err(ReadError::from),
        None => Err(ReadError::Squares(error)),
    })
}

/// Reads a line in a notation of its own: a position with scores or moves, or a transcript.
fn read_line(line: usize, text: &str) -> Result<Game, ReadError> {
    if fen::begins(text.trim_start()) {
        return fen::read(text).map(Game::new).map_err(|error| ReadError::Fen { line, error });
    }
    let transcript = |error| ReadError::TranscriptInLine { line, error };
    if !squares::begins(text) {
        return read_transcript(text).map_err(transcript);
    }
    match squares::read_prefix(text) {
        Ok((position, rest)) if !rest.trim_start().starts_with(';') && transcript::begins(rest) => {
            transcript::read_from(position, labels::before_count(rest).0).map_err(transcript)
        }
        _ => match obf::read_line(text) {
            Ok(problem) => Ok(Game::new(problem.position)),
            Err(ObfError::Position(error)) if line == 1 => Err(ReadError::Squares(error)),
            Err(error) => Err(ReadError::Obf { line, error }),
        },
    }
}

/// Reads a transcript with its label and the final count.
fn read_transcript(text: &str) -> Result<Game, TranscriptError> {
    let (moves, count) = labels::before_count(labels::after(text));
    let mut game = transcript::read(moves)?;
    game.tags.result = counted(&game, count);
    Ok(game)
}

/// The result of a game that was not played to its end, by the count of discs that stands after it.
fn counted(game: &Game, count: Option<(u32, u32)>) -> Option<GameResult> {
    let (black, white) = count.filter(|(black, white)| black + white >= 4 && !game.is_over())?;
    let score = Score::from_discs(f64::from(black) - f64::from(white))?;
    Some(GameResult { score, ending: Ending::Played })
}

/// A line of a text of transcripts.
struct Line<'a> {
    /// From 1.
    number: usize,
    text: &'a str,
    /// A blank line stands before it.
    apart: bool,
    /// What the lines before it name.
    tags: Tags,
}

/// Reads transcripts: one over all lines; failing that, one to a paragraph or to a line.
fn read_transcripts(text: &str, gather: &mut Gather<'_>) -> Result<(), ReadError> {
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
            gather.add(Ok(game));
            return Ok(());
        }
        Err(whole) => whole,
    };
    let mut read: Vec<Result<Game, ReadError>> = Vec::new();
    for paragraph in lines.chunk_by(|_, line| !line.apart) {
        if paragraph.len() < lines.len()
            && let Ok(game) = one_transcript(paragraph)
        {
            read.push(Ok(game));
            continue;
        }
        let mut tags = Tags::default();
        for line in paragraph {
            let mut game = read_line(line.number, line.text);
            if line.tags != Tags::default() {
                tags = line.tags.clone();
            }
            if let Ok(game) = &mut game {
                named(game, std::mem::take(&mut tags));
            }
            read.push(game);
        }
    }
    let good = read.iter().filter(|game| game.is_ok()).count();
    // One good line and others: a list where the whole goes wrong at the beginning of a line, else a faulty game.
    if good > 1 || (good == 1 && whole.begins_a_line) {
        read.into_iter().for_each(|game| gather.add(game));
        return Ok(());
    }
    Err(match whole.error {
        TranscriptError::Empty | TranscriptError::Unparsable { number: 1, .. } => {
            ReadError::Unknown { text: excerpt(text.trim()) }
        }
        error => ReadError::Transcript(error),
    })
}

/// A fault in a transcript over several lines.
struct WholeFault {
    error: TranscriptError,
    /// It is the first move of a line that is at fault.
    begins_a_line: bool,
}

fn one_transcript(lines: &[Line<'_>]) -> Result<Game, WholeFault> {
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
        Err(fault) => {
            let start = starts.iter().rev().find(|&&start| start <= fault.at);
            let before = start.and_then(|&start| moves.get(start..fault.at)).unwrap_or_default();
            let begins_a_line = !before.chars().any(char::is_alphabetic);
            Err(WholeFault { error: fault.error, begins_a_line })
        }
    }
}

/// Gives a game the names that stand before it.
fn named(game: &mut Game, tags: Tags) {
    game.tags = Tags { result: game.tags.result, ..tags };
}

impl From<DiagramError> for ReadError {
    fn from(error: DiagramError) -> ReadError {
        match error {
            DiagramError::Squares(error) => ReadError::Squares(error),
            DiagramError::Moves(error) => ReadError::Transcript(error),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Empty => f.write_str("there is nothing to read"),
            ReadError::TooLong { longest } => write!(f, "the text has more than {longest} characters"),
            ReadError::TooMany => write!(f, "the text has more than {MOST_GAMES} games"),
            ReadError::Unknown { text } => {
                write!(f, "`{text}` begins neither a transcript nor a position, GGF, PGN, OBF or FEN")
            }
            ReadError::Squares(error) => error.fmt(f),
            ReadError::Fen { line, error } => write!(f, "line {line}: {error}"),
            ReadError::Obf { line, error } => write!(f, "line {line}: {error}"),
            ReadError::Transcript(error) => error.fmt(f),
            ReadError::TranscriptInLine { line, error } => write!(f, "line {line}: {error}"),
            ReadError::Ggf(error) => error.fmt(f),
            ReadError::Json(error) => error.fmt(f),
            ReadError::Sgf { game, error } => write!(f, "game {game}: {error}"),
            ReadError::InGame { game, error } => write!(f, "game {game}: {error}"),
        }
    }
}

impl std::error::Error for ReadError {}
