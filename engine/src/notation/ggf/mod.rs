//! GGF, the game format of the Generic Game Server, of NBoard and of most archives of engine games.
//!
//! A game is `(;GM[Othello]PB[name]…TY[8]BO[8 squares side]B[F5/eval/time]W[…]…;)`. It is read leniently: any
//! order, unknown tags, white space, a count before the game, several games in a text, decimal commas, missing
//! passes, a missing board (the usual start). It is written strictly, since NBoard refuses a game for a space
//! between tags, an unknown tag or a missing type.
//!
//! Comments (`CO`) are kept with the number of discs placed before them. [`write_all`] is for archives: it leaves nothing
//! out. Tags that the game has no field for, such as the bids of komi games (`KB`, `KW`, `KM`), are kept as they are.
//!
//! Deliberately absent: boards of other sizes, which are an error.

mod clock;
mod result;
mod write;

use std::fmt;

use super::error::{IllegalAt, excerpt};
use super::extra;
use super::moves::{self, MoveError};
use super::number;
use super::split::{self, OPENING, Syntax};
use super::squares::{self, SquaresError};
use crate::board::{Color, IllegalMove, Move, Position, Status};
use crate::game::{Game, Tags};

pub(super) use clock::{read as read_clock, write as write_clock};
pub(super) use result::{read as read_result, write_whole as write_whole_result};
pub use write::{write, write_all};

/// The text is not a game in GGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GgfError {
    /// There is no `(;`.
    NoGame,
    /// The text ends before the `)` of the game.
    Unclosed,
    /// Something that is no tag in the place of a tag.
    Tag {
        /// How it begins.
        text: String,
    },
    /// A game that is not Othello (`GM`).
    Kind {
        /// What it is.
        text: String,
    },
    /// A board that is not 8×8 (`BO` or `TY`).
    Size {
        /// The size as it is written.
        text: String,
    },
    /// A faulty board (`BO`).
    Board(SquaresError),
    /// A faulty tag.
    Value {
        /// Its name.
        tag: &'static str,
        /// How its value begins.
        text: String,
    },
    /// A move that cannot be read.
    Unparsable {
        /// Which move: 1 for the first disc, passes not counted.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A move of the side that is not to move.
    Turn {
        /// Which move: 1 for the first disc, passes not counted.
        number: usize,
        /// Whose move it is said to be.
        color: Color,
    },
    /// A move against the rules.
    Illegal(IllegalAt),
}

/// A faulty game among several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InGame {
    /// Which game, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub error: GgfError,
}

/// Reads the first game of a text.
pub fn read(text: &str) -> Result<Game, GgfError> {
    games(text).next().map_or(Err(GgfError::NoGame), |(.., game)| game)
}

/// Reads all games of a text, at least one. What stands outside the games is ignored.
pub fn read_all(text: &str) -> Result<Vec<Game>, InGame> {
    let games: Vec<Game> = read_each(text).collect::<Result<_, _>>()?;
    if games.is_empty() { Err(InGame { game: 1, error: GgfError::NoGame }) } else { Ok(games) }
}

/// Reads the games of a text one by one; a faulty one does not keep the others from being read.
pub fn read_each(text: &str) -> impl Iterator<Item = Result<Game, InGame>> + '_ {
    games(text).map(|(number, _, game)| game.map_err(|error| InGame { game: number, error }))
}

/// Reads the games of a text one by one, each with its number from 1 and the number of the line it begins in; a faulty
/// one does not keep the others from being read.
pub fn games(text: &str) -> impl Iterator<Item = (usize, usize, Result<Game, GgfError>)> + '_ {
    const SYNTAX: Syntax = Syntax { nested: false, begins: begins_game, resumes: begins_game };
    split::games(text, &SYNTAX, read_one)
}

/// Returns `true` if a tag follows the opening.
fn begins_game(text: &str, opening: usize) -> bool {
    let (name, rest) = split::first_name(text, opening);
    !name.is_empty() && rest.trim_start().starts_with('[')
}

/// Whether the text holds the beginning of a game.
pub(super) fn begins(text: &str) -> bool {
    text.contains(OPENING)
}

/// Reads a game from its `(;` to its `)`.
fn read_one(text: &str) -> Result<Game, GgfError> {
    let mut fields = Fields { rest: text.strip_prefix(OPENING).ok_or(GgfError::NoGame)? };
    let mut unchecked = Unchecked::default();
    while let Some((name, value)) = fields.next()? {
        unchecked.take(name, value)?;
    }
    unchecked.check()
}

/// The tags of one game, up to its `)`.
struct Fields<'a> {
    rest: &'a str,
}

