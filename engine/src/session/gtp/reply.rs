//! The lines to a controller.

use std::cmp::Ordering;

use crate::analysis::Certainty;
use crate::board::{Color, Move, Position};
use crate::notation::squares;
use crate::search::Line;

/// Returns the lines of a response to the command with this id, which may be empty. An empty line ends it.
pub(super) fn response(id: &str, result: Result<&str, &str>) -> Vec<String> {
    let (mark, text) = match result {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let mut lines: Vec<String> =
        format!("{mark}{id} {text}").lines().map(|line| line.trim_end().to_owned()).collect();
    lines.push(String::new());
    lines
}

pub(super) fn vertex(mv: Move) -> String {
    mv.to_string().to_uppercase()
}

/// Returns the board, with letters above the columns and numbers beside the rows.
pub(super) fn board(position: &Position) -> String {
    let cells: Vec<char> = squares::write_with(position, ['X', 'O', '.']).chars().collect();
    let mut text = "\n  A B C D E F G H".to_owned();
    for (row, cells) in (1..).zip(cells.chunks(8)) {
        let cells: Vec<String> = cells.iter().map(char::to_string).collect();
        text += &format!("\n{row} {} {row}", cells.join(" "));
    }
    let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).count());
    let side = if position.side() == Color::Black { "black (X)" } else { "white (O)" };
    text + &format!("\n  A B C D E F G H\n{side} to move, {black} black discs, {white} white discs")
}

/// `D3 +0.46 14@73% D3 C4 F4`: a move, its value for the side to move in discs, the depth of NBoard, and the expected moves.
pub(super) fn hint(line: &Line) -> String {
    let moves: Vec<String> = line.moves.iter().copied().map(vertex).collect();
    let first = moves.first().map(String::as_str).unwrap_or_default();
    format!("{first} {:+.2} {} {}", line.score.discs(), Certainty::of(line), moves.join(" "))
}

/// `B+12`, `W+4` or `0`: the disc difference, with the empty squares for the winner.
pub(super) fn score(end: &Position) -> String {
    let discs = end.side().for_black(end.board().final_score());
    match discs.cmp(&0) {
        Ordering::Greater => format!("B+{discs}"),
        Ordering::Less => format!("W+{}", -discs),
        Ordering::Equal => "0".to_owned(),
    }
}
