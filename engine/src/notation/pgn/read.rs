//! PGN to games.

use std::time::Duration;

use super::super::branches::Branches;
use super::super::error::ReadErrorCode::Pgn;
use super::super::result_line::Stated;
use super::super::transcript::{self, JUDGEMENTS, NUMBERS, Numbering, Part};
use super::super::{
    NumberedGame, ReadError, clock, escape, fen, labels, moves, number, squares, tags, words,
};
use super::headers::{Headers, header};
use super::{is_anti, is_known_variant};
use crate::board::Square;
use crate::game::{Ending, Game, GameResult, GameTree, NodeId, RecordedMove, Tags};
use crate::score::Score;

/// Reads the games of a file one by one. An invalid game does not affect the others.
///
/// A game begins with its headers: a line that begins with `[` after one that does not.
pub fn games(text: &str) -> impl Iterator<Item = NumberedGame> + '_ {
    split(text, end_of_game)
        .map(|(number, line, text)| (number, line, read(text, Source::File).map(|read| read.game)))
}

/// The text of each game, with its number and the number of its first line. `end` is where the first game of a text ends.
pub(super) fn split(text: &str, end: fn(&str) -> usize) -> impl Iterator<Item = (usize, usize, &str)> {
    let (mut rest, mut number, mut line) = (text.strip_prefix('\u{feff}').unwrap_or(text), 0, 1);
    std::iter::from_fn(move || {
        let game = after_blank(rest);
        let begun = line + lines(&rest[..rest.len() - game.len()]);
        let (one, after) = game.split_at(end(game));
        number += 1;
        line = begun + lines(one);
        rest = after;
        (!one.is_empty()).then_some((number, begun, one))
    })
}

/// The text after white space and lines that begin with `%`, which are comments.
fn after_blank(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('%') {
        rest = after_line(rest).trim_start();
    }
    rest
}

fn after_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, after)| after)
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Where the headers of the next game begin. Headers after a blank line always begin a game, so that a comment that is not
/// closed ends with its game.
fn end_of_game(text: &str) -> usize {
    let (mut at, mut moves, mut comment, mut blank) = (0, false, false, false);
    for line in text.split_inclusive('\n') {
        let opens = opens_header(line.trim_start());
        let begins = opens && (!comment || (blank && after_headers(line.trim()) == Some("")));
        if (moves && begins) || (blank && line.starts_with("[Event ")) {
            return at;
        }
        blank = line.trim().is_empty();
        if comment || !line.starts_with('%') {
            let rest = if moves { line } else { after_headers(line).unwrap_or_default() };
            moves |= !rest.trim().is_empty();
            for character in rest.chars() {
                comment = if comment { character != '}' } else { character == '{' };
            }
        }
        at += line.len();
    }
    at
}

/// A game that was read.
pub(super) struct Read {
    pub(super) game: Game,
    /// The start position is given.
    pub(super) is_given: bool,
    /// Only the winner of the game is known, not the score.
    pub(super) is_winner: bool,
}

/// Where a text is from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A part that cannot be read is an error.
    File,
    Paste,
}

