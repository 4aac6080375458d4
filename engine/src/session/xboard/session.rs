//! The session with XBoard.

use std::collections::VecDeque;
use std::time::Duration;

use super::clock::Clock;
use super::command::{
    CommandError, MAX_MARGIN, MAX_MEMORY_MIB, centiseconds, clock_time, expected, level, number, read_move,
};
use super::reply;
use crate::board::{Color, Move, Position, Status};
use crate::book::Contempt;
use crate::game::Game;
use crate::notation::fen;
use crate::score::Confidence;
use crate::search::time::{TimeControl, time_budget};
use crate::search::{Goal, HashSize, Report};
use crate::session::dialect::Dialect;
use crate::session::state::{ActiveSearch, SearchTask, SessionState};
use crate::session::{BookError, Deadlines, Effect, SessionConfig, Timestamp, limits_at_depth};

/// Depth of a search whose GUI sets none: the whole game.
const WHOLE_GAME: u32 = 60;
/// Most pings that wait for a move. If more come, the oldest is answered at once.
const MAX_PENDING_PINGS: usize = 1000;

/// The game on the board, the engine's role in it and the settings.
#[derive(Debug, Default)]
pub(in crate::session) struct XBoard {
    game: Game,
    /// Number of plies after each move that was sent or received. A pass that the GUI left out counts to the next move.
    ends: Vec<usize>,
    role: Role,
    clock: Clock,
    depth: u32,
    margin: Duration,
    selective: bool,
    ponders: bool,
    posts: bool,
    /// `true` if the opponent is an engine.
    against_engine: bool,
    /// The expected move of the other side in the position on the board.
    expected: Option<Move>,
    /// Time at which the engine's clock started to run for the current move.
    turn_began: Timestamp,
    /// Pings to answer after the current move.
    pings: VecDeque<u64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Role {
    /// Force mode.
    #[default]
    Watcher,
    Player(Color),
    Analyst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Purpose {
    /// The engine's move.
    Think,
    /// The engine's answer to the expected move.
    Ponder(Move),
    Analysis,
    /// A move to suggest to the user.
    Hint,
}

type State = SessionState<Purpose>;

impl Dialect for XBoard {
    type Purpose = Purpose;

    fn new(_config: &SessionConfig) -> XBoard {
        XBoard { depth: WHOLE_GAME, selective: true, ..XBoard::default() }
    }

    fn line(&mut self, state: &mut State, line: &str) {
        if let Err(error) = self.command(state, line.trim()) {
            state.send(reply::error(&error, line));
        }
    }

    fn error(problem: &str, detail: &str) -> String {
        format!("Error ({problem}): {detail}")
    }

    fn notice(message: &str) -> String {
        format!("telluser {message}")
    }

    fn report(&mut self, state: &mut State, report: &Report) {
        if self.posts
            && let Some(report) = state.reports.accept(state.now, report)
        {
            self.send_report(state, &report);
        }
    }

    fn send_report(&self, state: &mut State, report: &Report) {
        let line = state.search().and_then(|search| self.thinking(search, report, state.now));
        state.send_all(line);
    }

    fn done(&mut self, state: &mut State, search: &ActiveSearch<Purpose>) {
        let last = state.reports.release(state.now);
        state.send_all(last.and_then(|report| self.thinking(search, &report, state.now)));
        match search.purpose {
            Purpose::Think => {
                let expected = search.best().and_then(|best| best.moves.get(1).copied());
                if let Some(mv) = search.answer() {
                    self.make_move(state, mv, expected);
                }
            }
            Purpose::Hint => state.send_all(search.answer().map(reply::hint)),
            // The position is solved. After a hit the search finds the answer in the table.
            Purpose::Ponder(_) | Purpose::Analysis => {}
        }
    }

    fn book_opened(&mut self, state: &mut State, opened: Result<(), &BookError>) {
        if let Err(error) = opened {
            state.send(Self::error("the book", &error.0));
        }
    }

    fn position(&self) -> Option<Position> {
        Some(self.game.position())
    }

    fn owes_answer(&self) -> bool {
        !self.pings.is_empty()
    }
}

impl XBoard {
    /// Handles a line without white space around it. A line with an error changes nothing.
    fn command(&mut self, state: &mut State, line: &str) -> Result<(), CommandError> {
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match verb {
            "protover" => state.send_all(reply::features(&state.config)),
            "new" => {
                self.give_up(state);
                state.reset_overrun();
                state.push(Effect::Clear);
                self.set_position(Position::START);
                // A running analysis continues.
                if self.role != Role::Analyst {
                    self.role = Role::Player(Color::White);
                }
                self.depth = WHOLE_GAME;
                self.against_engine = false;
                self.carry_on(state);
            }
            "variant" if matches!(rest, "othello" | "reversi" | "flipello") => state.send(reply::variant()),
            "variant" => return Err(CommandError::Other("unknown variant")),
            "setboard" => {
                let position = fen::read(rest).map_err(|error| CommandError::Position(error.to_string()))?;
                self.set_board(state, position);
            }
            "usermove" => self.user_move(state, read_move(rest).ok_or(CommandError::Move)?, rest),
            "go" => {
                self.give_up(state);
                self.role = Role::Player(self.game.position().side());
                // The GUI waits for a move, and there is none.
                if self.game.is_over() {
                    self.send_result(state);
                }
                self.carry_on(state);
            }
            "playother" => {
                self.give_up(state);
                self.role = Role::Player(!self.game.position().side());
                self.carry_on(state);
            }
            "force" | "result" | "exit" => {
                self.give_up(state);
                self.role = Role::Watcher;
            }
            "analyze" => {
                self.give_up(state);
                self.role = Role::Analyst;
                self.carry_on(state);
            }
            "." if self.role == Role::Analyst => state.send(match state.search() {
                Some(search) => {
                    let depth = search.report.as_ref().map_or(0, |report| report.depth.plies());
                    reply::stat(search.elapsed(state.now), search.nodes, depth)
                }
                None => reply::stat(Duration::ZERO, 0, 0),
            }),
            "level" => self.clock = Clock::new(level(rest)?),
            "st" => {
                let time = expected(clock_time(rest), "a time expected")?;
                self.clock = Clock::new(TimeControl::PerMove(time));
            }
            "sd" => self.depth = number(rest, 1..=u32::MAX, "a depth above 0 expected")?.min(WHOLE_GAME),
            "time" => self.clock.set_remaining(centiseconds(rest)?),
            "otim" => self.clock.set_other(centiseconds(rest)?),
            "easy" => {
                self.ponders = false;
                if pondering(state).is_some() {
                    self.give_up(state);
                }
            }
            "hard" => {
                self.ponders = true;
                if !state.is_searching() {
                    self.carry_on(state);
                }
            }
            "post" | "nopost" => self.posts = verb == "post",
            "undo" => self.take_back(state, 1),
            "remove" => self.take_back(state, 2),
            "hint" => self.hint(state),
            "?" if purpose(state) == Some(Purpose::Think) => state.stop(),
            "ping" => {
                let ping = number(rest, 0..=u64::MAX, "a whole number expected")?;
                self.pings.push_back(ping);
                if purpose(state) != Some(Purpose::Think) {
                    self.answer_pings(state);
                } else if self.pings.len() > MAX_PENDING_PINGS {
                    state.send_all(self.pings.pop_front().map(reply::pong));
                }
            }
            "memory" => {
                let hash = HashSize(number(rest, 1..=MAX_MEMORY_MIB, "mebibytes expected")?);
                if hash != state.config.hash {
                    state.config.hash = hash;
                    self.interrupt(state, Effect::Resize(hash));
                }
            }
            "cores" => {
                let cores = number(rest, 1..=usize::MAX, "a number of cores expected")?;
                let threads = cores.min(state.config.max_threads);
                if threads != state.config.threads {
                    state.config.threads = threads;
                    self.interrupt(state, Effect::Threads(threads));
                }
            }
            "option" => self.option(state, rest)?,
            "bk" => {
                let here = self.game.position();
                let open = state.config.book.as_ref();
                let moves = open.map(|open| open.book.moves(&here, Contempt::default())).unwrap_or_default();
                state.send_all(reply::book(&moves));
            }
            "computer" => self.against_engine = true,
            "quit" => state.push(Effect::Quit),
            // Nothing to change here.
            "" | "." | "?" | "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics"
            | "draw" | "book" | "pause" | "resume" | "white" | "black" | "nps" | "egtpath" => {}
            _ => {
                let mv = expected(read_move(line), "unknown command")?;
                self.user_move(state, mv, line);
            }
        }
        Ok(())
    }

    /// Handles `option NAME=VALUE`.
    fn option(&mut self, state: &mut State, text: &str) -> Result<(), CommandError> {
        let (name, value) = expected(text.split_once('='), "unknown option")?;
        match (name.trim(), value.trim()) {
            ("Margin", value) => {
                let millis = number(value, 0..=MAX_MARGIN, "0 to 10000 milliseconds expected")?;
                self.margin = Duration::from_millis(millis);
            }
            ("Selective", value) => self.selective = number(value, 0..=1_u8, "0 or 1 expected")? == 1,
            ("Level", value) => {
                let level = expected(value.parse().ok(), "a level from newcomer to engine expected")?;
                state.config.level = level;
            }
            ("Book", "") => state.config.book = None,
            ("Book", path) => state.push(Effect::OpenBook(path.to_owned())),
            _ => return Err(CommandError::Other("unknown option")),
        }
        Ok(())
    }

    /// Sets up a position, in force mode, or passes if that is what the GUI means.
    fn set_board(&mut self, state: &mut State, position: Position) {
        if means_pass(&self.game.position(), &position) {
            return self.user_move(state, Move::Pass, reply::PASS);
        }
        self.give_up(state);
        self.set_position(position);
        if self.role != Role::Analyst {
            self.role = Role::Watcher;
        }
        self.carry_on(state);
    }

    fn set_position(&mut self, position: Position) {
        self.game = Game::new(position);
        self.ends.clear();
    }

    fn user_move(&mut self, state: &mut State, mv: Move, text: &str) {
        let here = self.game.position();
        if let Err(reason) = self.game.play_passing(mv) {
            return state.send(reply::illegal(reason, text));
        }
        self.ends.push(self.game.plies());
        let hit = pondering(state) == Some(mv) && here.play(mv) == Ok(self.game.position());
        if hit && !self.game.is_over() {
            return self.ponder_hit(state);
        }
        self.give_up(state);
        if self.game.is_over() && matches!(self.role, Role::Player(_)) {
            return self.send_result(state);
        }
        self.carry_on(state);
    }

    /// The expected move was played: the search continues, and the clock runs from now on.
    fn ponder_hit(&mut self, state: &mut State) {
        let deadlines = self.deadlines(state);
        self.expected = None;
        self.turn_began = state.now;
        if let Some(search) = state.search_mut() {
            search.purpose = Purpose::Think;
        }
        state.set_deadlines(deadlines);
    }

    /// Takes back up to `count` moves, each with a pass before it that the GUI left out.
    fn take_back(&mut self, state: &mut State, count: usize) {
        self.give_up(state);
        self.ends.truncate(self.ends.len().saturating_sub(count));
        self.game.truncate(self.ends.last().copied().unwrap_or_default());
        // If the user takes a move back, the engine must not move again at once.
        if self.is_own_turn() {
            self.role = Role::Watcher;
        }
        self.carry_on(state);
    }

    /// Suggests the move that the engine expects of the user, or searches for one.
    fn hint(&mut self, state: &mut State) {
        let root = self.game.position();
        match (self.expected, purpose(state)) {
            (Some(expected), _) => state.send(reply::hint(expected)),
            (None, None) if root.status() != Status::Over => {
                let control = TimeControl::PerMove(Duration::from_millis(500));
                let budget = time_budget(control, root.empties(), Duration::ZERO);
                self.search(state, root, Deadlines::from(state.now, budget), Purpose::Hint);
            }
            (None, Some(Purpose::Analysis)) => {
                let best = state.search().and_then(ActiveSearch::answer);
                state.send_all(best.map(reply::hint));
            }
            _ => {}
        }
    }

    /// Carries out an effect that stops the search, and starts the search again with its old deadlines, since the clock runs
    /// on. A search that is stopping is not started again: its answer is on its way.
    fn interrupt(&mut self, state: &mut State, effect: Effect) {
        let stopping = state.search().is_some_and(|search| search.stopping);
        let search = if stopping { None } else { state.abandon() };
        state.push(effect);
        if let Some(ActiveSearch { root, deadlines, purpose, .. }) = search {
            self.search(state, root, deadlines, purpose);
        }
    }

    /// Starts what the role requires in the position on the board: thinking, pondering, analysis or nothing.
    fn carry_on(&mut self, state: &mut State) {
        let root = self.game.position();
        let status = root.status();
        if status == Status::Over {
            return;
        }
        if self.role == Role::Analyst {
            self.search(state, root, Deadlines::default(), Purpose::Analysis);
        } else if self.is_own_turn() {
            self.turn_began = state.now;
            if status == Status::MustPass {
                self.make_move(state, Move::Pass, None);
            } else if let Some(best) = state.config.book_choice(&root, Contempt::default())
                && let Some(&mv) = best.line.first()
            {
                state.send_all(self.posts.then(|| reply::book_thinking(&best)));
                self.make_move(state, mv, best.line.get(1).copied());
            } else {
                self.search(state, root, self.deadlines(state), Purpose::Think);
            }
        } else if self.role == Role::Player(!root.side())
            && self.ponders
            && self.game.plies() > 0
            && let Some(expected) = self.expected
            && let Ok(root) = root.play(expected)
            && root.status() == Status::ToMove
        {
            self.search(state, root, Deadlines::default(), Purpose::Ponder(expected));
        }
    }

    fn search(&mut self, state: &mut State, root: Position, deadlines: Deadlines, purpose: Purpose) {
        let mut limits = limits_at_depth(&root, self.depth);
        if !self.selective {
            limits.confidence = Confidence::EXACT;
        }
        let plays = matches!(purpose, Purpose::Think | Purpose::Ponder(_));
        state.start(SearchTask { root, goal: Goal::BestMove, limits, deadlines, purpose, plays });
    }

    /// Returns the deadlines of a move in the position on the board.
    fn deadlines(&self, state: &State) -> Deadlines {
        let control = self.clock.time_control(self.moves_made()).less(self.margin);
        let budget = time_budget(control, self.game.position().empties(), state.overrun());
        Deadlines::from(state.now, self.clock.stretched(budget))
    }

    /// Plays the engine's move, sends it, and carries on.
    fn make_move(&mut self, state: &mut State, mv: Move, expected: Option<Move>) {
        let made = self.moves_made() + 1;
        if self.game.play_passing(mv).is_err() {
            return;
        }
        self.ends.push(self.game.plies());
        self.clock.spend(state.now.since(self.turn_began), made);
        state.send(format!("move {}", reply::move_text(mv)));
        self.answer_pings(state);
        self.expected = expected.filter(|&expected| self.game.position().play(expected).is_ok());
        if self.game.is_over() {
            self.send_result(state);
        } else {
            self.carry_on(state);
        }
    }

    /// Sends the result of the game. XBoard accepts no claim of a draw by one of two engines, and lets the claimant lose. It
    /// accepts a draw that both have offered.
    fn send_result(&self, state: &mut State) {
        let end = self.game.position();
        let offers = self.against_engine && end.board().final_score() == 0;
        state.send(if offers { "offer draw".to_owned() } else { reply::result(&end) });
    }

    /// Abandons the search and the expected move. Answers the pings that waited for the move.
    fn give_up(&mut self, state: &mut State) {
        state.abandon();
        self.expected = None;
        self.answer_pings(state);
    }

    fn answer_pings(&mut self, state: &mut State) {
        state.send_all(self.pings.drain(..).map(reply::pong));
    }

    fn is_own_turn(&self) -> bool {
        self.role == Role::Player(self.game.position().side())
    }

    /// Returns the number of moves that the side to move has made, without passes that the GUI left out.
    fn moves_made(&self) -> u32 {
        let side = self.game.position().side();
        let before = self.game.positions().zip(1..).filter(|(before, _)| before.side() == side);
        let made = before.filter(|(_, end)| self.ends.binary_search(end).is_ok());
        u32::try_from(made.count()).unwrap_or(u32::MAX)
    }

    fn thinking(&self, search: &ActiveSearch<Purpose>, report: &Report, now: Timestamp) -> Option<String> {
        let best = report.best().filter(|_| self.posts && search.purpose != Purpose::Hint)?;
        let expected = match search.purpose {
            Purpose::Ponder(expected) => Some(expected),
            _ => None,
        };
        Some(reply::thinking(report, best, search.nodes, search.elapsed(now), expected))
    }
}

fn purpose(state: &State) -> Option<Purpose> {
    state.search().map(|search| search.purpose)
}

/// Returns the move that is being pondered on.
fn pondering(state: &State) -> Option<Move> {
    match purpose(state) {
        Some(Purpose::Ponder(expected)) => Some(expected),
        _ => None,
    }
}

/// Returns `true` if a `setboard` of `sent` means a pass in `here`.
///
/// XBoard passes on a pass as the position on its own board, where no disc was ever flipped. The occupied squares are the
/// same, the colors are wrong, and the other side is to move.
fn means_pass(here: &Position, sent: &Position) -> bool {
    here.status() == Status::MustPass
        && sent.side() != here.side()
        && sent.board().empty() == here.board().empty()
}
