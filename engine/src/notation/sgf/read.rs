//! SGF to games.

use std::time::Duration;

use super::super::branches::Branches;
use super::super::error::ReadErrorCode::Sgf;
use super::super::split::{self, Syntax};
use super::super::tags;
use super::super::{NumberedGame, ReadError, clock, moves, number, transcript, words};
use super::{FIELDS, marks, point, points, property_name};
use crate::board::{Bitboard, Color, Move, Position};
use crate::game::{Ending, Game, GameClock, GameResult, GameTree, NodeId, RecordedMove, Tags};
use crate::score::Score;

/// Reads the games of a text one by one. An invalid game does not affect the others.
pub fn games(text: &str) -> impl Iterator<Item = NumberedGame> + '_ {
    const SYNTAX: Syntax = Syntax { nested: true, begins, resumes };
    split::games(text, &SYNTAX, read_one)
}

/// Returns `true` if the properties after an opening are those of a game and never those of a variation.
fn begins(text: &str, opening: usize) -> bool {
    let name = property_name(split::first_name(text, opening).0);
    matches!(name.as_str(), "GM" | "FF" | "SZ" | "CA" | "AP")
}

fn resumes(text: &str, opening: usize) -> bool {
    let begins_line = text[..opening].trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    let of_move = matches!(split::first_name(text, opening).0, "" | "B" | "W" | "C" | "N" | "V" | "TT");
    begins(text, opening) || (begins_line && !of_move)
}

/// Most tags and values of a game.
const MAX_VALUES: usize = 10_000;

struct Cursor<'a> {
    rest: &'a str,
}

fn unclosed() -> ReadError {
    ReadError::new(Sgf, "the game does not end with `)`")
}

fn not_a_property(text: &str) -> ReadError {
    ReadError::quoting(Sgf, text, "{} is not a property like `PB[name]`")
}

/// Reads a game with its variations, up to its `)`.
fn read_one(text: &str) -> Result<Game, ReadError> {
    let mut cursor = Cursor { rest: text };
    let mut reading = Reading {
        root: Root::default(),
        begun: false,
        branches: Branches::new(text, GameTree::default()),
        node: 0,
        main: true,
    };
    let read = loop {
        let rest = cursor.rest.trim_start();
        let byte = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { break Err(unclosed()) };
        if !matches!(first, '(' | ')' | ';') {
            break Err(not_a_property(rest));
        }
        cursor.rest = &rest[1..];
        let step = match first {
            '(' => {
                reading.branches.open(reading.branches.at);
                Ok(())
            }
            ')' => reading.begin(None).and_then(|()| {
                // Everything after the end of the first variation is in another one.
                reading.main = false;
                reading.branches.close(byte)
            }),
            _ => reading.node(&mut cursor, byte),
        };
        if step.is_err() || reading.branches.depth() == 0 {
            break step;
        }
    };
    let Reading { branches, root, .. } = reading;
    let mut game = branches.game(&root.tags);
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
    game.tags.result = root.exact_result.or(game.tags.result);
    Ok(game)
}

impl<'a> Cursor<'a> {
    /// The next property of a node: its name and values. `None` at the end of the node.
    fn property(&mut self) -> Result<Option<(&'a str, Vec<String>)>, ReadError> {
        let text = self.rest.trim_start();
        self.rest = text;
        if text.starts_with([';', '(', ')']) || text.is_empty() {
            return Ok(None);
        }
        let (name, mut rest) = words::name(text);
        let mut values = Vec::new();
        while let Some(value) = rest.trim_start().strip_prefix('[') {
            let (value, after) = unescaped(value).ok_or_else(unclosed)?;
            values.push(value);
            rest = after;
            if values.len() > MAX_VALUES {
                return Err(ReadError::too_many(MAX_VALUES, "values of one property"));
            }
        }
        if values.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(not_a_property(text));
        }
        self.rest = rest;
        Ok(Some((name, values)))
    }
}

