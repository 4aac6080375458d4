//! The lines to XBoard.

use std::cmp::Ordering;
use std::time::Duration;

use super::command::{CommandError, MAX_MARGIN};
use crate::board::{Color, IllegalMove, Move, Position};
use crate::book::BookMove;
use crate::notation::fen;
use crate::search::{Line, Report};
use crate::session::{Level, SessionConfig};

/// Letter of a disc: one of XBoard's own pieces, but not a pawn, which XBoard does not drop on the first and the last rank.
const DISC: char = 'D';
pub(super) const PASS: &str = "@@@@";

/// Returns the description of the variant: pieces, size of the board, basic rules, and the position with all discs in hand.
pub(super) fn variant() -> String {
    let start = fen::write(&Position::START, DISC);
    let (board, rest) = start.split_once(' ').unwrap_or((&start, "w - - 0 1"));
    let hand = [DISC, DISC.to_ascii_lowercase()].map(|disc| disc.to_string().repeat(32)).concat();
    format!("setup (.D.....d....) 8x8+1_fairy {board}[{hand}] {rest}")
}

/// Returns the features, including the engine's options.
pub(super) fn features(config: &SessionConfig) -> Vec<String> {
    let SessionConfig { name, version, .. } = config;
    // An asterisk marks the current choice.
    let levels =
        Level::ALL.map(|level| format!("{}{}", if level == config.level { "*" } else { "" }, level.name));
    let levels = levels.join(" /// ");
    // The protocol cannot express a quotation mark.
    let book = config.book_path().replace('"', "'");
    [
        format!("feature myname=\"{name} {version}\" variants=\"othello,reversi,flipello\""),
        "feature ping=1 setboard=1 usermove=1 memory=1 smp=1 analyze=1 playother=1 colors=0".to_owned(),
        "feature time=1 draw=0 sigint=0 sigterm=0 reuse=1 san=0 ics=0 name=0 debug=0 nps=0".to_owned(),
        format!("feature option=\"Margin -spin 0 0 {MAX_MARGIN}\""),
        "feature option=\"Selective -check 1\"".to_owned(),
        format!("feature option=\"Level -combo {levels}\""),
        format!("feature option=\"Book -file {book}\""),
        "feature done=1".to_owned(),
    ]
    .into()
}

/// `D@d3`, or `@@@@` for a pass.
pub(super) fn move_text(mv: Move) -> String {
    match mv {
        Move::Place(square) => format!("{DISC}@{square}"),
        Move::Pass => PASS.to_owned(),
    }
}

/// `9 156 1084 48000 D@d3 D@c5`: depth in plies, score in centidiscs, time in centiseconds, nodes, and the line.
/// While pondering, the expected move is in parentheses before the line.
pub(super) fn thinking(
    report: &Report,
    best: &Line,
    nodes: u64,
    elapsed: Duration,
    expected: Option<Move>,
) -> String {
    let depth = if report.complete { report.depth } else { best.depth };
    let mut line =
        format!("{} {} {} {nodes}", depth.plies(), best.score.centidiscs(), elapsed.as_millis() / 10);
    if let Some(expected) = expected {
        line.push_str(&format!(" ({})", move_text(expected)));
    }
    line.push(' ');
    line.push_str(&moves_text(&best.moves));
    line
}

/// A move of the book in the form of [`thinking`], with depth and nodes 0.
pub(super) fn book_thinking(best: &BookMove) -> String {
    format!("0 {} 0 0 {} (book)", best.score.centidiscs(), moves_text(&best.line))
}

/// Returns the answer to `bk`: an indented line for each move of the book, and an empty line.
pub(super) fn book(moves: &[BookMove]) -> Vec<String> {
    let mut lines: Vec<String> = moves
        .iter()
        .map(|known| format!(" {}  {}  {} games", moves_text(&known.line), known.score, known.games))
        .collect();
    if lines.is_empty() {
        lines.push(" This position is not in the book.".to_owned());
    }
    lines.push(String::new());
    lines
}

fn moves_text(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().copied().map(move_text).collect();
    texts.join(" ")
}

/// `Hint: D@d3`.
pub(super) fn hint(mv: Move) -> String {
    format!("Hint: {}", move_text(mv))
}

/// `pong 7`.
pub(super) fn pong(number: u64) -> String {
    format!("pong {number}")
}

/// `stat01: TIME NODES PLY LEFT TOTAL`: the state of an analysis. The search does not report how many moves are left.
pub(super) fn stat(elapsed: Duration, nodes: u64, depth: u32) -> String {
    format!("stat01: {} {nodes} {depth} 0 0", elapsed.as_millis() / 10)
}

/// Returns the result of a finished game. Othello's Black is White in chess: the side that moves first.
pub(super) fn result(last: &Position) -> String {
    let (black, white) = (last.discs(Color::Black).count(), last.discs(Color::White).count());
    match black.cmp(&white) {
        Ordering::Equal => format!("1/2-1/2 {{Draw {black}-{white}}}"),
        Ordering::Greater => format!("1-0 {{Black wins {black}-{white}}}"),
        Ordering::Less => format!("0-1 {{White wins {white}-{black}}}"),
    }
}

/// `Error (reason): line`.
pub(super) fn error(error: &CommandError, line: &str) -> String {
    let line = excerpt(line);
    match error {
        CommandError::Position(error) => format!("tellusererror Illegal position: {error}"),
        CommandError::Move => {
            format!("Illegal move: {}", line.strip_prefix("usermove").unwrap_or(&line).trim())
        }
        CommandError::Other(error) => format!("Error ({error}): {line}"),
    }
}

/// `Illegal move (reason): move`.
pub(super) fn illegal(reason: IllegalMove, text: &str) -> String {
    format!("Illegal move ({reason}): {}", excerpt(text))
}

/// Returns the start of a line, short enough to be sent back.
fn excerpt(line: &str) -> String {
    line.trim().chars().take(80).collect()
}
