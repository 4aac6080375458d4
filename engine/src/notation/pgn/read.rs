//! PGN to games.

use std::time::Duration;

use super::super::branches::Branches;
use super::super::error::ReadErrorCode::Pgn;
use super::super::{NumberedGame, ReadError, fen, labels, moves, number, squares, tags, transcript};
use super::headers::{Headers, header};
use super::{Source, escape};
use crate::board::{Move, Square};
use crate::game::{Ending, Game, GameResult, GameTree, Tags};
use crate::score::Score;

/// Reads the games of a file one by one. An invalid game does not affect the others.
///
/// A game begins with its headers: a line that begins with `[` after one that does not.
pub fn games(text: &str) -> impl Iterator<Item = NumberedGame> + '_ {
    split(text, Source::File).map(|(number, line, text)| (number, line, read(text, Source::File)))
}

/// Reads the games of a pasted text. The text before the first header is a game without headers.
pub(in super::super) fn pasted(text: &str) -> impl Iterator<Item = Result<Game, ReadError>> + '_ {
    split(text, Source::Paste).map(|(.., text)| read(text, Source::Paste))
}

/// Returns `true` if a line of the text is a header.
pub(in super::super) fn begins(text: &str) -> bool {
    text.lines().any(is_header)
}

/// The text of each game, with its number and the number of its first line.
fn split(text: &str, source: Source) -> impl Iterator<Item = (usize, usize, &str)> {
    let (mut rest, mut number, mut line) = (text.strip_prefix('\u{feff}').unwrap_or(text), 0, 1);
    std::iter::from_fn(move || {
        let game = after_blank(rest);
        let begun = line + lines(&rest[..rest.len() - game.len()]);
        let (one, after) = game.split_at(end_of_game(game, source));
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
/// closed ends with its game. In pasted text, any header after moves begins a game.
fn end_of_game(text: &str, source: Source) -> usize {
    let (mut at, mut moves, mut comment, mut blank) = (0, false, false, false);
    for line in text.split_inclusive('\n') {
        let opens = opens_header(line.trim_start());
        let begins = match source {
            Source::File => opens && (!comment || (blank && is_header(line))),
            Source::Paste => opens && is_header(line),
        };
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

/// Returns `true` if the text begins like a header and not with a final count.
fn opens_header(text: &str) -> bool {
    text.starts_with('[') && count_until(text, ']').is_none()
}

fn is_header(line: &str) -> bool {
    opens_header(line.trim_start()) && after_headers(line.trim()) == Some("")
}

/// The text after the headers of a line. `None` if one is invalid.
fn after_headers(line: &str) -> Option<&str> {
    let mut rest = line;
    while opens_header(rest.trim_start()) {
        (_, rest) = header(rest.trim_start()).ok()?;
    }
    Some(rest)
}

fn read(text: &str, source: Source) -> Result<Game, ReadError> {
    let mut rest = after_blank(text);
    let mut headers = Headers { all: Vec::new(), source, tags: Tags::default() };
    while opens_header(rest) {
        match header(rest) {
            Ok((header, after)) => {
                headers.all.push(header);
                rest = after;
            }
            Err(error) if source == Source::File => return Err(error),
            Err(_) => {
                let line = rest.split('\n').next().unwrap_or_default();
                headers.tags.comments.push((0, line.trim().to_owned()));
                rest = &rest[line.len()..];
            }
        }
        rest = after_blank(rest);
    }
    headers.take()?;
    let start = match headers.get("FEN") {
        Some(text) => {
            let start = fen::read(text).or_else(|error| squares::read(text).map_err(|_| error));
            Some(start.map_err(|error| error.within(Pgn, format_args!("FEN")))?)
        }
        None => None,
    };
    let exact_result = headers.read(tags::RESULT, |_, value| tags::read_result(value))?.flatten();
    let (text, count) = match source {
        Source::File => (rest, None),
        Source::Paste => labels::before_count(rest),
    };
    let mut tree = GameTree::new(start.unwrap_or_default());
    tree.comments_mut(0).extend(headers.tags.comments.drain(..).map(|(_, text)| text));
    let branches = Branches::new(text, tree);
    let mut board = Board { branches, given: start.is_some(), result: None, fresh: true };
    let read = board.read(Tokens { text, at: 0, source, depth: 0 });
    let Board { branches, given, result, .. } = board;
    let mut game = branches.game(&headers.tags);
    read.map_err(|error| error.after(&game))?;
    if source == Source::Paste && !given && game.plies() == 0 {
        return Err(ReadError::no_moves());
    }
    let counted = count.map(|(black, white)| format!("{black}-{white}"));
    let written = [counted.as_deref(), headers.get("Result"), result].into_iter().flatten();
    let written = exact_result.or(written.into_iter().find_map(|text| result_of(&game, text, source)));
    game.tags.result = match source {
        Source::File => written,
        Source::Paste => game.final_score().or(written),
    };
    Ok(game)
}

/// A part of the text of the moves.
enum Token<'a> {
    Comment(&'a str),
    /// The opening bracket of a variation.
    Open,
    Close,
    /// A move with or without its number, several moves, a number, or a result.
    Word(&'a str),
}

/// The parts of the text of the moves, each with its first byte. Signs such as `$1` are skipped.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    source: Source,
    /// Number of open brackets.
    depth: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<(usize, Token<'a>), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?.trim_start();
            self.at = self.text.len() - rest.len();
            let Some(first) = rest.chars().next() else {
                let unclosed = self.depth > 0 && self.source == Source::File;
                self.depth = 0;
                return if unclosed { self.unclosed('(') } else { None };
            };
            let (token, length) = match first {
                '{' => match (rest.find('}'), self.source) {
                    (Some(end), _) => (Some(Token::Comment(&rest[1..end])), end + 1),
                    (None, Source::Paste) => (Some(Token::Comment(&rest[1..])), rest.len()),
                    (None, Source::File) => return self.unclosed(first),
                },
                ';' => match separator(rest) {
                    Some(length) if self.source == Source::Paste => (None, length),
                    _ => {
                        let length = line_comment(rest, self.depth > 0);
                        (Some(Token::Comment(&rest[1..length])), length)
                    }
                },
                '%' if self.begins_line() => (None, rest.len() - after_line(rest).len()),
                '$' => (None, 1 + digits(&rest[1..])),
                '(' => match count_until(rest, ')') {
                    Some(count) => (is_result(count).then(|| Token::Word(count.trim())), count.len() + 2),
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
    /// The error of a bracket that is not closed. Nothing is read after it.
    fn unclosed(&mut self, opening: char) -> Option<Result<(usize, Token<'a>), ReadError>> {
        self.at = self.text.len();
        let (part, closing) = if opening == '{' { ("comment", '}') } else { ("variation", ')') };
        Some(Err(ReadError::new(Pgn, format!("a {part} does not end with `{closing}`"))))
    }

    fn begins_line(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Length of `;` between moves with the number after it. `None` if a word follows that is not a move.
fn separator(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || " .,:;)".contains(c));
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

/// Length of a comment up to the end of its line, or to the closing bracket of the variation that it is in.
fn line_comment(text: &str, in_variation: bool) -> usize {
    let mut open = 0;
    let ends = |c: char| {
        open += i32::from(c == '(') - i32::from(c == ')');
        c == '\n' || (in_variation && open < 0)
    };
    text.find(ends).unwrap_or(text.len())
}

/// A tree whose moves are played as they are read.
struct Board<'a> {
    branches: Branches<'a>,
    /// The start position is given.
    given: bool,
    /// The result among the moves.
    result: Option<&'a str>,
    /// No move was read since the last bracket.
    fresh: bool,
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
                    branches.close(start);
                    self.fresh = false;
                }
                _ if branches.is_skipping() => {}
                Token::Comment(text) => {
                    self.comment(&text.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
                }
                Token::Word(word) => {
                    let main = branches.depth() == 0;
                    self.take(word).or_else(|error| self.branches.fail(main, start, error))?;
                }
            }
        }
        Ok(())
    }

    /// Takes a move with or without its number, several moves, a number, or a result.
    fn take(&mut self, word: &'a str) -> Result<(), ReadError> {
        if is_result(word) {
            self.result = if self.branches.depth() == 0 { Some(word) } else { self.result };
            return Ok(());
        }
        let digits = digits(word);
        let dots = word[digits..].bytes().take_while(|&c| c == b'.').count();
        let text =
            if dots > 0 { &word[digits + dots..] } else { word }.trim_end_matches(['!', '?', '+', '#']);
        // A number, or signs alone; `0000` is a pass.
        if text.len() < 4 && text.bytes().all(|c| c.is_ascii_digit()) {
            return Ok(());
        }
        // `D@f5`: the disc that is dropped.
        let text = match text.as_bytes() {
            [letter, b'@', _, _] if letter.is_ascii_alphabetic() => &text[2..],
            _ => text,
        };
        if let Some(mv) = moves::parse(text) {
            return self.place(mv);
        }
        // A number may end it.
        for mv in transcript::Moves::new(&format!("{text} ")) {
            let number = self.branches.tree.discs_placed(self.branches.at) + 1;
            self.place(mv.map_err(|_| ReadError::unreadable(number, word))?)?;
        }
        Ok(())
    }

    fn place(&mut self, mv: Move) -> Result<(), ReadError> {
        let Branches { tree, .. } = &mut self.branches;
        let start = transcript::start_of(mv);
        if !self.given && tree.len() == 1 && start != tree.position(0) {
            let comments = std::mem::take(tree.comments_mut(0));
            *tree = GameTree::new(start);
            *tree.comments_mut(0) = comments;
        }
        self.fresh = false;
        self.branches.play(mv.into())
    }

    /// Takes a comment: words, or value and time of the move before it, as XBoard writes them or as `[%eval …] [%emt …]`.
    fn comment(&mut self, text: &str) {
        if is_meaningless(text) {
            return;
        }
        let Branches { tree, at, .. } = &mut self.branches;
        if let Some(last) = tree.played_mut(*at)
            && let Some((eval, time)) = measured(text)
        {
            (last.eval, last.time) = (eval.or(last.eval), time.or(last.time));
        } else {
            tree.comments_mut(*at).push(escape::unescaped(text).into_owned());
        }
    }
}

/// Returns `true` if a comment is empty or the diagram that XBoard draws of a start position.
pub(super) fn is_meaningless(text: &str) -> bool {
    text.is_empty() || (text.starts_with("-----") && text.ends_with("-----"))
}

fn is_result(word: &str) -> bool {
    let count = |text: &str| matches!(text.trim().len(), 1..=2) && digits(text.trim()) == text.trim().len();
    matches!(word, "*" | "1/2-1/2")
        || word.split_once('-').is_some_and(|(black, white)| count(black) && count(white))
}

/// Reads `+0.50/12 3.4`, `+0.50/12` or `[%eval +0.50] [%emt 3.4]`.
pub(super) fn measured(text: &str) -> Option<(Option<Score>, Option<Duration>)> {
    if text.starts_with("[%") {
        let (mut eval, mut time) = (None, None);
        for part in text.split(']').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.strip_prefix("[%")?.split_once(' ')?;
            match name {
                "eval" => eval = Some(Score::from_discs(number::read(value)?)?),
                "emt" => time = Some(number::read_seconds(value)?),
                _ => return None,
            }
        }
        return Some((eval, time));
    }
    let (value, rest) = text.split_once('/')?;
    if !value.starts_with(['+', '-', '0']) {
        return None;
    }
    let eval = Score::from_discs(number::read(value)?)?;
    let mut words = rest.split_whitespace();
    words.next()?.parse::<u32>().ok()?;
    let time = match words.next() {
        None => None,
        Some(time) => {
            let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
            let minutes = Duration::from_secs(60 * u64::from(minutes.parse::<u32>().ok()?));
            Some(number::read_seconds(seconds)?.checked_add(minutes)?)
        }
    };
    words.next().is_none().then_some((Some(eval), time))
}

/// Reads a result: the discs of Black and White, or the winner.
pub(super) fn result_of(game: &Game, text: &str, source: Source) -> Option<GameResult> {
    let played = |score| Some(GameResult { score, ending: Ending::Played });
    if text == "1/2-1/2" {
        return played(Score::ZERO);
    }
    let (first, second) = text.split_once('-')?;
    let (first, second): (u8, u8) = (first.trim().parse().ok()?, second.trim().parse().ok()?);
    let (first, second) = (i32::from(first), i32::from(second));
    if !matches!((first, second), (1, 0) | (0, 1)) {
        let counted = (4..=64).contains(&(first + second));
        return counted.then(|| Score::from_centidiscs(100 * (first - second))).and_then(played);
    }
    if let Some(result) = game.final_score() {
        return played(result.score);
    }
    // The winner alone is not a score. In a file without more information it means all discs.
    if source == Source::Paste {
        return None;
    }
    let last = game.tags.comments.last().map(|(_, text)| text.to_ascii_lowercase()).unwrap_or_default();
    let ending = match last {
        last if last.contains("time") => Ending::TimedOut,
        last if last.contains("resign") => Ending::Resigned,
        _ => Ending::Left,
    };
    // The first number is that of the first side in XBoard's games and of Black in all others: Black in both cases.
    Some(GameResult { score: if first == 1 { Score::MAX } else { Score::MIN }, ending })
}
