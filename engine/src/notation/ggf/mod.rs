//! GGF, the game format of the Generic Game Server, of NBoard and of most archives of engine games.
//!
//! A game is `(;GM[Othello]PB[name]…TY[8]BO[8 squares side]B[F5/eval/time]W[…]…;)`. The reader accepts any order, unknown
//! tags, white space, a count before the game, several games in a text, decimal commas, omitted passes and a missing board
//! (the usual start). The writer is strict, because NBoard rejects a space between tags, an unknown tag or a missing type.
//!
//! A comment (`CO`) is stored with the number of discs before it. A variation is a comment that begins with `variation (` and
//! has the form of a [`link`] with values and times. Values have escapes such as `\u005D`, a `]`.
//! Tags without a field, such as the bids of komi games (`KB`, `KW`, `KM`), are stored by their names.
//!
//! Boards of other sizes are an error.

mod write;

use super::error::ReadErrorCode::Ggf;
use super::split::{self, OPENING, Syntax};
use super::tags::{self, Field, Row};
use super::{NumberedGame, ReadError, clock, escape, link, moves, squares, transcript, words};
use crate::board::{Color, Move, Position};
use crate::game::{Game, RecordedMove, Tags};

pub use write::{write, write_all};

/// Tags with a field, in the order of the writer.
const FIELDS: [Row; 11] = [
    ("PC", Field::Place),
    ("DT", Field::Date),
    ("PB", Field::Name(Color::Black)),
    ("PW", Field::Name(Color::White)),
    ("RB", Field::Rating(Color::Black)),
    ("RW", Field::Rating(Color::White)),
    ("TI", Field::Clock),
    ("TB", Field::OwnClock(Color::Black)),
    ("TW", Field::OwnClock(Color::White)),
    ("TY", Field::Kind),
    (tags::SCORES, Field::Scores),
];

/// The beginning of a comment that is a variation. Its first letter is an escape in all other comments.
const VARIATION: &str = "variation (";

/// Most tags of a game, moves included.
const MAX_TAGS: usize = 10_000;

/// Reads the first game of a text.
pub fn read(text: &str) -> Result<Game, ReadError> {
    games(text).next().map_or_else(|| Err(no_game()), |(.., game)| game)
}

/// Reads all games of a text. Text outside the games is ignored.
///
/// # Errors
///
/// The first invalid game, or a text without a game.
pub fn read_all(text: &str) -> Result<Vec<Game>, ReadError> {
    let in_game = |(number, _, game): NumberedGame| game.map_err(|error| error.in_game(number));
    let games: Vec<Game> = games(text).map(in_game).collect::<Result<_, _>>()?;
    if games.is_empty() { Err(no_game()) } else { Ok(games) }
}

/// Reads the games of a text one by one. An invalid game does not affect the others.
pub fn games(text: &str) -> impl Iterator<Item = NumberedGame> + '_ {
    const SYNTAX: Syntax = Syntax { nested: false, begins: begins_game, resumes: begins_game };
    split::games(text, &SYNTAX, read_one)
}

/// Returns `true` if a tag follows the opening.
fn begins_game(text: &str, opening: usize) -> bool {
    let (name, rest) = split::first_name(text, opening);
    !name.is_empty() && rest.trim_start().starts_with('[')
}

/// Returns `true` if the text contains the beginning of a game.
pub(super) fn begins(text: &str) -> bool {
    text.contains(OPENING)
}

/// Returns `true` if a text begins with a tag like `PB[name]` or `BO[board]` and has no opening of a game.
pub(super) fn is_fragment(text: &str) -> bool {
    let text = text.trim_start();
    let name = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let has = |tag| text.contains(tag);
    matches!(name, 1 | 2) && text[name..].starts_with('[') && (has("BO[") || has("B[") || has("W["))
}

/// Reads games without their opening: one per line if each line has a board, otherwise one.
pub(super) fn fragments(text: &str) -> impl Iterator<Item = Result<Game, ReadError>> + '_ {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let each = lines().all(|line| line.contains("BO["));
    let parts: Vec<&str> = if each { lines().collect() } else { vec![text] };
    parts.into_iter().map(|part| {
        let part = part.trim();
        let part = part.strip_suffix(')').unwrap_or(part);
        read_one(&format!("{OPENING}{part};)"))
    })
}

fn no_game() -> ReadError {
    ReadError::new(Ggf, "no GGF game found: a game starts with `(;`")
}

fn unclosed() -> ReadError {
    ReadError::new(Ggf, "the game does not end with `;)`")
}

fn wrong_size(size: &str) -> ReadError {
    ReadError::quoting(Ggf, size, "the board {} is not an 8x8 one")
}

/// Reads a game from its `(;` to its `)`.
fn read_one(text: &str) -> Result<Game, ReadError> {
    let mut rest = text.strip_prefix(OPENING).ok_or_else(no_game)?;
    let mut unchecked = Unchecked::default();
    for _ in 0..=MAX_TAGS {
        let Some((name, value, after)) = next_tag(rest)? else { return unchecked.check() };
        unchecked.take(name, value)?;
        rest = after;
    }
    Err(ReadError::too_many(MAX_TAGS, "tags"))
}

