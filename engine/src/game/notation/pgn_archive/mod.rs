//! PGN, the Portable Game Notation of chess, as Cassio and servers of Othello write it and as XBoard does.
//!
//! The two differ in more than their headers. Cassio's Black is Black, moves are `f5`, and a result is `34-30`, Black's
//! discs first. XBoard takes whoever moves first for White: with `[Variant "othello"]` the names change sides, moves are
//! `D@f5`, a result is `1-0`, and `{+0.50/12 3.4}` after a move tells its value, depth and time. Both are read; a game is
//! written as XBoard does if it has that variant, else as Cassio does.
//!
//! This is for files that are kept: nothing is left out, both ways. What is pasted, in whatever state, is read by
//! [`read`](super::read).
//!
//! Read leniently: passes written or left out, move numbers of any kind, variations (left out), comments (kept).
//! What a header has no field for is kept by its name.
//!
//! Sources: Steven J. Edwards, *Portable Game Notation Specification*, 1994; exports of Cassio 8 and XBoard 4.9.

mod read;
mod write;

use std::fmt;

use super::error::IllegalAt;
use super::fen::FenError;

pub use read::games;
pub use write::write;

/// The text is not a game of Othello in PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnError {
    /// A header that is not `[Name "value"]`.
    Header {
        /// How it begins.
        text: String,
    },
    /// A game that is not Othello (`Variant`).
    Kind {
        /// What it is.
        text: String,
    },
    /// A faulty value of a header.
    Value {
        /// The name of the header.
        header: String,
        /// How the value begins.
        text: String,
    },
    /// A faulty start position.
    Fen(FenError),
    /// A comment or a variation that does not end.
    Unclosed {
        /// What it begins with.
        opening: char,
    },
    /// Something that is no move.
    Unparsable {
        /// In the place of which move: 1 for the first disc, passes not counted.
        number: usize,
        /// How it begins.
        text: String,
    },
    /// A move against the rules.
    Illegal(IllegalAt),
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnError::Header { text } => write!(f, "`{text}` is not a header like `[Event \"name\"]`"),
            PgnError::Kind { text } => write!(f, "Variant: the game is `{text}`, not othello"),
            PgnError::Value { header, text } => write!(f, "{header}: `{text}` cannot be read"),
            PgnError::Fen(error) => write!(f, "FEN: {error}"),
            PgnError::Unclosed { opening: '{' } => f.write_str("a comment does not end with `}`"),
            PgnError::Unclosed { .. } => f.write_str("a variation does not end with `)`"),
            PgnError::Unparsable { number, text } => write!(f, "move {number} cannot be read: `{text}`"),
            PgnError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for PgnError {}

/// Headers that have a field: no tag is kept under these names.
const OWN: [&str; 14] = [
    "Site",
    "Date",
    "Black",
    "White",
    "BlackElo",
    "WhiteElo",
    "Result",
    "TimeControl",
    "FEN",
    "SetUp",
    "TIGGF",
    "TBGGF",
    "TWGGF",
    "TYGGF",
];

