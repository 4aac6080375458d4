//! PGN to games.

use std::time::Duration;

use super::super::error::{IllegalAt, excerpt};
use super::super::{extra, fen, ggf, moves, number};
use super::{PgnError, VARIANTS};
use crate::board::{IllegalMove, Move, Position};
use crate::game::{Clock, Ending, Game, GameResult, Played, Tags};
use crate::score::Score;

/// Reads the games of a text one by one, each with its number from 1 and the number of the line it begins in; a faulty
/// one does not keep the others from being read.
///
/// A game begins with its headers: a line that begins with `[` after one that does not.
pub fn games(text: &str) -> impl Iterator<Item = (usize, usize, Result<Game, PgnError>)> + '_ {
    let (mut rest, mut number, mut line) = (text.strip_prefix('\u{feff}').unwrap_or(text), 0, 1);
    std::iter::from_fn(move || {
        let blank = rest.len() - rest.trim_start().len();
        line += lines(&rest[..blank]);
        rest = &rest[blank..];
        if rest.is_empty() {
            return None;
        }
        let (one, after) = rest.split_at(end_of_game(rest));
        let begun = line;
        number += 1;
        line += lines(one);
        rest = after;
        Some((number, begun, read(one)))
    })
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Where the headers of the next game begin. `[Event` after a blank line always does, so that a comment that is not
/// closed ends with its game.
fn end_of_game(text: &str) -> usize {
    let (mut at, mut moves, mut comment, mut blank) = (0, false, false, false);
    for line in text.split_inclusive('\n') {
        let header = !comment && line.trim_start().starts_with('[');
        if (header && moves) || (blank && line.starts_with("[Event ")) {
            return at;
        }
        blank = line.trim().is_empty();
        if !header {
            moves |= !blank;
            for character in line.chars() {
                comment = if comment { character != '}' } else { character == '{' };
            }
        }
        at += line.len();
    }
    at
}

/// What is known before the moves are played.
#[derive(Default)]
struct Headers {
    tags: Tags,
    event: Option<String>,
    start: Option<Position>,
    first_is_white: bool,
    result: Option<String>,
    exact_result: Option<GameResult>,
}

fn read(text: &str) -> Result<Game, PgnError> {
    let mut headers = Headers::default();
    let mut rest = text;
    let mut pairs = Vec::new();
    loop {
        rest = rest.trim_start();
        if !rest.starts_with('[') {
            break;
        }
        let (name, value, after) = header(rest)?;
        pairs.push((name, value));
        rest = after;
    }
    headers.first_is_white = pairs.iter().any(|(name, _)| name.eq_ignore_ascii_case("Variant"));
    for (name, value) in pairs {
        headers.take(name, value)?;
    }
    let mut game = Game::new(headers.start.unwrap_or_default());
    game.tags = std::mem::take(&mut headers.tags);
    if let Some(event) = headers.event.take() {
        match &game.tags.place {
            None => game.tags.place = Some(event),
            Some(_) => game.tags.keep("Event", &event),
        }
    }
    let token = play(&mut game, rest)?;
    game.tags.result = headers.exact_result.or_else(|| {
        let text = headers.result.filter(|text| text != "*").or(token)?;
        result(&game, &text)
    });
    Ok(game)
}

/// `[Name "value"]` and what follows it.
fn header(text: &str) -> Result<(&str, String, &str), PgnError> {
    let faulty = || PgnError::Header { text: excerpt(text.lines().next().unwrap_or_default()) };
    let body = text[1..].trim_start();
    let length = body.bytes().take_while(|c| c.is_ascii_alphanumeric() || *c == b'_').count();
    let (name, rest) = body.split_at(length);
    let rest = rest.trim_start().strip_prefix('"').filter(|_| length > 0).ok_or_else(faulty)?;
    let mut value = String::new();
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                let rest = rest[at + 1..].trim_start().strip_prefix(']').ok_or_else(faulty)?;
                return Ok((name, value.trim().to_owned(), rest));
            }
            '\\' if matches!(characters.peek(), Some((_, '"' | '\\'))) => {
                value.extend(characters.next().map(|(_, escaped)| escaped));
            }
            '\n' => break,
            character => value.push(character),
        }
    }
    Err(faulty())
}

impl Headers {
    fn take(&mut self, name: &str, value: String) -> Result<(), PgnError> {
        let faulty = || PgnError::Value { header: name.to_owned(), text: excerpt(&value) };
        let known = || Some(value.clone()).filter(|value| !matches!(value.as_str(), "" | "?" | "-"));
        let first_is_white = self.first_is_white;
        let tags = &mut self.tags;
        let clock =
            || if value.is_empty() { Ok(None) } else { ggf::read_clock(&value).map(Some).ok_or_else(faulty) };
        // XBoard's White is whoever moves first.
        let (mut black, mut white) = (&mut tags.black, &mut tags.white);
        if first_is_white {
            std::mem::swap(&mut black, &mut white);
        }
        match name {
            "Black" => black.name = known(),
            "White" => white.name = known(),
            "BlackElo" | "WhiteElo" => {
                let player = if name == "BlackElo" { black } else { white };
                match number::read(&value).filter(|rating| rating.is_finite()) {
                    Some(rating) => player.rating = Some(rating),
                    None if known().is_none() => {}
                    None => return Err(faulty()),
                }
            }
            "Event" => self.event = known(),
            "Site" => tags.place = known(),
            "Date" => tags.date = known().filter(|date| date != "????.??.??"),
            "Result" => self.result = Some(value),
            "TimeControl" => match time_control(&value) {
                Some(clock) => tags.clock = tags.clock.or(Some(clock)),
                None if known().is_none() => {}
                None => tags.keep(name, &value),
            },
            "TIGGF" => tags.clock = clock()?,
            "TBGGF" => tags.black.clock = clock()?,
            "TWGGF" => tags.white.clock = clock()?,
            "TYGGF" => tags.kind = known(),
            extra::RESULT => self.exact_result = ggf::read_result(&value).ok_or_else(faulty)?,
            extra::SCORES => tags.scores = extra::read_scores(&value).ok_or_else(faulty)?,
            "FEN" => self.start = Some(fen::read(&value).map_err(PgnError::Fen)?),
            "SetUp" => {}
            "Round" if known().is_none() => {}
            "Variant" if VARIANTS.iter().any(|variant| value.eq_ignore_ascii_case(variant)) => {
                tags.keep(name, &value)
            }
            "Variant" => return Err(PgnError::Kind { text: excerpt(&value) }),
            _ => tags.keep(name, &value),
        }
        Ok(())
    }
}