pub(super) fn read(text: &str, source: Source) -> Result<Read, ReadError> {
    let mut rest = after_blank(text);
    let mut headers = Headers { all: Vec::new(), tags: Tags::default() };
    let mut comments = Vec::new();
    while opens_header(rest) {
        let after = match header(rest) {
            Ok((mut header, after)) => {
                let is_unknown = !is_anti(&header.value) && !is_known_variant(&header.value);
                if source == Source::Paste && is_unknown && header.name.eq_ignore_ascii_case("Variant") {
                    header.name.insert_str(0, "X_");
                }
                headers.all.push(header);
                after
            }
            Err(error) if source == Source::File => return Err(error),
            Err(_) => {
                comments.extend(rest.lines().next());
                after_line(rest)
            }
        };
        if headers.all.len() > MAX_HEADERS {
            return Err(ReadError::too_many(MAX_HEADERS, "headers"));
        }
        rest = after_blank(after);
    }
    headers.take()?;
    let start = match headers.get("FEN") {
        Some(text) => {
            let start = fen::read(text).or_else(|error| squares::read(text).map_err(|_| error));
            Some(start.map_err(|error| error.within(Pgn, format_args!("FEN")))?)
        }
        None => None,
    };
    let exact = headers.get(tags::RESULT).map(str::to_owned);
    let exact_result = exact.as_deref().and_then(tags::read_result);
    if let (Some(text), None) = (&exact, exact_result) {
        headers.tags.drop_text(RESULTS, text);
    }
    let exact_result = exact_result.flatten();
    // `34:30` would be read as a time.
    let (moves, count) = labels::before_count(rest);
    let count = count.map(|_| rest[moves.len()..].trim());
    let rest = if count.is_some() || source == Source::Paste { moves } else { rest };
    let mut board = Board {
        branches: Branches::new(rest, GameTree::new(start.unwrap_or_default())),
        given: start.is_some(),
        result: count,
        fresh: true,
        numbering: Numbering::default(),
        tags: std::mem::take(&mut headers.tags),
    };
    board.branches.has_words = true;
    let read = comments.into_iter().try_for_each(|line| board.comment(line));
    let read = read.and_then(|()| board.read(Tokens { text: rest, at: 0, depth: 0, source }));
    let Board { branches, given, result, tags, .. } = board;
    let mut game = branches.game(&tags);
    read.map_err(|error| error.after(&game))?;
    let mut is_winner = false;
    let header = headers.get("Result");
    for text in [header, result].into_iter().flatten() {
        let result = result_of(&game, text);
        let is_unknown = matches!(text, "*" | "0-0");
        if (result.is_none() && !is_unknown)
            || (result.is_some() && game.tags.result.is_some_and(|old| Some(old) != result))
        {
            game.tags.drop_text(RESULTS, text);
        }
        if game.tags.result.is_none() {
            game.tags.result = result;
            is_winner = result.is_some_and(|result| !matches!(result.ending, Ending::Played));
        }
    }
    game.tags.result = exact_result.or(game.tags.result);
    Ok(Read { game, is_given: given, is_winner: is_winner && exact_result.is_none() })
}

/// Returns `true` if the text begins like a header and not with a final count.
pub(super) fn opens_header(text: &str) -> bool {
    text.starts_with('[') && count_until(text, ']').is_none()
}

/// The text after the headers of a line. `None` if one is invalid.
pub(super) fn after_headers(line: &str) -> Option<&str> {
    let mut rest = line;
    while opens_header(rest.trim_start()) {
        (_, rest) = header(rest.trim_start()).ok()?;
    }
    Some(rest)
}

