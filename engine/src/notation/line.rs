//! The lines of a text that have content, each with the tags before it, and the result and the remarks below it.
//!
//! The readers of plain text share the [`Record`] and the notes of text that is not kept.

use super::result_line::{self, Stated};
use super::{ReadError, fen, labels, obf, squares, transcript, words};
use crate::game::{Game, Tags};

/// The most games of a text, invalid ones included. Reading stops after them.
pub const MAX_GAMES: usize = 50_000;

/// The kind of text that is not kept: names and remarks around moves and boards.
pub(super) const AROUND: &str = "text around moves and boards";

/// A game or an error of a text, with its line if it is known.
pub(super) type Record = (Option<usize>, Result<Game, ReadError>);

/// Returns `true` for a game, and for an error after the first moves of a game.
pub(super) fn has_moves((_, game): &Record) -> bool {
    game.as_ref().map_or_else(|error| error.before.is_some(), |_| true)
}

/// A line with content.
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: &'a str,
    /// A blank line is before it.
    pub(super) apart: bool,
    /// The tags of the lines before it.
    pub(super) tags: Tags,
    /// The result on the lines below it.
    pub(super) result: Option<Stated>,
    /// Results without a score and, if it is the last line with moves or a board, other text below it.
    pub(super) remarks: Vec<&'a str>,
}

impl Line<'_> {
    /// Returns `true` if the line has neither moves nor a board. It may mention squares, or be a message of GGS. A longer word may be
    /// a damaged board.
    pub(super) fn is_text(&self) -> bool {
        let text = self.text.trim_start();
        (words::places(text) == 0 || labels::is_prose(text) || text.starts_with("/os"))
            && !(squares::begins(text) || fen::begins(text) || transcript::begins(text))
            && text.split_whitespace().all(|word| word.chars().count() < 40)
    }

    /// Returns `true` for text above a game, such as `Game 1: Ann - Bob`, `moves,result` or `第1局`. A single word in Latin may be a
    /// damaged game.
    pub(super) fn is_heading(&self) -> bool {
        let text = self.text.trim();
        let is_name = |cell: &str| {
            let letters = cell.trim_matches(['"', ' ']).chars().take_while(|c| c.is_alphabetic());
            letters.count() > 1
        };
        let is_word = |c: char| c.is_whitespace() || (!c.is_ascii() && c.is_alphabetic());
        self.is_text()
            && text.contains(char::is_alphabetic)
            && (text.contains(is_word) || text.contains([',', ';']) && text.split([',', ';']).all(is_name))
    }

    /// Notes this line, and its tags, for the game below.
    pub(super) fn head(&self, tags: &mut Tags) {
        tags.merge(self.tags.clone());
        tags.note_around(self.text);
    }

    /// Gives a game that ends with this line the result and the remarks below.
    pub(super) fn end(&self, game: &mut Game) {
        if let Some(stated) = self.result {
            stated.set(game);
        }
        let plies = game.discs_placed();
        game.tags.comments.extend(self.remarks.iter().map(|&remark| (plies, remark.to_owned())));
    }
}

/// Returns `true` if a line has no content: a blank line, a comment, or a rule across the page.
pub fn is_silent(line: &str) -> bool {
    let line = line.trim_start();
    let is_comment = line.starts_with("//") || (line.starts_with('#') && !squares::begins(line));
    obf::is_silent(line) || is_comment || is_rule(line)
}

/// Returns `true` if a line repeats one sign. Such a line would otherwise be a board full of discs. If the sign is an empty
/// square and the line is no longer than a board, the line may be meant as a board and is not a rule.
fn is_rule(line: &str) -> bool {
    let line = line.trim_start_matches(['#', '/']).trim();
    // Longer than the rows of any diagram, or than a board.
    let min_length = if line.starts_with(['-', '.', '_']) { 65 } else { 40 };
    repeated(line) >= min_length
}

/// The length of a line that repeats one sign other than a letter or digit. 0 for other lines.
pub(super) fn repeated(line: &str) -> usize {
    let line = line.trim();
    let sign = line.chars().next().filter(|c| !c.is_alphanumeric());
    if line.chars().all(|c| Some(c) == sign) { line.len() } else { 0 }
}

