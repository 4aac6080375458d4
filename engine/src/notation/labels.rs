//! Text around the moves of a transcript: a label (`棋譜: f5…`), lines that name the players (`Black: Ann`), the color before a move
//! (`B: f5`), the final count (`51-13`).

use super::{clock, moves, number, words};
use crate::board::Color;
use crate::game::Tags;

/// The longest label, in characters.
pub(super) const MAX_LABEL: usize = 80;

/// Words before a transcript that need no colon.
const WORDS: &str =
    "棋譜|棋谱|手順|手顺|着手|transcript|moves|record|kifu|coups|partie|game|sequence|séquence";

/// The tag that the first words of a line name.
const KEYS: [(Key, &str); 4] = [
    (
        Key::Player(Color::Black),
        "black|black player|noir|noirs|schwarz|nero|negras|黒|黒番|先手|黑|黑方|黑棋",
    ),
    (
        Key::Player(Color::White),
        "white|white player|blanc|blancs|weiß|weiss|bianco|blancas|白|白番|後手|白方|白棋",
    ),
    (Key::Date, "date|日付|日時|日期"),
    (Key::Place, "place|event|lieu|大会|場所|地点|比赛"),
];

#[derive(Clone, Copy)]
enum Key {
    Player(Color),
    Date,
    Place,
}

/// The tag that a word names.
fn key_named(word: &str) -> Option<Key> {
    KEYS.iter().find(|(_, names)| words::is_in(names, word)).map(|&(key, _)| key)
}

/// The words for a side, with `|` between them.
pub(super) fn names_of(color: Color) -> &'static str {
    KEYS[usize::from(color == Color::White)].1
}

/// The side that a word names.
pub(super) fn side_named(word: &str) -> Option<Color> {
    match key_named(word) {
        Some(Key::Player(color)) => Some(color),
        _ => None,
    }
}

/// The color before a move, as a sign or a word, and its length with the words up to the move: `B`, `●`, `Black plays`.
pub(super) fn color(text: &str) -> Option<(Color, usize)> {
    const SIGNS: [(Color, &str); 2] =
        [(Color::Black, "b|x|●|⚫|▲|▼|☗|흑"), (Color::White, "w|o|○|◯|⚪|△|▽|☖|백")];
    const VERBS: &str =
        "plays|played|places|placed|puts|put|moves|moved|a|disc|disk|piece|stone|to|at|on|in|joue|pose|en";
    let named = |word: &str| {
        let sign = SIGNS.into_iter().find(|(_, signs)| words::is_in(signs, word));
        sign.map(|(color, _)| color).or_else(|| side_named(word))
    };
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    // `黒番` has two characters.
    let ends = text.char_indices().take(2).map(|(at, c)| at + c.len_utf8());
    let ends = if letters > 0 { vec![letters] } else { ends.collect() };
    let (color, end) = ends.into_iter().rev().find_map(|end| Some((named(&text[..end])?, end)))?;
    let rest = &text[end..];
    let mut after = rest.trim_start_matches([':', '.', ' ', '\t']);
    // No verb is longer.
    while let Some(end) = after.bytes().take(7).position(|byte| byte == b' ')
        && words::is_in(VERBS, &after[..end])
    {
        after = after[end..].trim_start();
    }
    let next = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_move = words::has_square(next) || moves::parse(next).is_some();
    (is_move && (letters == 0 || after.len() < rest.len())).then_some((color, text.len() - after.len()))
}

/// Stores a line such as `Black: Ann` in the tags. Returns `false` if the line is not made of tags.
pub(super) fn take_tag(line: &str, tags: &mut Tags) -> bool {
    let Some(values) = tags_of(line) else { return false };
    for (key, value) in values {
        let value = Some(value.to_owned()).filter(|value| !value.is_empty());
        match key {
            Key::Player(Color::Black) => tags.black.name = value,
            Key::Player(Color::White) => tags.white.name = value,
            Key::Date => tags.date = value,
            Key::Place => tags.place = value,
        }
    }
    true
}

