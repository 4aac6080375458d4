//! PGN, the Portable Game Notation of chess, as Cassio and servers of Othello write it and as XBoard does.
//!
//! The two differ in more than their headers. Cassio's Black is Black, moves are `f5`, and a result is `34-30`, Black's
//! discs first. XBoard takes whoever moves first for White: with `[Variant "othello"]` the names change sides, moves are
//! `D@f5`, a result is `1-0`, and `{+0.50/12 3.4}` after a move tells its value, depth and time. Both are read; a game is
//! written as XBoard does if it has that variant, else as Cassio does.
//!
//! What a header has no field for is kept by its name; variations are left out, comments kept. Passes may be written or
//! left out, and moves may stand one by one, with numbers of any kind, or run together.
//!
//! One reader serves two sources. [`games`] reads files: nothing is lost both ways, and what cannot be read is a fault.
//! Of what people paste, in whatever state, as much is taken as can be:
//!
//! - A comment that is not closed ends at the next header, a variation with its game.
//! - `;` begins a comment only where a word follows that is no move; else it separates moves.
//! - A line that begins like a header and is none becomes a comment.
//! - A header whose value cannot be read, and a variant that is not Othello, is kept by its name.
//! - The date has dashes and the time of day after it.
//! - The final count may have any form, such as `(38 - 26)`; the board knows better; `1-0` is no score.
//! - A game has a move or a start of its own.
//!
//! Neither comments nor headers can hold every text. `\u007D`, with four hexadecimal digits, stands for a `}` in a comment, a
//! line end, a blank at the beginning or the end, and the first character of what would be read as something else.
//!
//! A tournament or server is the `Event` of the game, unless the game has another one; then it is the `Site`.
//!
//! Sources: Steven J. Edwards, *Portable Game Notation Specification*, 1994; exports of Cassio 8 and XBoard 4.9, and of
//! PlayOK and FlyOrDie.

mod read;
mod write;

use super::extra;

pub use read::games;
pub(super) use read::{begins, pasted};
pub use write::write;

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    File,
    Paste,
}

/// Headers that have a field: no tag is kept under these names.
const OWN: [&str; 18] = [
    "Site",
    "Date",
    "Black",
    "White",
    "BlackElo",
    "WhiteElo",
    "BlackRating",
    "WhiteRating",
    "Result",
    "TimeControl",
    "FEN",
    "SetUp",
    "TIGGF",
    "TBGGF",
    "TWGGF",
    "TYGGF",
    extra::RESULT,
    extra::SCORES,
];

/// The value of the tag `Event` of a game whose `Site` is known, but no event.
const NO_EVENT: &str = "?";

/// The variants that are Othello.
const VARIANTS: [&str; 3] = ["othello", "reversi", "flipello"];

#[cfg(test)]
mod tests {
    use super::super::{GameFault, transcript};
    use super::*;
    use crate::board::{Color, Position};
    use crate::game::{Ending, Game};

    /// A match of the program with itself under XBoard 4.9.1.
    const XBOARD: &str = include_str!("xboard.pgn");

    /// As Cassio exports a game of its base (`UnitMoulinette.p`).
    const CASSIO: &str = "[Event \"Paris\"]\n[Date \"2019.01.01\"]\n[Round \"-\"]\n[Database \"WTHOR\"]\n[Black \"Ann\"]\n\
        [White \"Bob\"]\n[Result \"64-0\"]\n[TheoreticalScore \"36-28\"]\n\n1. e6 f4 \n2. e3 f6 \n3. g5 d6 \n4. e7 f5 \n\
        5. c5 -- \n6. -- -- \n64-0\n\n\n";

