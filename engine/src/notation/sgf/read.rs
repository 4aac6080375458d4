//! SGF to games.

use std::time::Duration;

use super::super::error::{IllegalAt, excerpt};
use super::super::moves::{self, MoveError};
use super::super::split::{self, Syntax};
use super::super::{extra, ggf, number};
use super::{SgfError, property_name};
use crate::board::{Bitboard, Color, IllegalMove, Move, Position, Square, Status};
use crate::game::{Ending, Game, GameClock, GameResult, RecordedMove};
use crate::score::Score;

/// Reads the games of a text one by one, each with its number from 1 and the number of the line it begins in; a faulty
/// one does not keep the others from being read.
pub fn games(text: &str) -> impl Iterator<Item = (usize, usize, Result<Game, SgfError>)> + '_ {
    const SYNTAX: Syntax = Syntax { nested: true, begins, resumes };
    split::games(text, &SYNTAX, |game| Cursor { rest: game }.tree().and_then(check))
}

/// Returns `true` if the properties behind an opening are those of a game and never those of a variation.
fn begins(text: &str, opening: usize) -> bool {
    matches!(split::first_name(text, opening).0, "GM" | "FF" | "SZ" | "CA" | "AP")
}

fn resumes(text: &str, opening: usize) -> bool {
    let begins_line = text[..opening].trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    let of_move = matches!(split::first_name(text, opening).0, "" | "B" | "W" | "C" | "N" | "V" | "TT");
    begins(text, opening) || (begins_line && !of_move)
}

/// The properties of a node, each with its values.
type Node = Vec<(String, Vec<String>)>;

struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// The nodes of a game along its first variations, up to its `)`.
    fn tree(&mut self) -> Result<Vec<Node>, SgfError> {
        let mut nodes = Vec::new();
        let (mut open, mut kept) = (0_usize, true);
        loop {
            let text = self.rest.trim_start();
            let first = text.chars().next().ok_or(SgfError::Unclosed)?;
            match first {
                '(' => {
                    open += 1;
                    self.rest = &text[1..];
                }
                ')' => {
                    self.rest = &text[1..];
                    open -= 1;
                    // All that follows the end of the first variation is another one.
                    kept = false;
                    if open == 0 {
                        return Ok(nodes);
                    }
                }
                ';' => {
                    self.rest = &text[1..];
                    let node = self.node()?;
                    if kept {
                        nodes.push(node);
                    }
                }
                _ => return Err(SgfError::Property { text: excerpt(text) }),
            }
        }
    }

    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Node::new();
        loop {
            let text = self.rest.trim_start();
            if text.starts_with([';', '(', ')']) || text.is_empty() {
                self.rest = text;
                return Ok(node);
            }
            let length = text.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count();
            let (name, mut rest) = text.split_at(length);
            let mut values = Vec::new();
            while let Some(value) = rest.trim_start().strip_prefix('[') {
                let (value, after) = unescaped(value).ok_or(SgfError::Unclosed)?;
                values.push(value);
                rest = after;
            }
            if values.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(SgfError::Property { text: excerpt(text) });
            }
            self.rest = rest;
            node.push((property_name(name), values));
        }
    }
}

/// A value up to its `]`, and what follows it.
fn unescaped(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ']' => return Some((value.trim().to_owned(), &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                '\n' => {}
                escaped => value.push(escaped),
            },
            '\r' => {}
            character => value.push(character),
        }
    }
    None
}

/// A game whose moves have not been played yet.
#[derive(Default)]
struct Unchecked {
    game: Game,
    black: Bitboard,
    white: Bitboard,
    to_play: Option<Color>,
    event: Option<String>,
    exact_result: Option<GameResult>,
}

fn check(nodes: Vec<Node>) -> Result<Game, SgfError> {
    let mut unchecked = Unchecked::default();
    let mut nodes = nodes.into_iter();
    let root = nodes.next().unwrap_or_default();
    let mut of_moves = Node::new();
    for (name, values) in root {
        if matches!(name.as_str(), "B" | "W" | "V" | "TT") {
            of_moves.push((name, values));
        } else {
            unchecked.root(name, &values)?;
        }
    }
    let mut game = unchecked.begin()?;
    play(&mut game, of_moves)?;
    for node in nodes {
        play(&mut game, node)?;
    }
    // Cassio writes `B+` whoever has won: where the game is over the board tells.
    if let (Some(score), Some(result)) =
        (game.final_score().map(|result| result.score), &mut game.tags.result)
        && result.ending == Ending::Played
        && result.score.centidiscs().abs() == score.centidiscs().abs()
    {
        result.score = score;
    }
    if let Some(result) = unchecked.exact_result {
        game.tags.result = Some(result);
    }
    Ok(game)
}

