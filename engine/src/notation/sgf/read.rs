//! SGF to games.

use std::time::Duration;

use super::super::branches::Branches;
use super::super::error::ReadErrorCode::Sgf;
use super::super::split::{self, Syntax};
use super::super::tags::{self, Field};
use super::super::{NumberedGame, ReadError, moves, number};
use super::{FIELDS, property_name};
use crate::board::{Bitboard, Color, Move, Position, Square};
use crate::game::{Ending, Game, GameClock, GameResult, GameTree, RecordedMove, Tags};
use crate::score::Score;

/// Reads the games of a text one by one. An invalid game does not affect the others.
pub fn games(text: &str) -> impl Iterator<Item = NumberedGame> + '_ {
    const SYNTAX: Syntax = Syntax { nested: true, begins, resumes };
    split::games(text, &SYNTAX, read_one)
}

/// Returns `true` if the properties after an opening are those of a game and never those of a variation.
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

fn unclosed() -> ReadError {
    ReadError::new(Sgf, "the game does not end with `)`")
}

fn not_a_property(text: &str) -> ReadError {
    ReadError::quoting(Sgf, text, |text| format!("`{text}` is not a property like `PB[name]`"))
}

/// Reads a game with its variations, up to its `)`.
fn read_one(text: &str) -> Result<Game, ReadError> {
    let mut cursor = Cursor { rest: text };
    let mut tags = Tags::default();
    let (mut exact_result, mut begun, mut main) = (None, false, true);
    let mut branches = Branches::new(text, GameTree::default());
    let read = loop {
        let rest = cursor.rest.trim_start();
        let byte = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { break Err(unclosed()) };
        if !matches!(first, '(' | ')' | ';') {
            break Err(not_a_property(rest));
        }
        cursor.rest = &rest[1..];
        match first {
            '(' => branches.open(branches.at),
            ')' => {
                branches.close(byte);
                // Everything after the end of the first variation is in another one.
                main = false;
                if branches.depth() == 0 {
                    break Ok(());
                }
            }
            _ => {
                let node = match cursor.node() {
                    Ok(_) if branches.is_skipping() => continue,
                    Ok(node) if begun => node,
                    Ok(node) => {
                        begun = true;
                        let of_move = |(name, _): &(String, Vec<String>)| {
                            matches!(name.as_str(), "B" | "W" | "V" | "TT")
                        };
                        let (first_move, properties) = node.into_iter().partition(of_move);
                        let root = Root::read(properties)?;
                        exact_result = root.exact_result;
                        (branches.tree, tags) = root.begin()?;
                        first_move
                    }
                    Err(error) => break Err(error),
                };
                if let Err(error) = play(&mut branches, node).or_else(|e| branches.fail(main, byte, e)) {
                    break Err(error);
                }
            }
        }
    };
    let mut game = branches.game(&tags);
    if let Err(error) = read {
        return Err(error.after(&game));
    }
    // Cassio writes `B+` for every winner. If the game is over, the board decides.
    if let (Some(end), Some(result)) = (game.final_score(), &mut game.tags.result)
        && result.ending == Ending::Played
        && result.score.centidiscs().abs() == end.score.centidiscs().abs()
    {
        result.score = end.score;
    }
    game.tags.result = exact_result.or(game.tags.result);
    Ok(game)
}

impl Cursor<'_> {
    fn node(&mut self) -> Result<Node, ReadError> {
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
                let (value, after) = unescaped(value).ok_or_else(unclosed)?;
                values.push(value);
                rest = after;
            }
            if values.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(not_a_property(text));
            }
            self.rest = rest;
            node.push((property_name(name), values));
        }
    }
}

/// A value up to its `]`, and the text after it.
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

/// The properties of the root.
#[derive(Default)]
struct Root {
    tags: Tags,
    black: Bitboard,
    white: Bitboard,
    to_play: Option<Color>,
    event: Option<String>,
    exact_result: Option<GameResult>,
}

impl Root {
    fn read(properties: Node) -> Result<Root, ReadError> {
        let mut root = Root::default();
        for (name, values) in properties {
            root.take(&name, &values)?;
        }
        Ok(root)
    }

    fn take(&mut self, name: &str, values: &[String]) -> Result<(), ReadError> {
        let value = values.first().map(String::as_str).unwrap_or_default();
        let invalid = || ReadError::value(Sgf, name, value);
        let quoting = |message: fn(&str) -> String| Err(ReadError::quoting(Sgf, value, message));
        let text = || (!value.is_empty()).then(|| value.to_owned());
        let tags = &mut self.tags;
        match name {
            "GM" if ["2", "othello", "reversi"].iter().any(|game| value.eq_ignore_ascii_case(game)) => {}
            "GM" => return quoting(|value| format!("GM: the game is `{value}`, not Othello (2)")),
            "SZ" if matches!(value, "8" | "8:8" | "") => {}
            "SZ" => return quoting(|value| format!("SZ: the board `{value}` is not an 8x8 one")),
            // The time left at the start is the whole time.
            "FF" | "CA" | "ST" | "BL" | "WL" => {}
            "EV" => self.event = text(),
            "TM" if value.is_empty() => {}
            "TM" => {
                let main = number::read_seconds(value).ok_or_else(invalid)?;
                let (increment, grace) = (Duration::ZERO, GameClock::USUAL_GRACE);
                tags.clock = tags.clock.or(Some(GameClock { main, increment, grace }));
            }
            "RE" => match read_result(value) {
                Some(result) => tags.result = result,
                None => tags.keep(name, value),
            },
            tags::RESULT => self.exact_result = tags::read_result(value).ok_or_else(invalid)?,
            "PL" => {
                self.to_play = Some(match value.as_bytes().first().map(u8::to_ascii_lowercase) {
                    Some(b'b' | b'1') => Color::Black,
                    Some(b'w' | b'2') => Color::White,
                    _ => return Err(invalid()),
                });
            }
            "AB" => self.black |= stones(name, values)?,
            "AW" => self.white |= stones(name, values)?,
            "AE" => {
                let cleared = stones(name, values)?;
                self.black &= !cleared;
                self.white &= !cleared;
            }
            "C" => tags.comments.extend(text().map(|text| (0, text))),
            _ => match tags::field(&FIELDS, name) {
                Some(field @ Field::Rating(_)) if field.read(tags, value).is_none() => tags.keep(name, value),
                Some(field) => field.read(tags, value).ok_or_else(invalid)?,
                None => values.iter().for_each(|value| tags.keep(name, value)),
            },
        }
        Ok(())
    }

