//! Texts whose lines are positions or moves: lists of games, one per line, and games over several lines.

use super::ReadErrorCode::{NoMoves, Obf, Unknown, Unreadable};
use super::line::{AROUND, Line, Record, has_moves, lines_of, split_label};
use super::result_line::{self, Stated, set_count};
use super::transcript::TimePlace;
use super::{ReadError, diagram, fen, labels, obf, squares, transcript, words};
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

/// Reads a line in its own notation: a position with scores or moves, or a transcript.
fn read_line(line: usize, text: &str) -> Result<Game, ReadError> {
    let game = if fen::begins(text.trim_start()) {
        fen::read_prefix(text).and_then(|(position, rest)| diagram::play_from(position, rest))
    } else if squares::begins(text) {
        // Edax writes `;` before the moves.
        let is_played = |rest: &str| {
            let is_scored = rest.trim_start().starts_with(';') && rest.contains(':');
            !is_scored && diagram::is_played(rest.trim_start_matches([' ', ';']))
        };
        match squares::read_prefix(text) {
            Ok((position, rest)) if is_played(rest) => diagram::play_from(position, rest),
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
            game.tags.note_around(after);
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

/// Notes a label with letters other than words for a transcript, or numbers before the moves.
pub(super) fn note_label(game: &mut Game, text: &str) {
    let text = text.trim();
    let label = text[..text.len() - labels::after(text).len()].trim();
    if !labels::is_word(label) && label.contains(char::is_alphabetic) {
        game.tags.note_around(label);
    } else {
        game.tags.note_numbers(text);
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
                Err(unread) if words::places(unread) == 0 => {
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

/// Reads transcripts: each line is a game, or games are over several lines. An error if the text is no transcript.
pub(super) fn transcripts(text: &str) -> Vec<Record> {
    let (lines, below) = lines_of(text);
    let records = match form_of(&lines) {
        Form::List => listed(&lines),
        form => games_over_lines(&lines, form == Form::OneGame),
    };
    let mut records = with_tags_below(records, below);
    if let [(line, Err(error))] = records.as_mut_slice() {
        (*line, error.place.line) = (None, None);
    }
    if records.iter().any(has_moves) {
        return records;
    }
    let message = "{} begins neither a transcript nor a position, GGF, PGN, OBF or FEN";
    match records.first() {
        Some((_, Err(error))) if !matches!(error.code, NoMoves | Unknown) => records,
        _ => vec![(None, Err(ReadError::quoting(Unknown, text.trim(), message)))],
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
    let mut all_read = true;
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
        let places = words::places(line.text);
        if !is_joined && !alone.is_good() && places == 0 {
            is_parted = true;
            continue;
        }
        let placed = game.as_ref().map_or(0, Game::discs_placed);
        let number = labels::number(line.text);
        read += 1;
        // Numbers that begin again part games as well.
        let is_first = number == Some(1) && !is_joined;
        let apart = line.apart | is_first | std::mem::take(&mut is_parted);
        plain_steps &= places == 1 && number.is_none() && (read == 1 || !apart);
        numbered_steps &= (1..=2).contains(&places) && number == Some(read);
        counting &= number.is_some_and(|number| number == placed + 1 || 2 * number == placed + 2);
        all_joined &= is_joined || (read == 1 && alone.is_good());
        all_alone &= alone.is_good() && alone.remark.is_empty();
        all_read &= is_joined || alone.is_good();
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
    if all_read && begins > 0 && joins > begins {
        // A game begins where the one before it cannot continue.
        Form::OverLines
    } else if joined_lines + joins > 0 && is_stepwise
        || joined_lines > 0 && all_joined && (!all_alone || single || counting)
    {
        Form::OneGame
    } else if joins > begins {
        Form::OverLines
    } else {
        Form::List
    }
}

/// Reads lines that are games or positions. Lines of moves after the line of a position continue it, if they are legal or there is
/// no other record.
fn listed(lines: &[Line<'_>]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut tags = Tags::default();
    let mut rest = lines;
    while let [line, after @ ..] = rest {
        rest = after;
        if line.is_heading() {
            line.head(&mut tags);
            continue;
        }
        let (mut continued, mut below) = (None, &[][..]);
        if let Some((position, "" | ";")) = position_of(line.text).map(|(at, rest)| (at, rest.trim())) {
            // `Best move: f5` is about the position, `Tiger: f5d6c3d3c4` is a game.
            let is_about = |text: &str| {
                let game = transcript::read(labels::after(text));
                words::has_square(text) && game.map_or(0, |game| game.discs_placed()) < 5
            };
            let is_below = |line: &&Line<'_>| {
                !squares::begins(line.text)
                    && !fen::begins(line.text)
                    && (diagram::is_played(line.text) || (!line.apart && is_about(line.text)))
            };
            let (lines, others) = after.split_at(after.iter().take_while(is_below).count());
            let (moves, about): (Vec<_>, Vec<_>) =
                lines.iter().map(|line| line.text).partition(|text| diagram::is_played(text));
            let moves: Vec<_> = moves.into_iter().map(labels::after).collect();
            let mut game = diagram::play_from(position, &moves.join("\n"));
            let is_only = records.is_empty() && others.is_empty();
            if !lines.is_empty() && (game.is_ok() || is_only) {
                game.iter_mut().for_each(|game| about.iter().for_each(|text| game.tags.note_unplayed(text)));
                (continued, below, rest) = (Some(game), lines, others);
            }
        }
        let mut game = continued.unwrap_or_else(|| read_line(line.number, line.text));
        if is_named(&line.tags) {
            (tags.black, tags.white, tags.date, tags.place) = Default::default();
        }
        tags.merge(line.tags.clone());
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
    for line in lines {
        let begins = open.is_none() || (line.apart && !one);
        if begins && line.is_heading() {
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
            (Some(at), Some(_)) if !line.apart && words::places(line.text) == 0 => {
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
                above.merge(line.tags.clone());
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
    tags.merge(std::mem::take(&mut longer.tags));
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
    game.tags.merge(tags);
    if let Some(GameResult { score, .. }) = result {
        Stated::from(score).set(game);
    }
}