/// A value up to its `]`, and the text after it. White space at its ends is removed unless it is escaped.
fn unescaped(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut kept = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_escaped = character == '\\';
        let character = if is_escaped { characters.next()?.1 } else { character };
        let is_end = |c: char| matches!(c, '\n' | '\r');
        // A line end may have two characters.
        if is_end(character) {
            characters.next_if(|&(_, next)| is_end(next) && next != character);
        }
        match character {
            ']' if !is_escaped => {
                value.truncate(kept);
                return Some((value, &text[at + 1..]));
            }
            // The line goes on.
            _ if is_escaped && is_end(character) => continue,
            _ => value.push(if is_end(character) { '\n' } else { character }),
        }
        if is_escaped || !character.is_whitespace() {
            kept = value.len();
        } else if kept == 0 {
            value.clear();
        }
    }
    None
}

/// A game of which a part is read.
struct Reading<'a> {
    root: Root,
    /// The start position is fixed: a move was read, or the end of the first variation.
    begun: bool,
    branches: Branches<'a>,
    /// The number of the node, from 1.
    node: usize,
    /// The reader is in the first variation.
    main: bool,
}

/// The properties of a node with a move.
#[derive(Default)]
struct Node {
    mv: Option<(Color, String)>,
    eval: Option<Score>,
    time: Option<Duration>,
    comments: Vec<String>,
    marks: Vec<(&'static str, String)>,
}

impl Reading<'_> {
    /// Reads a node and plays its move. `byte` is where the node begins.
    fn node(&mut self, cursor: &mut Cursor<'_>, byte: usize) -> Result<(), ReadError> {
        self.node += 1;
        self.root.added = [Bitboard::EMPTY; 2];
        let mut node = Node::default();
        let mut read = Ok(());
        while let Some((name, values)) = cursor.property()? {
            if read.is_ok() && !self.branches.is_skipping() {
                read = self.take(&mut node, &property_name(name), values);
            }
        }
        if self.branches.is_skipping() {
            return Ok(());
        }
        // Errors in the root concern the whole game.
        let of_game = !self.begun && node.mv.is_none();
        let read = read.and_then(|()| self.play(node));
        if of_game { read } else { read.or_else(|error| self.branches.fail(self.main, byte, error)) }
    }

    /// Takes a property. Before the first move, it belongs to the game.
    fn take(&mut self, node: &mut Node, name: &str, values: Vec<String>) -> Result<(), ReadError> {
        let value = || values.first().cloned().unwrap_or_default();
        let invalid = || ReadError::value(Sgf, name, &value());
        match name {
            "B" => node.mv = Some((Color::Black, value())),
            "W" => node.mv = Some((Color::White, value())),
            "V" => node.eval = read_value(&value()).ok_or_else(invalid)?,
            "TT" => node.time = Some(clock::read_time(&value()).ok_or_else(invalid)?),
            "C" => {
                node.comments.extend(values.into_iter().filter(|value| !value.is_empty()));
                let is_most = node.comments.len() <= MAX_VALUES;
                return is_most.then_some(()).ok_or_else(|| ReadError::too_many(MAX_VALUES, "comments"));
            }
            _ if marks::NAMES.contains(&name) => {
                for value in &values {
                    let read = marks::from_property(name, value);
                    if read.is_empty() || node.marks.len() + read.len() > marks::MAX_MARKS {
                        self.note("marks", name);
                    } else {
                        node.marks.extend(read);
                    }
                }
                return Ok(());
            }
            // Properties of the first move are not those of the game.
            _ if !self.begun
                && (self.node == 1 || node.mv.is_none() || matches!(name, "AB" | "AW" | "AE")) =>
            {
                return self.root.take(name, &values);
            }
            "AB" | "AW" | "AE" => {
                let message = format!("node {}: {name}: stones are set up after a move", self.node);
                return Err(ReadError::new(Sgf, message));
            }
            "PL" if node.mv.is_none() => {
                let side = self.branches.tree.position(self.branches.at).side();
                if read_side(&value()).ok_or_else(invalid)? != side {
                    let message = format!("node {}: PL: it is not that side's turn", self.node);
                    return Err(ReadError::new(Sgf, message));
                }
            }
            // Times left and other properties of the moment.
            _ => {
                self.note("properties of moves", name);
                return Ok(());
            }
        }
        if values.len() > 1 {
            self.note("further values of a property", name);
        }
        Ok(())
    }

