//! Long and deep texts. The time of every reader and writer is proportional to the length of the text, whatever the text is.

use std::time::Duration;

use outflank::book::Book;
use outflank::game::{Game, Tags};
use outflank::notation::{self, ReadErrorCode, fen, ggf, link, moves, obf, pgn, sgf, squares, transcript};

type Reader = (&'static str, fn(&str));

const READERS: [Reader; 8] = [
    ("paste", |text| drop(notation::read_each(text, usize::MAX, &mut |game| written(&game)))),
    ("GGF", |text| ggf::games(text).flat_map(|(.., game)| game).for_each(|game| written(&game))),
    ("SGF", |text| sgf::games(text).flat_map(|(.., game)| game).for_each(|game| written(&game))),
    ("PGN", |text| pgn::games(text).flat_map(|(.., game)| game).for_each(|game| written(&game))),
    ("OBF", |text| drop(obf::read(text).last())),
    ("book", |text| drop(Book::read(text))),
    ("transcript", |text| drop(transcript::read(text))),
    ("position", |text| drop((squares::read(text), fen::read(text), moves::read_played(text)))),
];

/// Writes a game in every notation.
fn written(game: &Game) {
    drop((
        ggf::write_all(game),
        ggf::write(game),
        sgf::write(game),
        pgn::write(game),
        transcript::write(game),
    ));
}

const BEGINNINGS: [&str; 7] =
    ["", "(;", "f5", "(;GM[2]C[\n", "(;GM[2]((((C[(;GM[2])](;", "[Event \"a\"]\n\n{", "[{\"moves\":[\""];

/// Repeated parts of a text, one per line: unclosed games, comments, values and variations, parts of moves and positions.
const REPEATED: &str = r#"(;GM[2]
(;GM[2];B[f5]
(;GM[2]C[x
(;GM[2]C[\
\n(;PB[x]
(;B[f5])
(;B[f5]))
(;(;GM[2]=
(;GM[Othello]
(;GM[Othello]CO[
(;GM[Othello]B[F5]=;)
B[F5]
(
(1. f5 
{ (
}
[
]
[Event "
[Event "a"]\n\n{\n
[A "b"]\n
[\n
{"moves":"f5"},
[{
"
\"
\ud83d
\u
f5\nd3 
f5
f5/1/2 
f5/1.
(+1)
+1 
①
12 34 
a b c d e f g h\n
|1
|-
Black plays 
黒番
pa
--
9
/
:
;
;)
\n%
$1
D@
( ;x)
{[%eval 1]}
;x\n
(f4 
(0:03)
1:23 
variation (f4/1;
[8 ]
BO[8 
AB[a1]
A[b]
A[b:
\\
C[~
~a~
f5 good\n
hello\n
x\n1-1\n
1. f5\nx\n
- - - - - - - -\n
1 . . . . . . . .     WHITE to move\n
White to play:\n
51-13
1e999
棋譜:
ｆ５
パス
--------\n
—
|
\n\n
(33 - 31)
Black: a, 
Black 3 White 3 
12:00:01 f5\n
Ann,Bob,f5d6c3\n
X f5
(pass)
<a
<a>
&#
](http://a
```\n
[8 
f5d6c3 +0.50\n
F5/1.23/0.45
8/8/8/3Dd3/3dD3/8/8/8[DDDddd] w - - 0 1
---------------------------OX------XO--------------------------- X; F5:+2; --:-127;\n"#;

/// The processor time of this thread. `None` if the system does not report it.
fn thread_time() -> Option<Duration> {
    // The system updates the number when it changes threads.
    std::thread::yield_now();
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// A text of twice the length takes each reader at most 2.5 times as long: from its eighth to the whole, or, where a limit such as
/// the number of tags is exceeded in between, from its half. One of five pairs of times is enough, since other work on the
/// processor makes one of a pair longer.
#[test]
#[ignore = "release: reads 250 megabytes"]
fn time_grows_with_the_length() {
    const LENGTH: usize = 1 << 14;
    /// A shorter time depends on other things than the length.
    const SHORT: Duration = Duration::from_micros(250);
    if thread_time().is_none() {
        return println!("skipped: the system does not report the processor time of a thread");
    }
    let mut slow = Vec::new();
    for piece in REPEATED.lines().map(|piece| piece.replace("\\n", "\n")) {
        for first in BEGINNINGS {
            let text = |length: usize| format!("{first}{}", piece.repeat(length / piece.len()));
            let (short, half, long) = (text(LENGTH), text(4 * LENGTH), text(8 * LENGTH));
            for (name, read) in READERS {
                let time = |text: &str| {
                    let before = thread_time()?;
                    read(text);
                    Some(thread_time()? - before)
                };
                let exceeds = |text: &str, doublings| {
                    time(&long) > time(text).map(|time| time.max(SHORT).mul_f64(2.5_f64.powi(doublings)))
                };
                if (0..5).all(|_| exceeds(&short, 3) && exceeds(&half, 1)) {
                    slow.push(format!("{name} for {first:?} and repetitions of {piece:?}"));
                }
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
fn long_and_deep_texts_are_refused() {
    let error = notation::read(&"f".repeat(notation::MAX_TEXT_CHARS + 1)).unwrap_err();
    assert_eq!(error.code, ReadErrorCode::TooLong);
    for text in ["[".repeat(100_000), format!("[[1{}]]", ",1".repeat(4_000_000))] {
        let error = notation::read_each(&text, usize::MAX, &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "line 1: the JSON text is too deep or too long");
    }
}

#[test]
fn deep_and_long_variations_are_read() {
    let [open, close] = ["(", ")"].map(|bracket| bracket.repeat(50_000));
    for (text, expected) in [
        (format!("(;GM[2];B[f5](;W[d6];B[c3]){open};W[f4]{close})"), "f5d6(f4)c3"),
        (format!("[Event \"?\"]\n\nf5 d6 {open}f4{close} c3 *"), "f5d6(f4)c3"),
        (format!("(;GM[2];B[f5](;W[d6];B[c3]){open};W[f4])"), ""),
        (format!("[Event \"?\"]\n\nf5 d6 c3 {open}c4"), "f5d6c3(c4)"),
    ] {
        let mut read = None;
        let errors = notation::read_each(&text, usize::MAX, &mut |game| read = Some(game)).unwrap();
        let link = link::write(&read.unwrap().tree(), None);
        assert_eq!(link, if expected.is_empty() { "f5d6(f4)c3" } else { expected });
        assert_eq!(errors.count, usize::from(expected.is_empty()));
    }
    let names = format!("{}\nf5", "Black: a, ".repeat(50_000));
    assert_eq!(notation::read_each(&names, usize::MAX, &mut |_| {}).unwrap().count, 0);
    assert_eq!(link::read(&open).unwrap_err().code, ReadErrorCode::LinkText);
    assert_eq!(link::read(&"f5(d6".repeat(20_000)).unwrap_err().code, ReadErrorCode::Illegal);
    let long = transcript::read("f5d6c3d3c4").unwrap().tree();
    assert_eq!(long.game(Tags::default()).variations(), None);
}
