//! The invariants of the protocol of WinBoard and XBoard.
//!
//! The engine moves whenever it is its turn, unless it is in force mode or analyzes. `ping` is answered after the move that
//! the engine thinks about, else at once. `?` makes the engine move now. A pass is sent as `setboard` or as `@@@@`.

use std::collections::VecDeque;

use outflank::board::{Color, Move, Position, Status};
use outflank::game::Game;
use outflank::notation::{fen, moves};
use outflank::search::{Line, Report};
use outflank::session::Effect;

use super::invariants::{Cause, Finale, Invariants, Stopped, count, sent, starts, verb};
use super::world::Running;

/// The part of the engine in the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Role {
    #[default]
    Watcher,
    Player(Color),
    Analyst,
}

/// The game, and what is owed.
#[derive(Debug, Default)]
pub(super) struct XBoard {
    game: Game,
    /// Plies after each move that was sent or received.
    ends: Vec<usize>,
    role: Role,
    posts: bool,
    is_against_engine: bool,
    /// The move that the engine expects.
    expected: Option<Move>,
    /// Pings that are not answered yet.
    pings: VecDeque<u64>,
}

impl XBoard {
    /// Applies a line that was not rejected.
    fn follow(&mut self, line: &str) {
        let (word, rest) = verb(line);
        let side = self.game.position().side();
        match word {
            "new" => {
                self.set(Position::START, Role::Player(Color::White));
                self.is_against_engine = false;
            }
            "setboard" => {
                let sent = fen::read(rest).unwrap_or_else(|error| panic!("{error}: {rest} was accepted"));
                let here = self.game.position();
                // A pass has the right squares, but not the right colors.
                let is_pass = here.status() == Status::MustPass
                    && sent.side() != here.side()
                    && sent.board().empty() == here.board().empty();
                if is_pass { self.play(Move::Pass) } else { self.set(sent, Role::Watcher) }
            }
            "go" => self.role = Role::Player(side),
            "playother" => self.role = Role::Player(!side),
            "force" | "result" | "exit" => self.role = Role::Watcher,
            "analyze" => self.role = Role::Analyst,
            "post" | "nopost" => self.posts = word == "post",
            "computer" => self.is_against_engine = true,
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            "usermove" => self.play(read(rest).unwrap_or_else(|| panic!("{rest} was accepted"))),
            _ => {
                if let Some(mv) = read(line.trim()) {
                    self.play(mv);
                }
            }
        }
    }

    fn set(&mut self, position: Position, role: Role) {
        self.game = Game::new(position);
        self.ends.clear();
        if self.role != Role::Analyst {
            self.role = role;
        }
    }

    fn play(&mut self, mv: Move) {
        self.game.play_passing(mv).unwrap_or_else(|reason| panic!("{mv} was accepted: {reason}"));
        self.ends.push(self.game.plies());
    }

    fn take_back(&mut self, count: usize) {
        self.ends.truncate(self.ends.len().saturating_sub(count));
        self.game.truncate(self.ends.last().copied().unwrap_or_default());
        if self.is_own_turn() {
            self.role = Role::Watcher;
        }
    }

    /// Returns `true` if the engine must move.
    fn is_own_turn(&self) -> bool {
        self.role == Role::Player(self.game.position().side())
    }

    /// Applies the moves of the engine, and checks that each result is that of the game.
    fn follow_replies(&mut self, cause: Cause<'_>, effects: &[Effect]) {
        for line in sent(effects) {
            if let Some(text) = line.strip_prefix("move ") {
                assert!(self.is_own_turn(), "{line}: not the engine's turn");
                let mv = read(text).unwrap_or_else(|| panic!("{line}"));
                let ended = if let Cause::Ended(ended) = cause { Some(ended) } else { None };
                assert!(
                    ended.is_none_or(|ended| ended.may_answer(mv)),
                    "{line}: not the move that was found"
                );
                self.play(mv);
                self.expected = ended.and_then(Running::best).and_then(|best| best.moves.get(1).copied());
            } else if let Some(number) = line.strip_prefix("pong ") {
                let owed = self.pings.pop_front().map(|number| number.to_string());
                assert_eq!(owed.as_deref(), Some(number), "pings are answered in order");
            } else if ["1-0 ", "0-1 ", "1/2-1/2 ", "offer draw"].iter().any(|start| line.starts_with(start)) {
                assert_eq!(line, self.result(), "of {:?}", self.game.position());
            }
        }
    }

    /// Returns the line that reports the end of the game.
    fn result(&self) -> String {
        let end = self.game.position();
        assert!(self.game.is_over());
        let (black, white) = (end.discs(Color::Black).count(), end.discs(Color::White).count());
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => format!("1-0 {{Black wins {black}-{white}}}"),
            std::cmp::Ordering::Less => format!("0-1 {{White wins {white}-{black}}}"),
            std::cmp::Ordering::Equal if self.is_against_engine => "offer draw".to_owned(),
            std::cmp::Ordering::Equal => format!("1/2-1/2 {{Draw {black}-{white}}}"),
        }
    }
}