impl<'a> Fields<'a> {
    /// The next name and value; nothing at the end of the game.
    fn next(&mut self) -> Result<Option<(&'a str, &'a str)>, GgfError> {
        let text = self.rest.trim_start_matches(|c: char| c == ';' || c.is_whitespace());
        if text.is_empty() {
            return Err(GgfError::Unclosed);
        }
        if let Some(rest) = text.strip_prefix(')') {
            self.rest = rest;
            return Ok(None);
        }
        let length = text.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count();
        let (name, rest) = text.split_at(length);
        let value = rest
            .trim_start()
            .strip_prefix('[')
            .filter(|_| text.starts_with(|c: char| c.is_ascii_alphabetic()));
        let value = value.ok_or_else(|| GgfError::Tag { text: excerpt(text) })?;
        let (value, rest) = value.split_once(']').ok_or(GgfError::Unclosed)?;
        self.rest = rest;
        Ok(Some((name, value.trim())))
    }
}

/// A game whose moves have not been played yet: the board may stand anywhere among the tags.
#[derive(Default)]
struct Unchecked<'a> {
    tags: Tags,
    board: Option<Position>,
    moves: Vec<(Color, &'a str)>,
    /// Number of discs among the moves.
    discs: usize,
}

impl<'a> Unchecked<'a> {
    fn take(&mut self, name: &str, value: &'a str) -> Result<(), GgfError> {
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        let faulty = |tag| GgfError::Value { tag, text: excerpt(value) };
        let rating = |tag| match value {
            "" => Ok(None),
            value => number::read(value).filter(|r| r.is_finite()).map(Some).ok_or_else(|| faulty(tag)),
        };
        let clock = |tag| match value {
            "" => Ok(None),
            value => clock::read(value).map(Some).ok_or_else(|| faulty(tag)),
        };
        let tags = &mut self.tags;
        if matches!(name, "TI" | "TB" | "TW") && clock::has_options(value) && clock("TI")?.is_some() {
            tags.keep(name, value);
        }
        match name.to_ascii_uppercase().as_str() {
            "GM" if ["othello", "reversi"].iter().any(|game| value.eq_ignore_ascii_case(game)) => {}
            "GM" => return Err(GgfError::Kind { text: excerpt(value) }),
            "PC" => tags.place = text(),
            "DT" => tags.date = text(),
            "PB" => tags.black.name = text(),
            "PW" => tags.white.name = text(),
            "RB" => tags.black.rating = rating("RB")?,
            "RW" => tags.white.rating = rating("RW")?,
            "TI" => tags.clock = clock("TI")?,
            "TB" => tags.black.clock = clock("TB")?,
            "TW" => tags.white.clock = clock("TW")?,
            "TY" => tags.kind = text(),
            "RE" => {
                tags.result = result::read(value).ok_or_else(|| faulty("RE"))?;
                // A word instead of a score: why there is none.
                if tags.result.is_none() && !matches!(value, "" | "?") {
                    tags.keep("RE", value);
                }
            }
            extra::SCORES => tags.scores = extra::read_scores(value).ok_or_else(|| faulty(extra::SCORES))?,
            "BO" => self.board = Some(read_board(value)?),
            "CO" => tags.comments.extend(text().map(|text| (self.discs, text))),
            "B" => self.played(Color::Black, value),
            "W" => self.played(Color::White, value),
            _ => tags.keep(name, value),
        }
        Ok(())
    }

    fn played(&mut self, color: Color, value: &'a str) {
        let mv = value.split('/').next().unwrap_or_default();
        self.discs += usize::from(moves::read(mv) != Ok(Move::Pass));
        self.moves.push((color, value));
    }

    /// Plays the moves.
    fn check(self) -> Result<Game, GgfError> {
        let start = match (self.board, &self.tags.kind) {
            (Some(board), _) => board,
            (None, Some(kind)) if !is_usual_size(kind) => {
                return Err(GgfError::Size { text: excerpt(kind) });
            }
            (None, _) => Position::START,
        };
        let mut game = Game::new(start);
        game.tags = self.tags;
        for (color, text) in self.moves {
            let number = game.discs_placed() + 1;
            let played = moves::read_played(text).map_err(|error| GgfError::Unparsable { number, error })?;
            let here = game.position();
            let passes = played.mv != Move::Pass && here.status() == Status::MustPass;
            match game.play_passing(played) {
                // Passes after the end of the game mean nothing.
                Err(IllegalMove::GameOver) if played.mv == Move::Pass => {}
                _ if (here.side() == color) == passes => return Err(GgfError::Turn { number, color }),
                Ok(()) => {}
                Err(reason) => {
                    return Err(GgfError::Illegal(IllegalAt { number, mv: played.mv, reason }));
                }
            }
        }
        Ok(game)
    }
}

