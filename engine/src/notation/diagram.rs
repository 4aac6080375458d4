//! Drawn boards, one row per line, and the moves played from them.
//!
//! Letters and numbers may be around the board, and borders and bars between its squares. The side to move follows as a
//! letter or a phrase in any language of the page (`X`, `Black to move`, `trait aux noirs`, `手番: 黒`, `黑方`), or is named on a
//! line above the board. If it is missing, the first move selects it, or the number of discs if both sides can play that move.

use super::ReadErrorCode::TooFewSquares;
use super::line::Record;
use super::result_line::set_count;
use super::{ReadError, labels, squares, transcript, words};
use crate::board::{Bitboard, Color, Position, Square};
use crate::game::{Game, Tags};

/// Reads the diagrams of a text, each with its first line and with the moves after it. Empty if the text has none.
pub(super) fn read_all(text: &str) -> Vec<Record> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut boards, mut from, mut sides_above) = (Vec::new(), 0, false);
    while let Some(board) = board(&lines[from..]) {
        let after = &lines[from + board.end..];
        let next = after.iter().position(|line| is_row(line)).unwrap_or(after.len());
        sides_above |= boards.is_empty() && board.side_above.is_some();
        let above = if next < after.len() { lines_above(&after[..next], sides_above) } else { 0 };
        let (first, end) = (from + board.first + 1, from + board.end + next - above);
        add(board, Some(first), &after[..next - above], &mut boards);
        from = end;
    }
    if !boards.is_empty() && lines[from..].iter().any(|line| is_row(line)) {
        boards.push((Some(from + 1), Err(ReadError::new(TooFewSquares, "a board has fewer than 8 rows"))));
    }
    boards
}

/// Adds a board. If it shows the end of the game before it, as programs print it after each move, the game continues.
fn add(mut board: Board<'_>, line: Option<usize>, below: &[&str], boards: &mut Vec<Record>) {
    let shown = boards.last_mut().and_then(|(_, game)| game.as_mut().ok()).filter(|game| {
        let end = game.position();
        !game.moves().is_empty() && board.discs == [Color::Black, Color::White].map(|color| end.discs(color))
    });
    let Some(game) = shown else {
        boards.push((line, board.finish(below)));
        return;
    };
    board.side_above.get_or_insert(game.position().side());
    match board.finish(below) {
        Ok(mut next) if next.start() == game.position() => {
            let before = game.discs_placed();
            for &played in next.moves() {
                // The moves are legal from there.
                _ = game.play(played);
            }
            next.tags.comments.iter_mut().for_each(|(at, _)| *at += before);
            game.tags.merge(next.tags);
        }
        read => boards.push((line, read)),
    }
}

/// The number of lines directly above a board that belong to it and not to the board before them. The side to move is above the
/// boards if the first one has it there, or if a blank line separates it only from the board before it.
fn lines_above(lines: &[&str], sides_above: bool) -> usize {
    let is_blank = |line: &&str| line.trim().is_empty();
    let mut count = 0;
    while let [rest @ .., line] = &lines[..lines.len() - count] {
        let is_apart = || rest.last().is_some_and(is_blank) && !lines[rest.len()..].iter().any(is_blank);
        let is_side = || side_of(line).is_some() && (sides_above || is_apart());
        if !is_margin(line) && !is_border(line) && !is_side() {
            break;
        }
        count += 1;
    }
    count
}

/// A drawn board.
#[derive(Default)]
struct Board<'a> {
    /// Black and white discs.
    discs: [Bitboard; 2],
    /// The side next to it and above it.
    beside: &'a str,
    side_above: Option<Color>,
    tags: Tags,
    /// The lines of the first row, and after the last one.
    first: usize,
    end: usize,
}