    /// The tree before its first move, and the tags.
    fn begin(mut self) -> Result<(GameTree, Tags), ReadError> {
        let start = if (self.black | self.white).is_empty() {
            Position::START
        } else {
            let side = self.to_play.unwrap_or(Color::Black);
            Position::from_discs(self.black, self.white, side)
                .ok_or_else(|| ReadError::new(Sgf, "AB, AW: one square has stones of both sides"))?
        };
        match self.event {
            Some(event) if self.tags.place.is_some() => self.tags.keep("EV", &event),
            event => self.tags.place = self.tags.place.or(event),
        }
        let mut tree = GameTree::new(start);
        tree.comments_mut(0).extend(self.tags.comments.drain(..).map(|(_, text)| text));
        Ok((tree, self.tags))
    }
}

/// Plays the move of a node and stores its comments.
fn play(branches: &mut Branches<'_>, node: Node) -> Result<(), ReadError> {
    let (mut mv, mut eval, mut time, mut comments) = (None, None, None, Vec::new());
    for (name, values) in node {
        let value = values.into_iter().next().unwrap_or_default();
        let invalid = || ReadError::value(Sgf, &name, &value);
        match name.as_str() {
            "B" => mv = Some((Color::Black, value)),
            "W" => mv = Some((Color::White, value)),
            "V" => eval = read_value(&value).ok_or_else(invalid)?,
            "TT" => time = Some(number::read_seconds(&value).ok_or_else(invalid)?),
            "C" if !value.is_empty() => comments.push(value),
            // Marks, times left and other properties of the moment.
            _ => {}
        }
    }
    if let Some((color, text)) = mv {
        let number = branches.tree.discs_placed(branches.at) + 1;
        let mv = read_move(&text)
            .map_err(|error| error.within(Sgf, format_args!("move {number}")).at_move(number))?;
        let eval = eval.map(|score: Score| color.for_black(score));
        moves::check_side(&branches.tree.recorded(branches.at), color, mv, number, Sgf)?;
        branches.play(RecordedMove { mv, eval, time })?;
    }
    branches.tree.comments_mut(branches.at).extend(comments);
    Ok(())
}

/// `f5`, or `fe` as in Go. A pass is empty or `tt`.
fn read_move(text: &str) -> Result<Move, ReadError> {
    match text {
        "" | "tt" | "TT" => Ok(Move::Pass),
        _ => point(text).map_or_else(|| moves::read(text), |square| Ok(Move::Place(square))),
    }
}

fn point(text: &str) -> Option<Square> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let [column, row] = text.to_ascii_lowercase().as_bytes().try_into().ok()?;
        Square::at(u8::checked_sub(column, b'a')?, u8::checked_sub(row, b'a')?)
    })
}

/// Stones: points, and rectangles `a1:c3`.
fn stones(name: &str, values: &[String]) -> Result<Bitboard, ReadError> {
    let mut set = Bitboard::EMPTY;
    for value in values.iter().filter(|value| !value.is_empty()) {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let corners = point(from).zip(point(to));
        let (from, to) = corners.ok_or_else(|| ReadError::value(Sgf, name, value))?;
        for row in from.row()..=to.row() {
            for square in (from.column()..=to.column()).filter_map(|column| Square::at(column, row)) {
                set |= Bitboard::of(square);
            }
        }
    }
    Ok(set)
}

/// Reads a value for Black: `B+2.50`, `W+1`, `-3.5`, `0`. `Some(None)` if it is unknown. `None` if the text is invalid.
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

/// Reads a result: `B+12`, `W+R`, `0`, `Draw`. `Some(None)` if it is unknown. `None` if the text is not a result.
pub(super) fn read_result(text: &str) -> Option<Option<GameResult>> {
    let played = |score| Some(Some(GameResult { score, ending: Ending::Played }));
    match text {
        "" | "?" | "Void" => return Some(None),
        "0" | "Draw" | "draw" => return played(Score::ZERO),
        _ => {}
    }
    let (winner, how) = text.split_once('+')?;
    let all_discs = match winner.trim() {
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
            return played(if all_discs == Score::MAX { score } else { -score });
        }
    };
    Some(Some(GameResult { score: all_discs, ending }))
}
