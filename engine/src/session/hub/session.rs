//! The session with a Hub GUI.

use std::collections::VecDeque;
use std::time::Duration;

use super::command::{Command, Mode};
use super::params::{Level, Params};
use super::reply;
use crate::board::{Move, Position, Status};
use crate::book::Contempt;
use crate::game::Game;
use crate::score::Confidence;
use crate::search::time::TimeControl;
use crate::search::{Goal, HashSize, Report};
use crate::session::dialect::Dialect;
use crate::session::state::{ActiveSearch, SearchTask, SessionState};
use crate::session::{BookError, Deadlines, Effect, SessionConfig, Timestamp, limits_at_depth};

/// Depth of a search whose level sets none: the whole game.
const WHOLE_GAME: u32 = 60;
/// Most lines that wait for a stopping search. Further lines are refused.
const MAX_WAITING: usize = 1000;

/// The three parts of the next search: parameters, position and level.
#[derive(Debug)]
pub(in crate::session) struct Hub {
    params: Params,
    game: Game,
    level: Level,
    /// `true` once a search was started at `level`. The next `level` line then starts from no limits.
    level_used: bool,
    /// `true` while `ready` waits for the book to be opened.
    opening: bool,
    /// `true` while parameters wait for the end of the search, which applying them would stop.
    deferred: bool,
    /// Lines that came while a search was stopping, with their arrival times, from the first `go` or `new-game` on. They are
    /// handled after the `done` of that search.
    waiting: VecDeque<(Timestamp, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::session) struct Purpose {
    mode: Mode,
    /// The time of the search. For pondering it starts with the hit.
    time: Option<TimeControl>,
}

type State = SessionState<Purpose>;

impl Dialect for Hub {
    type Purpose = Purpose;

    fn new(config: &SessionConfig) -> Hub {
        Hub {
            params: Params::new(config),
            game: Game::default(),
            level: Level::default(),
            level_used: false,
            opening: false,
            deferred: false,
            waiting: VecDeque::new(),
        }
    }

    fn line(&mut self, state: &mut State, line: &str) {
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return,
            Err(error) => return state.send(reply::error(&error)),
        };
        let is_answered_at_once = matches!(command, Command::Hub | Command::Ping | Command::Quit);
        if is_answered_at_once || (self.waiting.is_empty() && !must_wait(state, &command)) {
            self.command(state, command);
        } else if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back((state.now, line.to_owned()));
        } else {
            state.send(reply::error("the line is refused: a search is stopping, and too many lines wait"));
        }
    }

    fn error(problem: &str, detail: &str) -> String {
        reply::error(&format!("{problem}: {detail}"))
    }

    fn notice(message: &str) -> String {
        reply::remark(message)
    }

    fn send_report(&self, state: &mut State, report: &Report) {
        let info = |search| info(search, report, state.now);
        let line = state.search().and_then(info);
        state.send_all(line);
    }

    /// Sends the `done` that is owed, also after a failed search.
    fn done(&mut self, state: &mut State, search: &ActiveSearch<Purpose>) {
        let last = search.report.as_ref().and_then(|last| state.reports.conclude(last, search.nodes));
        state.send_all(last.and_then(|report| info(search, report, state.now)));
        let line = search.best().map(|line| line.moves.as_slice()).unwrap_or_default();
        state.send(reply::done(search.answer().unwrap_or(Move::Pass), line.get(1).copied()));
        // If a book is being opened, the next search waits for it.
        if !(std::mem::take(&mut self.deferred) && self.apply_params(state)) {
            self.resume(state);
        }
    }

    /// A value that the GUI has set since `init` stays.
    fn reduced(&mut self, state: &State, hash: HashSize, threads: usize) {
        if self.params.hash == state.config.hash {
            self.params.hash = hash;
        }
        if self.params.threads == state.config.threads {
            self.params.threads = threads;
        }
    }

    /// Sends the `ready` that waited for the book. Without a book the engine is ready as well.
    fn book_opened(&mut self, state: &mut State, opened: Result<(), &BookError>) {
        if let Err(error) = opened {
            state.send(Self::error("book", &error.0));
            self.params.book = state.config.book_path().to_owned();
        }
        if std::mem::take(&mut self.opening) {
            state.send("ready");
        }
        self.resume(state);
    }

    fn position(&self) -> Option<Position> {
        Some(self.game.position())
    }

    fn owes_answer(&self) -> bool {
        self.opening || !self.waiting.is_empty()
    }
}

