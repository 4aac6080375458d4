//! The transcripts.

/// Conversations for every engine: name and text.
pub const LIVE: &[(&str, &str)] = &[
    ("nboard-example", include_str!("../transcripts/live/nboard-example.txt")),
    ("nboard-game", include_str!("../transcripts/live/nboard-game.txt")),
    ("nboard-positions", include_str!("../transcripts/live/nboard-positions.txt")),
    ("nboard-busy", include_str!("../transcripts/live/nboard-busy.txt")),
    ("nboard-v1", include_str!("../transcripts/live/nboard-v1.txt")),
    ("nboard-bad", include_str!("../transcripts/live/nboard-bad.txt")),
    ("cassio-example", include_str!("../transcripts/live/cassio-example.txt")),
    ("cassio-windows", include_str!("../transcripts/live/cassio-windows.txt")),
    ("cassio-busy", include_str!("../transcripts/live/cassio-busy.txt")),
    ("cassio-bad", include_str!("../transcripts/live/cassio-bad.txt")),
    ("hub-example", include_str!("../transcripts/live/hub-example.txt")),
    ("hub-game", include_str!("../transcripts/live/hub-game.txt")),
    ("hub-positions", include_str!("../transcripts/live/hub-positions.txt")),
    ("hub-bad", include_str!("../transcripts/live/hub-bad.txt")),
    ("xboard-game", include_str!("../transcripts/live/xboard-game.txt")),
    ("xboard-positions", include_str!("../transcripts/live/xboard-positions.txt")),
    ("xboard-busy", include_str!("../transcripts/live/xboard-busy.txt")),
    ("gtp-game", include_str!("../transcripts/live/gtp-game.txt")),
    ("gtp-bad", include_str!("../transcripts/live/gtp-bad.txt")),
    ("xboard-bad", include_str!("../transcripts/live/xboard-bad.txt")),
];

/// Conversations with a scripted search: protocol, name and text.
pub const SCRIPTED: &[(&str, &str, &str)] = &[
    ("nboard", "nboard", include_str!("../transcripts/scripted/nboard.txt")),
    ("cassio", "cassio", include_str!("../transcripts/scripted/cassio.txt")),
    ("hub", "hub", include_str!("../transcripts/scripted/hub.txt")),
    ("xboard", "xboard", include_str!("../transcripts/scripted/xboard.txt")),
    ("gtp", "gtp", include_str!("../transcripts/scripted/gtp.txt")),
    ("any", "protocols", include_str!("../transcripts/scripted/protocols.txt")),
    ("nboard", "nboard-values", include_str!("../transcripts/scripted/nboard-values.txt")),
    ("cassio", "cassio-values", include_str!("../transcripts/scripted/cassio-values.txt")),
    ("hub", "hub-values", include_str!("../transcripts/scripted/hub-values.txt")),
    ("xboard", "xboard-values", include_str!("../transcripts/scripted/xboard-values.txt")),
];
