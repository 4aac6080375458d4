//! PGN to games.

use std::time::Duration;

use super::super::error::{IllegalAt, excerpt};
use super::super::fault::GameFault;
use super::super::transcript::{self, TranscriptError};
use super::super::{extra, fen, ggf, labels, moves, number, squares};
use super::{NO_EVENT, OWN, Source, VARIANTS};
use crate::board::{IllegalMove, Move, Square};
use crate::game::{Ending, Game, GameClock, GameResult, Player, RecordedMove, Tags};
use crate::score::Score;

/// Reads the games of a file one by one, each with its number from 1 and the number of the line it begins in; a faulty
/// one does not keep the others from being read.
///
/// A game begins with its headers: a line that begins with `[` after one that does not.
pub fn games(text: &str) -> impl Iterator<Item = (usize, usize, Result<Game, GameFault>)> + '_ {
    split(text, Source::File).map(|(number, line, text)| (number, line, read(text, Source::File)))
}

/// The games of a text as people paste it, or why each cannot be read. What stands before the first header is a game
/// without any.
pub(in super::super) fn pasted(text: &str) -> impl Iterator<Item = Result<Game, GameFault>> + '_ {
    split(text, Source::Paste).map(|(.., text)| read(text, Source::Paste))
}

/// Whether a line of the text is a header.
pub(in super::super) fn begins(text: &str) -> bool {
    text.lines().any(is_header)
}

/// The texts of the games, each with its number and its first line.
fn split(text: &str, source: Source) -> impl Iterator<Item = (usize, usize, &str)> {
    let (mut rest, mut number, mut line) = (text.strip_prefix('\u{feff}').unwrap_or(text), 0, 1);
    std::iter::from_fn(move || {
        let game = after_silence(rest);
        let begun = line + lines(&rest[..rest.len() - game.len()]);
        let (one, after) = game.split_at(end_of_game(game, source));
        number += 1;
        line = begun + lines(one);
        rest = after;
        (!one.is_empty()).then_some((number, begun, one))
    })
}

/// What follows white space and the lines that `%` takes out of the text.
fn after_silence(text: &str) -> &str {
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

/// Where the headers of the next game begin. After a blank line they always do, so that a comment that is not closed
/// ends with its game; of what was pasted, any header ends it.
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

/// Whether the text begins like a header, and not with a final count.
fn opens_header(text: &str) -> bool {
    text.starts_with('[') && count_until(text, ']').is_none()
}

/// Whether headers stand in the line and nothing else.
fn is_header(line: &str) -> bool {
    opens_header(line.trim_start()) && after_headers(line.trim()) == Some("")
}

/// What follows the headers of a line; nothing where one is faulty.
fn after_headers(line: &str) -> Option<&str> {
    let mut rest = line;
    while opens_header(rest.trim_start()) {
        (_, rest) = header(rest.trim_start()).ok()?;
    }
    Some(rest)
}

/// A header.
struct Header<'a> {
    name: &'a str,
    value: String,
    /// The value says something; `?` and the like do not.
    known: bool,
}

/// `[Name "value"]` and what follows it. A quotation mark in the value has `\` before it, or is not the last.
fn header(text: &str) -> Result<(Header<'_>, &str), GameFault> {
    let faulty = || GameFault::Header { text: excerpt(text.lines().next().unwrap_or_default()) };
    let body = text[1..].trim_start();
    let length = body.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count();
    let (name, rest) = body.split_at(length);
    let rest = rest.trim_start().strip_prefix('"').filter(|_| length > 0).ok_or_else(faulty)?;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                if let Some(after) = rest[at + 1..].trim_start().strip_prefix(']') {
                    let value = rest[..at].trim();
                    return Ok((Header { name, value: plain_value(value), known: is_known(value) }, after));
                }
            }
            '\\' => drop(characters.next_if(|(_, escaped)| matches!(escaped, '"' | '\\'))),
            '\n' => break,
            _ => {}
        }
    }
    Err(faulty())
}

/// A value without its escapes: `\"`, `\\` and `\u000A`.
fn plain_value(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        let one =
            (character == '\\').then(|| after.chars().next().filter(|c| matches!(c, '"' | '\\'))).flatten();
        let (character, after) = match one {
            Some(escaped) => (escaped, &after[1..]),
            None => extra::escape(rest).unwrap_or((character, after)),
        };
        plain.push(character);
        rest = after;
    }
    plain
}

