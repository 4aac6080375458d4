//! The conversation with a Hub GUI.

use std::collections::VecDeque;
use std::time::Duration;

use super::command::{Command, Mode};
use super::level::Level;
use super::params::Params;
use super::reply;
use crate::board::{Move, Position, Status};
use crate::book::Contempt;
use crate::game::Game;
use crate::score::Confidence;
use crate::search::time::{TimeControl, time_budget};
use crate::search::{Goal, Report, SearchId};
use crate::session::conversation::beginning;
use crate::session::throttle::ReportThrottle;
use crate::session::{
    ActiveSearch, Deadlines, Effect, Event, OpenBook, SearchTask, SearchTracker, Session, SessionConfig,
    Timestamp, limits_at_depth,
};

/// The depth of a search without any depth: the whole game.
const WHOLE_GAME: u32 = 60;

/// Most lines that wait for a stopping search. Further ones are refused.
const MAX_WAITING: usize = 1000;

/// A session with a Hub GUI: the three parts of the next search, and perhaps a search.
#[derive(Debug)]
pub struct HubSession {
    config: SessionConfig,
    params: Params,
    game: Game,
    level: Level,
    /// Whether a search has been started at `level`: the next `level` line begins afresh.
    level_used: bool,
    life: SearchTracker<Purpose>,
    /// The reports of the search.
    rounds: ReportThrottle,
    /// Whether `ready` waits for the book to be opened.
    opening: bool,
    /// Whether parameters wait for the end of the search, which making them true would end.
    deferred: bool,
    /// Lines from the first `go` or `new-game` on that came while a search was stopping, with their arrival times. They are
    /// handled after the `done` of that search.
    waiting: VecDeque<(Timestamp, String)>,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Purpose {
    mode: Mode,
    /// Its time, which in pondering begins with the hit.
    time: Option<TimeControl>,
}

impl HubSession {
    /// An idle session at the start position; search ids go on after `last`.
    pub fn new(config: SessionConfig, last: SearchId) -> HubSession {
        HubSession {
            params: Params::new(&config),
            config,
            game: Game::default(),
            level: Level::default(),
            level_used: false,
            life: SearchTracker::new(last),
            rounds: ReportThrottle::default(),
            opening: false,
            deferred: false,
            waiting: VecDeque::new(),
        }
    }

    fn line(&mut self, now: Timestamp, line: &str, effects: &mut Vec<Effect>) {
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return,
            Err(error) => return say_error(&error.to_string(), effects),
        };
        let answered_at_once = matches!(command, Command::Hub | Command::Ping | Command::Quit);
        if !answered_at_once && (!self.waiting.is_empty() || self.must_wait(&command)) {
            if self.waiting.len() >= MAX_WAITING {
                return say_error(
                    "the line is refused: a search is stopping, and too many lines wait",
                    effects,
                );
            }
            return self.waiting.push_back((now, line.to_owned()));
        }
        self.command(now, command, effects);
    }

    /// Returns `true` if `command` needs the search to have ended, which is stopping already.
    fn must_wait(&self, command: &Command<'_>) -> bool {
        matches!(command, Command::Go(_) | Command::NewGame)
            && self.life.current().is_some_and(|current| current.stopping)
    }

    /// Handles the lines that waited for the end of a search, as of their arrival: the clock ran meanwhile. Stops at a line
    /// that must wait again, or when a book is being opened.
    fn resume(&mut self, effects: &mut Vec<Effect>) {
        while !self.opening
            && let Some((arrived, line)) = self.waiting.pop_front()
        {
            let Ok(Some(command)) = Command::parse(&line) else { continue };
            if self.must_wait(&command) {
                return self.waiting.push_front((arrived, line));
            }
            self.command(arrived, command, effects);
        }
    }

