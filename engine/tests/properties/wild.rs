//! Texts from the wild, kept in `tests/data/notations.txt`, and what they have to be read as.

use outflank::board::Position;
use outflank::game::Game;
use outflank::game::notation::{self, moves, squares};

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
            let text = text.replace("\\u{feff}", "\u{feff}");
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
    } else if start == Position::new(Position::START.board().passed(), Position::START.side()) {
        "mirrored".to_owned()
    } else {
        squares::write(&start)
    };
    let moves = game.moves().iter().map(moves::write_played);
    [format!("= {start}")].into_iter().chain(moves).collect::<Vec<_>>().join(" ")
}

#[test]
fn texts_from_the_wild() {
    let cases = cases(include_str!("../data/notations.txt"));
    assert!(cases.len() > 100);
    let mut wrong = Vec::new();
    for Case { line, text, expected } in cases {
        let read = match notation::read(&text) {
            Ok(games) => games.iter().map(told).collect(),
            Err(error) => vec![format!("! {error}")],
        };
        if read != expected {
            wrong.push(format!("line {line}:\n  {}\nnot\n  {}", read.join("\n  "), expected.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