/// A part of the text of the moves.
enum Token<'a> {
    Comment(&'a str),
    /// The opening bracket of a variation.
    Open,
    Close,
    /// A judgement of a move, such as `$1`.
    Sign(&'a str),
    /// A move with or without its number, several moves, a number, a time, or a result.
    Word(&'a str),
}

/// The parts of the text of the moves, each with its first byte.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Number of open brackets.
    depth: usize,
    source: Source,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<(usize, Token<'a>), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?.trim_start();
            self.at = self.text.len() - rest.len();
            let Some(first) = rest.chars().next() else {
                self.depth = self.depth.checked_sub(1)?;
                return self.unclosed(Token::Close, "variation does not end with `)`");
            };
            let (token, length) = match first {
                '{' => match rest.find('}') {
                    Some(end) => (Some(Token::Comment(&rest[1..end])), end + 1),
                    None => {
                        let comment = Token::Comment(&rest[1..]);
                        return self.unclosed(comment, "comment does not end with `}`");
                    }
                },
                ';' => match separator(rest).filter(|_| self.source == Source::Paste) {
                    Some(length) => (None, length),
                    None => {
                        let comment = before_closing(rest, self.depth);
                        (Some(Token::Comment(&comment[1..])), comment.len())
                    }
                },
                '%' if self.begins_line() => (None, rest.len() - after_line(rest).len()),
                '$' => {
                    let length = 1 + words::digits(&rest[1..]);
                    (Some(Token::Sign(&rest[..length])), length)
                }
                '(' => match count_until(rest, ')') {
                    Some(count) => (Some(Token::Word(count.trim())), count.len() + 2),
                    None => {
                        self.depth += 1;
                        (Some(Token::Open), 1)
                    }
                },
                ')' if self.depth > 0 => {
                    self.depth -= 1;
                    (Some(Token::Close), 1)
                }
                _ => {
                    let ends =
                        |c: char| c.is_whitespace() || "{};($".contains(c) || (c == ')' && self.depth > 0);
                    let end = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
                    (Some(Token::Word(&rest[..end])), end)
                }
            };
            let start = self.at;
            self.at += length;
            if let Some(token) = token {
                return Some(Ok((start, token)));
            }
        }
    }
}

impl<'a> Tokens<'a> {
    /// Ends the text at a part that is not closed: an error in a file, otherwise the token that closes it.
    fn unclosed(&mut self, token: Token<'a>, error: &str) -> Option<Result<(usize, Token<'a>), ReadError>> {
        self.at = self.text.len();
        let is_error = self.source == Source::File;
        Some(if is_error { Err(ReadError::new(Pgn, format!("a {error}"))) } else { Ok((self.at, token)) })
    }

    fn begins_line(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }
}

/// The length of `;` between moves with the number after it. `None` if a word follows that is not a move.
fn separator(text: &str) -> Option<usize> {
    let mut before = ' ';
    let rest = text.trim_start_matches(|c: char| {
        // `2)` is a number, a bracket alone ends a variation.
        let is_number = before.is_ascii_digit() && c == ')';
        before = c;
        is_number || c.is_ascii_digit() || " .,:;".contains(c)
    });
    let word = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    let square = word.get(..2).is_some_and(|square| square.parse::<Square>().is_ok());
    (word.is_empty() || square || moves::parse(word).is_some()).then_some(text.len() - rest.len())
}

/// The count in `(34 - 30)`, which is not a variation, or `[34-30]`, which is not a header.
fn count_until(text: &str, closing: char) -> Option<&str> {
    let inside = text[1..].split(|c: char| !c.is_ascii_digit() && !" -–—:".contains(c)).next()?;
    let closed = text[1 + inside.len()..].starts_with(closing);
    (closed && inside.bytes().any(|c| c.is_ascii_digit())).then_some(inside)
}

/// The comment that begins a text: to the end of the line, or to the closing bracket of the variation that it is in.
fn before_closing(text: &str, depth: usize) -> &str {
    let mut open = depth.min(1) as i64 - 1;
    let ends = |c: char| {
        open += i64::from(c == '(') - i64::from(c == ')');
        c == '\n' || (depth > 0 && open < 0)
    };
    text.find(ends).map_or(text, |end| &text[..end])
}

/// The kind of results that are not kept.
const RESULTS: &str = "results that cannot be read or differ";

/// Most headers of a game.
const MAX_HEADERS: usize = 10_000;

/// A tree whose moves are played as they are read.
struct Board<'a> {
    branches: Branches<'a>,
    /// The start position is given.
    given: bool,
    /// The result among the moves.
    result: Option<&'a str>,
    /// No move was read since the last bracket.
    fresh: bool,
    numbering: Numbering,
    tags: Tags,
}

