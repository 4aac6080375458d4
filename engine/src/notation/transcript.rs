//! Transcripts: the moves of a game in sequence, `f5d6c3…`.
//!
//! Letters may have any case. Separators and move numbers are skipped. `0:03` after a move is its time, `f5/-1.2/3.5` has its
//! evaluation and its seconds. A number after a move (`f5 (-1.2)`, `f5 +4`) is a comment. A color before a move (`B: f5`,
//! `●f5`, `黒 f5`) is noted if the other side moves. Passes may be written (`pa`, `pass`, `ps`, `--`, `@@`, `パス`) or
//! omitted. The first move selects one of the two start positions: f5, e6, d3 and c4 are legal from the usual one, f4, e3, d6
//! and c5 from its mirror image.

use std::time::Duration;

use super::{ReadError, clock, labels, moves, number, words};
use crate::board::{Color, Move, Position, Square};
use crate::game::{Game, RecordedMove};

/// Reads a transcript from the usual start position, or from its mirror image if the first move is legal there.
pub fn read(text: &str) -> Result<Game, ReadError> {
    read_from(start(text)?, text)
}

/// The start position from which the first move of a text is played.
pub(super) fn start(text: &str) -> Result<Position, ReadError> {
    let first = Moves::new(text).find_map(|part| match part {
        Ok(Part::Move(played, _)) => Some(start_of(played.mv)),
        Ok(_) => None,
        Err(_) => Some(Position::START),
    });
    first.ok_or_else(ReadError::no_moves)
}

/// Returns `true` if the text begins with a move after separators and numbers.
pub(super) fn begins(text: &str) -> bool {
    matches!(Moves::new(text).next(), Some(Ok(Part::Move(..))))
}

/// Reads the moves of a transcript from `start`. There may be none. Passes after the end of the game are ignored.
pub fn read_from(start: Position, text: &str) -> Result<Game, ReadError> {
    let mut game = Game::new(start);
    for part in Moves::new(text) {
        let part = part.map_err(|rest| ReadError::unreadable(game.discs_placed() + 1, rest));
        part.and_then(|part| take(&mut game, part)).map_err(|error| error.after(&game))?;
    }
    Ok(game)
}

/// Plays a move, or sets the time of the last one.
pub(super) fn take(game: &mut Game, part: Part<'_>) -> Result<(), ReadError> {
    match part {
        Part::Move(played, color) => {
            let before = game.position();
            let mover = if played.mv == Move::Pass { before } else { before.after_forced_pass() }.side();
            moves::play(game, played)?;
            if color.is_some_and(|color| color != mover) {
                let number = game.discs_placed();
                let place = || format!("move {number}");
                game.tags.drop_part("colors of moves of the other side", place);
            }
            Ok(())
        }
        Part::Value(value) => {
            game.tags.comments.push((game.discs_placed(), value.to_owned()));
            Ok(())
        }
        Part::Unkept(kind, text) => {
            let number = game.discs_placed();
            game.tags.drop_part(kind, || format!("move {number}: `{text}`"));
            Ok(())
        }
        Part::Time(time, place) => {
            let number = game.discs_placed();
            if place == TimePlace::BeforeMove || !game.set_time(time) {
                let place = || format!("move {number}: {} s", number::write_seconds(time));
                game.tags.drop_part("times without a move", place);
            }
            Ok(())
        }
    }
}

/// Writes the squares in lower case without separators. Passes are omitted.
pub fn write(game: &Game) -> String {
    game.moves().iter().filter_map(|played| played.mv.square()).map(|square| square.to_string()).collect()
}

/// The start position from which `first` is played: the mirrored one (white on e4 and d5) if `first` is legal there, otherwise the
/// usual one.
pub fn start_of(first: Move) -> Position {
    let mirrored = Position::new(Position::START.board().after_pass(), Color::Black);
    match first {
        Move::Place(square) if mirrored.moves().contains(square) => mirrored,
        _ => Position::START,
    }
}

/// The longest values after a move, in bytes.
const MAX_VALUE: usize = 32;

/// A part of a transcript.
pub(super) enum Part<'a> {
    /// A move, with the color before it.
    Move(RecordedMove, Option<Color>),
    /// A number after a move: its value for a side that is not known.
    Value(&'a str),
    /// A time.
    Time(Duration, TimePlace),
    /// A part that a game cannot hold, with its kind.
    Unkept(&'static str, &'a str),
}

