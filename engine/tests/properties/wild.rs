//! Texts from the wild, kept in `tests/data/notations.txt`, and what they have to be read as.

use outflank::board::Position;
use outflank::game::{Game, Player};
use outflank::notation::{self, moves, squares};

/// A text and what is expected of it, with the line it stands in.
struct Case {
    line: usize,
    text: String,
    expected: Vec<String>,
}

fn cases(file: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (index, line) in file.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
        if let Some(text) = line.strip_prefix('>') {
            let text = text.strip_prefix(' ').unwrap_or(text);
            let text = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
            let unseen = [("\\u{feff}", "\u{feff}"), ("\\u{202e}", "\u{202e}"), ("\\u{202c}", "\u{202c}")];
            let unseen = unseen.into_iter().chain([("\\u{200b}", "\u{200b}"), ("\\u{0}", "\0")]);
            let text = unseen.fold(text, |text, (written, sign)| text.replace(written, sign));
            cases.push(Case { line: index + 1, text, expected: Vec::new() });
        } else {
            let case = cases.last_mut().unwrap_or_else(|| panic!("line {}: no text before it", index + 1));
            case.expected.push(line.to_owned());
        }
    }
    cases
}

/// How the file tells a game: where it starts, and its moves.
fn told(game: &Game) -> String {
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

/// How the file tells what is known around a game.
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

#[test]
fn texts_from_the_wild() {
    let cases = cases(include_str!("../data/notations.txt"));
    assert!(cases.len() > 100);
    let mut wrong = Vec::new();
    for Case { line, text, expected } in cases {
        let mut read = Vec::new();
        let tags = expected.iter().any(|line| line.starts_with('&'));
        let faults = notation::read_each(&text, notation::MAX_TEXT_CHARS, &mut |game| {
            read.push(told(&game));
            read.extend(tags.then(|| around(&game)));
        });
        match &faults {
            Ok(faults) => read.extend(faults.reported.iter().map(|error| format!("! {error}"))),
            Err(error) => read.push(format!("! {error}")),
        }
        // Who wants all or nothing gets the first fault.
        let first = match faults {
            Ok(faults) => faults.reported.into_iter().next(),
            Err(error) => Some(error),
        };
        assert_eq!(notation::read(&text).err(), first, "line {line}");
        if read != expected {
            wrong.push(format!("line {line}:\n  {}\nnot\n  {}", read.join("\n  "), expected.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