/// Reads a move: `D@d3` with any letter, `d3`, or a pass.
fn read(text: &str) -> Option<Move> {
    moves::read(text).ok().or_else(|| {
        let (piece, square) = text.split_once('@')?;
        let is_letter = piece.len() <= 1 && piece.chars().all(|c| c.is_ascii_alphabetic());
        square.parse().ok().filter(|_| is_letter).map(Move::Place)
    })
}

impl Invariants for XBoard {
    fn check(&mut self, cause: Cause<'_>, running: Option<&Running>, effects: &[Effect]) {
        let was_over = self.game.is_over();
        let moved = count(effects, "move ");
        assert!(moved <= 1, "{effects:?}");
        let mut asks_for_result = false;
        match cause {
            Cause::Line(line) => {
                let (word, rest) = verb(line);
                if let ("ping", Ok(number)) = (word, rest.parse()) {
                    self.pings.push_back(number);
                }
                if !sent(effects).any(|line| self.rejects(line)) {
                    self.follow(line);
                    asks_for_result = word == "go";
                }
            }
            Cause::Ended(ended) => {
                assert_eq!(moved, usize::from(self.is_own_turn()), "{effects:?}");
                let hints: Vec<&str> = sent(effects).filter_map(|line| line.strip_prefix("Hint: ")).collect();
                assert_eq!(hints.len(), usize::from(verb(&ended.line).0 == "hint"), "{effects:?}");
                assert!(
                    hints.iter().all(|hint| read(hint).is_some_and(|mv| ended.may_answer(mv))),
                    "{hints:?}"
                );
            }
            Cause::Progress | Cause::Other(_) => assert_eq!((moved, starts(effects)), (0, 0), "{effects:?}"),
        }
        self.follow_replies(cause, effects);
        let is_over = self.game.is_over();
        let is_played = matches!(self.role, Role::Player(_));
        let owed = is_over && is_played && (asks_for_result || !was_over);
        let result = if is_over { self.result() } else { String::new() };
        let results = sent(effects).filter(|line| *line == result).count();
        assert!(!is_over || results == usize::from(owed), "owed {owed}: `{result}`: {effects:?}");
        let here = self.game.position();
        if self.is_own_turn() && !is_over {
            assert_eq!(
                running.map(|running| running.request.root),
                Some(here),
                "no search for the engine's move"
            );
        } else {
            assert!(self.pings.is_empty(), "{:?} wait, and the engine does not think", self.pings);
        }
        if let Some(running) = running {
            let root = running.request.root;
            let is_after = |mv| here.play(mv).is_ok_and(|after| after == root);
            let is_pondered = here.moves().into_iter().any(|square| is_after(Move::Place(square)));
            assert!(
                here == root || is_after(Move::Pass) || is_pondered,
                "another position: {:?}",
                running.request
            );
        }
    }

    fn stopped_by(&self, line: &str) -> Stopped {
        match verb(line).0 {
            "?" => Stopped::Awaited,
            "memory" | "cores" => Stopped::Restarted,
            _ => Stopped::Abandoned,
        }
    }

    fn rejects(&self, line: &str) -> bool {
        ["Error ", "Illegal move", "tellusererror "].iter().any(|start| line.starts_with(start))
    }

    fn describes(&self, line: &str, report: &Report) -> Option<bool> {
        let mut fields = line.split(' ');
        let numbers: Vec<i64> = fields.by_ref().take(4).filter_map(|field| field.parse().ok()).collect();
        let [_, score, _, _] = numbers.as_slice() else { return None };
        let moves: Vec<&str> = fields.filter(|field| !field.starts_with('(')).collect();
        let best = report.best().filter(|_| !line.ends_with("(book)"))?;
        let expected: Vec<String> = best.moves.iter().map(|&mv| self.write(mv)).collect();
        Some(*score == i64::from(best.score.centidiscs()) && moves == expected)
    }

    fn must_describe(&self, search: &Running, report: &Report) -> bool {
        self.posts && verb(&search.line).0 != "hint" && report.best().and_then(Line::first).is_some()
    }

    fn position(&self) -> Position {
        self.game.position()
    }

    fn expected(&self) -> Option<Move> {
        self.expected
    }

    fn write(&self, mv: Move) -> String {
        match mv {
            Move::Place(square) => format!("D@{square}"),
            Move::Pass => "@@@@".to_owned(),
        }
    }

    fn finale(&self) -> Option<Finale> {
        let (hush, question, answer) = ("force", "ping 987654", "pong 987654");
        Some(Finale { hush, question, answer, ask: &["exit", "new", "go"], found: "move " })
    }
}