impl Hub {
    fn command(&mut self, state: &mut State, command: Command<'_>) {
        match command {
            Command::Hub => {
                state.send(reply::id(&state.config));
                state.send_all(self.params.declarations());
                state.send("wait");
            }
            Command::SetParam { name, value } => {
                if let Err(error) = self.params.set(name, value) {
                    state.send(reply::error(&error));
                }
            }
            Command::Init => {
                // While a search is running, the parameters apply to the next one.
                if state.is_searching() {
                    self.deferred = true;
                } else {
                    self.opening = self.apply_params(state);
                }
                if !self.opening {
                    state.send("ready");
                }
            }
            Command::Pos(game) => self.game = *game,
            Command::Level(line) => {
                let before = if self.level_used { Level::default() } else { self.level };
                let (level, error) = before.with(&line);
                self.level = level;
                self.level_used = false;
                state.send_all(error.map(|error| reply::error(&error)));
            }
            // The running search owes one `done`, which will come.
            Command::Go(_) if state.is_searching() => state.send(reply::error("go: a search is running")),
            Command::Go(mode) => self.go(state, mode),
            Command::PonderHit => self.ponder_hit(state),
            Command::Stop => state.stop(),
            Command::NewGame if state.is_searching() => {
                state.send(reply::error("new-game: a search is running"));
            }
            Command::NewGame => {
                state.reset_overrun();
                state.push(Effect::Clear);
            }
            Command::Ping => state.send("pong"),
            Command::Quit => state.push(Effect::Quit),
        }
    }

    /// Handles the lines that waited for the end of a search, as of their arrival, until one must wait again or opens a book.
    fn resume(&mut self, state: &mut State) {
        while !self.opening
            && let Some((arrived, line)) = self.waiting.pop_front()
        {
            let Ok(Some(command)) = Command::parse(&line) else { continue };
            if must_wait(state, &command) {
                return self.waiting.push_front((arrived, line));
            }
            state.now = arrived;
            self.command(state, command);
        }
    }

    /// Configures the engine by the parameters. Returns `true` if a book is being opened.
    fn apply_params(&mut self, state: &mut State) -> bool {
        let Params { hash, threads, level, ref book, .. } = self.params;
        state.config.level = level;
        if hash != state.config.hash {
            state.config.hash = hash;
            state.push(Effect::Resize(hash));
        }
        if threads != state.config.threads {
            state.config.threads = threads;
            state.push(Effect::Threads(threads));
        }
        let opens = book != state.config.book_path() && !book.is_empty();
        if opens {
            state.push(Effect::OpenBook(book.clone()));
        } else if book.is_empty() {
            state.config.book = None;
        }
        opens
    }

    fn go(&mut self, state: &mut State, mode: Mode) {
        self.level_used = true;
        let root = self.game.position();
        let moves = root.moves();
        match root.status() {
            Status::Over => {
                state.send(reply::error("go: the game is over"));
                return state.send(reply::done(Move::Pass, None));
            }
            Status::MustPass if mode != Mode::Analyze => return state.send(reply::done(Move::Pass, None)),
            // On the clock, a single move needs no thought.
            Status::ToMove if mode == Mode::Think && self.level.time.is_some() && moves.count() == 1 => {
                return state
                    .send_all(moves.into_iter().map(|square| reply::done(Move::Place(square), None)));
            }
            _ => {}
        }
        if mode == Mode::Think
            && let Some(best) = state.config.book_choice(&root, Contempt::default())
            && let Some(&mv) = best.line.first()
        {
            state.send(reply::book(&best));
            return state.send(reply::done(mv, best.line.get(1).copied()));
        }
        let mut limits = limits_at_depth(&root, self.level.depth.unwrap_or(WHOLE_GAME));
        limits.nodes = self.level.nodes;
        if !self.params.selective {
            limits.confidence = Confidence::EXACT;
        }
        let purpose = Purpose { mode, time: self.level.time };
        let deadlines = match purpose.time {
            Some(time) if mode != Mode::Ponder => self.deadlines(state, time, &root),
            _ => Deadlines::default(),
        };
        let plays = mode != Mode::Analyze;
        state.start(SearchTask { root, goal: Goal::BestMove, limits, deadlines, purpose, plays });
    }

    fn deadlines(&self, state: &State, time: TimeControl, root: &Position) -> Deadlines {
        state.deadlines(time.less(Duration::from_secs_f64(self.params.margin)), root)
    }

    /// The expected move was played: the clock runs from now on.
    fn ponder_hit(&mut self, state: &mut State) {
        let Some(search) = state.search_mut().filter(|search| search.purpose.mode == Mode::Ponder) else {
            return;
        };
        search.purpose.mode = Mode::Think;
        let root = search.root;
        if let Some(time) = search.purpose.time {
            state.set_deadlines(self.deadlines(state, time, &root));
        }
    }
}

/// Returns `true` if `command` can be handled only after the end of the search, which is stopping already.
fn must_wait(state: &State, command: &Command<'_>) -> bool {
    matches!(command, Command::Go(_) | Command::NewGame)
        && state.search().is_some_and(|search| search.stopping)
}

fn info(search: &ActiveSearch<Purpose>, report: &Report, now: Timestamp) -> Option<String> {
    report.best().map(|best| reply::info(report, best, search.nodes, search.elapsed(now)))
}
