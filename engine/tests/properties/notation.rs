//! The texts of `tests/data/notations.txt`, and the results that their readers must return.

use outflank::board::{Move, Position};
use outflank::game::{Game, Player};
use outflank::notation::book::{BookValue, Entry};
use outflank::notation::{
    self, NumberedGame, ReadError, book, fen, ggf, link, moves, obf, pgn, sgf, squares, transcript,
};

/// A text, its reader and the expected lines.
struct Case {
    line: usize,
    reader: String,
    text: String,
    expected: Vec<String>,
}

/// Escapes of the file. `\n` comes first, because the others contain no line end.
const ESCAPES: [(&str, &str); 7] = [
    ("\\n", "\n"),
    ("\\r", "\r"),
    ("\\t", "\t"),
    ("\\u{feff}", "\u{feff}"),
    ("\\u{202e}", "\u{202e}"),
    ("\\u{200b}", "\u{200b}"),
    ("\\u{0}", "\0"),
];

fn cases(file: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut reader = "paste";
    for (index, line) in file.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
        if let Some(name) = line.strip_prefix("@ ") {
            reader = name;
        } else if let Some(text) = line.strip_prefix('>') {
            let text = text.strip_prefix(' ').unwrap_or(text).to_owned();
            let text = ESCAPES.iter().fold(text, |text, (written, sign)| text.replace(written, sign));
            cases.push(Case { line: index + 1, reader: reader.to_owned(), text, expected: Vec::new() });
        } else {
            let case = cases.last_mut().unwrap_or_else(|| panic!("line {}: no text before it", index + 1));
            case.expected.push(line.to_owned());
        }
    }
    cases
}

/// `=`, the start position and the moves.
fn played(game: &Game) -> String {
    let start = game.start();
    let start = if start == Position::START {
        "start".to_owned()
    } else if start == Position::new(Position::START.board().after_pass(), Position::START.side()) {
        "mirrored".to_owned()
    } else {
        squares::write(&start)
    };
    let moves = game.moves().iter().map(moves::write_played);
    [format!("= {start}")].into_iter().chain(moves).collect::<Vec<_>>().join(" ")
}

/// `&`, the players, the date, the place, the result and the comments.
fn around(game: &Game) -> String {
    let tags = &game.tags;
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let player = |player: &Player| match player.rating {
        Some(rating) => format!("{} {rating}", name(&player.name)),
        None => name(&player.name),
    };
    let result = game.result().map(|result| format!("{:+}", result.score.discs())).unwrap_or_default();
    let comments = tags.comments.iter().map(|(at, comment)| format!(" | {at}: {comment}"));
    let known = [player(&tags.black), player(&tags.white), name(&tags.date), name(&tags.place), result];
    format!("& {}{}", known.join(" | "), comments.collect::<String>()).trim_end().to_owned()
}

/// `~` and the game in GGF, without the usual board.
fn in_ggf(game: &Game) -> String {
    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";
    format!("~ {}", ggf::write_all(game).replace(START, ""))
}

/// `-` and the parts that the reader does not keep.
fn dropped(game: &Game) -> String {
    let parts = game.tags.dropped.iter().map(|(kind, part)| format!(" {kind}: {part}"));
    format!("-{}", parts.collect::<Vec<_>>().join(";"))
}

/// The lines of a game. `&`, `-` and `~` are optional: they are there if one is expected.
fn lines(game: &Game, expected: &[String]) -> impl Iterator<Item = String> {
    let wanted = |sign: char| expected.iter().any(|line| line.starts_with(sign));
    let around = wanted('&').then(|| around(game));
    let dropped = wanted('-').then(|| dropped(game));
    let in_ggf = wanted('~').then(|| in_ggf(game));
    [Some(played(game)), around, dropped, in_ggf].into_iter().flatten().map(|line| line.replace('\n', "\\n"))
}

/// `!`, the code of an error, with `+` if moves before it were read, the place of the text, and the error.
fn error(error: &ReadError, place: &str) -> String {
    format!("! {}{} {place}{error}", error.code.as_str(), if error.before.is_some() { "+" } else { "" })
}

/// The lines of a text for the page, all notations.
fn pasted(Case { line, text, expected, .. }: &Case) -> Vec<String> {
    let mut read = Vec::new();
    let skipped = notation::read_each(text, notation::MAX_TEXT_CHARS, &mut |game| {
        read.extend(lines(&game, expected));
    });
    let errors = match skipped {
        Ok(skipped) => skipped.reported,
        Err(error) => vec![error],
    };
    assert_eq!(notation::read(text).err().as_ref(), errors.first(), "line {line}: the first error");
    read.extend(errors.iter().map(|reason| error(reason, "")));
    read
}

/// The lines of a text of games with numbers and lines.
fn games(case: &Case, games: impl Iterator<Item = NumberedGame>) -> Vec<String> {
    let mut read = Vec::new();
    for (number, line, game) in games {
        match game {
            Ok(game) => read.extend(lines(&game, &case.expected)),
            Err(reason) => read.push(error(&reason, &format!("{number} in line {line}: "))),
        }
    }
    read
}

fn entries(text: &str) -> Result<Vec<String>, ReadError> {
    let one = |value: BookValue| format!("{}{}", value.score, if value.exact { " exact" } else { "" });
    let values = |values: Vec<(Move, BookValue)>| {
        values.iter().map(|(mv, value)| format!(" {mv}:{}", one(*value))).collect::<String>()
    };
    let entry = |entry| match entry {
        Entry::Line(game, value) => format!("= {} {}", transcript::write(&game), one(value)),
        Entry::Position(_, Some((own, best)), moves) => {
            let best = best.map(|best| format!(" {best}")).unwrap_or_default();
            format!("= {}{best}{}", one(own), values(moves))
        }
        Entry::Position(_, None, moves) => format!("={}", values(moves)),
    };
    Ok(book::read(text)?.into_iter().map(entry).collect())
}

fn read(case: &Case) -> Vec<String> {
    let one = |read: Result<String, ReadError>| match read {
        Ok(read) => vec![format!("= {read}")],
        Err(reason) => vec![error(&reason, "")],
    };
    let text = case.text.as_str();
    match case.reader.as_str() {
        "paste" => pasted(case),
        "ggf" => games(case, ggf::games(text)),
        "sgf" => games(case, sgf::games(text)),
        "pgn" => games(case, pgn::games(text)),
        "transcript" => one(transcript::read(text).map(|game| transcript::write(&game))),
        "squares" => one(squares::read(text).map(|position| squares::write(&position))),
        "fen" => one(fen::read(text).map(|position| fen::write(&position, 'd'))),
        "link" => one(link::read(text).map(|(tree, cursor)| link::write(&tree, Some(cursor)))),
        "obf" => one(obf::read_line(text).map(|scored| obf::write(&scored))),
        "move" => one(moves::read_played(text).map(|played| moves::write_played(&played))),
        "book" => entries(text).unwrap_or_else(|reason| vec![error(&reason, "")]),
        other => panic!("line {}: no reader `{other}`", case.line),
    }
}

#[test]
fn texts_are_read_as_expected() {
    let cases = cases(include_str!("../data/notations.txt"));
    assert!(cases.len() > 250);
    let mut wrong = Vec::new();
    for case in cases {
        let read = read(&case);
        if read != case.expected {
            let [read, expected] = [read, case.expected].map(|lines| lines.join("\n  "));
            wrong.push(format!("line {}:\n  {read}\nnot\n  {expected}", case.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
