//! Any text and any bytes whatever: an answer, no panic, and in time proportional to the length.

use std::time::{Duration, Instant};

use outflank::board::Position;
use outflank::book::{Book, Contempt};
use outflank::notation::wthor::{self, Names};
use outflank::notation::{self, fen, ggf, moves, obf, pgn, sgf, squares, transcript};

use crate::random::Random;

/// Texts in every notation, to be spoilt.
const WELL_FORMED: [&str; 18] = [
    "(;GM[2]FF[4]PB[Ann]RE[B+4]C[a \\] b];B[f5]V[B+0.50]TT[3](;W[d6]C[(;GM\n])(;W[f6]))(;GM[2]AB[a1:c2]AW[d1]PL[W])",
    "% a book\nf5d6c3 +0.50\nf5f6 -4\ne6f4e3f6g5d6e7f5c5\n\
     ---------------------------OX------XO--------------------------- X; F5:+0.20; E6:-3;",
    "f5d6c3d3c4f4f6f3e6e7d7",
    "1. f5 d6 2. c3 pa @@ -- pass 3.",
    "---------------------------OX------XO--------------------------- X",
    "— — — — — — ● ○ * b w e 0 . _ # +",
    "8/8/8/3Dd3/3dD3/8/8/8[DDDddd] w - - 0 1",
    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; B2:+0; --:-127;",
    "1 (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RB[2713.2]RE[-12:r]TI[15:00/0:12//]\
     TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
     B[F5//2.7680000000000002]W[F6/-0,50/1.0E-5]B[PA//3.1];)",
    "F5/1.23/0.45",
    "RE[?]KB[F5]KW[F4]KM[-2.000]TY[s8r20]CO[x];)(;",
    "5:::{\"args\":[{\"created\":1714979289000,\"players\":[{\"name\":\"Ann\",\"oldR\":1.5e3}],\
     \"position\":{\"moves\":[{\"m\":\"f5\",\"t\":12},{\"m\":\"-\"},{\"s\":\"\\u00e9\"}]}}]}",
    "[Site \"PlayOK\"]\n[Black \"Ann\"]\n[Result \"38-26\"]\n\n1. f5 {best} d6 (1... f4) 2. c3 $1 38-26\n",
    "[Event \"x\"]\n[Variant \"othello\"]\n[White \"A\"]\n[TimeControl \"300+5\"]\n[FEN \"8/8/8/3Dd3/3dD3/8/8/8 w\"]\n\n\
     1. D@f5 {+1.09/6 0.2} D@d6 {[%eval 1] [%emt 2]} 2. D@c3 ; so\n{White resigns} 1-0\n",
    "黒：山田\n白: 鈴木\n棋譜：ｆ５　Ｄ６、c3パス\n\nf5f6 33-31\nhello",
    "  a b c d e f g h\n1 - - - - - - - -\n2|-|-|-|-|-|-|-|-|\n--------\n---OX---\n---XO---\n--------\n--------\n--------\n\
     Black to move: f5 d6",
    "---------------------------OX------XO--------------------------- X\nf5d6 (33 - 31)",
    "f5d6c3\nf5f6\nd3c3 *\nGame 3: f5 a1",
];

/// What may be put in anywhere.
const PIECES: [&str; 46] = [
    "(;",
    ";)",
    "]",
    "[",
    "/",
    "//",
    ":",
    ";",
    "--",
    "pa",
    "f5",
    "9",
    "0",
    "99999999999999999999",
    "1e999",
    "-inf",
    "nan",
    "\u{0}",
    "\n",
    "\u{feff}",
    "é",
    "😀",
    "—",
    "\t",
    "{",
    "}",
    "\"",
    "[{",
    "\\u",
    "[Black \"",
    "棋譜:",
    "ｆ５",
    "パス",
    "( ",
    "51-13",
    "\n\n",
    "|",
    "\u{202e}",
    "\r",
    "--------\n",
    "; ",
    "\n%",
    "$1",
    "\\\"",
    "D@",
    "[A \"b\"]\n",
];

/// All readers of text.
fn read_everything(text: &str) {
    let mut games = 0;
    match notation::read_each(text, notation::MAX_TEXT_CHARS, &mut |_| games += 1) {
        Ok(faults) => {
            assert!(games > 0 && faults.reported.len() <= faults.count);
            assert!(faults.reported.iter().all(|error| !error.to_string().is_empty()));
        }
        Err(error) => assert!(games == 0 && !error.to_string().is_empty(), "{text}"),
    }
    assert_eq!(
        notation::read(text).is_ok(),
        notation::read_each(text, notation::MAX_TEXT_CHARS, &mut |_| {})
            .is_ok_and(|faults| faults.count == 0)
    );
    let _ = transcript::read(text).map_err(|error| error.to_string());
    let _ = transcript::read_from(Position::START, text).map_err(|error| error.to_string());
    match Book::read(text) {
        Ok(book) => {
            let _ = book.choice(&Position::START, Contempt(3));
            assert_eq!(Book::from_bytes(book.text().to_vec()), Ok(book.clone()));
        }
        Err(error) => drop(error.to_string()),
    }
    let _ = squares::read(text).map_err(|error| error.to_string());
    let _ = fen::read(text).map_err(|error| error.to_string());
    let _ = ggf::read_all(text).map_err(|error| error.to_string());
    let _ = moves::read_played(text).map_err(|error| error.to_string());
    let mut lines = 0;
    for (_, line, game) in pgn::games(text) {
        assert!(lines < line && line <= text.lines().count() + 1, "{text}");
        lines = line;
        let _ = game.map_err(|error| error.to_string());
    }
    for (_, line, game) in sgf::games(text) {
        assert!(line <= text.lines().count() + 1, "{text}");
        let _ = game.map_err(|error| error.to_string());
    }
    for (_, problem) in obf::read(text) {
        let _ = problem.map_err(|error| error.to_string());
    }
}

/// A few characters cut out, exchanged or put in.
fn spoil(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(characters.len() + 1);
        match random.below(5) {
            0 if at < characters.len() => drop(characters.remove(at)),
            1 => characters.truncate(at),
            2 => {
                let other = random.below(characters.len() + 1).min(characters.len());
                let (from, to) = (at.min(other), at.max(other));
                let copy = characters[from..to].to_vec();
                characters.extend(copy);
            }
            3 => drop(characters.splice(at..at, random.pick(&WELL_FORMED).chars())),
            _ => drop(characters.splice(at..at, random.pick(&PIECES).chars())),
        }
    }
    characters.into_iter().collect()
}