/// The variants that are Othello.
const VARIANTS: [&str; 3] = ["othello", "reversi", "flipello"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::game::{Ending, Game};

    /// A match of the program with itself under XBoard 4.9.1.
    const XBOARD: &str = include_str!("xboard.pgn");

    /// As Cassio exports a game of its base (`UnitMoulinette.p`).
    const CASSIO: &str = "[Event \"Paris\"]\n[Date \"2019.01.01\"]\n[Round \"-\"]\n[Database \"WTHOR\"]\n[Black \"Ann\"]\n\
        [White \"Bob\"]\n[Result \"64-0\"]\n[TheoreticalScore \"36-28\"]\n\n1. e6 f4 \n2. e3 f6 \n3. g5 d6 \n4. e7 f5 \n\
        5. c5 -- \n6. -- -- \n64-0\n\n\n";

    fn only(text: &str) -> Result<Game, PgnError> {
        games(text).next().unwrap().2
    }

    #[test]
    fn as_cassio_exports_it() {
        let read: Vec<_> = games(&CASSIO.repeat(3)).collect();
        assert_eq!(read.iter().map(|(_, line, _)| *line).collect::<Vec<_>>(), [1, 19, 37]);
        let game = read[2].2.clone().unwrap();
        assert_eq!((game.plies(), game.is_over()), (9, true));
        assert_eq!(game.tags.black.name.as_deref(), Some("Ann"));
        assert_eq!(
            (game.tags.place.as_deref(), game.tags.date.as_deref()),
            (Some("Paris"), Some("2019.01.01"))
        );
        assert_eq!(game.tags.result.map(|result| result.score.centidiscs()), Some(6400));
        assert_eq!(game.tags.other("TheoreticalScore"), Some("36-28"));
        assert_eq!(only(&write(&game)), Ok(game));
    }

    #[test]
    fn as_xboard_writes_it() {
        let read: Vec<Game> = games(XBOARD).map(|(_, _, game)| game.unwrap()).collect();
        assert_eq!(read.len(), 2);
        for (game, score) in read.iter().zip([400, 200]) {
            assert!(game.is_over() && game.start() == Position::START);
            // XBoard's White moves first.
            assert_eq!(game.tags.black.name.as_deref(), Some("Outflank 0.1.0"));
            let result = game.tags.result.unwrap();
            assert_eq!((result.score.centidiscs().abs(), result.ending), (score, Ending::Played));
            assert_eq!(game.tags.clock.map(|clock| clock.main.as_secs()), Some(8));
            assert_eq!(only(&write(game)).as_ref(), Ok(game));
        }
        let first = &read[0].moves()[0];
        assert_eq!(
            (first.mv.to_string(), first.eval.map(|eval| eval.centidiscs())),
            ("d3".to_owned(), Some(109))
        );
        assert_eq!(read[0].moves()[1].time.map(|time| time.as_millis()), Some(200));
    }

    #[test]
    fn comments_variations_and_resignations() {
        let text = "[Variant \"othello\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. D@f5 {good} (1. d@e6 {or} D@f4) D@d6 $1 ; so\n\
            2. {+0.5/3} D@c3 {White resigns} 0-1\n";
        let game = only(text).unwrap();
        assert_eq!((game.plies(), game.tags.black.name.as_deref()), (3, Some("A")));
        let result = game.tags.result.unwrap();
        assert_eq!((result.score.centidiscs(), result.ending), (-6400, Ending::Resigned));
        let remarks = [(1, "good"), (2, "so"), (3, "White resigns")];
        assert_eq!(game.tags.comments, remarks.map(|(ply, text)| (ply, text.to_owned())));
        assert_eq!(only(&write(&game)), Ok(game));
    }

    #[test]
    fn one_fault_does_not_hide_the_rest() {
        let text = format!("{CASSIO}{}{CASSIO}", CASSIO.replace("e3", "a1"));
        let read: Vec<_> = games(&text).collect();
        assert_eq!(read.len(), 3);
        assert_eq!(read[1].2.as_ref().unwrap_err().to_string(), "move 3 (a1) is illegal: a1 flips nothing");
        assert!(read[0].2.is_ok() && read[2].2.is_ok());
        let error = |from: &str, to: &str| only(&CASSIO.replacen(from, to, 1)).unwrap_err().to_string();
        assert_eq!(error("e6", "e9"), "move 1 cannot be read: `e9`");
        assert_eq!(
            error("[Round \"-\"]", "[Round -]"),
            "`[Round -]` is not a header like `[Event \"name\"]`"
        );
        assert_eq!(error("[Round \"-\"]", "[Variant \"go\"]"), "Variant: the game is `go`, not othello");
        assert_eq!(error("[Round \"-\"]", "[FEN \"8/8 w\"]"), "FEN: the board has 2 ranks instead of 8");
        assert_eq!(error("[Round \"-\"]", "[TIGGF \"soon\"]"), "TIGGF: `soon` cannot be read");
        assert_eq!(error("e6", "{e6"), "a comment does not end with `}`");
        assert_eq!(error("e6", "(e6"), "a variation does not end with `)`");
        assert_eq!(games("").count(), 0);
        assert_eq!(only("hello").unwrap_err().to_string(), "move 1 cannot be read: `hello`");
    }
}
