//! Transcripts: the moves of a game in sequence, `f5d6c3…`.
//!
//! Letters may have any case. Separators and move numbers are skipped. Passes may be written (`pa`, `pass`, `ps`, `--`, `@@`,
//! `パス`) or omitted. The first move selects one of the two start positions: f5, e6, d3 and c4 are legal from the usual one,
//! f4, e3, d6 and c5 from its mirror image.

use super::{ReadError, moves};
use crate::board::{Color, Move, Position, Square};
use crate::game::Game;

/// Reads a transcript from the usual start position, or from its mirror image if the first move is legal there.
pub fn read(text: &str) -> Result<Game, ReadError> {
    read_located(text).map_err(|located| located.error)
}

/// Like [`read`]. An error has the byte where it is.
pub(super) fn read_located(text: &str) -> Result<Game, Located> {
    let start = match Moves::new(text).next() {
        Some(Ok(mv)) => start_of(mv),
        Some(Err(_)) => Position::START,
        None => return Err(Located { at: 0, error: ReadError::no_moves() }),
    };
    play(start, text)
}

/// An error, and the byte where the invalid move begins.
pub(super) struct Located {
    pub(super) at: usize,
    pub(super) error: ReadError,
}

/// Returns `true` if the text begins with a move after separators and numbers.
pub(super) fn begins(text: &str) -> bool {
    matches!(Moves::new(text).next(), Some(Ok(_)))
}

/// Reads the moves of a transcript from `start`. There may be none. Passes after the end of the game are ignored.
pub fn read_from(start: Position, text: &str) -> Result<Game, ReadError> {
    play(start, text).map_err(|located| located.error)
}

fn play(start: Position, text: &str) -> Result<Game, Located> {
    let mut game = Game::new(start);
    let mut moves = Moves::new(text);
    while let Some(mv) = moves.next() {
        let mv = mv.map_err(|rest| ReadError::unreadable(game.discs_placed() + 1, rest));
        let played = mv.and_then(|mv| moves::play(&mut game, mv));
        played.map_err(|error| Located { at: moves.began, error: error.after(&game) })?;
    }
    Ok(game)
}

/// Writes the squares in lower case without separators. Passes are omitted.
pub fn write(game: &Game) -> String {
    game.moves().iter().filter_map(|played| played.mv.square()).map(|square| square.to_string()).collect()
}

/// The start position from which `first` is played: the mirrored one if `first` is legal there, otherwise the usual one.
pub fn start_of(first: Move) -> Position {
    let mirrored = mirrored_start();
    match first {
        Move::Place(square) if mirrored.moves().contains(square) => mirrored,
        _ => Position::START,
    }
}

/// The mirror image of the start position: white on e4 and d5, black to move.
fn mirrored_start() -> Position {
    Position::new(Position::START.board().after_pass(), Color::Black)
}

/// The moves of a text. Text that is not a move is the last item, with everything after it.
pub(super) struct Moves<'a> {
    rest: &'a str,
    length: usize,
    began: usize,
    /// The previous item was a move. A number directly after it must end in a full stop.
    glued: bool,
}

impl<'a> Moves<'a> {
    pub(super) fn new(text: &'a str) -> Moves<'a> {
        Moves { rest: text, length: text.len(), began: 0, glued: false }
    }

    /// Skips `length` bytes and returns them.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// The length of a pass at the start of the rest.
    fn pass(&self) -> Option<usize> {
        ["passe", "pass", "pa", "ps", "@@@@", "@@", "--", "パス"]
            .iter()
            .find(|pass| self.rest.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass)))
            .map(|pass| pass.len())
    }

    /// The length of a move number at the start of the rest, with its full stop or bracket.
    fn number(&self) -> Option<usize> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 3 {
            return None;
        }
        match self.rest[digits..].chars().next() {
            Some('.') => Some(digits + 1),
            _ if self.glued => None,
            Some(')' | ':') => Some(digits + 1),
            Some(c) if c.is_whitespace() || matches!(c.to_ascii_lowercase(), 'a'..='h' | 'p' | '@') => {
                Some(digits)
            }
            _ => None,
        }
    }
}

impl<'a> Iterator for Moves<'a> {
    type Item = Result<Move, &'a str>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let first = self.rest.chars().next()?;
            self.began = self.length - self.rest.len();
            if let Some(length) = self.pass() {
                self.take(length);
                self.glued = true;
                return Some(Ok(Move::Pass));
            }
            if let Some(square) = self.rest.get(..2).and_then(|text| text.parse::<Square>().ok()) {
                self.take(2);
                self.glued = true;
                return Some(Ok(Move::Place(square)));
            }
            if let Some(length) = self.number() {
                self.take(length);
            } else if first.is_whitespace() || is_separator(first) {
                self.take(first.len_utf8());
            } else {
                return Some(Err(std::mem::take(&mut self.rest)));
            }
            self.glued = false;
        }
    }
}

/// Returns `true` for characters between moves. `\u{feff}` is the mark that some editors put at the start of a file.
fn is_separator(character: char) -> bool {
    matches!(
        character,
        '-' | '–' | '—' | '.' | ',' | ';' | ':' | '/' | '|' | '_' | '>' | '→' | '…' | '"' | '\'' | '\u{feff}'
    ) || matches!(character, '!' | '?' | '~' | '·' | '・' | '、' | '。' | '⇒' | 'ー')
}