/// The lines of a text with content, each with the tags before it, and the tags after the last line.
pub(super) fn lines_of(text: &str) -> (Vec<Line<'_>>, Tags) {
    let (mut lines, mut tags, mut apart) = (Vec::<Line<'_>>::new(), Tags::default(), false);
    let mut moves = text.lines().filter(|line| !is_silent(line) && words::has_square(line));
    let is_log = moves.clone().nth(1).is_some() && moves.all(|line| labels::after_time(line).is_some());
    // If the first result is before all moves, so are the others.
    let mut results_first = None;
    for (index, text) in text.lines().enumerate() {
        // A rule parts games, such as `---` or `=====`.
        let is_rule = repeated(text) > 2 && !squares::begins(text);
        apart |= is_rule || text.trim().is_empty();
        if is_rule {
            continue;
        }
        let (label, mut text) = split_label(text);
        if let Some(rest) = labels::after_time(text).filter(|_| is_log) {
            tags.drop_text("times before moves", text);
            text = rest;
        }
        if label.contains(char::is_alphabetic) || labels::numbers(label).is_some() {
            tags.note_around(label);
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
                (None, None) => tags.note_around(text),
                (None, Some(stated)) => tags.result = Some(stated.result()),
            }
            continue;
        }
        if labels::after(text).is_empty() {
            if !labels::is_word(text.trim()) {
                tags.note_around(text);
            }
            continue;
        }
        // A comment after moves.
        let mut remarks = Vec::new();
        let parts = [" #", " //"].into_iter().find_map(|sign| text.split_once(sign));
        // `#2 d6` is the number of a move.
        let is_remark = |remark: &str| words::digits(remark) == 0 || words::places(remark) == 0;
        let parts = parts.filter(|(moves, remark)| words::places(moves) > 0 && is_remark(remark));
        if let Some((moves, remark)) = parts {
            (text, remarks) = (moves, vec![remark.trim()]);
        }
        let tags = std::mem::take(&mut tags);
        lines.push(Line { number: index + 1, text, apart, tags, result: None, remarks });
        apart = false;
        // One more than the most games shows that there are more.
        if lines.len() > MAX_GAMES {
            break;
        }
    }
    around_last(&mut lines);
    (lines, tags)
}

/// Makes text below the last line with moves or a board remarks of that line. If it is the only one, notes the text above it.
fn around_last(lines: &mut Vec<Line<'_>>) {
    let mut games = (0..lines.len()).rev().filter(|&at| !lines[at].is_text());
    let (Some(at), is_only) = (games.next(), games.next().is_none()) else { return };
    let mut around = std::mem::take(lines);
    let mut last = around.remove(at);
    for (index, line) in around.into_iter().enumerate() {
        if !is_only && (index < at || !line.is_heading()) {
            lines.push(line);
            continue;
        }
        last.tags.merge(line.tags);
        last.result = line.result.or(last.result);
        if index < at {
            last.tags.note_around(line.text);
        } else {
            last.remarks.push(line.text.trim());
        }
    }
    lines.insert(at.min(lines.len()), last);
}

/// Splits a line before its board, `FFO 40: ---…`, or before the cell of a table with moves, `Ann,Bob,f5d6c3`. The label is empty if
/// the line has neither.
pub(super) fn split_label(line: &str) -> (&str, &str) {
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
        is_table && words::places(cell) > 2 && cell.bytes().all(|c| c.is_ascii_alphanumeric())
    };
    let (mut at, mut has_square) = (0, false);
    for word in line.split_inclusive(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | ';')) {
        let board = word.trim_start_matches(QUOTES);
        at += word.len() - board.len();
        let cell = board.trim_end_matches([';', '\t', ' ']);
        if is_board(board.trim_end()) || (!has_square && is_moves(cell)) {
            return (&line[..at], line[at..].trim_end_matches(QUOTES));
        }
        has_square = has_square || words::has_square(word);
        at += board.len();
    }
    ("", line)
}

impl Tags {
    /// Notes text that is not kept.
    pub(super) fn note_around(&mut self, text: &str) {
        self.drop_text(AROUND, text);
    }

    /// Notes numbers before the moves of a text.
    pub(super) fn note_numbers(&mut self, text: &str) {
        labels::numbers_before(text).into_iter().for_each(|numbers| self.note_around(numbers));
    }

    /// Notes a line below a board whose moves are not played.
    pub(super) fn note_unplayed(&mut self, line: &str) {
        self.drop_text("moves not played from the board", line);
    }

    /// Adds those of other lines.
    pub(super) fn merge(&mut self, mut tags: Tags) {
        for (own, other) in [(&mut self.black, tags.black), (&mut self.white, tags.white)] {
            own.name = other.name.or(own.name.take());
        }
        self.date = tags.date.or(self.date.take());
        self.place = tags.place.or(self.place.take());
        self.result = tags.result.or(self.result);
        self.comments.append(&mut tags.comments);
        tags.dropped.into_iter().for_each(|(kind, part)| self.drop_part(kind, || part));
    }
}
