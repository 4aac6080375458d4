//! What is promised to NBoard.

use outflank::board::Status;
use outflank::game::Game;
use outflank::notation::{ggf, moves};
use outflank::session::Effect;

use super::rules::{Finale, Rules, What, count, said, starts, verb};
use super::world::Running;

/// The game as it must stand in the session, and the ply that was analysed last.
#[derive(Debug, Default)]
pub(super) struct NBoard {
    game: Game,
    analysed: Option<usize>,
    /// Whether a move is owed.
    owes_move: bool,
}

impl NBoard {
    /// What the line does to the game.
    fn follow(&mut self, line: &str) {
        let (word, rest) = verb(line);
        match (word, verb(rest)) {
            ("set", ("game", text)) => {
                if let Ok(game) = ggf::read(text) {
                    self.game = game;
                }
            }
            ("new", _) => self.game = Game::default(),
            ("nboard" | "set" | "hint" | "ping" | "go" | "learn" | "analyze" | "clear" | "quit", _) => {}
            ("move", _) => self.play(rest),
            _ => self.play(line.trim()),
        }
    }

    /// Whether a search is one of the game as it stands: of its last position, or for an analysis of any.
    fn is_asked(&self, running: &Running) -> bool {
        let root = running.request.root;
        match verb(&running.line).0 {
            "go" | "hint" => root == self.game.position(),
            _ => self.game.positions().any(|position| position == root),
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
            self.owes_move = false;
        }
        // A search of a position that is no more, or from before a ping, is nobody's.
        if let Some(running) = running {
            let fenced = word == "ping" && rest.parse::<u64>().is_ok();
            assert!(!fenced && !matches!(word, "new" | "clear"), "{line}: the search goes on");
            assert!(self.is_asked(running), "{line}: another position than the game's: {running:?}");
        }
        let moved = count(effects, "=== ");
        match (word, rest.parse::<u64>()) {
            ("ping", Ok(number)) => {
                let pong = format!("pong {number}");
                let lines: Vec<&str> = said(effects).collect();
                let at = lines.iter().position(|line| *line == pong);
                let at = at.unwrap_or_else(|| panic!("no `{pong}`: {lines:?}"));
                let after = &lines[at + 1..];
                assert!(after.iter().all(|line| line.starts_with("status ")), "after `{pong}`: {after:?}");
                assert_eq!((count(effects, "pong"), moved, starts(effects)), (1, 0, 0), "{lines:?}");
            }
            ("go", _) => {
                let over = self.game.position().status() == Status::Over;
                assert_eq!(moved + starts(effects) + usize::from(over), 1, "{effects:?}");
                self.owes_move = starts(effects) == 1;
            }
            ("learn", _) => {
                let learnt = effects.iter().filter(|effect| matches!(effect, Effect::Learn(..))).count();
                assert_eq!(learnt + count(effects, "learned"), 1, "{effects:?}");
            }
            ("analyze", _) => self.analysed = Some(self.game.plies() + 1),
            _ => assert_eq!((moved, count(effects, "pong")), (0, 0), "{line}: {effects:?}"),
        }
        if !matches!(word, "go" | "hint" | "analyze") {
            assert_eq!(starts(effects), 0, "{line}: {effects:?}");
        }
        if word == "move" && count(effects, "status Error") == 0 {
            assert!(moves::read_played(rest).is_ok(), "{line}");
        }
    }
}

impl Rules for NBoard {
    fn check(&mut self, what: What<'_>, running: Option<&Running>, effects: &[Effect]) {
        match what {
            What::Line(line) => self.line(line, running, effects),
            What::Ended(ended) => {
                let owed = std::mem::take(&mut self.owes_move);
                assert_eq!(count(effects, "=== "), usize::from(owed), "{effects:?}");
                for line in said(effects).filter_map(|line| line.strip_prefix("=== ")) {
                    let played = moves::read_played(line).unwrap_or_else(|error| panic!("{error}: {line}"));
                    let legal = self.game.position().play(played.mv);
                    assert!(legal.is_ok(), "{line} in the position it was asked for");
                    assert_eq!(ended.request.root, self.game.position());
                }
            }
            What::Told | What::Other(_) => assert_eq!((count(effects, "=== "), starts(effects)), (0, 0)),
        }
        for line in said(effects).filter_map(|line| line.strip_prefix("analysis ")) {
            let ply: usize = verb(line).0.parse().unwrap_or_else(|error| panic!("{error}: {line}"));
            let before = self.analysed.replace(ply);
            assert!(before.is_some_and(|before| ply < before), "analysis {line} after {before:?}");
        }
        if let Some(running) = running {
            assert!(self.is_asked(running), "another position than the game's: {running:?}");
        }
    }

    fn wants_answer(&self, _: &str) -> bool {
        false
    }

    fn refuses(&self, said: &str) -> bool {
        said.starts_with("status Error")
    }

    fn finale(&self) -> Option<Finale> {
        Some(Finale {
            hush: "ping 1",
            question: "ping 987654",
            answer: "pong 987654",
            ask: &["new", "go"],
            found: "=== ",
        })
    }
}