/// What is told before the moves.
struct Headers<'a> {
    all: Vec<Header<'a>>,
    source: Source,
    tags: Tags,
}

fn read(text: &str, source: Source) -> Result<Game, GameFault> {
    let mut rest = after_silence(text);
    let mut headers = Headers { all: Vec::new(), source, tags: Tags::default() };
    while opens_header(rest) {
        match header(rest) {
            Ok((header, after)) => {
                headers.all.push(header);
                rest = after;
            }
            Err(fault) if source == Source::File => return Err(fault),
            Err(_) => {
                let line = rest.split('\n').next().unwrap_or_default();
                headers.tags.comments.push((0, line.trim().to_owned()));
                rest = &rest[line.len()..];
            }
        }
        rest = after_silence(rest);
    }
    headers.take()?;
    let start = match headers.get("FEN") {
        Some(text) => {
            let start = fen::read(text).or_else(|error| squares::read(text).map_err(|_| error));
            Some(start.map_err(|error| GameFault::Start { text: excerpt(text), error })?)
        }
        None => None,
    };
    let exact_result = headers.read(extra::RESULT, ggf::read_result)?.flatten();
    let (text, count) = match source {
        Source::File => (rest, None),
        Source::Paste => labels::before_count(rest),
    };
    let mut board =
        Board { game: Game::new(start.unwrap_or_default()), given: start.is_some(), result: None };
    board.game.tags = std::mem::take(&mut headers.tags);
    for token in (Tokens { text, at: 0, source }) {
        match token? {
            Token::Comment(text) => {
                board.remark(&text.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
            }
            Token::Word(word) => board.take(word)?,
        }
    }
    let Board { mut game, given, result } = board;
    if source == Source::Paste && !given && game.plies() == 0 {
        return Err(TranscriptError::Empty.into());
    }
    let counted = count.map(|(black, white)| format!("{black}-{white}"));
    let told = [counted.as_deref(), headers.get("Result"), result];
    let told = told.into_iter().flatten().find_map(|text| result_of(&game, text, source));
    let told = exact_result.or(told);
    game.tags.result = match source {
        Source::File => told,
        Source::Paste => game.final_score().or(told),
    };
    Ok(game)
}

impl Headers<'_> {
    /// The value of a header; nothing where it is unknown. Servers do not agree on the case of names.
    fn get(&self, name: &str) -> Option<&str> {
        let header = self.all.iter().rfind(|header| header.name.eq_ignore_ascii_case(name))?;
        header.known.then_some(header.value.as_str())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// The value of a header that has to mean something.
    fn read<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, GameFault> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let value = read(text);
        if value.is_none() {
            let text = text.to_owned();
            if self.source == Source::File {
                return Err(GameFault::Value { header: name.to_owned(), text: excerpt(&text) });
            }
            self.tags.keep(name, &text);
        }
        Ok(value)
    }

    fn player(&mut self, name: &str, ratings: [&str; 2]) -> Result<Player, GameFault> {
        let mut rating = None;
        for name in ratings {
            let told = self.read(name, |text| number::read(text).filter(|rating| rating.is_finite()))?;
            rating = rating.or(told);
        }
        Ok(Player { name: self.text(name), rating, clock: None })
    }

    /// Fills the tags with all that is no position and no result.
    fn take(&mut self) -> Result<(), GameFault> {
        let is_othello = |text: &&str| VARIANTS.iter().any(|known| text.eq_ignore_ascii_case(known));
        let variant = self.get("Variant");
        let first_is_white = variant.filter(is_othello).is_some();
        if let (Some(text), false, Source::File) = (variant, first_is_white, self.source) {
            return Err(GameFault::Kind { text: excerpt(text) });
        }
        let mut black = self.player("Black", ["BlackElo", "BlackRating"])?;
        let mut white = self.player("White", ["WhiteElo", "WhiteRating"])?;
        // XBoard's White is whoever moves first.
        if first_is_white {
            std::mem::swap(&mut black, &mut white);
        }
        black.clock = self.read("TBGGF", ggf::read_clock)?;
        white.clock = self.read("TWGGF", ggf::read_clock)?;
        self.tags.clock = self.read("TIGGF", ggf::read_clock)?;
        self.tags.scores = self.read(extra::SCORES, extra::read_scores)?.unwrap_or_default();
        (self.tags.black, self.tags.white) = (black, white);
        self.tags.place = self.text("Site").or_else(|| self.text("Event"));
        self.tags.kind = self.text("TYGGF");
        self.tags.date = match self.source {
            Source::File => self.text("Date"),
            Source::Paste => self.day_and_time(),
        };
        let site = self.get("Site").is_some();
        // Written back, the place is not taken for an event.
        if site && !self.all.iter().any(|header| header.known && header.name.eq_ignore_ascii_case("Event")) {
            self.tags.keep("Event", NO_EVENT);
        }
        for Header { name, value, known } in &self.all {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            let kept = match () {
                () if is("Event") => *known && site,
                () if is("Round") => *known,
                () if is("TimeControl") => {
                    let clock = time_control(value);
                    self.tags.clock = self.tags.clock.or(clock);
                    *known && clock.is_none()
                }
                () => !OWN.iter().any(|own| is(own)),
            };
            if kept {
                self.tags.keep(name, value);
            }
        }
        Ok(())
    }

    /// The day with dashes and the time of day after it.
    fn day_and_time(&self) -> Option<String> {
        let date = self.get("Date").or_else(|| self.get("UTCDate"))?.replace('.', "-");
        let time = self.get("Time").or_else(|| self.get("UTCTime")).filter(|time| !time.starts_with('?'));
        Some(time.map_or(date.clone(), |time| format!("{date} {time}")))
    }
}

