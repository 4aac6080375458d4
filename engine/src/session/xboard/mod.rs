//! The protocol of WinBoard and XBoard, version 2, for Othello instead of chess.
//!
//! Specification: Mann and Muller, *Chess Engine Communication Protocol* (see `ARCHITECTURE.md`), with what XBoard,
//! python-chess and other engines do. The engine plays its own moves on its board and thinks when it is its turn.
//!
//! Differences for Othello:
//!
//! - White moves first in chess, Black in Othello: `1-0` is a win of Othello's Black, the side to move `w` in a FEN is
//!   Othello's Black, a capital letter is a disc of Othello's Black.
//! - A move is a drop, `D@d3`. The engine also reads `d3`, `P@d3` and any other letter. A pass is `@@@@`. The engine also
//!   reads `pass`, `PA`, `0000` and `--`.
//! - XBoard flips no discs. It passes on a pass as a `setboard` of its own wrong board with the other side to move: see
//!   `means_pass` in `session`.
//!
//! The engine is idle (force mode), thinks about its move, ponders on the expected reply, or analyzes.

mod clock;
mod command;
mod reply;
mod session;

use super::dialect::{DialectSession, ProtocolSpec};
use session::XBoard;

/// Possible first words. Some clients start with `protover 2`. Others try `uci`, which the session refuses.
const FIRST_WORDS: [&str; 14] = [
    "xboard", "protover", "uci", "new", "variant", "force", "setboard", "usermove", "analyze", "level",
    "easy", "hard", "post", "nopost",
];

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "xboard",
    begins: |words| words.first().is_some_and(|first| FIRST_WORDS.contains(first)),
    opens: |words| *words == ["xboard"],
    session: DialectSession::<XBoard>::boxed,
};