#[test]
fn spoilt_texts() {
    let mut random = Random::new(40);
    for _ in 0..100_000 {
        let text = spoil(random.pick(&WELL_FORMED), &mut random);
        read_everything(&text);
    }
}

#[test]
fn random_texts() {
    let mut random = Random::new(41);
    for _ in 0..20_000 {
        let length = random.below(100);
        let any: String = (0..length)
            .filter_map(|_| {
                let bits = random.bits();
                char::from_u32((bits >> 8) as u32 & [0x7f, 0xff, 0x2fff, 0x1f_ffff][(bits & 3) as usize])
            })
            .collect();
        read_everything(&any);
        let pieces: String = (0..length / 4).map(|_| random.pick(&PIECES)).collect();
        read_everything(&pieces);
    }
}

/// What is read from a spoilt text is written and read back the same.
#[test]
fn what_was_read_can_be_written() {
    let mut random = Random::new(42);
    let mut read = 0;
    for _ in 0..100_000 {
        let text = spoil(random.pick(&WELL_FORMED), &mut random);
        for mut game in notation::read(&text).unwrap_or_default() {
            read += 1;
            let once = ggf::read(&ggf::write(&game)).unwrap_or_else(|error| panic!("{error}: {text}"));
            let twice = ggf::read(&ggf::write(&once)).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(once, twice, "{text}");
            game.tags = Default::default();
            let mut bare = once;
            bare.tags = Default::default();
            assert_eq!(bare, game, "{text}");
        }
    }
    assert!(read > 1_000, "too few texts survived to have been tested: {read}");
}