    fn only(text: &str) -> Result<Game, GameFault> {
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

    fn paste(text: &str) -> Result<Game, GameFault> {
        pasted(text).next().unwrap()
    }

    #[test]
    fn what_is_pasted_is_read_as_far_as_it_goes() {
        let text =
            "[Black \"Ann\"]\n\n1. f5 {the usual} d6 (1... f4 2. e3 {dubious} (2. d3)) 2. c3 $1 d3 *\n";
        let game = paste(text).unwrap();
        assert_eq!(transcript::write(&game), "f5d6c3d3");
        assert_eq!(game.tags.comments, [(1, "the usual".to_owned())]);
        for (text, moves) in [
            ("[A \"b\"]\nf5 {", "f5"),
            ("[A \"b\"]\nf5 (d6", "f5"),
            ("[Variant \"Standard\"]\n1) f5; 2) d6$1c3", "f5d6c3"),
            ("[BlackElo \"strong\"]\n% f4\nf5d6; so 2. c3\n;\nc3", "f5d6c3"),
            ("[TIGGF \"soon\"]\nf5-d6-c3 (34 - 30)", "f5d6c3"),
            ("1.f5 2)d6\n[Black \"a\"][White \"b\"]", "f5d6"),
            ("[Black \"a \"b\" c\"] f4 d3", "f4d3"),
            ("[a \"b\"] f5;; 2. d6", "f5d6"),
            ("[a \"b\"]\n%\n\nF5,D6 [38-26]", "f5d6"),
        ] {
            assert_eq!(paste(text).map(|game| transcript::write(&game)), Ok(moves.to_owned()), "{text}");
        }
        let text = "[Black \"a\"]\nf5 {good\n[Black \"b\"]\nf5 d6\n[c \"d\"]";
        let read: Vec<_> = pasted(text).map(|game| game.map(|game| transcript::write(&game))).collect();
        assert_eq!(
            read,
            [Ok("f5".to_owned()), Ok("f5d6".to_owned()), Err(transcript::TranscriptError::Empty.into())]
        );
        let error = |text: &str| paste(text).unwrap_err().to_string();
        assert_eq!(error("[A \"b\"]\n{é}f5)"), "move 2 cannot be read: `f5)`");
        assert_eq!(paste("[A \"b\"]\n[so] d6\nf5").unwrap().tags.comments, [(0, "[so] d6".to_owned())]);
        assert_eq!(error("[A \"b\"]\nf5d66c3"), "move 3 cannot be read: `f5d66c3`");
    }

    #[test]
    fn what_is_known_around_a_pasted_game() {
        let text = "[event \"Cup\"]\n[BLACK \"Ann\"]\n[BlackRating \"1500\"]\n[UTCDate \"2020.05.05\"]\n\
            [UTCTime \"11:24:48\"]\n[TimeControl \"300+5\"]\n[Result \"38-26\"]\n[Round \"3\"]\n\n\
            1. f5 {[%eval 0.5] [%emt 3]} d6 {+1.00/12 2.5}";
        let game = paste(text).unwrap();
        let tags = &game.tags;
        assert_eq!((tags.place.as_deref(), tags.black.rating), (Some("Cup"), Some(1500.0)));
        assert_eq!(tags.date.as_deref(), Some("2020-05-05 11:24:48"));
        assert_eq!(
            (tags.clock.map(|clock| clock.increment.as_secs()), tags.other("round")),
            (Some(5), Some("3"))
        );
        assert_eq!(tags.result.map(|result| result.score.centidiscs()), Some(1200));
        let known = game
            .moves()
            .iter()
            .map(|played| (played.eval.unwrap().centidiscs(), played.time.unwrap().as_millis()));
        assert_eq!(known.collect::<Vec<_>>(), [(50, 3000), (100, 2500)]);
        // XBoard's games are the same, whichever way they come.
        for (pasted, (.., filed)) in pasted(XBOARD).zip(games(XBOARD)) {
            let (pasted, filed) = (pasted.unwrap(), filed.unwrap());
            assert_eq!(pasted.moves(), filed.moves());
            assert_eq!((&pasted.tags.black, pasted.tags.result), (&filed.tags.black, filed.tags.result));
            assert_eq!(
                (&pasted.tags.others, &pasted.tags.comments),
                (&filed.tags.others, &filed.tags.comments)
            );
        }
    }

    #[test]
    fn a_start_of_its_own() {
        let squares = "---------------------------OX------XO--------------------------- O";
        for read in [paste, only] {
            assert_eq!(read(&format!("[FEN \"{squares}\"]\n1. f4")).unwrap().start().side(), Color::White);
            assert_eq!(read("[Black \"a\"]\n1. f4").unwrap().plies(), 1);
            assert!(
                matches!(read("[FEN \"none\"]\nf5"), Err(GameFault::Start { text, .. }) if text == "none")
            );
        }
    }
}
