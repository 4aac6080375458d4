//! Lines as the GUIs of each dialect send them, and lines that are nearly right.

use outflank::board::{Color, Position};
use outflank::notation::{fen, ggf, moves, squares};
use outflank::session::Protocol;

use crate::draw::Draw;

/// Numbers that somebody may send.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "10",
    "64",
    "-1",
    "0.5",
    "1e400",
    "nan",
    "-inf",
    "99999999999999999999",
    "18446744073709551615",
    "4294967296",
    "0:20",
    "",
];

/// A line as it should be.
pub(super) fn good(dialect: Protocol, draw: &mut Draw<'_>) -> String {
    match dialect {
        Protocol::NBoard => nboard(draw),
        Protocol::Cassio => cassio(draw),
        Protocol::Hub => hub(draw),
        Protocol::XBoard => xboard(draw),
    }
}

/// A line with something put in, left out or put in another's place.
pub(super) fn spoilt(dialect: Protocol, draw: &mut Draw<'_>) -> String {
    let mut signs: Vec<char> = good(dialect, draw).chars().collect();
    for _ in 0..=draw.below(3) {
        let at = draw.below(signs.len() + 1);
        match draw.below(4) {
            0 => signs.truncate(at),
            1 if at < signs.len() => drop(signs.remove(at)),
            2 => drop(signs.splice(at..at, draw.wild().chars())),
            _ => drop(signs.splice(at..at, draw.pick(&NUMBERS).chars())),
        }
    }
    signs.into_iter().collect()
}

fn any_move(draw: &mut Draw<'_>) -> String {
    // The first of these are legal at the start, where most conversations are.
    const MOVES: [&str; 12] = ["f5", "d6", "c3", "d3", "c4", "f4", "e6", "pass", "PA", "a1", "e3", "@@@@"];
    draw.pick(&MOVES).to_owned()
}

fn nboard(draw: &mut Draw<'_>) -> String {
    match draw.below(14) {
        0 => "go".to_owned(),
        1 => format!("hint {}", 1 + draw.below(5)),
        2 => format!("ping {}", draw.below(1000)),
        3 => "analyze".to_owned(),
        4 | 5 => format!("move {}", any_move(draw)),
        6 => format!("set game {}", ggf::write(&draw.game(true))),
        7 => format!("set depth {}", draw.pick(&NUMBERS)),
        8 => format!("set contempt {}", draw.pick(&["0", "100", "-100", "20", "101", "x"])),
        9 => "learn".to_owned(),
        10 => draw.pick(&["nboard 2", "nboard 1", "new", "clear"]).to_owned(),
        11 => {
            let position = draw.position();
            let played = draw.line(&position, 1);
            let moves: String = played.iter().map(|&mv| format!("B[{}]", moves::write_upper(mv))).collect();
            let side = if position.side() == Color::Black { '*' } else { 'O' };
            let board = squares::write_with(&position, ['*', 'O', '-']);
            format!("set game (;GM[Othello]TY[8]BO[8 {board} {side}]{moves};)")
        }
        12 => any_move(draw),
        _ => draw.pick(&["quit", "hint", "ping", "set", "go go", "status"]).to_owned(),
    }
}

fn cassio(draw: &mut Draw<'_>) -> String {
    let verb = match draw.below(10) {
        0 => "stop".to_owned(),
        1 => draw.pick(&["init", "get-version", "new-position", "empty-hash", "get-search-infos"]).to_owned(),
        2 => return String::new(),
        3 => {
            let board = board(draw);
            let (low, high) = (draw.below(129) as i32 - 64, draw.below(129) as i32 - 64);
            let (depth, precision) = (draw.below(30), draw.below(101));
            format!(
                "feed-hash {board} {low} {high} {depth} {precision} {}",
                draw.pick(&["??", "F5", "F5D6", ""])
            )
        }
        4 => draw.pick(&["quit", "dance", "midgame-search", "endgame-search X", "feed-hash"]).to_owned(),
        kind => {
            let board = board(draw);
            let (alpha, beta) = (draw.below(129) as i32 - 64, draw.below(129) as i32 - 64);
            let precision = 1 + draw.below(100);
            if kind < 8 {
                format!("midgame-search {board} {alpha} {beta} {} {precision}", draw.below(30))
            } else {
                format!("endgame-search {board} {alpha} {beta} {precision}")
            }
        }
    };
    format!("ENGINE-PROTOCOL {verb}")
}