    fn command(&mut self, now: Timestamp, command: Command<'_>, effects: &mut Vec<Effect>) {
        match command {
            Command::Hub => {
                effects.push(Effect::Send(reply::id(&self.config)));
                effects.extend(self.params.declarations().into_iter().map(Effect::Send));
                effects.push(Effect::Send("wait".to_owned()));
            }
            Command::SetParam { name, value } => {
                if let Err(error) = self.params.set(name, value) {
                    say_error(&error.to_string(), effects);
                }
            }
            Command::Init => self.init(effects),
            Command::Pos(game) => self.game = *game,
            Command::Level(line) => {
                let before = if self.level_used { Level::default() } else { self.level };
                let (level, error) = before.with(&line);
                self.level = level;
                self.level_used = false;
                if let Some(error) = error {
                    say_error(&error.to_string(), effects);
                }
            }
            Command::Go(_) if self.life.is_searching() => {
                // One `done` is owed already, and will come.
                say_error("go: a search is under way", effects);
            }
            Command::Go(mode) => self.go(now, mode, effects),
            Command::PonderHit => self.ponder_hit(now, effects),
            Command::Stop => self.life.stop(effects),
            Command::NewGame if self.life.is_searching() => {
                say_error("new-game: a search is under way", effects);
            }
            Command::NewGame => {
                self.life.reset_overrun();
                effects.push(Effect::Clear);
            }
            Command::Ping => effects.push(Effect::Send("pong".to_owned())),
            Command::Quit => effects.push(Effect::Quit),
        }
    }

    /// Makes the parameters true, for the next search where one is under way, and says so.
    fn init(&mut self, effects: &mut Vec<Effect>) {
        if self.life.is_searching() {
            self.deferred = true;
        } else {
            self.opening = self.make_true(effects);
        }
        if !self.opening {
            effects.push(Effect::Send("ready".to_owned()));
        }
    }

    /// Sets the engine up as the parameters say; whether a book is being opened.
    fn make_true(&mut self, effects: &mut Vec<Effect>) -> bool {
        if self.params.hash != self.config.hash {
            self.config.hash = self.params.hash;
            effects.push(Effect::Resize(self.params.hash));
        }
        if self.params.threads != self.config.threads {
            self.config.threads = self.params.threads;
            effects.push(Effect::Threads(self.params.threads));
        }
        let open = self.config.book.as_ref().map_or("", |open| &open.path);
        if self.params.book == open {
            return false;
        }
        if self.params.book.is_empty() {
            self.config.book = None;
            return false;
        }
        effects.push(Effect::OpenBook(self.params.book.clone()));
        true
    }

    /// The book is open, or there is none: either way the engine is ready.
    fn book(&mut self, opened: Result<&OpenBook, &String>, effects: &mut Vec<Effect>) {
        match opened {
            Ok(book) => self.config.book = Some(book.clone()),
            Err(error) => {
                say_error(&format!("book: {error}"), effects);
                self.params.book =
                    self.config.book.as_ref().map(|open| open.path.clone()).unwrap_or_default();
            }
        }
        if std::mem::take(&mut self.opening) {
            effects.push(Effect::Send("ready".to_owned()));
        }
        self.resume(effects);
    }

    fn go(&mut self, now: Timestamp, mode: Mode, effects: &mut Vec<Effect>) {
        self.level_used = true;
        let root = self.game.position();
        let moves = root.moves();
        match root.status() {
            Status::Over => {
                say_error("go: the game is over", effects);
                effects.push(Effect::Send(reply::done(Move::Pass, None)));
                return;
            }
            Status::MustPass if mode != Mode::Analyze => {
                effects.push(Effect::Send(reply::done(Move::Pass, None)));
                return;
            }
            // On the clock, a single move needs no thought.
            Status::ToMove if mode == Mode::Think && self.level.time.is_some() && moves.count() == 1 => {
                let mv = moves.into_iter().next().map(Move::Place);
                effects.extend(mv.map(|mv| Effect::Send(reply::done(mv, None))));
                return;
            }
            _ => {}
        }
        if mode == Mode::Think
            && let Some(best) = self.config.book_choice(&root, Contempt::default())
            && let Some(&mv) = best.line.first()
        {
            let done = reply::done(mv, best.line.get(1).copied());
            effects.extend([Effect::Send(reply::book(&best)), Effect::Send(done)]);
            return;
        }
        let mut limits = limits_at_depth(&root, self.level.depth.unwrap_or(WHOLE_GAME));
        limits.nodes = self.level.nodes;
        if !self.params.selective {
            limits.confidence = Confidence::EXACT;
        }
        let deadlines = match mode {
            Mode::Ponder => Deadlines::default(),
            Mode::Think | Mode::Analyze => self.deadlines(now, self.level.time, &root),
        };
        let purpose = Purpose { mode, time: self.level.time };
        self.rounds = ReportThrottle::default();
        self.life.start(now, SearchTask { root, goal: Goal::BestMove, limits, deadlines, purpose }, effects);
    }

