//! SGF, the Smart Game Format: Cassio's own, and that of many servers. A game is `(;GM[2]SZ[8]…;B[f5];W[d6]…)`.
//!
//! It is read leniently: several games, variations (the first is the game), moves as `f5` or as the two letters of Go
//! (`fe`), passes written (`tt`, nothing, `pa`) or left out, setup stones, values from Black's point of view as
//! Cassio writes them (`V[B+2.50]`). What a property has no field for is kept by its name, a comment with its move.
//!
//! SGF has no place for some things: increments of clocks, the score of a game that was resigned. They are written beside
//! the usual properties, as GGF writes them, under names of their own.
//!
//! Source: Arno Hollosi, *SGF FF\[4\]*, <https://www.red-bean.com/sgf/>; the properties of Cassio by its source.

mod read;
mod write;

use std::fmt;

use super::error::IllegalAt;
use super::moves::MoveError;

pub use read::games;
pub use write::write;

/// Whether a text that may hold games in GGF, which begin the same way, looks like SGF: moves are nodes of their own, the
/// game and the start have other tags.
pub fn begins(text: &str) -> bool {
    let has = |sign: &str| text.contains(sign);
    has("(;")
        && ["GM[2]", ";B[", ";W[", "AB[", "FF["].into_iter().any(has)
        && !has("GM[Othello]")
        && !has("BO[")
}