/// The next name, its value and the text after it. `None` at the end of the game.
fn next_tag(text: &str) -> Result<Option<(&str, &str, &str)>, ReadError> {
    let text = text.trim_start_matches(|c: char| c == ';' || c.is_whitespace());
    if text.is_empty() {
        return Err(unclosed());
    }
    if text.starts_with(')') {
        return Ok(None);
    }
    let (name, rest) = words::name(text);
    let value = rest.trim_start().strip_prefix('[');
    let value = value
        .filter(|_| text.starts_with(|c: char| c.is_ascii_alphabetic()))
        .ok_or_else(|| ReadError::quoting(Ggf, text, "{} is not a tag like `PB[name]`"))?;
    let (value, rest) = value.split_once(']').ok_or_else(unclosed)?;
    Ok(Some((name, value.trim(), rest)))
}

/// The tags of a game. The moves are played last, because the board may be anywhere among the tags.
#[derive(Default)]
struct Unchecked<'a> {
    tags: Tags,
    board: Option<Position>,
    moves: Vec<(Color, &'a str)>,
    /// Each with the number of discs before it.
    variations: Vec<(usize, String)>,
    /// Number of discs among the moves.
    discs: usize,
}

impl<'a> Unchecked<'a> {
    fn take(&mut self, name: &str, value: &'a str) -> Result<(), ReadError> {
        let tags = &mut self.tags;
        let upper = name.to_ascii_uppercase();
        let text = escape::unescaped(value);
        let invalid = || ReadError::value(Ggf, &upper, value);
        match upper.as_str() {
            "GM" if words::is_in("othello|reversi", value) => {}
            "GM" => return Err(ReadError::quoting(Ggf, value, "GM: the game is {}, not Othello")),
            "RE" => {
                tags.result = tags::read_result(&text).ok_or_else(invalid)?;
                // The word that stands instead of a score.
                if tags.result.is_none() && !matches!(value, "" | "?") {
                    tags.keep("RE", &text);
                }
            }
            "BO" if self.board.is_some() => return Err(ReadError::new(Ggf, "BO: the game has two boards")),
            "BO" => self.board = Some(read_board(value)?),
            "CO" if value.is_empty() => {}
            "CO" => match value.strip_prefix(VARIATION) {
                Some(_) => self.variations.push((self.discs, value[VARIATION.len() - 1..].to_owned())),
                None => tags.comments.push((self.discs, text.into_owned())),
            },
            "B" => self.played(Color::Black, value),
            "W" => self.played(Color::White, value),
            _ => match tags::field(&FIELDS, &upper) {
                Some(field) => {
                    tags::take(tags, field, Ggf, &upper, &text)?;
                    if matches!(name, "TI" | "TB" | "TW") && clock::has_options(value) {
                        tags.keep(name, &text);
                    }
                }
                None => tags.keep(name, &text),
            },
        }
        Ok(())
    }

    fn played(&mut self, color: Color, value: &'a str) {
        let mv = value.split('/').next().unwrap_or_default();
        self.discs += usize::from(moves::parse(mv) != Some(Move::Pass));
        self.moves.push((color, value));
    }

    fn check(self) -> Result<Game, ReadError> {
        let start = match (self.board, &self.tags.kind) {
            (Some(board), _) => board,
            (None, Some(kind)) if !is_usual_size(kind) => return Err(wrong_size(kind)),
            (None, _) => {
                let first = self.moves.first().and_then(|(_, text)| moves::parse(text.split('/').next()?));
                first.map_or(Position::START, transcript::start_of)
            }
        };
        let mut game = Game::new(start);
        game.tags = self.tags;
        for (color, text) in self.moves {
            let number = game.discs_placed() + 1;
            let played = moves::read_played(text)
                .map_err(|error| error.within(Ggf, format_args!("move {number}")).at_move(number));
            let turn = |played: RecordedMove| {
                moves::check_side(&game.position(), color, played.mv, number, Ggf).map(|()| played)
            };
            match played.and_then(turn) {
                Ok(played) => moves::play(&mut game, played)?,
                Err(error) => return Err(error.after(&game)),
            }
        }
        Ok(link::with_variations(game, self.variations))
    }
}

/// Returns `true` if the type is one of the usual board: `8`, `8r20`, `s8r20`, `8k`, `a`, but not `88` or `10`.
fn is_usual_size(kind: &str) -> bool {
    let size = kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    matches!(&size[..words::digits(size)], "" | "8")
}

/// Reads `8 `, 64 squares and the side to move. The size may be missing.
fn read_board(value: &str) -> Result<Position, ReadError> {
    // A leading 0 is a white disc.
    let digits = if value.starts_with('0') { 0 } else { words::digits(value) };
    match value.split_at(digits) {
        ("" | "8", board) => squares::read(board).map_err(|error| error.within(Ggf, format_args!("BO"))),
        (size, _) => Err(wrong_size(size)),
    }
}
