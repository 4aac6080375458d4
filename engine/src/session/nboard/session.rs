//! The session with NBoard.

use std::time::Duration;

use super::reply;
use crate::board::{Bitboard, Move, Position, Square, Status};
use crate::book::{BookMove, Contempt};
use crate::game::{Game, RecordedMove};
use crate::notation::{ggf, moves};
use crate::score::Score;
use crate::search::time::{TimeBudget, TimeControl};
use crate::search::{Goal, Line, Report};
use crate::session::dialect::Dialect;
use crate::session::state::{ActiveSearch, SearchTask, SessionState};
use crate::session::{
    BookError, Deadlines, Effect, Level, OpenBook, SessionConfig, Timestamp, limits_at_depth,
};

/// Shortest time between two status lines about an unfinished iteration.
const STATUS_INTERVAL: Duration = Duration::from_millis(500);
/// Midgame depth, in plies, until the GUI sets one.
const DEFAULT_DEPTH: u32 = 12;

/// A game and a few settings. Every search is of a position of the game.
#[derive(Debug, Default)]
pub(in crate::session) struct NBoard {
    version: Version,
    game: Game,
    depth: u32,
    /// Limits of a hint in addition to the depth.
    time: Option<Duration>,
    nodes: Option<u64>,
    /// First moves of a hint. Empty for all.
    only: Bitboard,
    contempt: Contempt,
    /// Moves that the book has listed. The current search omits them.
    listed: Vec<Move>,
    last_status: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Purpose {
    /// `hint`.
    Hint,
    /// `go`.
    Go,
    /// `analyze`, at the position after `ply` moves of the game.
    Analysis { ply: usize },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Version {
    One,
    #[default]
    Two,
}

type State = SessionState<Purpose>;

impl Dialect for NBoard {
    type Purpose = Purpose;

    fn new(_config: &SessionConfig) -> NBoard {
        NBoard { depth: DEFAULT_DEPTH, ..NBoard::default() }
    }

    fn line(&mut self, state: &mut State, line: &str) {
        if let Err(error) = self.command(state, line.trim()) {
            state.send(reply::error(&error));
        }
    }

    fn error(problem: &str, detail: &str) -> String {
        reply::error(&format!("{problem}: {detail}"))
    }

    fn notice(message: &str) -> String {
        reply::status(message)
    }

    fn position(&self) -> Option<Position> {
        Some(self.game.position())
    }

    fn report(&mut self, state: &mut State, report: &Report) {
        match state.search().map(|search| search.purpose) {
            None | Some(Purpose::Analysis { .. }) => {}
            Some(_) if report.complete => {
                if let Some(report) = state.reports.accept(state.now, report) {
                    self.send_report(state, &report);
                }
            }
            Some(Purpose::Hint) if state.now.since(self.last_status) >= STATUS_INTERVAL => {
                state.send_all(reply::progress(report));
                self.last_status = state.now;
            }
            Some(_) => {}
        }
    }

    fn progress(&mut self, state: &mut State) {
        if let Some(report) = state.reports.release(state.now) {
            self.send_report(state, &report);
        } else if let Some(search) = state.search()
            && !matches!(search.purpose, Purpose::Analysis { .. })
        {
            state.send_all(self.node_count(search, state.now));
        }
    }

    fn send_report(&self, state: &mut State, report: &Report) {
        self.send_lines(state, report);
        let nodes = state.search().and_then(|search| self.node_count(search, state.now));
        state.send_all(nodes);
    }

    fn done(&mut self, state: &mut State, search: &ActiveSearch<Purpose>) {
        if let Purpose::Analysis { ply } = search.purpose {
            if let Some(best) = search.best() {
                state.send(reply::analysis(ply, search.root.side().for_black(best.score)));
            }
            return match ply.checked_sub(1) {
                Some(before) => self.analyze_from(state, before),
                None => send_status(state, "is waiting"),
            };
        }
        if let Some(report) = state.reports.release(state.now) {
            self.send_lines(state, &report);
        }
        state.send_all(self.node_count(search, state.now));
        if search.purpose == Purpose::Go {
            let is_full = state.config.level == Level::ENGINE;
            let chosen = if is_full { self.chosen(search) } else { search.best() };
            if let Some(mv) = chosen.and_then(Line::first).or_else(|| search.answer()) {
                let elapsed = search.elapsed(state.now);
                state.send(reply::the_move(mv, chosen.map(|line| line.score), elapsed));
            }
        }
        send_status(state, "is waiting");
    }

    fn failed(&mut self, state: &mut State, search: &ActiveSearch<Purpose>) {
        if search.purpose == Purpose::Go {
            self.done(state, search);
        }
    }

    fn book_saved(&mut self, state: &mut State, saved: &Result<OpenBook, BookError>) {
        match saved {
            Ok(book) => state.config.book = Some(book.clone()),
            Err(error) => state.send(Self::error("book", &error.0)),
        }
        state.send("learned");
    }
}

impl NBoard {
    /// Handles a line without white space around it. Ignores a line that is not a command.
    ///
    /// # Errors
    ///
    /// A description of the invalid field of a known command, which changes nothing.
    fn command(&mut self, state: &mut State, line: &str) -> Result<(), String> {
        let (verb, rest) = split_word(line);
        match verb {
            "nboard" => {
                self.version = match rest.parse::<u32>() {
                    Ok(1) => Version::One,
                    Ok(2..) => Version::Two,
                    _ => return Err("nboard: a version expected".to_owned()),
                };
                state.send(format!("set myname {}", state.config.name));
            }
            "set" => self.set(state, rest)?,
            "move" => {
                let played = moves::read_played(rest).map_err(|error| format!("move: {error}"))?;
                self.play(state, played)?;
            }
            "hint" if rest.is_empty() => self.hint(state, 1)?,
            "hint" => match rest.parse() {
                Ok(count @ 1..) => self.hint(state, count)?,
                _ => return Err("hint: a number of moves expected".to_owned()),
            },
            "go" => self.go(state),
            "ping" => {
                let number: u64 = rest.parse().map_err(|_| "ping: a whole number expected")?;
                let abandoned = state.abandon();
                state.send(format!("pong {number}"));
                if abandoned.is_some() {
                    send_status(state, "is waiting");
                }
            }
            "learn" => self.learn(state),
            "analyze" => {
                state.abandon();
                self.listed.clear();
                send_status(state, "is analyzing the game");
                self.analyze_from(state, self.game.plies());
            }
            // Not in the protocol, but NTest accepts it.
            "new" => {
                state.abandon();
                state.reset_overrun();
                self.game = Game::default();
            }
            // Not in the protocol, but some clients send it.
            "clear" => {
                state.abandon();
                state.push(Effect::Clear);
            }
            // Not in the protocol, but many users try it.
            "quit" => state.push(Effect::Quit),
            // A bare move of version 1.
            _ => {
                if let Ok(played) = moves::read_played(line) {
                    self.play(state, played)?;
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, state: &mut State, text: &str) -> Result<(), String> {
        let (name, value) = split_word(text);
        match name {
            "depth" => match value.parse::<u32>() {
                Ok(plies @ 1..) => self.depth = plies.min(60),
                _ => return Err("set depth: 1 to 60 expected".to_owned()),
            },
            // Not in the protocol: further limits of a hint.
            "time" if value == "none" => self.time = None,
            "time" => {
                let seconds: Option<f64> =
                    value.parse().ok().filter(|&seconds| seconds > 0.0 && seconds <= 1e9);
                let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                self.time = Some(time.ok_or("set time: seconds above 0 expected, or none")?);
            }
            "nodes" if value == "none" => self.nodes = None,
            "nodes" => match value.parse() {
                Ok(nodes @ 1..) => self.nodes = Some(nodes),
                _ => return Err("set nodes: a number above 0 expected, or none".to_owned()),
            },
            "only" if value == "none" => self.only = Bitboard::EMPTY,
            "only" => {
                let only: Result<Bitboard, _> = value.split_whitespace().map(str::parse::<Square>).collect();
                let only = only.map_err(|error| format!("set only: {error}"))?;
                if only.is_empty() {
                    return Err("set only: squares expected, or none".to_owned());
                }
                self.only = only;
            }
            "contempt" => match value.parse() {
                Ok(discs @ -100..=100) => self.contempt = Contempt(discs),
                _ => return Err("set contempt: -100 to 100 expected".to_owned()),
            },
            // Not in the protocol: the strength of `go`.
            "level" => {
                state.config.level = value.parse().map_err(|error| format!("set level: {error}"))?;
            }
            "game" => {
                let game = ggf::read(value).map_err(|error| format!("set game: {error}"))?;
                state.abandon();
                if game.plies() < self.game.plies() {
                    state.reset_overrun();
                }
                self.game = game;
            }
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, state: &mut State, played: RecordedMove) -> Result<(), String> {
        let illegal = |reason| format!("move: {} is illegal: {reason}", played.mv);
        self.game.play_passing(played).map_err(illegal)?;
        state.abandon();
        Ok(())
    }

    /// Values the best `count` moves.
    ///
    /// # Errors
    ///
    /// An illegal move of `set only`, which changes nothing.
    fn hint(&mut self, state: &mut State, count: usize) -> Result<(), String> {
        let root = self.game.position();
        if let Some(illegal) = (self.only & !root.moves()).into_iter().next() {
            return Err(format!("set only: {illegal} is illegal"));
        }
        state.abandon();
        if root.status() == Status::Over {
            state.send(reply::status("the game is over"));
            return Ok(());
        }
        send_status(state, "is analyzing");
        let moves = if self.only.is_empty() { root.moves() } else { self.only };
        let mut known = match &state.config.book {
            Some(open) => open.book.moves(&root, self.contempt),
            None => Vec::new(),
        };
        let is_listed = |known: &BookMove| {
            known.line.first().and_then(|mv| mv.square()).is_some_and(|first| moves.contains(first))
        };
        known.retain(|known| self.only.is_empty() || is_listed(known));
        let complete = known.len() == moves.count() as usize && !known.is_empty();
        known.truncate(count);
        state.send_all(known.iter().map(|known| reply::book(known, self.contempt)));
        self.listed = known.iter().filter_map(|known| known.line.first().copied()).collect();
        if complete || known.len() >= count && !known.first().is_some_and(BookMove::loses) {
            send_status(state, "is waiting");
            return Ok(());
        }
        let goal = if count == 1 { Goal::BestMove } else { Goal::Hints(count) };
        let budget = self.time.map(|time| TimeBudget { soft: time, hard: time });
        let deadlines = budget.map(|budget| Deadlines::from(state.now, budget)).unwrap_or_default();
        self.start(state, root, goal, deadlines, Purpose::Hint);
        Ok(())
    }

    fn go(&mut self, state: &mut State) {
        let root = self.game.position();
        state.abandon();
        let mut moves = root.legal_moves();
        match (moves.next(), moves.next()) {
            (None, _) => return state.send(reply::status("the game is over")),
            (Some(forced), None) => {
                state.send(reply::the_move(forced, None, Duration::ZERO));
                return send_status(state, "is waiting");
            }
            _ => {}
        }
        if let Some(best) = state.config.book_choice(&root, self.contempt)
            && let Some(&mv) = best.line.first()
        {
            state.send(reply::book(&best, self.contempt));
            state.send(reply::the_move(mv, Some(best.score), Duration::ZERO));
            return send_status(state, "is waiting");
        }
        self.listed.clear();
        send_status(state, "is thinking");
        let deadlines = self.deadlines(state, &root);
        // With contempt, another move than the best may be better than a draw: all values are needed.
        let limits = limits_at_depth(&root, self.depth);
        let solves = root.empties() <= u32::from(limits.exact_from).max(limits.depth.plies());
        let all = self.contempt != Contempt::default() && solves;
        let goal = if all { Goal::Hints(usize::MAX) } else { Goal::BestMove };
        self.start(state, root, goal, deadlines, Purpose::Go);
    }

    /// Returns the line to play: the best one, with draws valued by the contempt if all values are exact.
    fn chosen<'a>(&self, search: &'a ActiveSearch<Purpose>) -> Option<&'a Line> {
        let lines = search.report.as_ref().map(|report| report.lines.as_slice()).unwrap_or_default();
        let draw = self.contempt.for_side(search.root.side());
        let value = |line: &Line| if line.score == Score::ZERO { draw } else { line.score.centidiscs() };
        if draw == 0 || !lines.iter().all(Line::is_exact) {
            return lines.first();
        }
        // The first of equal lines.
        lines.iter().rev().max_by_key(|line| value(line))
    }

    /// Adds the finished game to the book. The answer follows at once or with [`Event::BookSaved`](crate::session::Event).
    fn learn(&mut self, state: &mut State) {
        match state.config.book.clone() {
            Some(open) if self.game.is_over() => {
                return state.push(Effect::Learn(open, Box::new(self.game.clone())));
            }
            Some(_) => state.send(reply::status("the game is not over: nothing to learn")),
            None => {}
        }
        state.send("learned");
    }

    /// Returns the deadlines by the clock of the side to move, less the time that its moves took. A game without a clock and
    /// a GUI of version 1 set no deadlines.
    fn deadlines(&self, state: &State, root: &Position) -> Deadlines {
        let side = root.side();
        let Some(clock) = self.game.tags.clock(side).filter(|_| self.version >= Version::Two) else {
            return Deadlines::default();
        };
        let moves = self.game.positions().take(self.game.plies()).filter(|before| before.side() == side);
        let moves = u32::try_from(moves.count()).unwrap_or(u32::MAX);
        let given = clock.main.saturating_add(clock.increment.saturating_mul(moves));
        let remaining = given.saturating_sub(self.game.time_used(side));
        state.deadlines(TimeControl::Clock { remaining, increment: clock.increment, moves: None }, root)
    }

    fn start(
        &mut self,
        state: &mut State,
        root: Position,
        goal: Goal,
        deadlines: Deadlines,
        purpose: Purpose,
    ) {
        let mut limits = limits_at_depth(&root, self.depth);
        if purpose == Purpose::Hint {
            limits.nodes = self.nodes;
            limits.only = Some(self.only).filter(|only| !only.is_empty());
        }
        self.last_status = state.now;
        let plays = purpose == Purpose::Go;
        state.start(SearchTask { root, goal, limits, deadlines, purpose, plays });
    }

    /// Continues the analysis at `ply`, towards the start of the game. Finished positions are answered at once.
    fn analyze_from(&mut self, state: &mut State, ply: usize) {
        for ply in (0..=ply).rev() {
            let Some(root) = self.game.position_at(ply) else { continue };
            if root.status() != Status::Over {
                let purpose = Purpose::Analysis { ply };
                return self.start(state, root, Goal::BestMove, Deadlines::default(), purpose);
            }
            let score = Score::from_centidiscs(100 * root.board().final_score());
            state.send(reply::analysis(ply, root.side().for_black(score)));
        }
        send_status(state, "is waiting");
    }

    fn send_lines(&self, state: &mut State, report: &Report) {
        let lines = || report.lines.iter().filter(|line| !line.moves.is_empty());
        let depth = reply::depth(lines(), report.depth);
        let unlisted = lines().filter(|line| !line.first().is_some_and(|mv| self.listed.contains(&mv)));
        state.send_all(unlisted.map(|line| reply::search(line, &depth, self.contempt)));
    }

    /// Returns the line with the nodes and the time of a search. `None` in version 1.
    fn node_count(&self, search: &ActiveSearch<Purpose>, now: Timestamp) -> Option<String> {
        (self.version >= Version::Two).then(|| reply::nodestats(search.nodes, search.elapsed(now)))
    }
}

/// Returns the first word and the rest, without the white space around it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

fn send_status(state: &mut State, what: &str) {
    state.send(reply::status(&format!("{} {what}", state.config.name)));
}
