//! What is promised to GUIs that speak Hub.

use outflank::board::{Move, Position, Status};
use outflank::notation::{moves, squares};
use outflank::session::{Effect, Event};

use super::rules::{Finale, Rules, What, count, said, starts, verb};
use super::world::Running;

/// What is owed, and the position where it is known.
#[derive(Debug)]
pub(super) struct Hub {
    position: Option<Position>,
    is_searching: bool,
    /// Whether `ready` is owed.
    owes_ready: usize,
    /// True while lines may wait for the end of a search that is stopping: the answer to each line is not known then.
    may_hold: bool,
}

impl Default for Hub {
    fn default() -> Hub {
        Hub { position: Some(Position::START), is_searching: false, owes_ready: 0, may_hold: false }
    }
}

impl Hub {
    fn line(&mut self, line: &str, effects: &[Effect]) {
        let (word, rest) = verb(line);
        let (done, ready, pong) = (count(effects, "done "), count(effects, "ready"), count(effects, "pong"));
        // A quotation mark that is not closed spoils any line.
        let spoilt = said(effects).any(|line| line.contains("a quotation mark is not closed"));
        let refused = count(effects, "error ") > 0;
        if self.may_hold {
            self.position = None;
            self.owes_ready += usize::from(word == "init" && !spoilt);
            assert_eq!(pong, usize::from(word == "ping" && !spoilt), "{line:?}: {effects:?}");
            return assert!(done <= 1 && starts(effects) <= 1, "{line:?}: {effects:?}");
        }
        self.may_hold = word == "stop" && !spoilt;
        let mut owed = (0, 0, 0);
        match word {
            _ if spoilt => {}
            "go" if self.is_searching => assert!(refused, "{effects:?}"),
            "go" => {
                owed.0 = usize::from(starts(effects) == 0);
                if let (Some(position), Some(mv)) = (self.position, done_move(effects)) {
                    assert!(is_playable(&position, mv), "{mv} in {position:?}");
                }
            }
            "init" => {
                self.owes_ready += 1;
                owed.1 = ready;
            }
            "ping" => owed.2 = 1,
            "pos" if !refused => self.position = plain_position(rest),
            _ => {}
        }
        assert_eq!((done, ready, pong), owed, "done, ready and pong to {line:?}: {effects:?}");
        assert!(starts(effects) == usize::from(word == "go" && !spoilt && !self.is_searching && done == 0));
    }
}

/// The position of `pos=…` and nothing else; nothing where there is more.
fn plain_position(arguments: &str) -> Option<Position> {
    let text = arguments.strip_prefix("pos=").filter(|text| text.len() == 65)?;
    let (side, board) = text.split_at_checked(1)?;
    let side = if side.eq_ignore_ascii_case("B") { 'X' } else { 'O' };
    squares::read(&format!("{board}{side}")).ok()
}

/// The move of a `done`.
fn done_move(effects: &[Effect]) -> Option<Move> {
    let line = said(effects).find_map(|line| line.strip_prefix("done move="))?;
    let word = verb(line).0;
    Some(moves::read(word).unwrap_or_else(|error| panic!("{error}: {line}")))
}

/// Whether a move can be answered: a legal one, or a pass where the game is over.
fn is_playable(position: &Position, mv: Move) -> bool {
    position.play(mv).is_ok() || (mv == Move::Pass && position.status() == Status::Over)
}

impl Rules for Hub {
    fn check(&mut self, what: What<'_>, running: Option<&Running>, effects: &[Effect]) {
        let ready = count(effects, "ready");
        match what {
            What::Line(line) => self.line(line, effects),
            What::Ended(ended) => {
                let (done, started) = (count(effects, "done "), starts(effects));
                assert!(done >= 1 && started <= 1, "{effects:?}");
                assert!(self.may_hold || (done, ready, started) == (1, 0, 0), "{effects:?}");
                let mv = done_move(effects).unwrap_or_else(|| panic!("no move: {effects:?}"));
                assert!(is_playable(&ended.request.root, mv), "{mv} in {:?}", ended.request.root);
            }
            What::Told | What::Other(_) if self.may_hold => {}
            What::Other(Event::Book(_)) => assert_eq!(count(effects, "done "), 0, "{effects:?}"),
            What::Told | What::Other(_) => {
                assert_eq!((count(effects, "done "), ready, starts(effects)), (0, 0, 0), "{effects:?}");
            }
        }
        assert!(ready <= self.owes_ready, "ready without being asked: {effects:?}");
        self.owes_ready -= ready;
        // The book is opened before anything else happens.
        let opens = effects.iter().any(|effect| matches!(effect, Effect::OpenBook(_)));
        let has_ended = matches!(what, What::Ended(_) | What::Other(Event::Book(_)));
        self.may_hold &= opens || running.is_some() || !has_ended;
        assert!(opens || self.may_hold || self.owes_ready == 0, "init without ready: {effects:?}");
        self.is_searching = running.is_some();
        if let (Some(running), Some(position)) = (running, self.position)
            && starts(effects) > 0
        {
            assert_eq!(running.request.root, position, "another position than the one that was set");
        }
    }

    fn wants_answer(&self, line: &str) -> bool {
        matches!(verb(line).0, "" | "stop")
    }

    fn refuses(&self, said: &str) -> bool {
        said.starts_with("error ")
    }

    fn finale(&self) -> Option<Finale> {
        Some(Finale {
            hush: "stop",
            question: "ping",
            answer: "pong",
            ask: &["pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee", "go think"],
            found: "done ",
        })
    }
}