/// The first board of some lines.
fn board<'a>(lines: &[&'a str]) -> Option<Board<'a>> {
    let mut board = Board::default();
    let (mut rows, mut signs, mut is_descending) = (0_u8, Vec::new(), true);
    for (index, line) in lines.iter().enumerate() {
        match row(line) {
            Some((cells, beside)) => {
                if rows == 0 {
                    board.first = index;
                }
                // Programs write numbers of discs and moves in other rows.
                if board.beside.is_empty() && !beside.contains(|c: char| c.is_ascii_digit()) {
                    board.beside = beside.trim();
                } else {
                    board.tags.note(beside);
                }
                is_descending &= number_of(line) == Some(8 - u32::from(rows));
                signs.extend(cells);
                rows += 1;
                if rows == 8 {
                    board.end = index + 1;
                    let mut stars = Bitboard::EMPTY;
                    let contents = squares::contents_on(&signs);
                    for (square, sign) in Square::all().map(Bitboard::of).zip(signs) {
                        match contents(sign).flatten() {
                            Some(_) if sign == '*' => stars |= square,
                            Some(color) => board.discs[usize::from(color == Color::White)] |= square,
                            None => {}
                        }
                    }
                    // Next to other black discs, stars are legal moves.
                    if board.discs[0].is_empty() {
                        board.discs[0] = stars;
                    } else if !stars.is_empty() {
                        board.tags.drop_text("marks of squares", "*");
                    }
                    // The first row may be the last of the board.
                    if is_descending {
                        board.discs = board.discs.map(|Bitboard(rows)| Bitboard(rows.swap_bytes()));
                    }
                    return Some(board);
                }
            }
            None if rows == 0 && !is_margin(line) && !labels::take_tag(line, &mut board.tags) => {
                match side_of(line) {
                    Some(side) => board.side_above = Some(side),
                    None => board.tags.note(line),
                }
            }
            None if rows == 0 || is_border(line) => {}
            None => return None,
        }
    }
    None
}

/// The number of a row, before it or after it.
fn number_of(line: &str) -> Option<u32> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '|');
    [line.chars().next(), line.chars().last()].into_iter().find_map(|c| c?.to_digit(10).filter(|&n| n > 0))
}

/// The side that a line above a board names.
fn side_of(line: &str) -> Option<Color> {
    let (side, rest) = side(line);
    side.filter(|_| rest.trim().is_empty() && !words::has_square(line))
}

impl Tags {
    fn note(&mut self, part: &str) {
        if part.contains(char::is_alphabetic) {
            self.note_around(part);
        }
    }
}

impl Board<'_> {
    /// The position with the moves in the lines below it.
    fn finish(mut self, below: &[&str]) -> Result<Game, ReadError> {
        let [black, white] = self.discs;
        let below = below.iter().filter(|line| !is_margin(line) && !is_border(line));
        // GGS writes a bar before every line.
        let below = below.map(|line| line.trim_start().trim_start_matches('|'));
        let mut lines = vec![self.beside];
        for line in below {
            if is_played(line) || side_of(line).is_some() || !line.contains(char::is_alphabetic) {
                lines.push(line);
            } else if words::has_square(line) {
                self.tags.note_unplayed(line);
            } else {
                self.tags.note(line);
            }
        }
        let below = lines.join("\n");
        let (given, moves) = side(&below);
        let given = given.or(self.side_above);
        let position = |color| Position::from_discs(black, white, color).ok_or_else(squares::no_side);
        let read = if moves.trim().is_empty() {
            Ok(Game::new(position(given.ok_or_else(squares::no_side)?)?))
        } else {
            let discs = black.count() + white.count();
            let usual = if discs % 2 == 0 { Color::Black } else { Color::White };
            let first = position(given.unwrap_or(usual))?;
            match play_from(first, moves) {
                // The other side may be the one to move.
                Err(error) if given.is_none() => play_from(position(!usual)?, moves).map_err(|_| error),
                read => read,
            }
        };
        read.map(|mut game| {
            self.tags.merge(game.tags);
            game.tags = self.tags;
            game
        })
    }
}

/// The lines between columns.
pub(super) const BARS: [char; 4] = ['|', '│', '┃', '║'];

/// The squares of a row, and the text next to it.
fn row(line: &str) -> Option<([char; 8], &str)> {
    let is_barred = line.matches(BARS).count() > 7;
    let beside = line.rsplit(BARS).next().filter(|text| is_barred && content(text.trim()).is_none());
    cells(line).map(|cells| (cells, beside.unwrap_or_default())).or_else(|| cells_and_text(line))
}