pub(super) fn is_known(value: &str) -> bool {
    !matches!(value, "" | "?" | "-" | "????.??.??")
}

/// `300`, `300+5`, `40/300+5`.
pub(super) fn time_control(text: &str) -> Option<GameClock> {
    let text = text.rsplit_once('/').map_or(text, |(_, time)| time);
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(GameClock {
        main: number::read_seconds(main)?,
        increment: number::read_seconds(increment)?,
        grace: GameClock::USUAL_GRACE,
    })
}

/// What stands between white space in the text of the moves.
enum Token<'a> {
    Comment(&'a str),
    /// A move with its number or without, several moves in one, a number, or a result.
    Word(&'a str),
}

/// The text of the moves, without variations and signs such as `$1`.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    source: Source,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, GameFault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?.trim_start();
            self.at = self.text.len() - rest.len();
            let first = rest.chars().next()?;
            let (token, length) = match first {
                '{' => match (rest.find('}'), self.source) {
                    (Some(end), _) => (Some(Token::Comment(&rest[1..end])), end + 1),
                    (None, Source::Paste) => (Some(Token::Comment(&rest[1..])), rest.len()),
                    (None, Source::File) => return self.unclosed(first),
                },
                ';' => match separator(rest) {
                    Some(length) if self.source == Source::Paste => (None, length),
                    _ => {
                        let line = rest.split('\n').next().unwrap_or(rest);
                        (Some(Token::Comment(&line[1..])), line.len())
                    }
                },
                '%' if self.begins_line() => (None, rest.len() - after_line(rest).len()),
                '$' => (None, 1 + digits(&rest[1..])),
                '(' => match (count_until(rest, ')'), length_of_variation(rest), self.source) {
                    (Some(count), ..) => {
                        (is_result(count).then(|| Token::Word(count.trim())), count.len() + 2)
                    }
                    (None, Some(length), _) => (None, length),
                    (None, None, Source::Paste) => (None, rest.len()),
                    (None, None, Source::File) => return self.unclosed(first),
                },
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "{};($".contains(c));
                    let end = end.unwrap_or(rest.len()).max(first.len_utf8());
                    (Some(Token::Word(&rest[..end])), end)
                }
            };
            self.at += length;
            if let Some(token) = token {
                return Some(Ok(token));
            }
        }
    }
}

impl<'a> Tokens<'a> {
    /// The fault of a bracket that is not closed, after which nothing is read.
    fn unclosed(&mut self, opening: char) -> Option<Result<Token<'a>, GameFault>> {
        self.at = self.text.len();
        Some(Err(GameFault::Unclosed { opening }))
    }

    fn begins_line(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with('\n')
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Length of `;` between moves, with the number after it; nothing where a word follows that is no move.
fn separator(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || " .,:;)".contains(c));
    let word = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    let square = word.get(..2).is_some_and(|square| square.parse::<Square>().is_ok());
    (word.is_empty() || square || moves::read(word).is_ok()).then_some(text.len() - rest.len())
}

