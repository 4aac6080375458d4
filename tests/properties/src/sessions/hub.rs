//! The invariants of the Hub protocol.
//!
//! `init` is answered by `ready`, `ping` by `pong` at once, and every `go` by one `done` or by the error that a search is
//! current. `stop` makes the engine answer now. After it, `go`, `new-game` and all later lines wait for that `done`.

use std::collections::VecDeque;

use outflank::board::{Move, Position, Status};
use outflank::game::Game;
use outflank::notation::{moves, squares};
use outflank::score::Bound;
use outflank::search::{Line, Proof, Report};
use outflank::session::{Effect, Event};

use super::invariants::{Cause, Finale, Invariants, Stopped, count, sent, starts, verb};
use super::world::Running;

const START: &str = "pos pos=Beeeeeeeeeeeeeeeeeeeeeeeeeeewbeeeeeebweeeeeeeeeeeeeeeeeeeeeeeeeee";

/// The position, and what is owed.
#[derive(Debug, Default)]
pub(super) struct Hub {
    position: Position,
    /// The position of each `go` that is not answered yet, in order.
    asked: VecDeque<Position>,
    /// True if the first of them is searched.
    is_searching: bool,
    /// Number of `init` lines that are not answered yet.
    inits: usize,
    /// Number of `new-game` lines that are not carried out yet.
    new_games: usize,
    is_opening: bool,
}

impl Hub {
    fn ask(&mut self, line: &str, effects: &[Effect]) {
        // A quotation mark that is not closed makes any line invalid. Very many waiting lines are rejected.
        let is_rejected = sent(effects).any(|line| {
            line.contains("a quotation mark is not closed") || line.contains("too many lines wait")
        });
        let (word, rest) = verb(line);
        assert_eq!(
            count(effects, "pong"),
            usize::from(word == "ping" && !is_rejected),
            "{line:?}: {effects:?}"
        );
        match word {
            _ if is_rejected => {}
            "go" => self.asked.push_back(self.position),
            "init" => self.inits += 1,
            "new-game" => self.new_games += 1,
            "pos" if count(effects, "error ") == 0 => self.position = position(rest).unwrap_or(self.position),
            _ => {}
        }
    }

    /// Checks that the effects answer what was asked for, in order.
    fn answer(&mut self, ended: Option<&Running>, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Send(line) if line.starts_with("done ") => {
                    let root = self.asked.pop_front();
                    let Some(root) = root else { panic!("`{line}` without a `go`: {effects:?}") };
                    let mv = done_move(line);
                    let is_end = std::mem::take(&mut self.is_searching);
                    let is_found = ended.is_none_or(|ended| !is_end || ended.may_answer(mv));
                    assert!(
                        is_found && is_playable(&root, mv),
                        "{line}: not the move that was found in {root:?}"
                    );
                }
                Effect::Send(line) if line.contains("\"go: a search is running\"") => {
                    assert!(self.is_searching && self.asked.remove(1).is_some(), "{line}: {self:?}");
                }
                Effect::Start(request, _) => {
                    assert!(!std::mem::replace(&mut self.is_searching, true), "two searches: {effects:?}");
                    assert_eq!(Some(&request.root), self.asked.front(), "a search of another position");
                }
                Effect::Send(line) if line == "ready" => {
                    assert!(self.inits > 0, "`ready` without `init`: {effects:?}");
                    self.inits -= 1;
                }
                Effect::Send(line) if line.contains("\"new-game: a search is running\"") => {
                    assert!(self.is_searching, "{line}");
                    self.new_games -= 1;
                }
                Effect::Clear => {
                    assert!(!self.is_searching, "the table is cleared during a search");
                    self.new_games -= 1;
                }
                _ => {}
            }
        }
    }
}

