//! What people write around a transcript: a label before it (`棋譜: f5…`, `Partie 3 : f5…`), lines that name the
//! players (`Black: Ann`), the final count after it (`51-13`).

use crate::board::Color;
use crate::game::Tags;

/// The longest label, in characters.
const LONGEST: usize = 80;

/// Words that stand before a transcript without a colon.
const WORDS: [&str; 14] = [
    "棋譜",
    "棋谱",
    "手順",
    "手顺",
    "着手",
    "transcript",
    "moves",
    "record",
    "kifu",
    "coups",
    "partie",
    "game",
    "sequence",
    "séquence",
];

/// Who or what a line tells of.
const KEYS: [(&str, Key); 30] = [
    ("black", Key::Player(Color::Black)),
    ("black player", Key::Player(Color::Black)),
    ("noir", Key::Player(Color::Black)),
    ("noirs", Key::Player(Color::Black)),
    ("黒", Key::Player(Color::Black)),
    ("黒番", Key::Player(Color::Black)),
    ("先手", Key::Player(Color::Black)),
    ("黑", Key::Player(Color::Black)),
    ("黑方", Key::Player(Color::Black)),
    ("黑棋", Key::Player(Color::Black)),
    ("white", Key::Player(Color::White)),
    ("white player", Key::Player(Color::White)),
    ("blanc", Key::Player(Color::White)),
    ("blancs", Key::Player(Color::White)),
    ("白", Key::Player(Color::White)),
    ("白番", Key::Player(Color::White)),
    ("後手", Key::Player(Color::White)),
    ("白方", Key::Player(Color::White)),
    ("白棋", Key::Player(Color::White)),
    ("date", Key::Date),
    ("日付", Key::Date),
    ("日時", Key::Date),
    ("日期", Key::Date),
    ("place", Key::Place),
    ("event", Key::Place),
    ("lieu", Key::Place),
    ("大会", Key::Place),
    ("場所", Key::Place),
    ("地点", Key::Place),
    ("比赛", Key::Place),
];

#[derive(Clone, Copy)]
enum Key {
    Player(Color),
    Date,
    Place,
}

/// Takes a line such as `Black: Ann` into the tags; false where it is none.
pub(super) fn take_tag(line: &str, tags: &mut Tags) -> bool {
    let Some((key, value)) = line.split_once([':', '=']) else { return false };
    let key = key.trim().to_ascii_lowercase();
    let Some((_, key)) = KEYS.iter().find(|(name, _)| *name == key) else { return false };
    let value = value.trim();
    // `Black: f5 d6` has the moves behind its label.
    if value.chars().count() > LONGEST || has_square(value) {
        return false;
    }
    let value = Some(value.to_owned()).filter(|value| !value.is_empty());
    match key {
        Key::Player(Color::Black) => tags.black.name = value,
        Key::Player(Color::White) => tags.white.name = value,
        Key::Date => tags.date = value,
        Key::Place => tags.place = value,
    }
    true
}

/// What follows the label of a line; the line itself where it has none.
pub(super) fn after(line: &str) -> &str {
    let mut rest = line.trim();
    // `Game 3: 棋譜: f5`.
    for _ in 0..4 {
        let Some(after) = after_one(rest) else { break };
        rest = after.trim_start();
    }
    rest
}

fn after_one(line: &str) -> Option<&str> {
    let word = WORDS.iter().find_map(|word| {
        let (start, rest) = line.split_at_checked(word.len())?;
        let whole = !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphabetic());
        (start.eq_ignore_ascii_case(word) && whole).then_some(rest)
    });
    let end = line
        .char_indices()
        .take(LONGEST)
        .find(|&(_, c)| matches!(c, ':' | '=' | ']' | '】' | '」' | '』'))
        .map(|(at, c)| (at, at + c.len_utf8()));
    if let Some((at, end)) = end {
        let label = &line[..at];
        if label.chars().any(char::is_alphabetic) && !has_square(label) && label.trim() != "pass" {
            return Some(&line[end..]);
        }
    }
    word
}