/// The text is not a game of Othello in SGF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SgfError {
    /// There is no `(;`.
    NoGame,
    /// The text ends before the `)` of the game.
    Unclosed,
    /// Something that is no property in the place of one.
    Property {
        /// How it begins.
        text: String,
    },
    /// A game that is not Othello (`GM`).
    Kind {
        /// What it is.
        text: String,
    },
    /// A board that is not 8×8 (`SZ`).
    Size {
        /// The size as it is written.
        text: String,
    },
    /// A faulty property.
    Value {
        /// Its name.
        property: String,
        /// How its value begins.
        text: String,
    },
    /// Stones on one square for both sides.
    Stones,
    /// A move that cannot be read.
    Unparsable {
        /// Which move: 1 for the first disc, passes not counted.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A move of the side that is not to move.
    Turn {
        /// Which move: 1 for the first disc, passes not counted.
        number: usize,
        /// Whose move it is said to be.
        color: crate::board::Color,
    },
    /// A move against the rules.
    Illegal(IllegalAt),
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SgfError::NoGame => f.write_str("there is no game in SGF, which begins with `(;`"),
            SgfError::Unclosed => f.write_str("the game does not end with `)`"),
            SgfError::Property { text } => write!(f, "`{text}` is not a property like `PB[name]`"),
            SgfError::Kind { text } => write!(f, "GM: the game is `{text}`, not Othello (2)"),
            SgfError::Size { text } => write!(f, "SZ: the board `{text}` is not an 8x8 one"),
            SgfError::Value { property, text } => write!(f, "{property}: `{text}` cannot be read"),
            SgfError::Stones => f.write_str("AB, AW: one square has stones of both sides"),
            SgfError::Unparsable { number, error } => write!(f, "move {number}: {error}"),
            SgfError::Turn { number, color } => write!(f, "move {number}: it is not {color}'s turn"),
            SgfError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for SgfError {}

/// Properties that have a field, or say nothing about the game: no tag is kept under these names.
const OWN: [&str; 31] = [
    "GM",
    "FF",
    "SZ",
    "CA",
    "ST",
    "PB",
    "PW",
    "BR",
    "WR",
    "BL",
    "WL",
    "PC",
    "EV",
    "DT",
    "RE",
    "TM",
    "AB",
    "AW",
    "AE",
    "PL",
    "B",
    "W",
    "C",
    "V",
    "TT",
    "TIGGF",
    "TBGGF",
    "TWGGF",
    "TYGGF",
    super::extra::RESULT,
    super::extra::SCORES,
];

/// The name of a property as it is known here. Old files spell names out and leave the small letters to the reader.
fn property_name(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    let spelt_out = name.len() > 2 && capitals.len() <= 2;
    let known = [name.to_ascii_uppercase(), if spelt_out { capitals } else { String::new() }];
    known.into_iter().find(|known| OWN.contains(&known.as_str())).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Position};
    use crate::game::{Ending, Game, GameResult};
    use crate::score::Score;

    /// As Cassio exports a game of its base (`UnitMoulinette.p`), sign of the result included.
    const CASSIO: &str = "(;GM[2]FF[4]SZ[8]TM[1500]BL[1500]WL[1500]AP[Cassio:8.4]US[Stephane Nicolet]\
        CP[Copyleft 2019, French Federation of Othello]PB[Ann]PW[Bob]EV[Paris]DT[2019]RE[B+64]\
        AB[e4][d5]AW[d4][e5]PL[B];B[e6];W[f4];B[e3];W[f6];B[g5];W[d6];B[e7];W[f5];B[c5])\n";

    fn only(text: &str) -> Result<Game, SgfError> {
        games(text).next().unwrap().2
    }

    #[test]
    fn as_cassio_exports_it() {
        let game = only(CASSIO).unwrap();
        assert_eq!((game.start(), game.plies(), game.is_over()), (Position::START, 9, true));
        assert_eq!(game.tags.black.name.as_deref(), Some("Ann"));
        assert_eq!(game.tags.place.as_deref(), Some("Paris"));
        assert_eq!(game.tags.clock.map(|clock| clock.main.as_secs()), Some(1500));
        assert_eq!(game.tags.other("AP"), Some("Cassio:8.4"));
        let won = GameResult { score: Score::MAX, ending: Ending::Played };
        assert_eq!(game.tags.result, Some(won));
        assert_eq!(only(&write(&game)), Ok(game.clone()));
        // Cassio writes `B+` whoever has won: the board knows better.
        let lost = only(&CASSIO.replace("RE[B+64]", "RE[W+64]")).unwrap();
        assert_eq!(lost.tags.result, Some(won));
    }

    #[test]
    fn values_times_comments_and_variations() {
        let text =
            "(;GM[2]C[a \\] here];B[f5]V[B+0.50]TT[3](;W[d6]V[W+1.00]C[good\nmove](;B[c3])(;B[c5]))(;W[f6]))";
        let game = only(text).unwrap();
        assert_eq!(game.plies(), 3);
        let evals: Vec<_> = game.moves().iter().map(|played| played.eval.map(Score::centidiscs)).collect();
        assert_eq!(evals, [Some(50), Some(100), None]);
        assert_eq!(game.moves()[0].time.map(|time| time.as_secs()), Some(3));
        assert_eq!(game.tags.comments, [(0, "a ] here".to_owned()), (2, "good\nmove".to_owned())]);
        assert_eq!(only(&write(&game)), Ok(game));
    }

    #[test]
    fn any_start_and_any_spelling() {
        let start =
            Position::from_discs(crate::board::Bitboard(1), crate::board::Bitboard(2), Color::White).unwrap();
        let game = only("(;GM[2]AB[a1]AW[b1]PL[W];W[tt];B[ca])").unwrap();
        assert_eq!((game.start(), game.plies()), (start, 2));
        assert_eq!(only("(;GM[2]AB[a1]AW[b1]PL[W];B[c1])").unwrap().moves(), game.moves());
        assert_eq!(only("(;FF[4]GM[2];B[fe];W[df])").unwrap().plies(), 2);
        let squares = only("(;GM[2]AB[a1:c2]AW[d1:d2]PL[white])").unwrap();
        assert_eq!(squares.start().discs(Color::Black).count(), 6);
    }

    #[test]
    fn one_fault_does_not_hide_the_rest() {
        let text = format!("{CASSIO}{}{CASSIO}", CASSIO.replace("W[f4]", "W[a1]"));
        let read: Vec<_> = games(&text).collect();
        assert_eq!(
            read.iter().map(|(number, line, _)| (*number, *line)).collect::<Vec<_>>(),
            [(1, 1), (2, 2), (3, 3)]
        );
        assert!(read[0].2.is_ok() && read[2].2.is_ok());
        let error = |text: &str| only(text).unwrap_err().to_string();
        assert_eq!(read[1].2.as_ref().unwrap_err().to_string(), "move 2 (a1) is illegal: a1 flips nothing");
        assert_eq!(error("(;GM[1];B[aa])"), "GM: the game is `1`, not Othello (2)");
        assert_eq!(error("(;SZ[10])"), "SZ: the board `10` is not an 8x8 one");
        assert_eq!(error("(;GM[2];B[k5])"), "move 1: `k5` is neither a square (a1 to h8) nor a pass");
        assert_eq!(error("(;GM[2];W[f5])"), "move 1: it is not white's turn");
        assert_eq!(error("(;GM[2];B[f5"), "the game does not end with `)`");
        assert_eq!(error("(;GM[2];B[f5]"), "the game does not end with `)`");
        assert_eq!(error("(;GM[2]=)"), "`=)` is not a property like `PB[name]`");
        assert_eq!(error("(;GM[2]AB[a1]AW[a1])"), "AB, AW: one square has stones of both sides");
        assert_eq!(error("(;GM[2]TM[soon])"), "TM: `soon` cannot be read");
        assert_eq!(error("(;GM[2];B[f5]V[much])"), "V: `much` cannot be read");
        assert_eq!(games("hello").count(), 0);
    }
}