/// The kinds of [`Part::Unkept`].
pub(super) const JUDGEMENTS: &str = "judgements of moves";
pub(super) const NUMBERS: &str = "numbers that are not those of moves";

/// The numbers among the moves of a text.
#[derive(Default)]
pub(super) struct Numbering {
    last: Option<u64>,
}

impl Numbering {
    /// Takes a number, with a full stop after it if `marked`. Returns `false` if it is not that of a move: a time or a value.
    pub(super) fn take(&mut self, number: u64, marked: bool, has_moves: bool) -> bool {
        let follows = self.last.map_or(number == 2, |last| number == last || number == last + 1);
        let is_known = marked || follows || !has_moves;
        if is_known {
            self.last = Some(number);
        }
        is_known
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TimePlace {
    /// It is that of the move before it.
    AfterMove,
    /// The text begins with a time, so that its times are not those of the moves before them.
    BeforeMove,
}

/// The moves of a text, with their times. Text that is neither is the last item, with everything after it.
pub(super) struct Moves<'a> {
    pub(super) rest: &'a str,
    /// The previous item was a move. A number directly after it must end in a full stop.
    glued: bool,
    /// The color before the next move.
    color: Option<Color>,
    /// A value was read, so that numbers in brackets are values.
    valued: bool,
    numbering: Numbering,
    /// A part before the next move that is not kept. If no move follows, it belongs to the text that cannot be read.
    unkept: Option<(&'static str, &'a str)>,
    /// A move was read.
    has_moves: bool,
    /// The place of the times. `None` before the first move and the first time.
    pub(super) times: Option<TimePlace>,
}

impl<'a> Moves<'a> {
    pub(super) fn new(text: &'a str) -> Moves<'a> {
        Moves {
            rest: text,
            glued: false,
            color: None,
            valued: false,
            numbering: Numbering::default(),
            unkept: None,
            has_moves: false,
            times: None,
        }
    }

    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
    }

    fn unkept(&mut self) -> Option<Result<Part<'a>, &'a str>> {
        self.unkept.take().map(|(kind, text)| Ok(Part::Unkept(kind, text)))
    }

    fn moved(&mut self, played: RecordedMove) -> Part<'a> {
        (self.glued, self.has_moves) = (true, true);
        self.times.get_or_insert(TimePlace::AfterMove);
        Part::Move(played, self.color.take())
    }

    /// The rest up to one of `ends`, if it is short.
    fn word(&self, ends: &str) -> Option<&'a str> {
        let found = self.rest.bytes().take(MAX_VALUE).position(|byte| ends.as_bytes().contains(&byte));
        let end = found.or_else(|| (self.rest.len() <= MAX_VALUE).then_some(self.rest.len()))?;
        Some(&self.rest[..end])
    }

    /// The move with its evaluation and time at the start of the rest, as GGF and GGS write it, and its length: `f5/-1.2/0.45`.
    fn evaluated(&self) -> Option<(RecordedMove, usize)> {
        let word = self.word(" \t\n,;|)]")?;
        let (_, values) = word.split_once('/').filter(|(mv, _)| mv.len() == 2)?;
        // `f5/2.` is a move and the number of the next one.
        let is_number = values.contains(['/', '.']) && !values.ends_with('.');
        let is_number = is_number && values.bytes().all(|c| c.is_ascii_digit() || b"+-./".contains(&c));
        moves::read_played(word).ok().filter(|_| is_number).map(|played| (played, word.len()))
    }

    /// The length of a pass at the start of the rest.
    fn pass(&self) -> Option<usize> {
        let length = |text: &str| {
            let pass = moves::PASSES.iter().find(|pass| {
                let Some(rest) = words::after(text, pass) else { return false };
                let is_square = rest.get(..2).is_some_and(|text| text.parse::<Square>().is_ok());
                // `passe6` is a pass and a move, `Paris` is neither.
                !(pass.ends_with(['d', 'e']) && rest.starts_with(|c: char| c.is_ascii_digit()))
                    && (is_square
                        || !rest.starts_with(|c: char| c.is_alphabetic() && !matches!(c, 'p' | 'P')))
            });
            pass.map(|pass| pass.len())
        };
        let bracketed = self.rest.strip_prefix('(').and_then(|rest| {
            let length = length(rest)?;
            rest[length..].starts_with(')').then_some(length + 2)
        });
        bracketed.or_else(|| length(self.rest))
    }

    /// The value of the move before it at the start of the rest, and its length: `(-1.2)`, `[+4]`, `+4`. A number without a sign
    /// and a fraction may be that of a move.
    fn value(&self) -> Option<(&'a str, usize)> {
        if self.times != Some(TimePlace::AfterMove) {
            return None;
        }
        let (text, length) = match self.rest.chars().next() {
            Some('(' | '[') => {
                let text = self.word(")]").filter(|text| text.len() < self.rest.len())?;
                (text[1..].trim(), text.len() + 1)
            }
            Some('+' | '-' | '0'..='9') if !self.glued => {
                self.word(" \t\n,;").map(|text| (text, text.len()))?
            }
            _ => return None,
        };
        let is_value = self.valued || text.starts_with(['+', '-']) || text.contains('.');
        let ends = text.ends_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|c| c.is_ascii_digit() || b"+-.,".contains(&c));
        (is_value && ends && number::read(text).is_some()).then_some((text, length))
    }

    /// The length of a move number at the start of the rest, with its full stop or bracket.
    fn number(&self) -> Option<usize> {
        let digits = words::digits(self.rest);
        if digits == 0 || digits > 3 {
            return None;
        }
        match self.rest[digits..].chars().next() {
            Some('.') => Some(digits + 1),
            _ if self.glued => None,
            Some(')' | ':' | '|') => Some(digits + 1),
            Some(c) if c.is_whitespace() || matches!(c.to_ascii_lowercase(), 'a'..='h' | 'p' | '@') => {
                Some(digits)
            }
            Some(_) if labels::color(&self.rest[digits..]).is_some() => Some(digits),
            _ => None,
        }
    }
}

