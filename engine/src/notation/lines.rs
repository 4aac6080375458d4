//! Texts whose lines are positions or moves: lists of games, one per line, and games over several lines.

use super::ReadErrorCode::{NoMoves, Obf, Unknown, Unreadable};
use super::error::excerpt;
use super::read::{AROUND, MAX_GAMES, Record, is_silent};
use super::result_line::{self, Stated};
use super::transcript::TimePlace;
use super::{ReadError, fen, labels, obf, squares, transcript};
use crate::board::Position;
use crate::game::{Game, GameResult, Tags};

/// The position of a line, and the text after it.
pub(super) fn position_of(line: &str) -> Option<(Position, &str)> {
    let (_, board) = split_label(line);
    if fen::begins(board) {
        return fen::read_prefix(board).ok();
    }
    squares::begins(board).then(|| squares::read_prefix(board).ok())?
}

/// Splits a line before its board, `FFO 40: ---…`, or before the cell of a table with moves, `Ann,Bob,f5d6c3`. The label is empty if
/// the line has neither.
fn split_label(line: &str) -> (&str, &str) {
    const QUOTES: [char; 6] = ['"', '\'', '`', '“', '”', ','];
    let is_board = |word: &str| {
        let mut squares = word.chars().take(64).map(squares::contents);
        fen::begins(word) || (squares.clone().count() == 64 && squares.all(|square| square.is_some()))
    };
    let line = line.trim();
    // The brackets of GGS are removed elsewhere.
    if squares::begins(line) || line.contains("[8") {
        return ("", line);
    }
    let is_table = line.contains([',', ';', '\t']);
    let is_moves = |cell: &str| {
        let cell = cell.trim_end_matches(QUOTES);
        is_table && labels::places(cell) > 2 && cell.bytes().all(|c| c.is_ascii_alphanumeric())
    };
    let (mut at, mut has_square) = (0, false);
    for word in line.split_inclusive(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | ';')) {
        let board = word.trim_start_matches(QUOTES);
        at += word.len() - board.len();
        let cell = board.trim_end_matches([';', '\t', ' ']);
        if is_board(board.trim_end()) || (!has_square && is_moves(cell)) {
            return (&line[..at], line[at..].trim_end_matches(QUOTES));
        }
        has_square = has_square || labels::has_square(word);
        at += board.len();
    }
    ("", line)
}

/// Reads a line in its own notation: a position with scores or moves, or a transcript.
fn read_line(line: usize, text: &str) -> Result<Game, ReadError> {
    let game = if fen::begins(text.trim_start()) {
        fen::read_prefix(text).and_then(|(position, rest)| match rest {
            "" => Ok(Game::new(position)),
            rest => transcript::read_from(position, labels::before_count(rest).0),
        })
    } else if squares::begins(text) {
        match squares::read_prefix(text) {
            Ok((position, rest)) if !rest.trim_start().starts_with(';') && transcript::begins(rest) => {
                transcript::read_from(position, labels::before_count(rest).0)
            }
            _ => match obf::read_line(text) {
                // The squares may be meant to continue on the next lines.
                Err(error) if line == 1 && error.code != Obf => return Err(error),
                read => read.map(Game::from),
            },
        }
    } else {
        read_transcript(text)
    };
    game.map_err(|error| error.in_line(line))
}

/// Reads a transcript with its label, the final count, and a remark after the moves, such as the name of an opening or a value.
fn read_transcript(text: &str) -> Result<Game, ReadError> {
    if let Some((moves, score, after)) = labels::of_logistello(text) {
        let mut game = transcript::read(&moves)?;
        if let Some(stated) = score.and_then(Stated::score) {
            stated.set(&mut game);
        }
        if !after.is_empty() {
            game.tags.drop_part(AROUND, || format!("`{}`", excerpt(after)));
        }
        return Ok(game);
    }
    let (moves, count) = labels::before_count(labels::after(text));
    let (mut parts, mut end) = (transcript::Moves::new(moves), 0);
    let unread = loop {
        match parts.next() {
            Some(Ok(_)) => end = moves.len() - parts.rest.len(),
            Some(Err(unread)) => break unread,
            None => break "",
        }
    };
    let apart = moves[end..].starts_with(|c: char| !c.is_alphanumeric());
    let is_remark = || labels::is_remark(unread) || result_line::read(unread).is_some();
    let (read, remark) = if end > 0 && apart && is_remark() {
        // With the numbers of a table before it.
        (
            &moves[..end],
            moves[end..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '(').trim_end(),
        )
    } else {
        labels::before_values(moves)
    };
    let mut game = transcript::read(read)?;
    if !remark.is_empty() {
        add_remark(&mut game, remark);
    }
    set_count(&mut game, count);
    note_label(&mut game, text);
    Ok(game)
}