/// What stands in `(34 - 30)`, which is no variation, or `[34-30]`, which is no header.
fn count_until(text: &str, closing: char) -> Option<&str> {
    let inside = text[1..].split(|c: char| !c.is_ascii_digit() && !" -–—:".contains(c)).next()?;
    let closed = text[1 + inside.len()..].starts_with(closing);
    (closed && inside.bytes().any(|c| c.is_ascii_digit())).then_some(inside)
}

/// Length of a variation with all those in it.
fn length_of_variation(text: &str) -> Option<usize> {
    let (mut open, mut comment) = (0, false);
    for (at, character) in text.char_indices() {
        match character {
            '}' => comment = false,
            _ if comment => {}
            '{' => comment = true,
            '(' => open += 1,
            ')' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// A game that is played as it is read.
struct Board<'a> {
    game: Game,
    /// Where it starts is told.
    given: bool,
    /// The result that stands among the moves.
    result: Option<&'a str>,
}

impl<'a> Board<'a> {
    /// Takes a move with its number before it, several moves, no move but a number, or a result.
    fn take(&mut self, word: &'a str) -> Result<(), TranscriptError> {
        if is_result(word) {
            self.result = Some(word);
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
        if let Ok(mv) = moves::read(text) {
            return self.place(mv);
        }
        // A number may end it.
        for mv in transcript::Moves::new(&format!("{text} ")) {
            let number = self.game.discs_placed() + 1;
            self.place(mv.map_err(|_| TranscriptError::Unparsable { number, text: excerpt(word) })?)?;
        }
        Ok(())
    }

    fn place(&mut self, mv: Move) -> Result<(), TranscriptError> {
        let start = transcript::start_of(mv);
        if !self.given && self.game.plies() == 0 && start != self.game.start() {
            let tags = std::mem::take(&mut self.game.tags);
            self.game = Game::new(start);
            self.game.tags = tags;
        }
        let number = self.game.discs_placed() + 1;
        match self.game.play_passing(mv) {
            Ok(()) => Ok(()),
            Err(IllegalMove::GameOver) if mv == Move::Pass => Ok(()),
            Err(reason) => Err(TranscriptError::Illegal(IllegalAt { number, mv, reason })),
        }
    }

    /// Takes a comment: value and time of the move before it as XBoard writes them, or `[%eval …]` and `[%emt …]`, or
    /// words.
    fn remark(&mut self, text: &str) {
        if says_nothing(text) {
            return;
        }
        let game = &mut self.game;
        if let Some(last) = game.moves().last().copied()
            && let Some((eval, time)) = measured(text)
        {
            game.undo();
            let _ =
                game.play(RecordedMove { mv: last.mv, eval: eval.or(last.eval), time: time.or(last.time) });
        } else {
            game.tags.comments.push((game.discs_placed(), extra::unescaped(text).into_owned()));
        }
    }
}

/// Whether a comment is empty, or the diagram that XBoard draws of a start position.
pub(super) fn says_nothing(text: &str) -> bool {
    text.is_empty() || (text.starts_with("-----") && text.ends_with("-----"))
}

fn is_result(word: &str) -> bool {
    let count = |text: &str| matches!(text.trim().len(), 1..=2) && digits(text.trim()) == text.trim().len();
    matches!(word, "*" | "1/2-1/2")
        || word.split_once('-').is_some_and(|(black, white)| count(black) && count(white))
}

/// `+0.50/12 3.4`, `+0.50/12`, `[%eval +0.50] [%emt 3.4]`.
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

/// The result as it is written: discs of Black and White, or who has won.
fn result_of(game: &Game, text: &str, source: Source) -> Option<GameResult> {
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
    // Who has won is no score yet; a file that says nothing else means all discs.
    if source == Source::Paste {
        return None;
    }
    let last = game.tags.comments.last().map(|(_, text)| text.to_ascii_lowercase()).unwrap_or_default();
    let ending = match last {
        last if last.contains("time") => Ending::TimedOut,
        last if last.contains("resign") => Ending::Resigned,
        _ => Ending::Left,
    };
    // The first number is that of the side that moves first in XBoard's games, of Black in all others: Black both times.
    Some(GameResult { score: if first == 1 { Score::MAX } else { Score::MIN }, ending })
}