impl<'a> Iterator for Moves<'a> {
    type Item = Result<Part<'a>, &'a str>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(first) = self.rest.chars().next() else { return self.unkept() };
            // A longer row is a rule or empty squares.
            let dashes = self.rest.bytes().take_while(|&byte| byte == b'-').count();
            if dashes > 2 {
                self.skip(dashes);
                self.glued = false;
                continue;
            }
            if let Some(length) = self.pass() {
                if self.unkept.is_some() {
                    return self.unkept();
                }
                self.skip(length);
                return Some(Ok(self.moved(Move::Pass.into())));
            }
            if let Some(square) = self.rest.get(..2).and_then(|text| text.parse::<Square>().ok()) {
                if self.unkept.is_some() {
                    return self.unkept();
                }
                let (played, length) = self.evaluated().unwrap_or((Move::Place(square).into(), 2));
                self.skip(length);
                return Some(Ok(self.moved(played)));
            }
            let bracketed = self.rest.strip_prefix('(');
            let time = clock::time_before(bracketed.unwrap_or(self.rest))
                .filter(|_| bracketed.is_some() || !self.glued);
            if let Some((time, length)) = time {
                self.skip(length + usize::from(bracketed.is_some()));
                self.rest = self.rest.strip_prefix(')').filter(|_| bracketed.is_some()).unwrap_or(self.rest);
                return Some(Ok(Part::Time(time, *self.times.get_or_insert(TimePlace::BeforeMove))));
            }
            if let Some((value, length)) = self.value() {
                self.skip(length);
                (self.valued, self.glued) = (true, false);
                return Some(Ok(Part::Value(value)));
            }
            let signs = self.rest.len() - self.rest.trim_start_matches(['!', '?']).len();
            if let Some(length) = self.number() {
                let text = &self.rest[..words::digits(self.rest)];
                let number = text.parse().unwrap_or_default();
                if !self.numbering.take(number, length > text.len(), self.has_moves) {
                    self.unkept.get_or_insert((NUMBERS, text));
                }
                self.skip(length);
            } else if signs > 0 && self.has_moves {
                self.unkept.get_or_insert((JUDGEMENTS, &self.rest[..signs]));
                self.skip(signs);
            } else if first.is_whitespace() || is_separator(first) {
                self.skip(first.len_utf8());
            } else if let Some((color, length)) = labels::color(self.rest) {
                self.skip(length);
                self.color = Some(color);
            } else {
                return Some(Err(std::mem::take(&mut self.rest)));
            }
            self.glued = false;
        }
    }
}

/// Returns `true` for characters between moves. `\u{feff}` is the mark that some editors put at the start of a file.
fn is_separator(character: char) -> bool {
    "-–—ー.,;:/|_>=→⇒…\"'\u{feff}!?~·・、。".contains(character)
}