impl<'a> Board<'a> {
    fn read(&mut self, tokens: Tokens<'a>) -> Result<(), ReadError> {
        for token in tokens {
            let (start, token) = token?;
            let branches = &mut self.branches;
            match token {
                Token::Open => {
                    // The variation replaces the last move.
                    let replaced = branches.tree.parent(branches.at).filter(|_| !self.fresh);
                    branches.open(replaced.unwrap_or(branches.at));
                    self.fresh = true;
                }
                Token::Close => {
                    branches.close(start)?;
                    self.fresh = false;
                }
                _ if branches.is_skipping() => {}
                Token::Comment(text) => self.comment(text)?,
                Token::Sign(sign) => self.note(JUDGEMENTS, sign),
                Token::Word(word) => {
                    let main = branches.depth() == 0;
                    self.take(word).or_else(|error| self.branches.fail(main, start, error))?;
                }
            }
        }
        Ok(())
    }

    /// Notes a part that is not stored.
    fn note(&mut self, kind: &'static str, part: &str) {
        let number = self.branches.tree.discs_placed(self.branches.at);
        self.tags.drop_part(kind, || format!("move {number}: `{part}`"));
    }

    /// Takes a move with or without its number, several moves, a number, a time, or a result.
    fn take(&mut self, word: &'a str) -> Result<(), ReadError> {
        if is_result(word) {
            if self.branches.depth() > 0 || self.result.is_some_and(|result| result != word) {
                self.note("results of variations", word);
            } else {
                self.result = Some(word);
            }
            return Ok(());
        }
        let digits = words::digits(word);
        let dots = word[digits..].bytes().take_while(|&c| c == b'.').count();
        let whole = if dots > 0 { &word[digits + dots..] } else { word };
        let text = whole.trim_end_matches(['!', '?', '+', '#']);
        if text.len() < whole.len() {
            self.note(JUDGEMENTS, &whole[text.len()..]);
        }
        // A number, or signs alone; `0000` is a pass.
        if text.len() < 4 && text.bytes().all(|c| c.is_ascii_digit()) {
            let number = word[..digits].parse().unwrap_or_default();
            let has_moves = self.branches.tree.len() > 1;
            if digits > 0 && !self.numbering.take(number, dots > 0 || self.fresh, has_moves) {
                self.note(NUMBERS, word);
            }
            return Ok(());
        }
        // `D@f5`: the disc that is dropped.
        let text = match text.as_bytes() {
            [letter, b'@', _, _] if letter.is_ascii_alphabetic() => &text[2..],
            _ => text,
        };
        if let Some(mv) = moves::parse(text) {
            return self.place(mv.into());
        }
        // A number may end it.
        for part in transcript::Moves::new(&format!("{text} ")) {
            let number = self.branches.tree.discs_placed(self.branches.at) + 1;
            match part.map_err(|_| ReadError::unreadable(number, word))? {
                Part::Move(played, _) => self.place(played)?,
                Part::Value(value) => self.note("values of moves", value),
                Part::Unkept(kind, text) => self.note(kind, text),
                Part::Time(time, _) => match self.branches.tree.played_mut(self.branches.at) {
                    Some(last) if last.time.is_none() => last.time = Some(time),
                    _ => self.note("times without a move", text),
                },
            }
        }
        Ok(())
    }

    fn place(&mut self, played: RecordedMove) -> Result<(), ReadError> {
        let Branches { tree, .. } = &mut self.branches;
        let start = transcript::start_of(played.mv);
        if !self.given && tree.len() == 1 && start != tree.position(NodeId::ROOT) {
            let comments = std::mem::take(tree.comments_mut(NodeId::ROOT));
            *tree = GameTree::new(start);
            *tree.comments_mut(NodeId::ROOT) = comments;
        }
        self.fresh = false;
        self.branches.play(played)
    }