/// A position as Cassio sends it.
fn board(draw: &mut Draw<'_>) -> String {
    let position = draw.position();
    let glue = draw.pick(&["", " "]);
    format!("{}{glue}{}", squares::write_with(&position, ['X', 'O', '-']), position.side().letter())
}

fn hub(draw: &mut Draw<'_>) -> String {
    match draw.below(14) {
        0..=2 => format!("go {}", draw.pick(&["think", "ponder", "analyze", ""])),
        3 => "stop".to_owned(),
        4 => "ping".to_owned(),
        5 => "init".to_owned(),
        6 => "ponder-hit".to_owned(),
        7 => "new-game".to_owned(),
        8 => draw.pick(&["hub", "hub", "quit", "level infinite"]).to_owned(),
        9 => {
            let name = draw.pick(&["hash", "threads", "book", "margin", "selective", "Hash", "variant"]);
            let value =
                draw.pick(&["1", "4", "0", "64", "true", "false", "\"a book\"", "\"\"", "small", "5000000"]);
            format!("set-param name={name} value={value}")
        }
        10 | 11 => {
            let mut line = "level".to_owned();
            for name in ["depth", "nodes", "move-time", "time", "inc", "moves"] {
                if draw.once_in(3) {
                    line.push_str(&format!(" {name}={}", draw.pick(&NUMBERS)));
                }
            }
            line
        }
        _ => {
            let position = draw.position();
            let side = if position.side() == Color::Black { 'B' } else { 'W' };
            let board = squares::write_with(&position, ['b', 'w', 'e']);
            match draw.below(3) {
                0 => {
                    let moves: Vec<String> =
                        draw.line(&position, 3).iter().map(ToString::to_string).collect();
                    format!("pos pos={side}{board} moves=\"{}\"", moves.join(" "))
                }
                _ => format!("pos pos={side}{board}"),
            }
        }
    }
}

fn xboard(draw: &mut Draw<'_>) -> String {
    const PLAIN: [&str; 24] = [
        "go",
        "force",
        "new",
        "analyze",
        "?",
        "undo",
        "remove",
        "hint",
        "playother",
        "easy",
        "hard",
        "post",
        "nopost",
        ".",
        "bk",
        "exit",
        "result 1-0 {x}",
        "computer",
        "xboard",
        "protover 2",
        "variant othello",
        "accepted done",
        "go",
        "hard",
    ];
    match draw.below(16) {
        0..=5 => draw.pick(&PLAIN).to_owned(),
        6 | 7 => format!("usermove {}", any_move(draw)),
        8 => format!("D@{}", any_move(draw)),
        9 | 10 => format!("ping {}", draw.below(1000)),
        11 => format!("setboard {}", fen::write(&any_position(draw), 'd')),
        12 => format!("level {} {} {}", draw.pick(&NUMBERS), draw.pick(&NUMBERS), draw.pick(&NUMBERS)),
        13 => {
            let verb = draw.pick(&["st", "sd", "time", "otim", "memory", "cores"]);
            format!("{verb} {}", draw.pick(&NUMBERS))
        }
        14 => {
            let option = draw.pick(&[
                "Margin=5",
                "Margin=x",
                "Selective=0",
                "Selective=1",
                "Book=",
                "Book=ab",
                "Book=x",
            ]);
            format!("option {option}")
        }
        _ => draw.pick(&["quit", "draw", "ping", "usermove", "setboard x", "memory 0", "dance"]).to_owned(),
    }
}

/// A position, more often than not one where the side to move has to pass or the game is nearly over.
fn any_position(draw: &mut Draw<'_>) -> Position {
    const BOARDS: [&str; 4] = [
        "XO-------------------------------------------------------------- O",
        "XO-------------------------------------------------------------- X",
        "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X",
        "-XO-----------------------------------------------------------XO X",
    ];
    if draw.any() { draw.position() } else { squares::read(draw.pick(&BOARDS)).unwrap_or_default() }
}