impl Unchecked {
    fn root(&mut self, name: String, values: &[String]) -> Result<(), SgfError> {
        let value = values.first().map(String::as_str).unwrap_or_default();
        let faulty = || SgfError::Value { property: name.clone(), text: excerpt(value) };
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        let tags = &mut self.game.tags;
        let clock = || -> Result<Option<GameClock>, SgfError> {
            if value.is_empty() { Ok(None) } else { ggf::read_clock(value).map(Some).ok_or_else(faulty) }
        };
        match name.as_str() {
            "GM" if ["2", "othello", "reversi"].iter().any(|game| value.eq_ignore_ascii_case(game)) => {}
            "GM" => return Err(SgfError::Kind { text: excerpt(value) }),
            "SZ" if matches!(value, "8" | "8:8" | "") => {}
            "SZ" => return Err(SgfError::Size { text: excerpt(value) }),
            "FF" | "CA" | "ST" => {}
            "PB" => tags.black.name = text(),
            "PW" => tags.white.name = text(),
            "PC" => tags.place = text(),
            "EV" => self.event = text(),
            "DT" => tags.date = text(),
            "BR" | "WR" if is_no_rating(value) => tags.keep(&name, value),
            "BR" => tags.black.rating = number::read(value).or(tags.black.rating),
            "WR" => tags.white.rating = number::read(value).or(tags.white.rating),
            // What is left at the start is the same as all there is.
            "BL" | "WL" => {}
            "TM" => {
                let main = match value {
                    "" => None,
                    value => Some(number::read_seconds(value).ok_or_else(faulty)?),
                };
                let clock =
                    |main| GameClock { main, increment: Duration::ZERO, grace: GameClock::USUAL_GRACE };
                tags.clock = tags.clock.or(main.map(clock));
            }
            "TIGGF" => tags.clock = clock()?,
            "TBGGF" => tags.black.clock = clock()?,
            "TWGGF" => tags.white.clock = clock()?,
            "TYGGF" => tags.kind = text(),
            "RE" => match read_result(value) {
                Some(result) => tags.result = result,
                None => tags.keep(&name, value),
            },
            extra::RESULT => self.exact_result = ggf::read_result(value).ok_or_else(faulty)?,
            extra::SCORES => tags.scores = extra::read_scores(value).ok_or_else(faulty)?,
            "PL" => {
                self.to_play = Some(match value.as_bytes().first().map(u8::to_ascii_lowercase) {
                    Some(b'b' | b'1') => Color::Black,
                    Some(b'w' | b'2') => Color::White,
                    _ => return Err(faulty()),
                });
            }
            "AB" => self.black |= stones(&name, values)?,
            "AW" => self.white |= stones(&name, values)?,
            "AE" => {
                let cleared = stones(&name, values)?;
                self.black &= !cleared;
                self.white &= !cleared;
            }
            "C" => tags.comments.extend(text().map(|text| (0, text))),
            _ => values.iter().for_each(|value| tags.keep(&name, value)),
        }
        Ok(())
    }

    /// The game before its first move.
    fn begin(&mut self) -> Result<Game, SgfError> {
        let start = if (self.black | self.white).is_empty() {
            Position::START
        } else {
            let side = self.to_play.unwrap_or(Color::Black);
            Position::from_discs(self.black, self.white, side).ok_or(SgfError::Stones)?
        };
        let mut game = Game::new(start);
        game.tags = std::mem::take(&mut self.game.tags);
        if let Some(event) = self.event.take() {
            match &game.tags.place {
                None => game.tags.place = Some(event),
                Some(_) => game.tags.keep("EV", &event),
            }
        }
        Ok(game)
    }
}

