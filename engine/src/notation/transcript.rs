//! Transcripts: the moves of a game one after the other, `f5d6c3…`.
//!
//! Any case, separators and move numbers are understood; passes may be written (`pa`, `pass`, `ps`, `--`,
//! `@@`, `パス`) or left out. The first move tells which of the two start positions is meant: f5, e6, d3 and c4 are
//! legal from the usual one, f4, e3, d6 and c5 from its mirror image.

use std::fmt;

use super::error::{IllegalAt, excerpt};
use crate::board::{Bitboard, Color, IllegalMove, Move, Position, Square, Symmetry};
use crate::game::Game;

/// The text is not a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptError {
    /// There is no move in it.
    Empty,
    /// Something that is no move.
    Unparsable {
        /// In the place of which move: 1 for the first disc, passes not counted.
        number: usize,
        /// How it begins.
        text: String,
    },
    /// A move against the rules.
    Illegal(IllegalAt),
}

/// Reads a transcript from the usual start position, or from its mirror image when the first move says so.
pub fn read(text: &str) -> Result<Game, TranscriptError> {
    read_located(text).map_err(|fault| fault.error)
}

/// Like [`read`]; a fault tells where it is.
pub(super) fn read_located(text: &str) -> Result<Game, Located> {
    let start = match Moves::new(text).next() {
        Some(Ok(mv)) => start_of(mv),
        Some(Err(_)) => Position::START,
        None => return Err(Located { at: 0, error: TranscriptError::Empty }),
    };
    play(start, text)
}

/// A fault, and the byte where the move at fault begins.
pub(super) struct Located {
    pub(super) at: usize,
    pub(super) error: TranscriptError,
}

/// Whether the text begins with a move, separators and numbers aside.
pub(super) fn begins(text: &str) -> bool {
    matches!(Moves::new(text).next(), Some(Ok(_)))
}

/// Reads the moves of a transcript from `start`; none at all are a game of no moves.
///
/// Passes written after the end of the game are dropped.
pub fn read_from(start: Position, text: &str) -> Result<Game, TranscriptError> {
    play(start, text).map_err(|fault| fault.error)
}

fn play(start: Position, text: &str) -> Result<Game, Located> {
    let mut game = Game::new(start);
    let mut number = 1;
    let mut moves = Moves::new(text);
    while let Some(mv) = moves.next() {
        let fault = |error| Located { at: moves.began, error };
        let mv = mv.map_err(|rest| fault(TranscriptError::Unparsable { number, text: excerpt(rest) }))?;
        match game.play_passing(mv) {
            Ok(()) => number += usize::from(mv != Move::Pass),
            Err(IllegalMove::GameOver) if mv == Move::Pass => {}
            Err(reason) => return Err(fault(TranscriptError::Illegal(IllegalAt { number, mv, reason }))),
        }
    }
    Ok(game)
}

/// Writes the squares in lower case without separators; passes are left out.
pub fn write(game: &Game) -> String {
    game.moves().iter().filter_map(|played| played.mv.square()).map(|square| square.to_string()).collect()
}

/// The start position from which `first` is played: the mirrored one when it is legal there, else the usual one.
pub fn start_of(first: Move) -> Position {
    let mirrored = mirrored_start();
    match first {
        Move::Place(square) if mirrored.moves().contains(square) => mirrored,
        _ => Position::START,
    }
}

/// The start position seen in a mirror: white on e4 and d5.
fn mirrored_start() -> Position {
    let mirror = |color| {
        Symmetry::all()
            .map(|symmetry| symmetry.bitboard(Position::START.discs(color)))
            .find(|&discs| discs != Position::START.discs(color))
            .unwrap_or(Bitboard::EMPTY)
    };
    Position::from_discs(mirror(Color::Black), mirror(Color::White), Color::Black).unwrap_or_default()
}

/// The moves of a text; what is none is returned with all that follows, and is the last.
pub(super) struct Moves<'a> {
    rest: &'a str,
    /// Number of bytes of the text.
    length: usize,
    /// Where the last move began.
    began: usize,
    /// Whether the last thing read was a move: a number glued to it must end in a full stop.
    glued: bool,
}

impl<'a> Moves<'a> {
    pub(super) fn new(text: &'a str) -> Moves<'a> {
        Moves { rest: text, length: text.len(), began: 0, glued: false }
    }

    /// Steps over `length` bytes and returns them.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// A pass at the start of the rest: its length.
    fn pass(&self) -> Option<usize> {
        ["passe", "pass", "pa", "ps", "@@@@", "@@", "--", "パス"]
            .iter()
            .find(|pass| self.rest.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass)))
            .map(|pass| pass.len())
    }

    /// A move number at the start of the rest, with its full stop or bracket: its length.
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

