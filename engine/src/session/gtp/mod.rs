//! The Go Text Protocol, version 2, for Othello instead of Go.
//!
//! Specification: Farnebäck, *Specification of the Go Text Protocol, version 2* (see `ARCHITECTURE.md`), with `gogui-setup` and
//! `gogui-interrupt` of GoGui. Every command has exactly one response, in the order of the commands. A controller need not wait for
//! a response: commands that follow a search wait for its end, and so does the end of the input, which stops long searches.
//!
//! Differences for Othello:
//!
//! - The board has 8 columns and 8 rows. Rows count from the top, so that `D3` is the square d3.
//! - A side without a legal move passes. The controller may omit that pass. After the end of the game, both sides pass.
//! - There is no komi and no handicap: these commands are unknown.
//!
//! A line that begins with `#` is a message for the user, not a response.

mod clock;
mod reply;
mod session;

use super::dialect::{DialectSession, ProtocolSpec};
use session::Gtp;

pub(super) const PROTOCOL: ProtocolSpec = ProtocolSpec {
    name: "gtp",
    begins: |words| {
        const FIRST_WORDS: [&str; 13] = [
            "protocol_version",
            "name",
            "version",
            "known_command",
            "list_commands",
            "quit",
            "boardsize",
            "clear_board",
            "komi",
            "play",
            "genmove",
            "time_settings",
            "showboard",
        ];
        command(words).is_some_and(|word| FIRST_WORDS.contains(&word))
    },
    opens: |words| matches!(command(words), Some("protocol_version" | "list_commands")),
    session: DialectSession::<Gtp>::boxed,
};

/// Returns the name of a command, which may follow an id.
fn command<'a>(words: &[&'a str]) -> Option<&'a str> {
    let (first, rest) = words.split_first()?;
    if is_id(first) { rest.first().copied() } else { Some(first) }
}

/// Returns `true` for the number of a command.
fn is_id(word: &str) -> bool {
    word.len() <= 20 && word.bytes().all(|byte| byte.is_ascii_digit())
}