/// Whether the type is one for the usual board: `8`, `8r20`, `s8r20`, `8k`, `a`, but not `88` or `10`.
fn is_usual_size(kind: &str) -> bool {
    let size = kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    let digits = size.bytes().take_while(u8::is_ascii_digit).count();
    matches!(&size[..digits], "" | "8")
}

/// Reads `8 `, 64 squares and the side to move; the size may be missing.
fn read_board(value: &str) -> Result<Position, GgfError> {
    // A leading 0 is a white disc.
    let digits =
        if value.starts_with('0') { 0 } else { value.bytes().take_while(u8::is_ascii_digit).count() };
    match value.split_at(digits) {
        ("" | "8", board) => squares::read(board).map_err(GgfError::Board),
        (size, _) => Err(GgfError::Size { text: excerpt(size) }),
    }
}

impl fmt::Display for GgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GgfError::NoGame => f.write_str("there is no game in GGF, which begins with `(;`"),
            GgfError::Unclosed => f.write_str("the game does not end with `;)`"),
            GgfError::Tag { text } => write!(f, "`{text}` is not a tag like `PB[name]`"),
            GgfError::Kind { text } => write!(f, "GM: the game is `{text}`, not Othello"),
            GgfError::Size { text } => write!(f, "the board `{text}` is not an 8x8 one"),
            GgfError::Board(error) => write!(f, "BO: {error}"),
            GgfError::Value { tag, text } => write!(f, "{tag}: `{text}` cannot be read"),
            GgfError::Unparsable { number, error } => write!(f, "move {number}: {error}"),
            GgfError::Turn { number, color } => write!(f, "move {number}: it is not {color}'s turn"),
            GgfError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for GgfError {}

impl fmt::Display for InGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: {}", self.game, self.error)
    }
}

impl std::error::Error for InGame {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The game of the NBoard protocol's example session.
    const EXAMPLE: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]\
        TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
        B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)";

    #[test]
    fn the_documents_example() {
        let game = read(EXAMPLE).unwrap();
        assert_eq!(game.plies(), 8);
        assert_eq!(game.start(), Position::START);
        assert_eq!(game.tags.black.name.as_deref(), Some("./mEdax"));
        assert_eq!(game.tags.result, None);
        assert_eq!(game.tags.clock(Color::White).map(|clock| clock.main.as_secs()), Some(900));
        assert_eq!(write(&game), EXAMPLE);
    }

    #[test]
    fn several_games_and_a_count() {
        let text = format!("2 {EXAMPLE} {EXAMPLE}\n1 {EXAMPLE}\n");
        assert_eq!(read_all(&text).unwrap().len(), 3);
        let faulty = format!("{EXAMPLE}{}", EXAMPLE.replace("W[F6]", "W[F8]"));
        assert_eq!(
            read_all(&faulty).unwrap_err().to_string(),
            "game 2: move 2 (f8) is illegal: f8 flips nothing"
        );
    }

    #[test]
    fn the_fault_is_named() {
        let error = |from: &str, to: &str| read(&EXAMPLE.replace(from, to)).unwrap_err().to_string();
        assert_eq!(error("(;", "("), "there is no game in GGF, which begins with `(;`");
        assert_eq!(error(";)", ""), "the game does not end with `;)`");
        assert_eq!(error("[F4]", "[F4"), "the game does not end with `;)`");
        assert_eq!(error("[Othello]", "[Go]"), "GM: the game is `Go`, not Othello");
        assert_eq!(error("BO[8", "BO[10"), "the board `10` is not an 8x8 one");
        assert_eq!(error("O*---", "Oq---"), "BO: `q` stands for no square (character 29 of 64, e4)");
        assert_eq!(error("15:00", "soon"), "TI: `soon` cannot be read");
        assert_eq!(error("RE[?]", "RE[won]RE[x]"), "RE: `x` cannot be read");
        assert_eq!(error("B[D3]", "B[D9]"), "move 3: `D9` is neither a square (a1 to h8) nor a pass");
        assert_eq!(error("B[D3]", "B[D3/x]"), "move 3: the evaluation `x` is not a number");
        assert_eq!(error("B[D3]", "W[D3]"), "move 3: it is not white's turn");
        assert_eq!(
            error("B[D3]", "B[PA]"),
            "move 3 (pass) is illegal: a pass is not allowed while a disc can be placed"
        );
        assert_eq!(error("W[F6]", "x W[F6]"), "`x W[F6]B[D3]W[C5]B[E6]W[...` is not a tag like `PB[name]`");
    }
}