/// Sets the result that a remark after the moves states, or adds the remark as a comment.
fn add_remark(game: &mut Game, remark: &str) {
    match result_line::read(remark) {
        Some(Some(stated)) => stated.set(game),
        _ => game.tags.comments.push((game.discs_placed(), remark.replace('\t', " "))),
    }
}

/// Notes a label with letters other than words for a transcript.
pub(super) fn note_label(game: &mut Game, text: &str) {
    let text = text.trim();
    let label = text[..text.len() - labels::after(text).len()].trim();
    if !labels::is_word(label) && label.contains(char::is_alphabetic) {
        game.tags.drop_part(AROUND, || format!("`{}`", excerpt(label)));
    }
}

/// Sets the result by the count of discs after the moves. Smaller counts, such as `1-0`, have no score.
fn set_count(game: &mut Game, count: Option<(u32, u32)>) {
    let count = count.filter(|(black, white)| black + white >= 4);
    if let Some(stated) = count.and_then(|(black, white)| Stated::counts(black, white)) {
        stated.set(game);
    }
}

struct Line<'a> {
    /// From 1.
    number: usize,
    text: &'a str,
    /// A blank line is before it.
    apart: bool,
    /// The tags of the lines before it.
    tags: Tags,
    /// The result on the lines below it.
    result: Option<Stated>,
    /// Results without a score below it. If it is the only line with moves or a board, also the other lines.
    remarks: Vec<&'a str>,
}

impl Line<'_> {
    /// Returns `true` if the line has neither moves nor a board. It may mention squares. A longer word may be a damaged board.
    fn is_text(&self) -> bool {
        let text = self.text.trim_start();
        (labels::places(text) == 0 || labels::is_prose(text))
            && !(squares::begins(text) || fen::begins(text) || transcript::begins(text))
            && text.split_whitespace().all(|word| word.chars().count() < 40)
    }

    /// Returns `true` for text above a game, such as `Game 1: Ann - Bob` or `第1局`. A single word in Latin may be a damaged game.
    fn is_heading(&self) -> bool {
        let text = self.text.trim();
        self.is_text()
            && text.contains(char::is_alphabetic)
            && text.contains(|c: char| c.is_whitespace() || (!c.is_ascii() && c.is_alphabetic()))
    }

    /// Notes this line, and its tags, for the game below.
    fn head(&self, tags: &mut Tags) {
        merge(tags, self.tags.clone());
        tags.drop_part(AROUND, || format!("`{}`", excerpt(self.text.trim())));
    }

    /// Gives a game that ends with this line the result and the remarks below.
    fn end(&self, game: &mut Game) {
        if let Some(stated) = self.result {
            stated.set(game);
        }
        let plies = game.discs_placed();
        game.tags.comments.extend(self.remarks.iter().map(|&remark| (plies, remark.to_owned())));
    }
}

/// A line of moves as it continues a game.
struct Joined<'a> {
    game: Game,
    /// The number of discs in the line that could be read.
    moves: usize,
    /// The text after the moves, if it has no moves.
    remark: &'a str,
    error: Option<ReadError>,
}