/// Plays the move of a node.
fn play(game: &mut Game, node: Node) -> Result<(), SgfError> {
    let (mut mv, mut eval, mut time, mut remarks) = (None, None, None, Vec::new());
    for (name, values) in node {
        let value = values.first().map(String::as_str).unwrap_or_default();
        let faulty = || SgfError::Value { property: name.clone(), text: excerpt(value) };
        match name.as_str() {
            "B" => mv = Some((Color::Black, value.to_owned())),
            "W" => mv = Some((Color::White, value.to_owned())),
            "V" => eval = read_value(value).ok_or_else(faulty)?,
            "TT" => time = Some(number::read_seconds(value).ok_or_else(faulty)?),
            "C" if !value.is_empty() => remarks.push(value.to_owned()),
            // Marks, times left and the like: of the moment they were made.
            _ => {}
        }
    }
    if let Some((color, text)) = mv {
        let number = game.discs_placed() + 1;
        let mv = read_move(&text).map_err(|error| SgfError::Unparsable { number, error })?;
        let own = |score: Score| if color == Color::Black { score } else { -score };
        let here = game.position();
        let passes = mv != Move::Pass && here.status() == Status::MustPass;
        match game.play_passing(RecordedMove { mv, eval: eval.map(own), time }) {
            // Passes after the end of the game mean nothing.
            Err(IllegalMove::GameOver) if mv == Move::Pass => {}
            _ if (here.side() == color) == passes => return Err(SgfError::Turn { number, color }),
            Ok(()) => {}
            Err(reason) => return Err(SgfError::Illegal(IllegalAt { number, mv, reason })),
        }
    }
    let discs = game.discs_placed();
    game.tags.comments.extend(remarks.into_iter().map(|text| (discs, text)));
    Ok(())
}

/// `f5`, or `fe` as in Go; a pass is empty or `tt`.
fn read_move(text: &str) -> Result<Move, MoveError> {
    match text {
        "" | "tt" | "TT" => Ok(Move::Pass),
        _ => match point(text) {
            Some(square) => Ok(Move::Place(square)),
            None => moves::read(text),
        },
    }
}

fn point(text: &str) -> Option<Square> {
    if let Ok(square) = text.trim().parse() {
        return Some(square);
    }
    let [column, row] = text.trim().to_ascii_lowercase().as_bytes().try_into().ok()?;
    Square::at(column.checked_sub(b'a')?, u8::checked_sub(row, b'a')?)
}

/// Stones: points, and rectangles `a1:c3`.
fn stones(name: &str, values: &[String]) -> Result<Bitboard, SgfError> {
    let mut set = Bitboard::EMPTY;
    for value in values.iter().filter(|value| !value.is_empty()) {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let faulty = || SgfError::Value { property: name.to_owned(), text: excerpt(value) };
        let (from, to) = (point(from).ok_or_else(faulty)?, point(to).ok_or_else(faulty)?);
        for row in from.row()..=to.row() {
            for square in (from.column()..=to.column()).filter_map(|column| Square::at(column, row)) {
                set |= Bitboard::of(square);
            }
        }
    }
    Ok(set)
}

/// A value for Black: `B+2.50`, `W+1`, `-3.5`, `0`; the inner nothing for one that is not known.
fn read_value(text: &str) -> Option<Option<Score>> {
    if matches!(text, "" | "?") {
        return Some(None);
    }
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'B' | b'b') => (1.0, &text[1..]),
        Some(b'W' | b'w') => (-1.0, &text[1..]),
        _ => (1.0, text),
    };
    Some(Score::from_discs(sign * number::read(rest)?))
}

/// Whether the value of a rating is there, but is no number.
pub(super) fn is_no_rating(text: &str) -> bool {
    !text.is_empty() && !number::read(text).is_some_and(f64::is_finite)
}

/// A result: `B+12`, `W+R`, `0`, `Draw`; the outer nothing for what is none, the inner for one that is not known.
pub(super) fn read_result(text: &str) -> Option<Option<GameResult>> {
    let played = |score| Some(Some(GameResult { score, ending: Ending::Played }));
    match text {
        "" | "?" | "Void" => return Some(None),
        "0" | "Draw" | "draw" => return played(Score::ZERO),
        _ => {}
    }
    let (winner, how) = text.split_once('+')?;
    let whole = match winner.trim() {
        "B" | "b" | "Black" => Score::MAX,
        "W" | "w" | "White" => Score::MIN,
        _ => return None,
    };
    let ending = match how.trim() {
        "R" | "Resign" => Ending::Resigned,
        "T" | "Time" => Ending::TimedOut,
        "F" | "Forfeit" => Ending::Left,
        "" => Ending::Played,
        score => {
            let score = Score::from_discs(number::read(score)?)?;
            return played(if whole == Score::MAX { score } else { -score });
        }
    };
    Some(Some(GameResult { score: whole, ending }))
}
