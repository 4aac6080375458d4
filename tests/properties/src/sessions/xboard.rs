//! What is promised to XBoard.

use std::collections::VecDeque;

use outflank::board::{Move, Position, Status};
use outflank::game::Game;
use outflank::notation::{fen, moves};
use outflank::session::Effect;

use super::rules::{Finale, Rules, What, count, said, starts, verb};
use super::world::Running;

/// The game where it is known, and what is owed.
#[derive(Debug)]
pub(super) struct XBoard {
    game: Option<Game>,
    /// Pings that were not answered yet.
    pings: VecDeque<u64>,
    /// Whether the search under way was asked for a move.
    owes_move: bool,
}

impl Default for XBoard {
    fn default() -> XBoard {
        XBoard { game: Some(Game::default()), pings: VecDeque::new(), owes_move: false }
    }
}

impl XBoard {
    /// What a line that was not refused does to the game.
    fn follow(&mut self, line: &str) {
        let (word, rest) = verb(line);
        match word {
            "new" => self.game = Some(Game::default()),
            "setboard" => self.set(rest),
            "usermove" => self.play(rest),
            "undo" => self.take_back(1),
            "remove" => self.take_back(2),
            _ => {
                // A bare move.
                if read(line.trim()).is_some() {
                    self.play(line.trim());
                }
            }
        }
    }

    fn set(&mut self, text: &str) {
        let sent = fen::read(text).unwrap_or_else(|error| panic!("{error}: {text} was not refused"));
        let Some(game) = &mut self.game else { return };
        let here = game.position();
        // What is sent for a pass has the squares, but not the colours.
        if here.status() == Status::MustPass
            && sent.side() != here.side()
            && sent.board().empty() == here.board().empty()
        {
            let _ = game.play(Move::Pass);
        } else {
            *game = Game::new(sent);
        }
    }

    fn play(&mut self, text: &str) {
        let mv = read(text).unwrap_or_else(|| panic!("{text} was not refused"));
        if let Some(game) = &mut self.game {
            game.play_passing(mv).unwrap_or_else(|reason| panic!("{text} was not refused: {reason}"));
        }
    }

    fn take_back(&mut self, count: usize) {
        if let Some(game) = &mut self.game {
            game.truncate(game.plies().saturating_sub(count));
        }
    }

    fn is_expected(&self, root: &Position) -> bool {
        let Some(here) = self.game.as_ref().map(Game::position) else { return true };
        let after = |mv| here.play(mv).is_ok_and(|after| after == *root);
        here == *root
            || after(Move::Pass)
            || here.moves().into_iter().any(|square| after(Move::Place(square)))
    }
}

/// A move: `D@d3` with any letter, `d3`, or a pass.
fn read(text: &str) -> Option<Move> {
    moves::read(text).ok().or_else(|| {
        let (piece, square) = text.split_once('@')?;
        let one_letter = piece.len() <= 1 && piece.chars().all(|c| c.is_ascii_alphabetic());
        square.parse().ok().filter(|_| one_letter).map(Move::Place)
    })
}

impl Rules for XBoard {
    fn check(&mut self, what: What<'_>, running: Option<&Running>, effects: &[Effect]) {
        let moved = count(effects, "move ");
        assert!(moved <= 1, "{effects:?}");
        let owed = self.owes_move;
        match what {
            What::Line(line) => {
                let (word, rest) = verb(line);
                let refused = said(effects).any(|line| self.refuses(line));
                if !refused {
                    self.follow(line);
                }
                if let ("ping", Ok(number)) = (word, rest.parse()) {
                    self.pings.push_back(number);
                }
                let stops = effects.iter().any(|effect| matches!(effect, Effect::Stop(_)));
                match word {
                    "go" if !refused => {
                        let over = self.game.as_ref().is_some_and(Game::is_over);
                        // A move of the book may be followed by a search for the one after it.
                        let told = moved + usize::from(over || (moved == 0 && starts(effects) == 1));
                        assert!(self.game.is_none() || told == 1, "{line}: {effects:?}");
                        self.owes_move = moved == 0 && starts(effects) > 0;
                    }
                    // The search begins anew with another table or other threads.
                    "memory" | "cores" if stops => self.owes_move &= starts(effects) > 0,
                    // Told to move now, it does so at its end.
                    "?" => {}
                    _ if stops || starts(effects) > 0 => self.owes_move = false,
                    _ => {}
                }
            }
            What::Ended(_) => {
                self.owes_move = false;
                assert!(!owed || moved == 1, "a move is owed: {effects:?}");
            }
            What::Told | What::Other(_) => assert_eq!((moved, starts(effects)), (0, 0), "{effects:?}"),
        }
        for text in said(effects).filter_map(|line| line.strip_prefix("move ")) {
            let mv = read(text).unwrap_or_else(|| panic!("move {text}"));
            if let Some(game) = &mut self.game {
                game.play(mv).unwrap_or_else(|reason| panic!("move {text}: {reason}"));
            }
        }
        for text in said(effects).filter_map(|line| line.strip_prefix("pong ")) {
            let number = self.pings.pop_front().map(|number| number.to_string());
            assert_eq!(number.as_deref(), Some(text), "pings are answered in their order");
        }
        if let Some(running) = running {
            assert!(self.is_expected(&running.request.root), "of another position: {:?}", running.request);
        } else {
            assert!(self.pings.is_empty(), "nothing is searched, and {:?} wait", self.pings);
        }
    }

    fn wants_answer(&self, line: &str) -> bool {
        verb(line).0 == "?"
    }

    fn refuses(&self, said: &str) -> bool {
        ["Error ", "Illegal move", "tellusererror "].iter().any(|beginning| said.starts_with(beginning))
    }

    fn finale(&self) -> Option<Finale> {
        Some(Finale {
            hush: "force",
            question: "ping 987654",
            answer: "pong 987654",
            ask: &["exit", "new", "go"],
            found: "move ",
        })
    }
}
