//! The invariants of NBoard's protocol.
//!
//! `ping` ends all thinking and is answered at once. `go` gets one `===` line, `learn` one `learned` line, `analyze` one line
//! per position, from the last to the first. A changed game ends the search without a reply.

use outflank::board::{Color, Move, Position, Status};
use outflank::game::Game;
use outflank::notation::{ggf, moves};
use outflank::score::Score;
use outflank::search::{Line, Report};
use outflank::session::Effect;

use super::invariants::{Cause, Finale, Invariants, Stopped, count, sent, starts, verb};
use super::world::Running;

const WAITING: &str = "status Outflank is waiting";

/// The game, and what is owed.
#[derive(Debug, Default)]
pub(super) struct NBoard {
    game: Game,
    contempt: i32,
    /// The ply that was analyzed last.
    analyzed: Option<usize>,
    owes_move: bool,
    /// True until the analysis has reached the start of the game.
    owes_analysis: bool,
    /// Moves of the book that the replies to `hint` name.
    known: Vec<Move>,
}

impl NBoard {
    /// Applies a line to the game.
    fn follow(&mut self, line: &str) {
        let (word, rest) = verb(line);
        match (word, verb(rest)) {
            ("set", ("game", text)) => {
                if let Ok(game) = ggf::read(text) {
                    self.game = game;
                }
            }
            ("set", ("contempt", text)) => {
                self.contempt =
                    text.parse().ok().filter(|discs| (-100..=100).contains(discs)).unwrap_or(self.contempt);
            }
            ("new", _) => self.game = Game::default(),
            ("nboard" | "set" | "hint" | "ping" | "go" | "learn" | "analyze" | "clear" | "quit", _) => {}
            ("move", _) => self.play(rest),
            _ => self.play(line.trim()),
        }
    }

    fn play(&mut self, text: &str) {
        if let Ok(played) = moves::read_played(text) {
            let _ = self.game.play_passing(played);
        }
    }

    fn line(&mut self, line: &str, running: Option<&Running>, effects: &[Effect]) {
        self.follow(line);
        let (word, rest) = verb(line);
        if effects.iter().any(|effect| matches!(effect, Effect::Stop(_))) {
            (self.owes_move, self.owes_analysis) = (false, false);
        }
        let moved = count(effects, "=== ");
        match (word, rest.parse::<u64>()) {
            ("ping", Ok(number)) => {
                let lines: Vec<&str> = sent(effects).collect();
                let pong = format!("pong {number}");
                assert!(lines == [pong.as_str()] || lines == [&pong, WAITING], "{lines:?}");
                assert!(running.is_none() && starts(effects) == 0, "the search continues after {line}");
            }
            ("go", _) => {
                let is_over = self.game.position().status() == Status::Over;
                assert_eq!(moved + starts(effects) + usize::from(is_over), 1, "{effects:?}");
                self.owes_move = starts(effects) == 1;
                self.check_moves(|mv| self.game.position().play(mv).is_ok(), effects);
            }
            ("learn", _) => {
                let learned = effects.iter().filter(|effect| matches!(effect, Effect::Learn(..))).count();
                assert_eq!(learned + count(effects, "learned"), 1, "{effects:?}");
            }
            ("analyze", _) => {
                self.analyzed = Some(self.game.plies() + 1);
                self.owes_analysis = true;
            }
            _ => assert_eq!((moved, count(effects, "pong")), (0, 0), "{line}: {effects:?}"),
        }
        match word {
            "hint" => self.known = sent(effects).filter_map(|line| first(line, "book ")).collect(),
            "go" | "analyze" => self.known.clear(),
            _ => assert_eq!(starts(effects), 0, "{line}: {effects:?}"),
        }
        if matches!(word, "new" | "clear") {
            assert!(running.is_none(), "the search continues after {line}");
        }
    }

    /// Checks that the moves of `===` lines fit, and that nothing but `waiting` follows them.
    fn check_moves(&self, fits: impl Fn(Move) -> bool, effects: &[Effect]) {
        let lines: Vec<&str> = sent(effects).collect();
        if let Some(at) = lines.iter().position(|line| line.starts_with("=== ")) {
            assert_eq!(lines[at + 1..], [WAITING]);
            let played =
                moves::read_played(&lines[at][4..]).unwrap_or_else(|error| panic!("{error}: {lines:?}"));
            assert!(fits(played.mv), "{}: not the move that was found", lines[at]);
        }
    }

