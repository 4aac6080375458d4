//! The error of every reader.

use std::fmt;

use crate::board::{IllegalMove, Move};
use crate::game::{Game, Tags};

/// A text, a game, a position or a move that cannot be read.
///
/// The [`Display`](fmt::Display) form begins with the line and the game if they are known.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadError {
    /// The kind of the error.
    pub code: ReadErrorCode,
    /// Where the error is.
    pub place: Place,
    /// The beginning of the invalid text, or the illegal move. Empty if something is missing.
    pub excerpt: String,
    /// The problem, with the field, the value and what is expected, but without line and game.
    pub message: String,
    /// The game before the error, if at least one move of it was read.
    pub before: Option<Box<Game>>,
}

/// Where an error is. All numbers start at 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line of the text.
    pub line: Option<usize>,
    /// The game of the text.
    pub game: Option<usize>,
    /// The move of the game, counted in discs: passes do not count.
    pub number: Option<usize>,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// The kind of a [`ReadError`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ReadErrorCode {
            $($(#[$doc])* $name,)*
        }

        impl ReadErrorCode {
            /// The code as a word, by which the page selects its sentence.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(ReadErrorCode::$name => $word,)*
                }
            }
        }
    };
}

codes! {
    /// The text has only white space.
    Empty = "empty",
    /// The text has too many characters.
    TooLong = "too-long",
    /// The text has too many games.
    TooMany = "too-many",
    /// The text begins like none of the notations, or the first move cannot be read.
    Unknown = "unknown",
    /// A game has no moves.
    NoMoves = "no-moves",
    /// A later move cannot be read.
    Unreadable = "unreadable",
    /// A move is against the rules.
    Illegal = "illegal",
    /// The side to move is missing after 64 squares.
    NoSide = "no-side",
    /// A position has fewer than 64 squares.
    TooFewSquares = "squares",
    /// A position is invalid.
    Squares = "squares",
    /// A line of OBF is invalid.
    Obf = "obf",
    /// A game in GGF is invalid.
    Ggf = "ggf",
    /// A game in SGF is invalid.
    Sgf = "sgf",
    /// A game in PGN is invalid.
    Pgn = "pgn",
    /// A text in JSON is invalid.
    Json = "json",
    /// A character of a link is invalid.
    LinkText = "link-text",
    /// A variation of a link is not closed.
    LinkOpen = "link-open",
    /// The cursor of a link is not in its tree.
    LinkCursor = "link-cursor",
    /// The start position of a link is invalid.
    LinkPosition = "link-position",
    /// A comment of a link is invalid.
    LinkComment = "link-comment",
    /// A line of a book is invalid.
    Book = "book",
    /// A byte of a WTHOR record is not a move.
    WthorMove = "wthor-move",
    /// A WTHOR file ends early.
    WthorShort = "wthor-short",
    /// A WTHOR file is invalid.
    Wthor = "wthor",
}

impl ReadError {
    #[cold]
    pub(crate) fn new(code: ReadErrorCode, message: impl Into<String>) -> ReadError {
        ReadError {
            code,
            place: Place::default(),
            excerpt: String::new(),
            message: message.into(),
            before: None,
        }
    }

    /// An error that quotes `text`: its excerpt replaces `{}` in the message.
    #[cold]
    pub(super) fn quoting(code: ReadErrorCode, text: &str, message: &str) -> ReadError {
        let excerpt = excerpt(text);
        let message = message.replacen("{}", &format!("`{excerpt}`"), 1);
        ReadError { excerpt, ..ReadError::new(code, message) }
    }

    /// A tag whose value is invalid.
    #[cold]
    pub(super) fn value(code: ReadErrorCode, tag: &str, value: &str) -> ReadError {
        ReadError::quoting(code, value, &format!("{tag}: {{}} cannot be read"))
    }

    /// A game with more than `most` parts of a kind.
    #[cold]
    pub(super) fn too_many(most: usize, parts: &str) -> ReadError {
        ReadError::new(ReadErrorCode::TooMany, format!("the game has more than {most} {parts}"))
    }

    #[cold]
    pub(super) fn no_moves() -> ReadError {
        ReadError::new(ReadErrorCode::NoMoves, "there is no move")
    }

    #[cold]
    pub(super) fn unreadable(number: usize, text: &str) -> ReadError {
        // A text without any move is probably not a game.
        let code = if number == 1 { ReadErrorCode::Unknown } else { ReadErrorCode::Unreadable };
        ReadError::quoting(code, text, &format!("move {number} cannot be read: {{}}")).at_move(number)
    }

    /// A move against the rules. `number` counts discs from 1.
    #[cold]
    pub fn illegal(number: usize, mv: Move, reason: IllegalMove) -> ReadError {
        let message = format!("move {number} ({mv}) is illegal: {reason}");
        ReadError { excerpt: mv.to_string(), ..ReadError::new(ReadErrorCode::Illegal, message) }
            .at_move(number)
    }

    pub(super) fn in_line(mut self, line: usize) -> ReadError {
        self.place.line = Some(line);
        self
    }

    pub(super) fn in_game(mut self, game: usize) -> ReadError {
        self.place.game = Some(game);
        self
    }

    pub(super) fn at_move(mut self, number: usize) -> ReadError {
        self.place.number = Some(number);
        self
    }

    /// An error after the moves of `game`.
    pub(super) fn after(mut self, game: &Game) -> ReadError {
        self.before = (game.plies() > 0).then(|| Box::new(game.clone()));
        self
    }

    /// The error of a value as an error of the text around it: `field` names the value.
    #[cold]
    pub(super) fn within(mut self, code: ReadErrorCode, field: fmt::Arguments<'_>) -> ReadError {
        self.code = code;
        self.message = format!("{field}: {}", self.message);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.place.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(game) = self.place.game {
            write!(f, "game {game}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl Tags {
    /// Notes a text that the reader does not keep.
    pub(super) fn drop_text(&mut self, kind: &'static str, text: &str) {
        self.drop_part(kind, || format!("`{}`", excerpt(text.trim())));
    }
}

/// The beginning of a text, short enough for a message and without control characters.
pub(super) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 24;
    let mut short: String =
        text.chars().take(MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push_str("...");
    }
    short.truncate(short.trim_end().len());
    short
}