    fn note(&mut self, kind: &'static str, name: &str) {
        let node = self.node;
        self.root.tags.drop_part(kind, || format!("node {node}: {name}"));
    }

    /// Plays the move of a node and stores its comments.
    fn play(&mut self, node: Node) -> Result<(), ReadError> {
        let Node { mv, eval, time, mut comments, marks } = node;
        marks::add(&mut comments, &marks);
        // Those of the first node are about the game.
        if !self.begun && (mv.is_none() || self.node == 1) {
            comments = self.root.comment(comments)?;
        }
        if let Some((color, text)) = mv {
            self.begin(Some((color, &text)))?;
            let branches = &mut self.branches;
            let number = branches.tree.discs_placed(branches.at) + 1;
            let mv = read_move(&text)
                .map_err(|error| error.within(Sgf, format_args!("move {number}")).at_move(number))?;
            let eval = eval.map(|score: Score| color.for_black(score));
            moves::check_side(&branches.tree.recorded(branches.at), color, mv, number, Sgf)?;
            branches.play(RecordedMove { mv, eval, time })?;
        } else if eval.is_some() || time.is_some() {
            self.note("values and times without a move", "V, TT");
        }
        comments.into_iter().try_for_each(|text| self.branches.comment(text))
    }

    /// Fixes the start position. `first` is the first move.
    fn begin(&mut self, first: Option<(Color, &str)>) -> Result<(), ReadError> {
        if !self.begun {
            self.begun = true;
            self.branches.tree = self.root.begin(first)?;
        }
        Ok(())
    }
}

/// The properties of the game.
#[derive(Default)]
struct Root {
    tags: Tags,
    /// Black and white stones that are set up.
    stones: Option<[Bitboard; 2]>,
    /// Those of the current node.
    added: [Bitboard; 2],
    to_play: Option<Color>,
    event: Option<String>,
    exact_result: Option<GameResult>,
    /// The game or the size of its board is given.
    is_named: bool,
    /// A property or a point as only Go has it.
    of_go: bool,
    values: usize,
}

impl Root {
    fn take(&mut self, name: &str, values: &[String]) -> Result<(), ReadError> {
        self.values += values.len();
        if self.values > MAX_VALUES {
            return Err(ReadError::too_many(MAX_VALUES, "values"));
        }
        let value = values.first().map(String::as_str).unwrap_or_default();
        let invalid = || ReadError::value(Sgf, name, value);
        let quoting = |message| Err(ReadError::quoting(Sgf, value, message));
        let text = || (!value.is_empty()).then(|| value.to_owned());
        let tags = &mut self.tags;
        let points = matches!(name, "AB" | "AW" | "AE");
        self.is_named |= matches!(name, "GM" | "SZ");
        self.of_go |=
            matches!(name, "KM" | "HA" | "RU") || (points && values.iter().any(|value| is_letters(value)));
        match name {
            "GM" if words::is_in("2|othello|reversi", value) => {}
            "GM" => return quoting("GM: the game is {}, not Othello (2)"),
            "SZ" if matches!(value, "8" | "8:8" | "") => {}
            "SZ" => return quoting("SZ: the board {} is not an 8x8 one"),
            // The time left at the start is the whole time.
            "FF" | "CA" | "ST" | "BL" | "WL" => {}
            "EV" => self.event = text(),
            "TM" if value.is_empty() => {}
            "TM" => {
                let Some(main) = number::read_seconds(value) else {
                    tags.keep(name, value);
                    return Ok(());
                };
                let (increment, grace) = (Duration::ZERO, GameClock::USUAL_GRACE);
                tags.clock = tags.clock.or(Some(GameClock { main, increment, grace }));
            }
            "RE" => match read_result(value) {
                Some(result) => tags.result = result,
                None => tags.keep(name, value),
            },
            tags::RESULT => self.exact_result = tags::read_result(value).ok_or_else(invalid)?,
            "PL" => self.to_play = Some(read_side(value).ok_or_else(invalid)?),
            _ if points => {
                let set = stones(name, values)?;
                // Stones are removed from the usual start if none are set up.
                let base = if name == "AE" { usual_stones() } else { [Bitboard::EMPTY; 2] };
                let [black, white] = self.stones.get_or_insert(base);
                let [added_black, added_white] = &mut self.added;
                // A stone replaces one of an earlier node, but not one of its own node.
                match name {
                    "AB" => {
                        (*black, *white) = (*black | set, *white & (!set | *added_white));
                        *added_black |= set;
                    }
                    "AW" => {
                        (*black, *white) = (*black & (!set | *added_black), *white | set);
                        *added_white |= set;
                    }
                    _ => (*black, *white) = (*black & !set, *white & !set),
                }
                return Ok(());
            }
            _ => match tags::field(&FIELDS, name) {
                Some(field) => tags::take(tags, field, Sgf, name, value)?,
                None => {
                    values.iter().for_each(|value| tags.keep(name, value));
                    return Ok(());
                }
            },
        }
        if values.len() > 1 {
            tags.drop_part("further values of a property", || format!("node 1: {name}"));
        }
        Ok(())
    }