impl<'a> Joined<'a> {
    /// Reads the moves of a line after those of a game without tags, or from the start.
    fn read(before: Option<&Game>, line: &Line<'a>) -> Joined<'a> {
        let (moves, count) = labels::before_count(labels::after(line.text));
        let mut game = before.cloned();
        let mut joined = Joined { game: Game::default(), moves: 0, remark: "", error: None };
        let mut parts = transcript::Moves::new(moves);
        parts.times = before.map(|_| TimePlace::AfterMove);
        let start = || transcript::start(moves).map_or_else(|_| Game::default(), Game::new);
        loop {
            let rest = parts.rest;
            let Some(part) = parts.next() else { break };
            let played = match part {
                Ok(part) => transcript::take(game.get_or_insert_with(start), part),
                Err(unread) if labels::places(unread) == 0 => {
                    joined.remark = rest.trim_start_matches([' ', ',', ';', ':', '.']).trim();
                    Ok(())
                }
                Err(unread) => Err(ReadError::new(Unreadable, unread)),
            };
            if let Err(error) = played {
                joined.error = Some(error);
                break;
            }
        }
        joined.game = game.unwrap_or_default();
        joined.moves = joined.game.discs_placed() - before.map_or(0, Game::discs_placed);
        set_count(&mut joined.game, count);
        if joined.error.is_none()
            && joined.moves == 0
            && (!joined.remark.is_empty() || (count.is_none() && before.is_none()))
        {
            joined.error = Some(ReadError::no_moves());
        }
        if joined.error.is_none() && !joined.remark.is_empty() {
            add_remark(&mut joined.game, joined.remark);
        }
        note_label(&mut joined.game, line.text);
        joined
    }

    fn is_good(&self) -> bool {
        self.error.is_none()
    }
}

/// The lines of a text with content, each with the tags before it, and the tags after the last line.
fn lines_of(text: &str) -> (Vec<Line<'_>>, Tags) {
    let (mut lines, mut tags, mut apart) = (Vec::<Line<'_>>::new(), Tags::default(), false);
    let mut moves = text.lines().filter(|line| !is_silent(line) && labels::has_square(line));
    let is_log = moves.clone().nth(1).is_some() && moves.all(|line| labels::after_time(line).is_some());
    let heading = table_heading(text);
    // If the first result is before all moves, so are the others.
    let mut results_first = None;
    for (index, text) in text.lines().enumerate() {
        if heading == Some(index) {
            tags.drop_part(AROUND, || format!("`{}`", excerpt(text.trim())));
            continue;
        }
        // A rule parts games, such as `---` or `=====`.
        if text.trim().len() > 2
            && text.trim().bytes().all(|c| b"-=*_~#+".contains(&c))
            && !squares::begins(text)
        {
            apart = true;
            continue;
        }
        apart |= text.trim().is_empty();
        let (label, mut text) = split_label(text);
        if let Some(rest) = labels::after_time(text).filter(|_| is_log) {
            tags.drop_part("times before moves", || format!("`{}`", excerpt(text)));
            text = rest;
        }
        if label.contains(char::is_alphabetic) {
            tags.drop_part(AROUND, || format!("`{}`", excerpt(label.trim())));
        }
        if is_silent(text) || labels::is_heading(text) || labels::take_tag(text, &mut tags) {
            continue;
        }
        if let Some(stated) = result_line::read(text) {
            let is_before = *results_first.get_or_insert(lines.is_empty());
            match (lines.last_mut().filter(|_| !is_before), stated) {
                (_, None) if text.trim() == "*" => {}
                (Some(line), None) => line.remarks.push(text.trim()),
                (Some(line), stated) => line.result = stated,
                (None, None) => tags.drop_part(AROUND, || format!("`{}`", excerpt(text.trim()))),
                (None, Some(stated)) => tags.result = Some(stated.result()),
            }
            continue;
        }
        if labels::after(text).is_empty() {
            if !labels::is_word(text.trim()) {
                tags.drop_part(AROUND, || format!("`{}`", excerpt(text.trim())));
            }
            continue;
        }
        let tags = std::mem::take(&mut tags);
        lines.push(Line { number: index + 1, text, apart, tags, result: None, remarks: Vec::new() });
        apart = false;
        // One more than the most games shows that there are more.
        if lines.len() > MAX_GAMES {
            break;
        }
    }
    around_one(&mut lines);
    (lines, tags)
}

/// Makes the lines around the only one with moves or a board remarks of that line.
fn around_one(lines: &mut Vec<Line<'_>>) {
    let mut games = lines.iter().enumerate().filter(|(_, line)| !line.is_text());
    let (Some((at, _)), None) = (games.next(), games.next()) else { return };
    let mut around = std::mem::take(lines);
    let mut one = around.remove(at);
    for (index, line) in around.into_iter().enumerate() {
        merge(&mut one.tags, line.tags);
        one.result = line.result.or(one.result);
        if index < at {
            one.tags.drop_part(AROUND, || format!("`{}`", excerpt(line.text.trim())));
        } else {
            one.remarks.push(line.text.trim());
        }
    }
    lines.push(one);
}

/// The index of the line with the names of the columns of a table: `moves,result`.
fn table_heading(text: &str) -> Option<usize> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !is_silent(line));
    let ((index, first), (_, second)) = (lines.next()?, lines.next()?);
    let is_name = |cell: &str| {
        cell.starts_with(|c: char| c.is_alphabetic() || c == '"')
            && !cell.contains([':', '='])
            && labels::places(cell) == 0
    };
    let is_table = |separator| {
        first.contains(separator)
            && first.split(separator).all(|cell| is_name(cell.trim()))
            && first.matches(separator).count() == second.matches(separator).count()
            && second.split(separator).any(|cell| labels::has_square(cell) || squares::begins(cell))
    };
    [',', ';', '\t'].into_iter().any(is_table).then_some(index)
}