/// The eight squares of a row. Each has [`squares::contents`].
fn cells(line: &str) -> Option<[char; 8]> {
    // An empty square between bars, or in a row of a table, may be blank.
    let table =
        ['\t', ',', ';'].into_iter().find(|&separator| matches!(line.matches(separator).count(), 7 | 8));
    let barred = table.map(|separator| format!("|{}|", line.replace(separator, "|")));
    let line = line.trim();
    let barred: Vec<&str> = barred.as_deref().unwrap_or(line).split(BARS).collect();
    if barred.len() >= 9 {
        // The number of the row may be between bars.
        let first = 1 + usize::from(barred[1].trim().parse::<u8>().is_ok_and(|n| n > 0));
        let inner = barred.get(first..first + 8)?.iter();
        let cells: Option<Vec<_>> = inner.map(|cell| content(cell.trim())).collect();
        if cells.is_some() || table.is_none() {
            return cells?.try_into().ok();
        }
    }
    // Lists of programming languages have the others.
    let is_between = |c: char| c.is_whitespace() || BARS.contains(&c) || ",\"'[]".contains(c);
    let mut characters: Vec<char> = line.chars().filter(|&c| !is_between(c)).collect();
    let number = |c: Option<&char>| c.is_some_and(|c| matches!(c, '0'..='8'));
    if characters.len() > 8 && number(characters.first()) {
        characters.remove(0);
        if characters.len() > 8 && matches!(characters[0], ':' | ')' | '.') {
            characters.remove(0);
        }
    }
    if characters.len() == 9 && number(characters.last()) {
        characters.pop();
    }
    characters.iter().all(|&c| squares::contents(c).is_some()).then(|| characters.try_into().ok())?
}

/// A row after its number, and the text after it and its second number.
fn cells_and_text(line: &str) -> Option<([char; 8], &str)> {
    let line = line.trim_start();
    let number = line.chars().next().filter(|number| matches!(number, '1'..='8'))?;
    let mut signs = line.char_indices().filter(|(_, c)| !c.is_whitespace() && *c != '|');
    let (at, last) = signs.nth(8)?;
    let (row, text) = line.split_at(at + last.len_utf8());
    let cells = cells(row)?;
    let text = text.trim_start_matches('|');
    let text = match text.trim_start().strip_prefix(number) {
        Some(text) => text,
        None if text.starts_with(char::is_whitespace) || text.is_empty() => text,
        None => return None,
    };
    // Edax draws the moves of the game after the text and another number.
    let edax = text.split_once(BARS).and_then(|(text, _)| text.trim_end().strip_suffix(number));
    Some((cells, edax.unwrap_or(text)))
}

/// Returns `true` for the eight squares of a row, but not for a rule.
pub(super) fn is_row(line: &str) -> bool {
    row(line).is_some() && !is_border(line)
}

/// The character of a square, which may be blank.
fn content(cell: &str) -> Option<char> {
    let mut characters = cell.chars();
    match (characters.next(), characters.next()) {
        (None, _) => Some('-'),
        (Some(character), None) => squares::contents(character).map(|_| character),
        _ => None,
    }
}

/// Returns `true` for a line drawn between or around rows.
pub(super) fn is_border(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || matches!(c, '+' | '-' | '=' | '|' | '─'..='╿'))
}

/// Returns `true` for the letters of the columns.
pub(super) fn is_margin(line: &str) -> bool {
    let letters = line.chars().map(|c| match c {
        // Regional indicators, the letters of flags.
        '🇦'..='🇭' => char::from(b'a' + (c as u32 - '🇦' as u32) as u8),
        c => c.to_ascii_lowercase(),
    });
    letters.filter(|&c| c.is_alphanumeric()).eq("abcdefgh".chars())
}

/// Returns `true` if a line below a board has moves that are played from it. Moves in a table or after another label, such as
/// `Legal moves: f5` or `Hint: d6`, are not.
pub(super) fn is_played(line: &str) -> bool {
    let moves = labels::after(line);
    let label = &line[..line.trim_end().len() - moves.len()];
    let first = words::of(moves).next();
    (labels::is_word(label) || is_about_side(label))
        && line.matches('|').count() < 3
        && (transcript::begins(moves) || first.is_some_and(|word| words::places(word) > 0))
}

/// Reads the moves from a position with their label and the final count.
pub(super) fn play_from(position: Position, text: &str) -> Result<Game, ReadError> {
    let (moves, count) = labels::before_count(labels::after(text));
    let mut game = transcript::read_from(position, moves)?;
    set_count(&mut game, count);
    Ok(game)
}