    /// Takes comments before the first move. Returns an empty list.
    fn comment(&mut self, comments: Vec<String>) -> Result<Vec<String>, ReadError> {
        self.values += comments.len();
        if self.values > MAX_VALUES {
            return Err(ReadError::too_many(MAX_VALUES, "values"));
        }
        self.tags.comments.extend(comments.into_iter().map(|text| (0, text)));
        Ok(Vec::new())
    }

    /// The tree before its first move.
    fn begin(&mut self, first: Option<(Color, &str)>) -> Result<GameTree, ReadError> {
        if !self.is_named && (self.of_go || first.is_some_and(|(_, mv)| is_letters(mv))) {
            let message = "GM: missing, and the game looks like Go: Othello is GM[2]";
            return Err(ReadError::new(Sgf, message));
        }
        let stones = self.stones.filter(|[black, white]| !(*black | *white).is_empty());
        let start = match (stones, self.to_play, first) {
            (None, None, Some((_, mv))) => read_move(mv).map_or(Position::START, transcript::start_of),
            (stones, side, first) => {
                let [black, white] = stones.unwrap_or_else(usual_stones);
                // Without a side to move, the first move has it.
                let side = side.or(first.map(|(color, _)| color)).unwrap_or(Color::Black);
                Position::from_discs(black, white, side)
                    .ok_or_else(|| ReadError::new(Sgf, "AB, AW: one square has stones of both sides"))?
            }
        };
        match self.event.take() {
            Some(event) if self.tags.place.is_some() => self.tags.keep("EV", &event),
            event => self.tags.place = self.tags.place.take().or(event),
        }
        let mut tree = GameTree::new(start);
        tree.comments_mut(NodeId::ROOT).extend(self.tags.comments.drain(..).map(|(_, text)| text));
        Ok(tree)
    }
}

fn usual_stones() -> [Bitboard; 2] {
    [Color::Black, Color::White].map(|color| Position::START.discs(color))
}

fn read_side(value: &str) -> Option<Color> {
    match value.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'b' | b'1') => Some(Color::Black),
        Some(b'w' | b'2') => Some(Color::White),
        _ => None,
    }
}

/// Returns `true` for a point as in Go, which ends in a letter.
fn is_letters(point: &str) -> bool {
    point.len() > 1
        && point != "pa"
        && !point.eq_ignore_ascii_case("tt")
        && point.bytes().all(|c| c.is_ascii_alphabetic() || c == b':')
}

/// `f5`, or `fe` as in Go. A pass is empty or `tt`.
fn read_move(text: &str) -> Result<Move, ReadError> {
    match text {
        "" | "tt" | "TT" => Ok(Move::Pass),
        _ => point(text).map_or_else(|| moves::read(text), |square| Ok(Move::Place(square))),
    }
}

/// The points of all values.
fn stones(name: &str, values: &[String]) -> Result<Bitboard, ReadError> {
    let values = values.iter().filter(|value| !value.is_empty());
    let invalid = |value: &String| ReadError::value(Sgf, name, value);
    values
        .map(|value| points(value).ok_or_else(|| invalid(value)))
        .try_fold(Bitboard::EMPTY, |set, more| Ok(set | more?))
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
            let score = tags::read_score(score)?;
            return played(if all_discs == Score::MAX { score } else { -score });
        }
    };
    Some(Some(GameResult { score: all_discs, ending }))
}