#[test]
fn random_bytes() {
    let mut random = Random::new(43);
    for _ in 0..20_000 {
        let mut bytes: Vec<u8> = (0..random.below(400)).map(|_| random.bits() as u8).collect();
        // Most headers would be refused; these get by.
        if random.below(2) == 0 && bytes.len() >= 16 {
            bytes[4..14].copy_from_slice(&[
                random.below(5) as u8,
                0,
                0,
                0,
                random.below(9) as u8,
                0,
                0,
                0,
                8,
                0,
            ]);
        }
        if let Ok(database) = wthor::read(&bytes) {
            for record in &database.games {
                let _ = database.game(record, &[], &[]).map_err(|error| error.to_string());
            }
        }
        for names in [Names::Players, Names::Tournaments] {
            let _ = wthor::read_names(&bytes, names).map_err(|error| error.to_string());
        }
    }
}

/// A reader of whole texts, with its name.
type Reader = (&'static str, fn(&str));

const READERS: [Reader; 8] = [
    ("paste", |text| drop(notation::read_each(text, usize::MAX, &mut |_| {}))),
    ("GGF", |text| drop(ggf::games(text).last())),
    ("SGF", |text| drop(sgf::games(text).last())),
    ("PGN", |text| drop(pgn::games(text).last())),
    ("OBF", |text| drop(obf::read(text).last())),
    ("book", |text| drop(Book::read(text))),
    ("transcript", |text| drop(transcript::read(text))),
    ("position", |text| drop((squares::read(text), fen::read(text), moves::read_played(text)))),
];

/// What a malformed text may begin with.
const BEGINNINGS: [&str; 7] =
    ["", "(;", "f5", "(;GM[2]C[\n", "(;GM[2]((((C[(;GM[2])](;", "[Event \"a\"]\n\n{", "[{\"moves\":[\""];

/// Repeated parts of a text: games, comments, values and variations that are not closed.
const ENDLESS: [&str; 21] = [
    "(;GM[2]",
    "(;GM[2];B[f5]",
    "(;GM[2]C[x",
    "(;GM[2]C[\\",
    "\n(;PB[x]",
    "(;B[f5])",
    "(;B[f5]))",
    "(;(;GM[2]=",
    "(;GM[Othello]",
    "(;GM[Othello]CO[",
    "(;GM[Othello]B[F5]=;)",
    "B[F5]",
    "(",
    "(1. f5 ",
    "{ (",
    "[Event \"",
    "[Event \"a\"]\n\n{\n",
    "[\n",
    "{\"moves\":\"f5\"},",
    "\\ud83d",
    "f5\nd3 ",
];

/// The time that this thread has run, to some milliseconds, where the system tells it.
fn time_on_a_core() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Repetitions of a piece: eight times the text takes every reader at most 2.5³ times as long.
#[test]
fn time_grows_with_the_length() {
    const LENGTH: usize = 1 << 14;
    // In less, memory and other programs decide. Anything quadratic takes longer.
    const NO_TIME: Duration = Duration::from_millis(100);
    let alone =
        WELL_FORMED.iter().chain(&PIECES).flat_map(|piece| ["", "(;", "f5"].map(|first| (first, piece)));
    let endless = ENDLESS.iter().flat_map(|piece| BEGINNINGS.map(|first| (first, piece)));
    for (first, piece) in alone.chain(endless) {
        let text = |length: usize| format!("{first}{}", piece.repeat(length / piece.len()));
        let (short, long) = (text(LENGTH), text(8 * LENGTH));
        for (name, read) in READERS {
            // The shortest of several, unless the first are short enough.
            let time = |text: &str| {
                let mut least = Duration::MAX;
                for _ in 0..8 {
                    let (started, busy) = (Instant::now(), time_on_a_core());
                    read(text);
                    // Other programs take their part of a longer time.
                    let busy = time_on_a_core().zip(busy).map(|(after, before)| after.saturating_sub(before));
                    let passed = started.elapsed();
                    least = least.min(busy.filter(|busy| *busy > NO_TIME / 10).unwrap_or(passed).min(passed));
                    if least < NO_TIME && text.len() > LENGTH + first.len() {
                        break;
                    }
                }
                least
            };
            let needed = time(&long);
            assert!(
                needed < NO_TIME || needed.as_secs_f64() < 2.5_f64.powi(3) * time(&short).as_secs_f64(),
                "{name}: {needed:?} for {first:?}, then {piece:?} again and again"
            );
        }
    }
    let error = notation::read(&"f".repeat(notation::MAX_TEXT_CHARS + 1)).unwrap_err();
    assert_eq!(error.code, notation::ReadErrorCode::TooLong);
}