/// The tags of a line such as `Black: Ann, White: Bob`.
fn tags_of(line: &str) -> Option<Vec<(Key, &str)>> {
    let (name, mut rest) = line.split_once([':', '='])?;
    let mut key = key_named(name.trim())?;
    let mut values = Vec::new();
    loop {
        let ends = rest.match_indices([':', '=']).take_while(|&(end, _)| end < 4 * MAX_LABEL);
        let next = ends.map(|(end, _)| end).find_map(|end| {
            let before = rest[..end].trim_end();
            let at = before.rfind([' ', '\t', ','])? + 1;
            Some((at, end + 1, key_named(&before[at..])?))
        });
        let value = &rest[..next.map_or(rest.len(), |(at, ..)| at)];
        let value = value.trim_matches([' ', '\t', ',', ';', '|', '/']);
        // `Black: f5 d6` is a label with moves, `Black: 33` and `Black: +2` are numbers of discs.
        let count = value.trim_start_matches(['+', '-']);
        let is_count = matches!(count.len(), 1..=2) && count.bytes().all(|c| c.is_ascii_digit());
        if value.chars().count() > MAX_LABEL || words::has_square(value) || is_count {
            return None;
        }
        values.push((key, value));
        let Some((_, end, named)) = next else { return Some(values) };
        (key, rest) = (named, &rest[end..]);
    }
}

/// Returns `true` for the heading of a score sheet, such as `no. Black White`.
pub(super) fn is_heading(line: &str) -> bool {
    let mut sides = [false; 2];
    let known = |word: &str| match side_named(word) {
        Some(color) => {
            sides[usize::from(color == Color::White)] = true;
            true
        }
        None => words::is_in("no|nr|n|move|coup", word),
    };
    words::of(line).all(known) && sides == [true; 2]
}

/// The text after the time of day that begins a line of a log: `[12:00:01] f5`, `2024-05-06 12:00:01 f5`.
pub(super) fn after_time(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['[', '(', ' ', '\t']);
    let date = line.bytes().take_while(|c| c.is_ascii_digit() || b"-/.".contains(c)).count();
    let time = if date >= 8 { line[date..].trim_start_matches([' ', 'T', ',']) } else { line };
    let (_, length) = clock::time_before(time)?;
    Some(time[length..].trim_start_matches([']', ')', 'Z', '-', ' ', '\t']))
}

/// The text after the label of a line, or the whole line if it has no label.
pub(super) fn after(line: &str) -> &str {
    let mut rest = line.trim();
    // `Game 3: 棋譜: f5`.
    for _ in 0..4 {
        let Some(after) = after_one(rest) else { break };
        rest = after.trim_start();
    }
    rest
}

/// Returns `true` if a label is empty, a word for a transcript or a number.
pub(super) fn is_word(label: &str) -> bool {
    let label = label.trim_matches(|c: char| c.is_whitespace() || ":=【】「」『』[].)".contains(c));
    words::digits(label) == label.len() || words::is_in(WORDS, label)
}

/// The number at the start of a line.
pub(super) fn number(line: &str) -> Option<usize> {
    let line = line.trim_start();
    let digits = words::digits(line);
    let ends = line[digits..].starts_with(|c: char| c.is_whitespace() || matches!(c, '.' | ')' | ':'));
    line[..digits].parse().ok().filter(|_| digits <= 3 && ends)
}

fn after_one(line: &str) -> Option<&str> {
    if color(line).is_some() {
        return None;
    }
    let word = WORDS.split('|').find_map(|word| {
        let is_whole = |rest: &&str| !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphabetic());
        words::after(line, word).filter(is_whole)
    });
    let end = line
        .char_indices()
        .take(MAX_LABEL)
        .find(|&(_, c)| matches!(c, ':' | '=' | ']' | '】' | '」' | '』'))
        .map(|(at, c)| (at, at + c.len_utf8()));
    if let Some((at, end)) = end {
        let label = &line[..at];
        // The board of GGS is in brackets.
        let is_label =
            label.chars().any(char::is_alphabetic) && !words::has_square(label) && !label.contains("[8");
        if is_label && label.trim() != "pass" {
            return Some(&line[end..]);
        }
    }
    word
}

/// The numbers before the first square, such as a date, a value or a count.
pub(super) fn numbers_before(text: &str) -> Option<&str> {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).filter(|&end| words::has_square(&text[end..]))?;
    numbers(&text[..end])
}

/// The numbers of a text that has nothing else. `None` for a time, and for the number of a move or a game.
pub(super) fn numbers(text: &str) -> Option<&str> {
    let numbers = text.trim_matches(|c: char| !c.is_ascii_digit() && !"+-−%".contains(c));
    let is_number = words::digits(numbers) == numbers.len();
    let has_letter = numbers.contains(char::is_alphabetic);
    let is_kept = !is_number && !has_letter && clock::time_before(numbers).is_none();
    (is_kept && numbers.contains(|c: char| c.is_ascii_digit())).then_some(numbers)
}