/// Reads the arguments of `pos`. Returns `None` if they are invalid.
fn position(arguments: &str) -> Option<Position> {
    let (side, discs) = value(arguments, "pos=")?.split_at_checked(1)?;
    let side = if side.eq_ignore_ascii_case("B") { 'X' } else { 'O' };
    let mut game = Game::new(squares::read(&format!("{discs}{side}")).ok()?);
    for text in value(arguments, "moves=").unwrap_or_default().split_whitespace() {
        game.play_passing(moves::read(text).ok()?).ok()?;
    }
    Some(game.position())
}

/// Returns the value of the last argument of this name.
fn value<'a>(arguments: &'a str, name: &str) -> Option<&'a str> {
    let begins = |at: usize| at == 0 || arguments[..at].ends_with(char::is_whitespace);
    let at = arguments.match_indices(name).map(|found| found.0).filter(|at| begins(*at)).last()?;
    let value = &arguments[at + name.len()..];
    match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => value.split_whitespace().next(),
    }
}

fn done_move(line: &str) -> Move {
    let word = line.strip_prefix("done move=").map_or("", |rest| verb(rest).0);
    moves::read(word).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Returns `true` if a move is a valid answer: a legal move, or a pass if the game is over.
fn is_playable(position: &Position, mv: Move) -> bool {
    position.play(mv).is_ok() || (mv == Move::Pass && position.status() == Status::Over)
}

impl Invariants for Hub {
    fn check(&mut self, cause: Cause<'_>, running: Option<&Running>, effects: &[Effect]) {
        let ended = match cause {
            Cause::Ended(ended) => Some(ended),
            _ => None,
        };
        match cause {
            Cause::Line(line) => self.ask(line, effects),
            Cause::Ended(_) => assert!(count(effects, "done ") >= 1, "no answer: {effects:?}"),
            Cause::Progress => assert_eq!(count(effects, "done ") + starts(effects), 0, "{effects:?}"),
            Cause::Other(Event::Book(_)) => self.is_opening = false,
            Cause::Other(_) => assert_eq!(count(effects, "ready") + starts(effects), 0, "{effects:?}"),
        }
        self.answer(ended, effects);
        self.is_opening |= effects.iter().any(|effect| matches!(effect, Effect::OpenBook(_)));
        assert_eq!(self.is_searching, running.is_some());
        if running.is_none() && !self.is_opening {
            self.check_at_rest();
        }
    }

    fn check_at_rest(&self) {
        assert!(self.asked.is_empty() && self.inits == 0 && self.new_games == 0, "not answered: {self:?}");
    }

    fn stopped_by(&self, _: &str) -> Stopped {
        Stopped::Awaited
    }

    fn rejects(&self, line: &str) -> bool {
        // The valid limits of a `level` line are used, or else a default.
        line.starts_with("error ") && !line.contains("level: ")
    }

    fn describes(&self, line: &str, report: &Report) -> Option<bool> {
        let (_, rest) = line.strip_prefix("info depth=")?.split_once(" score=")?;
        let best = report.best()?;
        let proof = match best.proof {
            Proof::Heuristic(_) => "heuristic",
            Proof::Selective(_) => "selective",
            Proof::Outcome if best.proves_outcome() => "outcome",
            _ if best.bound == Bound::Lower => "lower",
            _ if best.bound == Bound::Upper => "upper",
            _ => "exact",
        };
        let moves: Vec<String> = best.moves.iter().map(ToString::to_string).collect();
        let (moves, quote) = (moves.join(" "), if moves.len() == 1 { "" } else { "\"" });
        let end = format!(" proof={proof} pv={quote}{moves}{quote}");
        Some(rest.starts_with(&format!("{:.2} ", best.score.discs())) && rest.ends_with(&end))
    }

    fn must_describe(&self, _: &Running, report: &Report) -> bool {
        report.best().and_then(Line::first).is_some()
    }

    fn position(&self) -> Position {
        self.position
    }

    fn finale(&self) -> Option<Finale> {
        Some(Finale {
            hush: "stop",
            question: "ping",
            answer: "pong",
            ask: &[START, "go think"],
            found: "done ",
        })
    }
}