/// Whether a square stands in the text, by itself or among other moves.
fn has_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |at: usize| {
        matches!(bytes.get(at).map(u8::to_ascii_lowercase), Some(b'a'..=b'h'))
            && matches!(bytes.get(at + 1), Some(b'1'..=b'8'))
    };
    let word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    (0..bytes.len()).any(|at| square(at) && (at == 0 || !word(at - 1)) && (!word(at + 2) || square(at + 2)))
}

/// The text without the final count that ends it, and the count: `51-13`, `(38 - 26)`, `1-0`, `*`.
pub(super) fn before_count(text: &str) -> (&str, Option<(u32, u32)>) {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '.'));
    let cut = |rest: &'_ str| {
        let rest = &text[..rest.len()];
        let rest = rest.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | '['));
        (!rest.is_empty()).then_some(rest.len())
    };
    if let Some(length) =
        end.strip_suffix('*').filter(|rest| rest.ends_with(char::is_whitespace)).and_then(cut)
    {
        return (&text[..length], None);
    }
    let count = |text: &'_ str| {
        let (rest, white) = number_before(text)?;
        let rest = rest.trim_end().strip_suffix(['-', '–', '—', ':', '対', '对'])?;
        let (rest, black) = number_before(rest.trim_end())?;
        let apart = rest.ends_with(|c: char| c.is_whitespace() || matches!(c, '(' | '['));
        (apart && black + white <= 64).then_some((rest.len(), black, white))
    };
    match count(end) {
        Some((length, black, white)) => match cut(&text[..length]) {
            Some(length) => (&text[..length], Some((black, white))),
            None => (text, None),
        },
        None => (text, None),
    }
}

/// A number of at most two digits at the end of a text, and what stands before it.
fn number_before(text: &str) -> Option<(&str, u32)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (rest, number) = text.split_at_checked(text.len() - digits)?;
    (matches!(digits, 1..=2)).then(|| number.parse().ok().map(|number| (rest, number)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_four_languages() {
        for line in [
            "棋譜: f5d6",
            "棋譜:f5d6",
            "棋譜 f5d6",
            "棋譜f5d6",
            "【棋譜】f5d6",
            "Transcript: f5d6",
            "moves f5d6",
            "Partie 3 : f5d6",
            "棋谱: f5d6",
            "第12局: 棋譜: f5d6",
            "Game3: f5d6",
            "Ann - Bob 33-31: f5d6",
            "moves = f5d6",
            "[kifu] f5d6",
            "f5d6",
            "Coups : f5d6",
        ] {
            assert_eq!(after(line), "f5d6", "{line}");
        }
        for line in ["f5: d6", "1: f5, 2: d6", "f5 d6 game: c3", "hello", "gamef5", "pass: f5"] {
            assert_eq!(after(line), line);
        }
        assert_eq!(after("棋譜:"), "");
    }

    #[test]
    fn lines_that_name_the_players() {
        let mut tags = Tags::default();
        for line in ["Black: Ann", "白 : 山田", "Date: 2024-05-06", "場所: 東京", "White player = Bob"]
        {
            assert!(take_tag(line, &mut tags), "{line}");
        }
        assert_eq!(tags.black.name.as_deref(), Some("Ann"));
        assert_eq!(tags.white.name.as_deref(), Some("Bob"));
        assert_eq!(tags.date.as_deref(), Some("2024-05-06"));
        assert_eq!(tags.place.as_deref(), Some("東京"));
        for line in ["Black: f5 d6", "f5: d6", "Ann", "棋譜: f5", "Blacksmith: x"] {
            assert!(!take_tag(line, &mut tags), "{line}");
        }
    }

    #[test]
    fn counts_at_the_end() {
        assert_eq!(before_count("f5 d6 51-13"), ("f5 d6", Some((51, 13))));
        assert_eq!(before_count("f5d6 (38 - 26)\n"), ("f5d6", Some((38, 26))));
        assert_eq!(before_count("f5d6 *"), ("f5d6", None));
        for text in ["f5d6", "33-31", "f5-d6", "f5 51-14", "1. f5 2", "f51-0", "", "-", " 1-0"] {
            assert_eq!(before_count(text), (text, None));
        }
    }
}