    /// Takes a comment: value and time of the move before it, as XBoard writes them or as `[%eval …] [%emt …]`, and words.
    fn comment(&mut self, text: &str) -> Result<(), ReadError> {
        let text = &*text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if is_meaningless(text) {
            return Ok(());
        }
        let Branches { tree, at, .. } = &mut self.branches;
        let last_side = match (tree.pass(*at), tree.parent(*at)) {
            (Some(_), _) => !tree.position(*at).side(),
            (None, parent) => tree.position(parent.unwrap_or_default()).side(),
        };
        if let Some(last) = tree.played_mut(*at)
            && let Some(Measured { eval, for_black, time, depth, rest }) = measured(text)
            && (last.eval.is_none() || eval.is_none())
            && (last.time.is_none() || time.is_none())
        {
            let eval = if for_black { eval.map(|eval| last_side.for_black(eval)) } else { eval };
            (last.eval, last.time) = (eval.or(last.eval), time.or(last.time));
            if depth > 0 {
                self.note("depths of evaluations", text);
            }
            return if rest.is_empty() { Ok(()) } else { self.comment(rest) };
        }
        self.branches.comment(escape::unescaped(text).into_owned())
    }
}

/// Returns `true` if a comment is empty or the diagram that XBoard draws of a start position.
pub(super) fn is_meaningless(text: &str) -> bool {
    text.is_empty() || (text.starts_with("-----") && text.ends_with("-----"))
}

fn is_result(word: &str) -> bool {
    word == "*" || (!word.contains(':') && labels::count(word).is_some())
}

/// The value and the time in a comment.
pub(super) struct Measured<'a> {
    eval: Option<Score>,
    /// The value is for Black, not for the side that moved.
    for_black: bool,
    time: Option<Duration>,
    /// The depth of the search, 0 if it is unknown.
    depth: u32,
    /// The text after them.
    rest: &'a str,
}

/// Reads `+0.50/12 3.4`, `+0.50/12` or the beginning `[%eval +0.50] [%emt 3.4]`.
pub(super) fn measured(text: &str) -> Option<Measured<'_>> {
    if text.starts_with("[%") {
        let (mut eval, mut time, mut rest) = (None, None, text);
        while let Some((part, after)) = rest.strip_prefix("[%").and_then(|rest| rest.split_once(']')) {
            match part.split_once(' ') {
                Some(("eval", value)) if eval.is_none() => {
                    eval = Some(Score::from_discs(number::read(value)?)?)
                }
                Some(("emt", value)) if time.is_none() => time = Some(clock::read_time(value)?),
                _ => break,
            }
            rest = after.trim_start();
        }
        return (rest.len() < text.len()).then_some(Measured { eval, for_black: true, time, depth: 0, rest });
    }
    let (value, rest) = text.split_once('/')?;
    if !value.starts_with(['+', '-', '0']) {
        return None;
    }
    let eval = Score::from_discs(number::read(value)?)?;
    let mut words = rest.split_whitespace();
    let depth = words.next()?.parse().ok()?;
    let time = match words.next() {
        None => None,
        Some(time) => Some(clock::read_time(time)?),
    };
    words.next().is_none().then_some(Measured { eval: Some(eval), for_black: false, time, depth, rest: "" })
}

/// Reads a result: the discs of Black and White, or the winner.
pub(super) fn result_of(game: &Game, text: &str) -> Option<GameResult> {
    let (first, second) = labels::count(text)?;
    if !matches!((first, second), (1, 0) | (0, 1)) {
        return Stated::counts(first, second).filter(|_| first + second > 3).map(Stated::result);
    }
    if let Some(result) = game.final_score() {
        return Some(GameResult { ending: Ending::Played, ..result });
    }
    // The winner alone is not a score. Without more information it means all discs.
    let last = game.tags.comments.last().map(|(_, text)| text.to_ascii_lowercase()).unwrap_or_default();
    let ending = match last {
        last if last.contains("time") => Ending::TimedOut,
        last if last.contains("resign") => Ending::Resigned,
        _ => Ending::Left,
    };
    // The first number is that of the first side in XBoard's games and of Black in all others: Black in both cases.
    Some(GameResult { score: if first == 1 { Score::MAX } else { Score::MIN }, ending })
}