    fn deadlines(&self, now: Timestamp, time: Option<TimeControl>, root: &Position) -> Deadlines {
        let Some(time) = time else { return Deadlines::default() };
        let time = time.less(Duration::from_secs_f64(self.params.margin));
        Deadlines::from(now, time_budget(time, root.empties(), self.life.overrun()))
    }

    /// The expected move was played: from now on the clock runs.
    fn ponder_hit(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(current) = self.life.current_mut() else { return };
        if current.purpose.mode != Mode::Ponder {
            return;
        }
        current.purpose.mode = Mode::Think;
        let (time, root) = (current.purpose.time, current.root);
        if time.is_some() {
            self.life.set_deadlines(self.deadlines(now, time, &root), effects);
        }
    }

    fn report(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(report) = self.life.current().and_then(|current| current.report.as_ref()) else { return };
        let round = self.rounds.accept(now, report);
        self.say_round(now, round, effects);
    }

    fn say_round(&self, now: Timestamp, round: Option<Report>, effects: &mut Vec<Effect>) {
        if let Some(report) = round
            && let Some(best) = report.best()
            && let Some(current) = self.life.current()
        {
            let (nodes, elapsed) = (current.nodes, current.elapsed(now));
            effects.push(Effect::Send(reply::info(&report, best, nodes, elapsed)));
        }
    }

    /// Says the `done` that is owed, whatever has become of the search.
    fn done(&mut self, now: Timestamp, current: &ActiveSearch<Purpose>, effects: &mut Vec<Effect>) {
        let nodes = current.nodes;
        if let Some(report) = current.report.as_ref().and_then(|report| self.rounds.conclude(report, nodes))
            && let Some(best) = report.best()
        {
            effects.push(Effect::Send(reply::info(report, best, current.nodes, current.elapsed(now))));
        }
        let line = current.best().map(|line| line.moves.as_slice()).unwrap_or_default();
        let mv = current.answer().unwrap_or(Move::Pass);
        effects.push(Effect::Send(reply::done(mv, line.get(1).copied())));
        // A book that is being opened is there before the next search.
        if !(std::mem::take(&mut self.deferred) && self.make_true(effects)) {
            self.resume(effects);
        }
    }
}

impl Session for HubSession {
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let Ok(ended) = self.life.observe(now, event) else { return };
        match (event, ended) {
            (Event::Line(line), _) => self.line(now, line, effects),
            (Event::Eof, _) => effects.push(Effect::Quit),
            (Event::Report(_), _) => self.report(now, effects),
            (Event::Progress { .. }, _) => {
                let round = self.rounds.release(now);
                self.say_round(now, round, effects);
            }
            (Event::Done { .. }, Some(current)) => self.done(now, &current, effects),
            (Event::Failed { message, .. }, Some(current)) => {
                say_error(&format!("the search failed: {message}"), effects);
                self.done(now, &current, effects);
            }
            (Event::HashReduced(size), _) => {
                // What has been set since waits for `init`.
                if self.params.hash == self.config.hash {
                    self.params.hash = *size;
                }
                effects.push(Effect::Send(reply::remark(&self.config.smaller_hash(*size))));
            }
            (Event::ThreadsReduced(threads), _) => {
                if self.params.threads == self.config.threads {
                    self.params.threads = *threads;
                }
                effects.push(Effect::Send(reply::remark(&self.config.fewer_threads(*threads))));
            }
            (Event::Book(opened), _) => self.book(opened.as_ref(), effects),
            (Event::LineTooLong(line), _) => {
                say_error(&format!("the line is too long: {}", beginning(line)), effects);
            }
            (Event::Done { .. } | Event::Failed { .. }, None) | (Event::BookSaved(_), _) => {}
        }
    }
}

fn say_error(message: &str, effects: &mut Vec<Effect>) {
    effects.push(Effect::Send(reply::error(message)));
}
