//! The answers, as lines.

use std::time::Duration;

use super::command::{CommandError, MAX_MARGIN};
use super::setup::DISC;
use crate::board::{Color, IllegalMove, Move, Position};
use crate::book::BookMove;
use crate::search::{Line, Report};
use crate::session::SessionConfig;

/// The features, the engine's options among them.
pub(super) fn features(config: &SessionConfig) -> Vec<String> {
    let SessionConfig { name, version, .. } = config;
    // Quotation marks cannot be said.
    let book = config.book.as_ref().map(|open| open.path.replace('"', "'")).unwrap_or_default();
    [
        format!("feature myname=\"{name} {version}\" variants=\"othello,reversi,flipello\""),
        "feature ping=1 setboard=1 usermove=1 memory=1 smp=1 analyze=1 playother=1 colors=0".to_owned(),
        "feature time=1 draw=0 sigint=0 sigterm=0 reuse=1 san=0 ics=0 name=0 debug=0 nps=0".to_owned(),
        format!("feature option=\"Margin -spin 0 0 {MAX_MARGIN}\""),
        "feature option=\"Selective -check 1\"".to_owned(),
        format!("feature option=\"Book -file {book}\""),
        "feature done=1".to_owned(),
    ]
    .into()
}

/// `D@d3`, or `@@@@` for a pass.
pub(super) fn move_text(mv: Move) -> String {
    match mv {
        Move::Place(square) => format!("{DISC}@{square}"),
        Move::Pass => "@@@@".to_owned(),
    }
}

/// `9 156 1084 48000 D@d3 D@c5`: depth in plies, score in centidiscs, time in centiseconds, nodes, and the line.
/// While pondering, the expected move stands before the line in brackets.
pub(super) fn thinking(
    report: &Report,
    best: &Line,
    nodes: u64,
    elapsed: Duration,
    expected: Option<Move>,
) -> String {
    let depth = if report.complete { report.depth } else { best.depth };
    let mut line =
        format!("{} {} {} {nodes}", depth.plies(), best.score.centidiscs(), elapsed.as_millis() / 10,);
    if let Some(expected) = expected {
        line.push_str(&format!(" ({})", move_text(expected)));
    }
    line.push(' ');
    line.push_str(&moves_text(&best.moves));
    line
}

/// A move of the book in the same form: depth and nodes are nothing.
pub(super) fn book_thinking(best: &BookMove) -> String {
    format!("0 {} 0 0 {} (book)", best.score.centidiscs(), moves_text(&best.line))
}

/// What the book knows, in the form of the answer to `bk`: indented lines and an empty one.
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

/// `stat01: TIME NODES PLY LEFT TOTAL`: the state of an analysis; the search does not tell how many moves are left.
pub(super) fn stat(elapsed: Duration, nodes: u64, depth: u32) -> String {
    format!("stat01: {} {nodes} {depth} 0 0", elapsed.as_millis() / 10)
}

/// The result of a finished game. Othello's Black is chess's White: the side that moved first.
pub(super) fn result(last: &Position) -> String {
    let score = match last.side() {
        Color::Black => last.board().final_score(),
        Color::White => -last.board().final_score(),
    };
    let (black, white) = (last.discs(Color::Black).count(), last.discs(Color::White).count());
    match score {
        0 => format!("1/2-1/2 {{Draw {black}-{white}}}"),
        1.. => format!("1-0 {{Black wins {black}-{white}}}"),
        _ => format!("0-1 {{White wins {white}-{black}}}"),
    }
}

/// `Error (why): line`.
pub(super) fn error(error: &CommandError, line: &str) -> String {
    let line = excerpt(line);
    match error {
        CommandError::Position(error) => format!("tellusererror Illegal position: {error}"),
        CommandError::Move => {
            format!("Illegal move: {}", line.strip_prefix("usermove").unwrap_or(&line).trim())
        }
        error => format!("Error ({error}): {line}"),
    }
}

/// `Illegal move (why): move`.
pub(super) fn illegal(reason: IllegalMove, text: &str) -> String {
    format!("Illegal move ({reason}): {}", excerpt(text))
}

/// A line short enough to be sent back.
fn excerpt(line: &str) -> String {
    line.trim().chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn results() {
        let end =
            |black, white| Position::from_discs(Bitboard(black), Bitboard(white), Color::White).unwrap();
        assert_eq!(result(&end(7, 0)), "1-0 {Black wins 3-0}");
        assert_eq!(result(&end(1, 6)), "0-1 {White wins 2-1}");
        assert_eq!(result(&end(1, 2)), "1/2-1/2 {Draw 1-1}");
    }

    #[test]
    fn errors() {
        let line =
            |text: &'static str| error(&super::super::command::Command::parse(text).unwrap_err(), text);
        assert_eq!(line("uci"), "Error (unknown command): uci");
        assert_eq!(line("usermove e2e4"), "Illegal move: e2e4");
        assert_eq!(line("sd x"), "Error (a depth above 0 expected): sd x");
        assert!(line("setboard 8/8 w").starts_with("tellusererror Illegal position: "));
        assert!(error(&CommandError::Unknown, &"x".repeat(5000)).len() < 120);
    }
}
