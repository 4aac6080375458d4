//! What the checks of a conversation know of each protocol. A session asserts itself that it owes no answer when it is idle.

use outflank::board::Move;
use outflank::notation::moves;
use outflank::session::{Effect, Protocol};

/// Returns `true` if the session waits for the end of a search that a line has stopped, and `false` if it ignores the remaining
/// events of the search. `protocol` is `None` if any line may change it.
pub(super) fn awaits_end(protocol: Option<Protocol>, line: &str) -> bool {
    match (protocol, line.split_whitespace().next().unwrap_or_default()) {
        (Some(Protocol::Hub | Protocol::Gtp), _) | (Some(Protocol::XBoard), "?") => true,
        (None, word) => matches!(word, "" | "stop" | "?" | "#"),
        _ => false,
    }
}

/// Returns `true` if the reply `line` rejects a line. A rejected line changes nothing.
pub(super) fn rejects(protocol: Protocol, line: &str) -> bool {
    let starts = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
    match protocol {
        Protocol::NBoard => starts(&["status Error"]),
        Protocol::Cassio => starts(&["WARNING:"]),
        // The valid limits of a `level` line are used, or else a default.
        Protocol::Hub => starts(&["error "]) && !line.contains("level: "),
        Protocol::XBoard => starts(&["Error ", "Illegal move", "tellusererror "]),
        Protocol::Gtp => starts(&["?"]),
    }
}

/// Writes a move as the clients of the protocol do.
pub(super) fn written(protocol: Option<Protocol>, mv: Move) -> String {
    match (protocol, mv) {
        (Some(Protocol::NBoard), mv) => moves::write_upper(mv),
        (Some(Protocol::XBoard), Move::Place(square)) => format!("D@{square}"),
        (Some(Protocol::XBoard), Move::Pass) => "@@@@".to_owned(),
        (_, mv) => mv.to_string(),
    }
}

/// Returns the reply lines.
pub(super) fn sent(effects: &[Effect]) -> impl Iterator<Item = &str> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Send(line) => Some(line.as_str()),
        _ => None,
    })
}