/// What may stand between moves. `\u{feff}` is the mark some editors put at the start of a file.
fn is_separator(character: char) -> bool {
    matches!(
        character,
        '-' | '–' | '—' | '.' | ',' | ';' | ':' | '/' | '|' | '_' | '>' | '→' | '…' | '"' | '\'' | '\u{feff}'
    ) || matches!(character, '!' | '?' | '~' | '·' | '・' | '、' | '。' | '⇒' | 'ー')
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranscriptError::Empty => f.write_str("there is no move"),
            TranscriptError::Unparsable { number, text } => {
                write!(f, "move {number} cannot be read: `{text}`")
            }
            TranscriptError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for TranscriptError {}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: &str = "f5d6c3d3c4f4f6f3e6e7d7";

    fn plies(text: &str) -> Result<usize, TranscriptError> {
        read(text).map(|game| game.plies())
    }

    #[test]
    fn in_many_hands() {
        let game = read(MOVES).unwrap();
        assert_eq!(write(&game), MOVES);
        for text in [
            "F5D6C3D3C4F4F6F3E6E7D7",
            "  f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7\n",
            "f5-d6-c3-d3-c4-f4-f6-f3-e6-e7-d7",
            "1. f5 d6 2. c3 d3 3. c4 f4 4. f6 f3 5. e6 e7 6. d7",
            "1.f5d62.c3d33.c4f44.f6f35.e6e76.d7",
            "1 f5 2 d6 3 c3 4 d3 5 c4 6 f4 7 f6 8 f3 9 e6 10 e7 11 d7",
            "1: f5, 2: d6, 3: c3, 4: d3; 5) c4 6) f4 7) f6 8) f3 9. e6 10. ...e7\r\n11. d7",
        ] {
            assert_eq!(read(text).as_ref(), Ok(&game), "{text}");
        }
    }

    #[test]
    fn both_starts() {
        for (first, usual) in [
            ("f5", true),
            ("E6", true),
            ("d3", true),
            ("c4", true),
            ("f4", false),
            ("e3", false),
            ("D6", false),
            ("c5", false),
        ] {
            let game = read(first).unwrap();
            assert_eq!(game.plies(), 1);
            assert_eq!(game.start() == Position::START, usual, "{first}");
        }
        assert_eq!(mirrored_start().moves().count(), 4);
    }

    #[test]
    fn passes_written_and_left_out() {
        // After a3 Black cannot move: c1 is White's.
        let without = "c4c3e6b4a4a5b2a3";
        let game = read(without).unwrap();
        assert_eq!(game.position().status(), crate::board::Status::MustPass);
        let left_out = read(&format!("{without}c1")).unwrap();
        assert_eq!(left_out.plies(), 10);
        for pass in ["pa", " PASS ", "ps", "--", "@@", "@@@@ 7.", "Ps", " passe ", "パス", "、パス、"] {
            assert_eq!(read(&format!("{without}{pass}c1")).as_ref(), Ok(&left_out), "{pass}");
        }
        assert_eq!(plies(&format!("{without}pa")), Ok(9));
        assert_eq!(
            plies(&format!("{without}papa")).unwrap_err().to_string().split(':').next(),
            Some("move 9 (pass) is illegal")
        );
    }

    #[test]
    fn the_fault_is_named() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error(""), "there is no move");
        assert_eq!(error(" - 1. "), "there is no move");
        assert_eq!(error("hello"), "move 1 cannot be read: `hello`");
        assert_eq!(error("f5d6c9"), "move 3 cannot be read: `c9`");
        assert_eq!(error("f5d66c3"), "move 3 cannot be read: `6c3`");
        assert_eq!(error("f5d6c"), "move 3 cannot be read: `c`");
        assert_eq!(error("f5d6é"), "move 3 cannot be read: `é`");
        assert_eq!(error("f5d6a1"), "move 3 (a1) is illegal: a1 flips nothing");
        assert_eq!(error("f5f5"), "move 2 (f5) is illegal: f5 is occupied");
        assert_eq!(error("a1"), "move 1 (a1) is illegal: a1 flips nothing");
        assert_eq!(error("pa"), "move 1 (pass) is illegal: a pass is not allowed while a disc can be placed");
    }
}