/// Parts of the names of the sides.
const BLACK: &str = "black|noir|schwarz|negr|nero|黒|黑|흑|●|⚫";
const WHITE: &str = "white|blanc|weiß|weiss|bianc|白|백|○|⚪";

/// Returns `true` if a phrase in lower case contains one of the words.
fn holds(words: &str, phrase: &str) -> bool {
    words.split('|').any(|word| phrase.contains(word))
}

/// The side to move at the beginning of the text, and the text after it.
fn side(text: &str) -> (Option<Color>, &str) {
    let text = text.trim();
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    let sentence = sentence(line);
    let (phrase, rest) = match line.split_once(':') {
        _ if sentence.len() < line.len() => {
            (sentence, if words::has_square(line) { &text[sentence.len()..] } else { after })
        }
        // `Black to move: f5 d6`, or `Side to move: X`, but not `Last mover: X`.
        Some((label, value)) if named(label).is_some() => (label, &text[line.len() - value.len()..]),
        Some((label, value)) if is_about_side(label) && named(value).is_some() => (value, after),
        Some((label, value)) if is_about_side(label) => {
            let word = value.trim_start().split(char::is_whitespace).next().unwrap_or_default();
            (word, &text[line.len() - value.len() + value.find(word).unwrap_or_default() + word.len()..])
        }
        _ => {
            let word = line.split(char::is_whitespace).next().unwrap_or_default();
            match single(word) {
                Some(_) if is_about_side(&line[word.len()..]) && !has_digit(line) => (word, after),
                Some(_) => (word, &text[word.len()..]),
                None => (line, after),
            }
        }
    };
    match single(phrase).or_else(|| named(phrase)) {
        // `Black 33` is a count.
        Some(color)
            if single(phrase).is_some()
                || (!transcript::begins(phrase) && (has_turn_word(phrase) || !has_digit(phrase))) =>
        {
            (Some(color), labels::after(rest))
        }
        _ => (None, labels::after(text)),
    }
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Words next to the side to move.
const AROUND_SIDE: &str = "x|o|s|a|à|to|on|move|moves|play|plays|turn|next|player|side|color|colour|is|it|now|the|current|tour|\
    joueur|dran|spieler|turno|jugador|手番|次の手番|次|trait|au|aux|de|les|joue|jouent|jouer|am|ist|zug|zieht|mueve|\
    mueven|juega|juegan|tocca|al|muove|il|の番|番|차례";

/// The beginning of a line that says who is to move: `White to move, 52 empties`, `It's Black's turn. What now?`, `Black to play and
/// win`. The whole line if it has another form, such as `The black player, Ann`.
fn sentence(line: &str) -> &str {
    let ends =
        [" and ", ".", "!", "?", ",", ";", "(", "。", "、"].into_iter().filter_map(|end| line.find(end));
    let first = &line[..ends.min().unwrap_or(line.len())];
    if named(first).is_some() && has_turn_word(first) { first } else { line }
}

/// Returns `true` if a phrase has a word such as "turn" or "to play".
fn has_turn_word(phrase: &str) -> bool {
    let words = "move|to play|turn|trait|jou|zug|zieht|juega|mueve|tocca|muove|番|차례";
    holds(words, &phrase.to_lowercase())
}

/// The side that a phrase names. `None` if it names both or none, or has other words, such as `Black won`.
fn named(phrase: &str) -> Option<Color> {
    let phrase = phrase.to_lowercase();
    if !is_about_side(&phrase) {
        return None;
    }
    let has = |letter: &str| phrase.split(|c: char| !c.is_alphabetic()).any(|word| word == letter);
    match (holds(BLACK, &phrase), holds(WHITE, &phrase)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        // `X's turn`.
        (false, false) if has("x") != has("o") => Some(if has("x") { Color::Black } else { Color::White }),
        _ => None,
    }
}

/// Returns `true` if all words are names of a side or next to them.
fn is_about_side(phrase: &str) -> bool {
    phrase.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).all(|word| {
        word.is_empty() || words::is_in(AROUND_SIDE, &word) || holds(BLACK, &word) || holds(WHITE, &word)
    })
}

/// The side of a single disc.
fn single(word: &str) -> Option<Color> {
    content(word.trim()).and_then(squares::contents).flatten()
}