/// `300`, `300+5`, `40/300+5`.
fn time_control(text: &str) -> Option<Clock> {
    let text = text.rsplit_once('/').map_or(text, |(_, time)| time);
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(Clock {
        main: number::read_seconds(main)?,
        increment: number::read_seconds(increment)?,
        grace: Clock::USUAL_GRACE,
    })
}

/// Plays the moves of a text and returns the result that ends them.
fn play(game: &mut Game, text: &str) -> Result<Option<String>, PgnError> {
    let mut rest = text;
    let mut token_of_result = None;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Ok(token_of_result) };
        match first {
            '{' => {
                let (comment, after) =
                    rest[1..].split_once('}').ok_or(PgnError::Unclosed { opening: '{' })?;
                remark(game, &comment.split_whitespace().collect::<Vec<_>>().join(" "));
                rest = after;
            }
            ';' => {
                let (comment, after) = rest[1..].split_once('\n').unwrap_or((&rest[1..], ""));
                remark(game, &comment.split_whitespace().collect::<Vec<_>>().join(" "));
                rest = after;
            }
            '(' => rest = after_variation(rest).ok_or(PgnError::Unclosed { opening: '(' })?,
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "{};()".contains(c)).unwrap_or(rest.len());
                let (token, after) = rest.split_at(end.max(first.len_utf8()));
                rest = after;
                if is_result(token) {
                    token_of_result = Some(token.to_owned());
                } else if !token.starts_with('$') {
                    place(game, token)?;
                }
            }
        }
    }
}

/// What follows a variation with all those in it.
fn after_variation(text: &str) -> Option<&str> {
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
                    return Some(&text[at + 1..]);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_result(token: &str) -> bool {
    if matches!(token, "*" | "1/2-1/2" | "1-0" | "0-1") {
        return true;
    }
    let number = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit());
    token.split_once('-').is_some_and(|(black, white)| number(black) && number(white))
}

/// Plays a move with its number before it, or no move but a number.
fn place(game: &mut Game, token: &str) -> Result<(), PgnError> {
    let number = game.discs_placed() + 1;
    let digits = token.bytes().take_while(u8::is_ascii_digit).count();
    let dots = token[digits..].bytes().take_while(|&c| c == b'.').count();
    // `0000` is a pass; a number has a full stop or stands alone.
    let text =
        if dots > 0 || (digits == token.len() && digits < 4) { &token[digits + dots..] } else { token };
    if text.is_empty() {
        return Ok(());
    }
    // `D@f5`: the disc that is dropped.
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let bare = match text.as_bytes() {
        [letter, b'@', _, _] if letter.is_ascii_alphabetic() => &text[2..],
        _ => text,
    };
    let mv = moves::read(bare).map_err(|_| PgnError::Unparsable { number, text: excerpt(token) })?;
    match game.play_passing(mv) {
        Ok(()) => Ok(()),
        Err(IllegalMove::GameOver) if mv == Move::Pass => Ok(()),
        Err(reason) => Err(PgnError::Illegal(IllegalAt { number, mv, reason })),
    }
}

/// Takes a comment: value and time of the move before it as XBoard writes them, or `[%eval …]` and `[%emt …]`, or words.
fn remark(game: &mut Game, text: &str) {
    let discs = game.discs_placed();
    // The diagram that XBoard draws of a start position.
    if text.starts_with("-----") && text.ends_with("-----") {
        return;
    }
    if let Some(last) = game.moves().last().copied()
        && let Some((eval, time)) = measured(text)
    {
        game.undo();
        let _ = game.play(Played { mv: last.mv, eval: eval.or(last.eval), time: time.or(last.time) });
        return;
    }
    if !text.is_empty() {
        game.tags.comments.push((discs, text.to_owned()));
    }
}

/// `+0.50/12 3.4`, `+0.50/12`, `[%eval +0.50] [%emt 3.4]`.
fn measured(text: &str) -> Option<(Option<Score>, Option<Duration>)> {
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
fn result(game: &Game, text: &str) -> Option<GameResult> {
    let of_board = game.final_score().map(|result| result.score);
    let played = |score| Some(GameResult { score, ending: Ending::Played });
    let (first, second) = text.split_once('-')?;
    if text == "1/2-1/2" {
        return played(Score::ZERO);
    }
    let (first, second) = (first.parse::<i32>().ok()?, second.parse::<i32>().ok()?);
    if !matches!((first, second), (1, 0) | (0, 1)) {
        return played(Score::from_centidiscs(100 * (first - second).clamp(-64, 64)));
    }
    if let Some(score) = of_board {
        return played(score);
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