/// Returns `true` for words without squares, such as `Tiger` or `# a good line`. The first has at least three letters.
pub(super) fn is_remark(text: &str) -> bool {
    let word = words::of(text).next().unwrap_or_default();
    words::places(text) == 0 && word.chars().all(char::is_alphabetic) && (word.len() > 2 || !word.is_ascii())
}

/// Returns `true` for sentences that mention squares: at least four words, and two for each square.
pub(super) fn is_prose(text: &str) -> bool {
    let words =
        text.split_whitespace().filter(|word| word.chars().filter(|c| c.is_alphabetic()).nth(1).is_some());
    words.count() >= (2 * words::places(text)).max(4)
}

/// Splits moves without separators from the numbers after them, as files of games have them: `f5d6c3 -1`, `f5d6c3,0.5,12`. The
/// numbers are empty if the text has another form.
pub(super) fn before_values(text: &str) -> (&str, &str) {
    let line = text.trim_matches(|c: char| c.is_whitespace() || "\"',;".contains(c));
    let (moves, values) = line.split_at(line.bytes().take_while(u8::is_ascii_alphanumeric).count());
    let mut cells = values
        .split([' ', '\t', ',', ';'])
        .map(|cell| cell.trim_matches('"'))
        .filter(|cell| !cell.is_empty());
    let is_number = |cell: &str| number::read(cell).is_some_and(f64::is_finite);
    if values.is_empty() || words::places(moves) < 2 || !words::is_places(moves) || !cells.all(is_number) {
        return (text, "");
    }
    (moves, values.trim_start_matches([' ', '\t', ',', ';', '"']))
}

/// A line of Logistello's games, `+d3-c5+f6-f5: +12 01`: its moves with colors, the score for Black, and the text after it. Passes
/// are omitted.
pub(super) fn of_logistello(line: &str) -> Option<(String, Option<i32>, &str)> {
    let (moves, rest) = line.trim().split_once(':').unwrap_or((line.trim(), ""));
    let is_move = |text: &[u8]| {
        matches!(text[0], b'+' | b'-') && str::from_utf8(&text[1..]).is_ok_and(words::has_square)
    };
    if moves.len() < 6 || moves.len() % 3 != 0 || !moves.as_bytes().chunks(3).all(is_move) {
        return None;
    }
    let (score, after) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let score = match score {
        "" => None,
        score => Some(score.parse().ok().filter(|score| (-64..=64).contains(score))?),
    };
    Some((moves.replace('+', " b:").replace('-', " w:"), score, after.trim()))
}

/// The count of discs at the end of a text, which may be nothing else.
pub(super) fn count(text: &str) -> Option<(u32, u32)> {
    // Something must be before a final count.
    before_count(&format!("; {text}")).1
}

/// The text without the final count at its end, and the count: `51-13`, `(38 - 26)`, `1-0`, `1/2-1/2`, `*`.
pub(super) fn before_count(text: &str) -> (&str, Option<(u32, u32)>) {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '.'));
    let unknown = end.strip_suffix('*').filter(|rest| rest.ends_with(char::is_whitespace));
    let found = match (unknown, end.strip_suffix("1/2-1/2")) {
        (Some(rest), _) => Some((rest, None)),
        (_, Some(rest)) => Some((rest, Some((32, 32)))),
        _ => before_discs(end).map(|(rest, black, white)| (rest, Some((black, white)))),
    };
    let is_around = |c: char| c.is_whitespace() || matches!(c, '(' | '[');
    let found = found.map(|(rest, count)| (rest.trim_end_matches(is_around), count));
    found.filter(|(rest, _)| !rest.is_empty()).unwrap_or((text, None))
}

/// The text before the numbers of discs at its end, and these numbers.
fn before_discs(text: &str) -> Option<(&str, u32, u32)> {
    let (rest, white) = number_before(text)?;
    // `38:26` may be a time.
    let is_time = rest.ends_with(':');
    let rest = rest.trim_end();
    let rest = rest.strip_suffix("vs").or_else(|| rest.strip_suffix(['-', '–', '—', ':', '対', '对']))?;
    let (rest, black) = number_before(rest.trim_end())?;
    let mut words = rest.split(|c: char| !c.is_ascii_digit() && c != ':');
    if is_time && (black + white != 64 || words.any(|word| clock::time_before(word).is_some())) {
        return None;
    }
    let apart = rest.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '['));
    (apart && black + white <= 64).then_some((rest, black, white))
}

/// A number of at most two digits at the end of a text, and the text before it.
fn number_before(text: &str) -> Option<(&str, u32)> {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &text[rest.len()..];
    Some((rest, number.parse().ok().filter(|_| number.len() < 3)?))
}