    fn ended(&mut self, ended: &Running, effects: &[Effect]) {
        let root = ended.request.root;
        let owed = std::mem::take(&mut self.owes_move);
        assert_eq!(count(effects, "=== "), usize::from(owed), "{effects:?}");
        if owed {
            assert_eq!(root, self.game.position(), "a move of another position");
            let lines = ended.last.as_ref().map(|last| last.lines.as_slice()).unwrap_or_default();
            let is_found = |mv| lines.iter().any(|line| line.first() == Some(mv));
            self.check_moves(|mv| ended.may_answer(mv) || self.contempt != 0 && is_found(mv), effects);
        }
        if count(effects, "status Error") == 0 {
            assert_eq!(sent(effects).last() == Some(WAITING), starts(effects) == 0, "{effects:?}");
        } else {
            self.owes_analysis = false;
        }
    }

    /// Checks that an analysis goes back ply by ply and states what was found.
    fn check_analysis(&mut self, ended: Option<&Running>, effects: &[Effect]) {
        let mut best = ended.and_then(Running::best);
        for line in sent(effects).filter_map(|line| line.strip_prefix("analysis ")) {
            let (ply, value) = verb(line);
            let ply: usize = ply.parse().unwrap_or_else(|error| panic!("{error}: {line}"));
            let before = self.analyzed.replace(ply);
            assert!(before.is_some_and(|before| ply < before), "analysis {line} after {before:?}");
            let Some(root) = self.game.position_at(ply) else { panic!("analysis {line}: no such ply") };
            let score = match root.status() {
                Status::Over => Score::from_centidiscs(100 * root.board().final_score()),
                _ => best.take().unwrap_or_else(|| panic!("analysis {line}: not searched")).score,
            };
            let for_black = if root.side() == Color::Black { score } else { -score };
            assert_eq!(value, format!("{:.2}", for_black.discs()), "{line}");
        }
        if self.owes_analysis && sent(effects).last() == Some(WAITING) {
            self.owes_analysis = false;
            let is_searched = self.game.position_at(0).is_some_and(|root| root.status() != Status::Over);
            assert!(is_searched || self.analyzed == Some(0), "the analysis stops at {:?}", self.analyzed);
        }
    }
}

/// Returns the first move of a line with moves.
fn first(line: &str, start: &str) -> Option<Move> {
    moves::read(line.strip_prefix(start)?.get(..2)?).ok()
}

impl Invariants for NBoard {
    fn check(&mut self, cause: Cause<'_>, running: Option<&Running>, effects: &[Effect]) {
        match cause {
            Cause::Line(line) => self.line(line, running, effects),
            Cause::Ended(ended) => self.ended(ended, effects),
            Cause::Progress | Cause::Other(_) => {
                assert_eq!((count(effects, "=== "), starts(effects)), (0, 0), "{effects:?}");
            }
        }
        self.check_analysis(if let Cause::Ended(ended) = cause { Some(ended) } else { None }, effects);
        if let Some(running) = running {
            let root = running.request.root;
            let is_asked = match verb(&running.line).0 {
                "go" | "hint" => root == self.game.position(),
                _ => self.game.positions().any(|position| position == root),
            };
            assert!(is_asked, "a search of another position than the game's: {running:?}");
        }
    }

    fn check_at_rest(&self) {
        assert!(!self.owes_move, "the move is owed");
        assert!(!self.owes_analysis, "the analysis is owed");
    }

    fn stopped_by(&self, _: &str) -> Stopped {
        Stopped::Abandoned
    }

    fn rejects(&self, line: &str) -> bool {
        line.starts_with("status Error")
    }

    fn describes(&self, line: &str, report: &Report) -> Option<bool> {
        let mut fields = line.strip_prefix("search ")?.split(' ');
        let (pv, value, depth) = (fields.next()?, fields.next()?, fields.nth(1)?);
        let is_proven = match depth {
            "100%" => report.lines.iter().all(Line::is_exact),
            "100%W" => report.lines.iter().all(Line::proves_outcome),
            _ => true,
        };
        let agrees = |line: &Line| {
            let moves: String = line.moves.iter().copied().map(moves::write_upper).collect();
            let is_draw = self.contempt != 0 && line.proves_outcome() && line.score == Score::ZERO;
            let draw = format!("{0}.00,-{0}.00", self.contempt.abs().min(64));
            let score = format!("{:.2}", line.score.discs());
            moves == pv && value == if is_draw { draw } else { score }
        };
        Some(is_proven && report.lines.iter().any(agrees))
    }

    fn must_describe(&self, search: &Running, report: &Report) -> bool {
        let is_unknown = |line: &Line| line.first().is_some_and(|mv| !self.known.contains(&mv));
        matches!(verb(&search.line).0, "go" | "hint") && report.lines.iter().any(is_unknown)
    }

    fn position(&self) -> Position {
        self.game.position()
    }

    fn write(&self, mv: Move) -> String {
        moves::write_upper(mv)
    }

    fn finale(&self) -> Option<Finale> {
        let (hush, question, answer) = ("ping 1", "ping 987654", "pong 987654");
        Some(Finale { hush, question, answer, ask: &["new", "go"], found: "=== " })
    }
}