/// Gives the tags after the last line to the only game. Of several games, it is not known which one has them.
fn with_tags_below(mut records: Vec<Record>, tags: Tags) -> Vec<Record> {
    match records.as_mut_slice() {
        [(_, Ok(game))] => named(game, tags),
        [.., (_, Ok(game))] if tags != Tags::default() => {
            game.tags.drop_part(AROUND, || "names or labels below the last game".to_owned());
        }
        _ => {}
    }
    records
}

/// Reads a list of positions and transcripts, one per line.
pub(super) fn list(text: &str) -> Vec<Record> {
    let (lines, below) = lines_of(text);
    with_tags_below(listed(&lines), below)
}

/// Reads transcripts: each line is a game, or games are over several lines.
///
/// # Errors
///
/// The text is no transcript.
pub(super) fn transcripts(text: &str) -> Result<Vec<Record>, ReadError> {
    let (lines, below) = lines_of(text);
    let records = match form_of(&lines) {
        Form::List => listed(&lines),
        form => games_over_lines(&lines, form == Form::OneGame),
    };
    let mut records = with_tags_below(records, below);
    if let [(line, Err(error))] = records.as_mut_slice() {
        (*line, error.place.line) = (None, None);
    }
    let is_read = |game: &Result<Game, ReadError>| !matches!(game, Err(error) if error.before.is_none());
    if records.iter().any(|(_, game)| is_read(game)) {
        return Ok(records);
    }
    let message =
        |text: &str| format!("`{text}` begins neither a transcript nor a position, GGF, PGN, OBF or FEN");
    match records.first() {
        Some((_, Err(error))) if !matches!(error.code, NoMoves | Unknown) => Ok(records),
        _ => Err(ReadError::quoting(Unknown, text.trim(), message)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Each line is a game.
    List,
    /// Games are over several lines.
    OverLines,
    /// All lines are one game.
    OneGame,
}

/// The form of lines of moves. Lines that are games by themselves are a list, unless each has one move or their numbers continue.
/// Lines of one move, and numbered lines of two, are one game also if a move is wrong.
fn form_of(lines: &[Line<'_>]) -> Form {
    let mut game: Option<Game> = None;
    let (mut all_joined, mut all_alone, mut single, mut counting) = (true, true, true, true);
    // The numbers of lines that continue a game, that can do nothing else, and that can only begin one.
    let (mut joined_lines, mut joins, mut begins) = (0, 0, 0);
    // All are lines of one move without numbers, or of one or two moves with the numbers of the lines.
    let (mut plain_steps, mut numbered_steps, mut read) = (true, true, 0);
    // A remark before the line parts games.
    let mut is_parted = false;
    for line in lines {
        let alone = Joined::read(None, line);
        let joined = game.as_ref().map(|game| Joined::read(Some(game), line));
        let is_joined = joined.as_ref().is_some_and(Joined::is_good);
        let places = labels::places(line.text);
        if !is_joined && !alone.is_good() && places == 0 {
            is_parted = true;
            continue;
        }
        let placed = game.as_ref().map_or(0, Game::discs_placed);
        let number = labels::number(line.text);
        read += 1;
        let apart = line.apart | std::mem::take(&mut is_parted);
        plain_steps &= places == 1 && number.is_none() && (read == 1 || !apart);
        numbered_steps &= (1..=2).contains(&places) && number == Some(read);
        counting &= number.is_some_and(|number| number == placed + 1 || 2 * number == placed + 2);
        all_joined &= is_joined || (read == 1 && alone.is_good());
        all_alone &= alone.is_good() && alone.remark.is_empty();
        single &= alone.moves == 1 || joined.as_ref().is_some_and(|joined| joined.moves == 1);
        joined_lines += usize::from(is_joined);
        let is_further = joined.as_ref().is_some_and(|joined| joined.moves > alone.moves);
        joins += usize::from(!alone.is_good() && (is_joined || is_further));
        begins += usize::from(read > 1 && !apart && alone.is_good() && !is_joined);
        game = match joined {
            Some(joined) if is_joined => Some(joined.game),
            _ if alone.is_good() => Some(alone.game),
            _ if is_further => None,
            _ => game,
        };
        game.iter_mut().for_each(|game| game.tags = Tags::default());
    }
    let is_stepwise = plain_steps || numbered_steps;
    if joined_lines + joins > 0 && is_stepwise
        || joined_lines > 0 && all_joined && (!all_alone || single || counting)
    {
        Form::OneGame
    } else if joins > begins {
        Form::OverLines
    } else {
        Form::List
    }
}

/// The number of lines below the last one with moves or a board.
fn text_below(lines: &[Line<'_>]) -> usize {
    lines.iter().rev().take_while(|line| line.is_text()).count()
}

/// Reads lines that are games or positions. Lines of moves after the line of a position continue it, if they are legal or there is
/// no other record.
fn listed(lines: &[Line<'_>]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut tags = Tags::default();
    let below_last = text_below(lines);
    let mut rest = lines;
    while let [line, after @ ..] = rest {
        rest = after;
        if line.is_heading() && after.len() > below_last {
            line.head(&mut tags);
            continue;
        }
        let (mut continued, mut below) = (None, &[][..]);
        if let Some((position, "" | ";")) = position_of(line.text).map(|(at, rest)| (at, rest.trim())) {
            let is_moves = |line: &&Line<'_>| !squares::begins(line.text) && !fen::begins(line.text);
            let (lines, others) = after.split_at(after.iter().take_while(is_moves).count());
            let moves: Vec<_> = lines.iter().map(|line| labels::after(line.text)).collect();
            let moves = moves.join("\n");
            let game = transcript::read_from(position, labels::before_count(&moves).0);
            let is_only = records.is_empty() && others.is_empty();
            if transcript::begins(&moves) && (game.is_ok() || is_only) {
                (continued, below, rest) = (Some(game), lines, others);
            }
        }
        let mut game = continued.unwrap_or_else(|| read_line(line.number, line.text));
        if is_named(&line.tags) {
            (tags.black, tags.white, tags.date, tags.place) = Default::default();
        }
        merge(&mut tags, line.tags.clone());
        let is_only = records.is_empty() && rest.is_empty();
        match &mut game {
            Ok(game) => {
                named(game, std::mem::take(&mut tags));
                line.end(game);
                for line in below {
                    named(game, line.tags.clone());
                    line.end(game);
                }
            }
            Err(error) if !is_only => error.before = None,
            Err(error) => error.before.iter_mut().for_each(|game| named(game, tags.clone())),
        }
        records.push((Some(line.number), game));
    }
    records
}

/// Reads games over several lines. A line without moves is a comment on the move before it.
fn games_over_lines(lines: &[Line<'_>], one: bool) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    // The record that the next line may continue.
    let mut open: Option<usize> = None;
    let mut above = Tags::default();
    let below_last = text_below(lines);
    for (index, line) in lines.iter().enumerate() {
        let begins = open.is_none() || (line.apart && !one);
        if begins && line.is_heading() && index + below_last < lines.len() {
            line.head(&mut above);
            open = None;
            continue;
        }
        let game = open.and_then(|at| records[at].1.as_mut().ok());
        let joined = game.map(|game| {
            // The tags may be long and are not copied.
            let tags = std::mem::take(&mut game.tags);
            let joined = Joined::read(Some(game), line);
            game.tags = tags;
            joined
        });
        let alone = Joined::read(None, line);
        let begins = alone.is_good() && !one && (line.apart || is_named(&line.tags));
        match (open, joined) {
            (Some(at), Some(joined)) if joined.is_good() && !begins => {
                if let Ok(game) = &mut records[at].1 {
                    continue_with(game, joined.game);
                    named(game, line.tags.clone());
                    line.end(game);
                }
            }
            (Some(at), Some(_)) if !line.apart && labels::places(line.text) == 0 => {
                if let Ok(game) = &mut records[at].1 {
                    game.tags.comments.push((game.discs_placed(), line.text.trim().to_owned()));
                }
            }
            (Some(at), Some(joined)) if one || (!alone.is_good() && joined.moves > alone.moves) => {
                if let (Ok(game), Some(error)) = (&mut records[at].1, joined.error) {
                    continue_with(game, joined.game);
                    let error = match error.code {
                        Unreadable if error.before.is_none() => {
                            ReadError::unreadable(game.discs_placed() + 1, &error.message)
                        }
                        _ => error,
                    };
                    records[at].1 = Err(error.in_line(line.number).after(game));
                }
                if one {
                    break;
                }
                open = None;
            }
            _ if alone.is_good() => {
                let mut game = alone.game;
                merge(&mut above, line.tags.clone());
                named(&mut game, std::mem::take(&mut above));
                line.end(&mut game);
                open = Some(records.len());
                records.push((Some(line.number), Ok(game)));
            }
            _ => {
                let read = read_line(line.number, line.text);
                records.push((Some(line.number), read.map_err(|error| ReadError { before: None, ..error })));
            }
        }
    }
    records
}

/// Replaces a game by a longer one, which has only new tags.
fn continue_with(game: &mut Game, mut longer: Game) {
    let mut tags = std::mem::take(&mut game.tags);
    let Tags { mut comments, result, dropped, .. } = std::mem::take(&mut longer.tags);
    tags.comments.append(&mut comments);
    tags.result = result.or(tags.result);
    dropped.into_iter().for_each(|(kind, part)| tags.drop_part(kind, || part));
    longer.tags = tags;
    *game = longer;
}

/// Returns `true` for tags of lines such as `Black: Ann`.
fn is_named(tags: &Tags) -> bool {
    [&tags.black.name, &tags.white.name, &tags.date, &tags.place].into_iter().any(Option::is_some)
}

/// Gives a game the tags before it.
fn named(game: &mut Game, mut tags: Tags) {
    let result = tags.result.take();
    merge(&mut game.tags, tags);
    if let Some(GameResult { score, .. }) = result {
        Stated::from(score).set(game);
    }
}

/// Adds the tags of lines to others.
fn merge(own: &mut Tags, tags: Tags) {
    for (own, other) in [(&mut own.black, tags.black), (&mut own.white, tags.white)] {
        own.name = other.name.or(own.name.take());
    }
    own.date = tags.date.or(own.date.take());
    own.place = tags.place.or(own.place.take());
    own.result = tags.result.or(own.result.take());
    tags.dropped.into_iter().for_each(|(kind, part)| own.drop_part(kind, || part));
}
