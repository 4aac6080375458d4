//! The protocol of WinBoard and XBoard, version 2, with Othello in the place of chess.
//!
//! Specification: Mann and Muller, *Chess Engine Communication Protocol* (`ARCHITECTURE.md` says where), with what
//! XBoard, python-chess and other engines do. The engine owns the game: it plays its own moves on its board, knows
//! whose turn it is and starts to think by itself.
//!
//! What Othello makes different:
//!
//! - White in chess moves first, as Black does in Othello: `1-0` is a win of Othello's Black, the side to
//!   move `w` in a FEN is Othello's Black, a capital letter is a disc of Othello's Black.
//! - A move is a drop, `D@d3`; `d3`, `P@d3` and any other letter are understood. A pass is `@@@@`; `pass`, `PA`,
//!   `0000` and `--` are understood.
//! - XBoard flips no discs. It passes a pass on as a `setboard` of its own wrong board with the other side to
//!   move: see `setup`.
//!
//! Four things can be going on: nothing (force mode), thinking about a move of its own, pondering on the
//! expected reply, analysing.

mod clock;
mod command;
mod play;
mod reply;
mod session;
mod setup;

pub use session::XBoardSession;

use super::spec::ProtocolSpec;

/// With what a conversation may begin. Some clients start with `protover 2` or, to find out what they have before them,
/// with `uci`, which the session refuses as it should.
const FIRST_WORDS: [&str; 14] = [
    "xboard", "protover", "uci", "new", "variant", "force", "setboard", "usermove", "analyze", "level",
    "easy", "hard", "post", "nopost",
];

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "xboard",
    begins: |words| words.first().is_some_and(|first| FIRST_WORDS.contains(first)),
    opens: |words| *words == ["xboard"],
    session: |config, last| Box::new(XBoardSession::new(config, last)),
};
