//! Lines that state the result of a game: `Result: 35-29`, `Black wins by 6`, `黒35 白29`, `White resigned`.

use super::{labels, squares, words};
use crate::board::Color;
use crate::game::{Ending, Game, GameResult};
use crate::score::Score;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Side(Color),
    /// At most 64.
    Number(i32),
    Wins,
    Loses,
    Draw,
    /// The number after it is a difference.
    By,
    /// The game has no score.
    Resigns,
    Other,
}

const WORDS: [(Word, &str); 8] = [
    (Word::Side(Color::Black), "b|x|dark|●|⚫"),
    (Word::Side(Color::White), "w|o|light|○|⚪"),
    (Word::Loses, "lost|loses|perd|perdent|verliert|の負け|負け|负"),
    (Word::Wins, "winner|wins|win|won|beats|beat|victory|gagne|gagnent|gewinnt|の勝ち|勝ち|勝利|勝|胜"),
    (Word::Draw, "draw|drawn|tie|tied|nulle|égalité|unentschieden|引き分け|引分|平局"),
    (Word::By, "by|+"),
    (Word::Resigns, "resigns|resigned|resign|resignation|abandon|abandonne|gibt auf|投了"),
    (
        Word::Other,
        "result|results|résultat|ergebnis|score|final|finale|game|partie|over|end|the|is|a|in|to|with|has|and|vs|discs|disc|\
         disks|disk|stones|points|point|pions|結果|最終|終局|スコア|石差|石|対|对|で|の",
    ),
];

/// A result: the score for Black, and the number of counted discs if both sides were counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stated {
    score: Score,
    discs: Option<u32>,
}

impl Stated {
    /// The result by a count of both sides. `None` if a score cannot express it.
    pub(super) fn counts(black: u32, white: u32) -> Option<Stated> {
        let score = Score::from_discs(f64::from(black) - f64::from(white))?;
        Some(Stated { score, discs: Some(black + white) })
    }

    /// The result by the discs that Black has more than White.
    pub(super) fn score(score: i32) -> Option<Stated> {
        Score::from_discs(score.into()).map(Stated::from)
    }

    /// Sets the result of an unfinished game, unless the count is that of its last position. Another result than that of a
    /// finished game is noted.
    pub(super) fn set(self, game: &mut Game) {
        let [black, white] = [Color::Black, Color::White].map(|side| game.position().discs(side).count());
        let lead = f64::from(black) - f64::from(white);
        let is_of_position = self.score.discs() == lead && self.discs == Some(black + white);
        match game.final_score() {
            None if is_of_position => {}
            None => game.tags.result = Some(self.result()),
            // The empty squares may be counted for no side.
            Some(end) if self.score == end.score || self.score.discs() == lead => {}
            Some(end) => {
                let place = || format!("{:+} instead of {:+}", self.score.discs(), end.score.discs());
                game.tags.drop_part("results that the moves do not have", place);
            }
        }
    }

    /// The result for the tags of a game.
    pub(super) fn result(self) -> GameResult {
        GameResult { score: self.score, ending: Ending::Played }
    }
}

impl From<Score> for Stated {
    fn from(score: Score) -> Stated {
        Stated { score, discs: None }
    }
}

/// Returns the score for Black that a line states. `None` if the line does not state a result, `Some(None)` if the result has no
/// score: `White resigned`, `1-0`, `*`.
pub(super) fn read(line: &str) -> Option<Option<Stated>> {
    let words = words(line.trim())?;
    let has = |word: Word| words.contains(&word);
    let side = |word: &Word| if let Word::Side(color) = word { Some(*color) } else { None };
    let sides: Vec<Color> = words.iter().filter_map(side).collect();
    let numbers: Vec<i32> = words
        .iter()
        .filter_map(|word| if let Word::Number(number) = word { Some(*number) } else { None })
        .collect();
    // The side before the word.
    let lost = words.iter().position(|word| *word == Word::Loses);
    let loser = lost.and_then(|at| words[..at].iter().rev().find_map(side));
    let signed = |side: Color, lead: i32| if side == Color::Black { lead } else { -lead };
    let score = match (numbers.as_slice(), sides.as_slice()) {
        (&[one, other], _) if one + other < 4 => return Some(None),
        (&[one, other], sides) if one + other <= 64 => match (loser, sides) {
            (Some(loser), _) => signed(!loser, (one - other).abs()),
            (_, &[first, second, ..]) if first != second => signed(first, one - other),
            (_, &[side]) if has(Word::Wins) => signed(side, (one - other).abs()),
            // `35:29` may be a time.
            (_, []) if is_count(line) || one + other == 64 => one - other,
            _ => return None,
        },
        (&[number], sides) if has(Word::By) => match (loser, sides) {
            (Some(loser), _) => signed(!loser, number),
            (_, &[side]) => signed(side, number),
            (_, &[first, second]) if first != second && has(Word::Wins) => signed(first, number),
            _ => return None,
        },
        ([], []) if has(Word::Draw) => 0,
        ([], [_]) if has(Word::Wins) || has(Word::Resigns) || has(Word::Other) => return Some(None),
        ([], []) if line.trim() == "*" => return Some(None),
        _ => return None,
    };
    let discs = if let &[one, other] = numbers.as_slice() { u32::try_from(one + other).ok() } else { None };
    Some(Stated::score(score).map(|stated| Stated { discs, ..stated }))
}

/// Sets the result by the count of discs after the moves. Smaller counts, such as `1-0`, have no score.
pub(super) fn set_count(game: &mut Game, count: Option<(u32, u32)>) {
    let count = count.filter(|(black, white)| black + white >= 4);
    if let Some(stated) = count.and_then(|(black, white)| Stated::counts(black, white)) {
        stated.set(game);
    }
}

/// Returns `true` if the two numbers of a line are joined as those of a count: `51-13`, not `-0.4`.
fn is_count(line: &str) -> bool {
    let between = line.trim_matches(|c: char| !c.is_ascii_digit());
    between.contains(['-', '–', '—', '対', '对'])
}

/// The words of a line. `None` if a result has no such word.
fn words(line: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    if line.chars().count() > labels::MAX_LABEL || squares::begins(line) {
        return None;
    }
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !"+●⚫○⚪".contains(c));
        if rest.is_empty() {
            return Some(words);
        }
        let digits = words::digits(rest);
        let (word, length) = if digits > 0 {
            let number = rest[..digits].parse().ok().filter(|number| *number <= 64)?;
            (Word::Number(number), digits)
        } else {
            known(rest)?
        };
        words.push(word);
        rest = &rest[length..];
    }
}

/// The longest known word at the start of a text, in any case, and its length.
fn known(text: &str) -> Option<(Word, usize)> {
    let begins = |word: &str| {
        let rest = words::after(text, word)?;
        let is_whole = !word.bytes().all(|c| c.is_ascii_alphabetic())
            || !rest.starts_with(|c: char| c.is_ascii_alphabetic() || (word.len() < 2 && c.is_ascii_digit()));
        is_whole.then_some(word.len())
    };
    let sides = [Color::Black, Color::White].map(|color| (Word::Side(color), labels::names_of(color)));
    let found = sides
        .into_iter()
        .chain(WORDS)
        .flat_map(|(word, names)| names.split('|').filter_map(move |name| Some((word, begins(name)?))));
    found.max_by_key(|&(_, length)| length)
}
