//! The conversation with XBoard.

use std::collections::VecDeque;
use std::time::Duration;

use super::clock::Clock;
use super::command::{Command, Setting};
use super::play::{Play, Role};
use super::{reply, setup};
use crate::board::{Move, Position, Status};
use crate::book::Contempt;
use crate::score::Confidence;
use crate::search::time::{TimeControl, time_budget};
use crate::search::{Goal, Report, SearchId};
use crate::session::conversation::beginning;
use crate::session::throttle::ReportThrottle;
use crate::session::{
    ActiveSearch, Deadlines, Effect, Event, SearchTask, SearchTracker, Session, SessionConfig, Timestamp,
    limits_at_depth,
};

/// The depth of a search without any depth: the whole game.
const WHOLE_GAME: u32 = 60;

/// The most pings that wait for a move; of more the oldest is answered at once, for nobody shall fill the memory.
const MAX_PENDING_PINGS: usize = 1000;

/// A session with XBoard: a game, the engine's part in it, a clock, and perhaps a search.
#[derive(Debug)]
pub struct XBoardSession {
    config: SessionConfig,
    play: Play,
    clock: Clock,
    depth: u32,
    margin: Duration,
    selective: bool,
    ponders: bool,
    posts: bool,
    life: SearchTracker<Purpose>,
    /// Whether the other side is an engine, too.
    against_engine: bool,
    /// What the other side is expected to play in the position on the board.
    expected: Option<Move>,
    /// When the engine's clock began to run for the move being thought about.
    turn_began: Timestamp,
    /// Pings to be answered after the move being thought about.
    pings: VecDeque<u64>,
    /// The reports of the search.
    rounds: ReportThrottle,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// The engine's move.
    Think,
    /// The engine's move should the other side play this.
    Ponder(Move),
    /// Information.
    Analysis,
    /// A move to suggest to the user.
    Hint,
}

impl XBoardSession {
    /// A session at the start of a game; search ids go on after `last`.
    pub fn new(config: SessionConfig, last: SearchId) -> XBoardSession {
        let mut play = Play::new();
        play.set_role(Role::Watcher);
        XBoardSession {
            config,
            play,
            clock: Clock::default(),
            depth: WHOLE_GAME,
            margin: Duration::ZERO,
            selective: true,
            ponders: false,
            posts: false,
            life: SearchTracker::new(last),
            against_engine: false,
            expected: None,
            turn_began: Timestamp::default(),
            pings: VecDeque::new(),
            rounds: ReportThrottle::default(),
        }
    }

    fn line(&mut self, now: Timestamp, line: &str, effects: &mut Vec<Effect>) {
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return,
            Err(error) => return effects.push(Effect::Send(reply::error(&error, line))),
        };
        match command {
            Command::ProtoVer => effects.extend(reply::features(&self.config).into_iter().map(Effect::Send)),
            Command::New => {
                self.give_up(effects);
                self.life.reset_overrun();
                effects.push(Effect::Clear);
                // Whoever analyses goes on doing so.
                let role = self.play.role();
                self.play = Play::new();
                if role == Role::Analyst {
                    self.play.set_role(role);
                }
                self.depth = WHOLE_GAME;
                self.against_engine = false;
                self.carry_on(now, effects);
            }
            Command::Variant => effects.push(Effect::Send(setup::variant())),
            Command::SetBoard(position) => self.set_board(now, position, effects),
            Command::UserMove { mv, text } => self.user_move(now, mv, text, effects),
            Command::Go => {
                self.give_up(effects);
                self.play.set_role(Role::Player(self.play.position().side()));
                // Whoever waits for a move is told that there is none.
                if self.play.is_over() {
                    return self.say_result(effects);
                }
                self.carry_on(now, effects);
            }
            Command::PlayOther => {
                self.give_up(effects);
                self.play.set_role(Role::Player(!self.play.position().side()));
                self.carry_on(now, effects);
            }
            Command::Force | Command::Result | Command::Exit => {
                self.give_up(effects);
                self.play.set_role(Role::Watcher);
            }
            Command::Analyze => {
                self.give_up(effects);
                self.play.set_role(Role::Analyst);
                self.carry_on(now, effects);
            }
            Command::Stat => self.stat(now, effects),
            Command::Time(control) => self.clock = Clock::new(control),
            Command::Depth(plies) => self.depth = plies,
            Command::Remaining(time) => self.clock.set_remaining(time),
            Command::OtherRemaining(time) => self.clock.set_other(time),
            Command::Easy => {
                self.ponders = false;
                if self.pondering().is_some() {
                    self.give_up(effects);
                }
            }
            Command::Hard => {
                self.ponders = true;
                if !self.life.is_searching() {
                    self.carry_on(now, effects);
                }
            }
            Command::Post => self.posts = true,
            Command::NoPost => self.posts = false,
            Command::Undo => self.take_back(now, 1, effects),
            Command::Remove => self.take_back(now, 2, effects),
            Command::Hint => self.hint(now, effects),
            Command::MoveNow => {
                if self.purpose() == Some(Purpose::Think) {
                    self.life.stop(effects);
                }
            }
            Command::Ping(number) => {
                if self.purpose() == Some(Purpose::Think) {
                    self.pings.push_back(number);
                    if self.pings.len() > MAX_PENDING_PINGS
                        && let Some(oldest) = self.pings.pop_front()
                    {
                        effects.push(Effect::Send(format!("pong {oldest}")));
                    }
                } else {
                    effects.push(Effect::Send(format!("pong {number}")));
                }
            }
            Command::Memory(hash) => {
                if hash != self.config.hash {
                    self.config.hash = hash;
                    self.interrupted(now, Effect::Resize(hash), effects);
                }
            }
            Command::Cores(cores) => {
                let threads = cores.min(self.config.max_threads);
                if threads != self.config.threads {
                    self.config.threads = threads;
                    self.interrupted(now, Effect::Threads(threads), effects);
                }
            }
            Command::SetOption(Setting::Margin(margin)) => self.margin = margin,
            Command::SetOption(Setting::Selective(selective)) => self.selective = selective,
            Command::SetOption(Setting::Book(path)) if path.is_empty() => self.config.book = None,
            Command::SetOption(Setting::Book(path)) => effects.push(Effect::OpenBook(path)),
            Command::Book => {
                let here = self.play.position();
                let open = self.config.book.as_ref();
                let moves = open.map(|open| open.book.moves(&here, Contempt::default())).unwrap_or_default();
                effects.extend(reply::book(&moves).into_iter().map(Effect::Send));
            }
            Command::Computer => self.against_engine = true,
            Command::Quit => effects.push(Effect::Quit),
            Command::Ignored => {}
        }
    }

    /// A pass in XBoard's disguise goes on with the game; any other position begins one in force mode.
    fn set_board(&mut self, now: Timestamp, position: Position, effects: &mut Vec<Effect>) {
        if setup::means_pass(&self.play.position(), &position) {
            return self.user_move(now, Move::Pass, "@@@@", effects);
        }
        self.give_up(effects);
        self.play.set_position(position);
        if self.play.role() != Role::Analyst {
            self.play.set_role(Role::Watcher);
        }
        self.carry_on(now, effects);
    }

    fn user_move(&mut self, now: Timestamp, mv: Move, text: &str, effects: &mut Vec<Effect>) {
        let here = self.play.position();
        if let Err(reason) = self.play.play(mv) {
            return effects.push(Effect::Send(reply::illegal(reason, text)));
        }
        let hit = self.pondering() == Some(mv) && here.play(mv) == Ok(self.play.position());
        if hit && !self.play.is_over() {
            return self.ponder_hit(now, effects);
        }
        self.give_up(effects);
        if self.play.is_over() && matches!(self.play.role(), Role::Player(_)) {
            return self.say_result(effects);
        }
        self.carry_on(now, effects);
    }

    /// The expected move was played: the search goes on, and now the clock runs.
    fn ponder_hit(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let deadlines = self.deadlines(now);
        self.expected = None;
        self.turn_began = now;
        if let Some(current) = self.life.current_mut() {
            current.purpose = Purpose::Think;
        }
        self.life.set_deadlines(deadlines, effects);
    }

    fn take_back(&mut self, now: Timestamp, count: usize, effects: &mut Vec<Effect>) {
        self.give_up(effects);
        self.play.take_back(count);
        // The engine must not move at once again where the user takes a move back.
        if self.play.is_own_turn() {
            self.play.set_role(Role::Watcher);
        }
        self.carry_on(now, effects);
    }

    /// Suggests what the engine expects the user to play, or looks for it.
    fn hint(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        match (self.expected, self.purpose()) {
            (Some(expected), _) => effects.push(Effect::Send(hint(expected))),
            (None, None) if self.play.position().status() != Status::Over => {
                let root = self.play.position();
                let moment = TimeControl::PerMove(Duration::from_millis(500));
                let deadlines = Deadlines::from(now, time_budget(moment, root.empties(), Duration::ZERO));
                self.search(now, root, deadlines, Purpose::Hint, effects);
            }
            (None, Some(Purpose::Analysis)) => {
                let best = self.life.current().and_then(ActiveSearch::answer);
                effects.extend(best.map(|best| Effect::Send(hint(best))));
            }
            _ => {}
        }
    }

    fn stat(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if self.play.role() != Role::Analyst {
            return;
        }
        effects.push(Effect::Send(match self.life.current() {
            Some(current) => {
                let depth = current.report.as_ref().map_or(0, |report| report.depth.plies());
                reply::stat(current.elapsed(now), current.nodes, depth)
            }
            None => reply::stat(Duration::ZERO, 0, 0),
        }));
    }

    /// Does what a search must not be under way for, and starts it again. One that was told to end is not kept from it:
    /// its answer is on its way.
    fn interrupted(&mut self, now: Timestamp, effect: Effect, effects: &mut Vec<Effect>) {
        if self.life.current().is_some_and(|current| current.stopping) {
            return effects.push(effect);
        }
        let interrupted = self.life.abandon(effects);
        effects.push(effect);
        // Until its old deadlines: the clock goes on.
        if let Some(ActiveSearch { root, deadlines, purpose, .. }) = interrupted {
            self.search(now, root, deadlines, purpose, effects);
        }
    }

    /// Starts what is to be done in the position on the board: think, ponder, analyse or nothing.
    fn carry_on(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let root = self.play.position();
        let status = root.status();
        if status == Status::Over {
            return;
        }
        if self.play.role() == Role::Analyst {
            self.search(now, root, Deadlines::default(), Purpose::Analysis, effects);
        } else if self.play.is_own_turn() {
            self.turn_began = now;
            if status == Status::MustPass {
                self.make_move(now, Move::Pass, None, effects);
            } else if let Some(best) = self.config.book_choice(&root, Contempt::default())
                && let Some(&mv) = best.line.first()
            {
                if self.posts {
                    effects.push(Effect::Send(reply::book_thinking(&best)));
                }
                self.make_move(now, mv, best.line.get(1).copied(), effects);
            } else {
                let deadlines = self.deadlines(now);
                self.search(now, root, deadlines, Purpose::Think, effects);
            }
        } else if self.play.is_others_turn() && self.ponders && self.play.has_begun() {
            self.ponder(now, effects);
        }
    }

    /// Thinks about the answer to the expected move, if there is one to think about.
    fn ponder(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if let Some(expected) = self.expected
            && let Ok(root) = self.play.position().play(expected)
            && root.status() == Status::ToMove
        {
            self.search(now, root, Deadlines::default(), Purpose::Ponder(expected), effects);
        }
    }

    fn search(
        &mut self,
        now: Timestamp,
        root: Position,
        deadlines: Deadlines,
        purpose: Purpose,
        effects: &mut Vec<Effect>,
    ) {
        let mut limits = limits_at_depth(&root, self.depth);
        if !self.selective {
            limits.confidence = Confidence::EXACT;
        }
        self.rounds = ReportThrottle::default();
        self.life.start(now, SearchTask { root, goal: Goal::BestMove, limits, deadlines, purpose }, effects);
    }

    /// The time for a move in the position on the board.
    fn deadlines(&self, now: Timestamp) -> Deadlines {
        let control = self.clock.time_control(self.play.moves_made()).less(self.margin);
        let deadlines = time_budget(control, self.play.position().empties(), self.life.overrun());
        Deadlines::from(now, self.clock.stretched(deadlines))
    }

    /// Plays the engine's move, says it, and goes on.
    fn make_move(&mut self, now: Timestamp, mv: Move, expected: Option<Move>, effects: &mut Vec<Effect>) {
        let made = self.play.moves_made() + 1;
        if self.play.play(mv).is_err() {
            return;
        }
        self.clock.spend(now.since(self.turn_began), made);
        effects.push(Effect::Send(format!("move {}", reply::move_text(mv))));
        self.answer_pings(effects);
        self.expected = expected.filter(|&expected| self.play.position().play(expected).is_ok());
        if self.play.is_over() {
            self.say_result(effects);
        } else {
            self.carry_on(now, effects);
        }
    }

    /// Tells how the game has ended. Between two engines XBoard takes no engine's word for a draw it does not see
    /// itself, and makes the claimant lose; it believes in one that both have offered.
    fn say_result(&self, effects: &mut Vec<Effect>) {
        let end = self.play.position();
        effects.push(Effect::Send(if self.against_engine && end.board().final_score() == 0 {
            "offer draw".to_owned()
        } else {
            reply::result(&end)
        }));
    }

    /// Gives the search up, and what was expected; pings that waited for its move are answered.
    fn give_up(&mut self, effects: &mut Vec<Effect>) {
        self.life.abandon(effects);
        self.expected = None;
        self.answer_pings(effects);
    }

    fn answer_pings(&mut self, effects: &mut Vec<Effect>) {
        effects.extend(self.pings.drain(..).map(|number| Effect::Send(format!("pong {number}"))));
    }

    fn purpose(&self) -> Option<Purpose> {
        self.life.current().map(|current| current.purpose)
    }

    /// The move being pondered on.
    fn pondering(&self) -> Option<Move> {
        match self.purpose() {
            Some(Purpose::Ponder(expected)) => Some(expected),
            _ => None,
        }
    }

    fn report(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(report) = self.life.current().and_then(|current| current.report.as_ref()) else { return };
        if self.posts {
            let round = self.rounds.accept(now, report);
            self.say_round(now, round, effects);
        }
    }

    fn say_round(&self, now: Timestamp, round: Option<Report>, effects: &mut Vec<Effect>) {
        if let Some(report) = round
            && let Some(current) = self.life.current()
        {
            self.say_thinking(now, &report, current, effects);
        }
    }

    fn say_thinking(
        &self,
        now: Timestamp,
        report: &Report,
        current: &ActiveSearch<Purpose>,
        effects: &mut Vec<Effect>,
    ) {
        if self.posts
            && current.purpose != Purpose::Hint
            && let Some(best) = report.best()
        {
            let expected = match current.purpose {
                Purpose::Ponder(expected) => Some(expected),
                _ => None,
            };
            let (nodes, elapsed) = (current.nodes, current.elapsed(now));
            effects.push(Effect::Send(reply::thinking(report, best, nodes, elapsed, expected)));
        }
    }

    fn done(&mut self, now: Timestamp, current: &ActiveSearch<Purpose>, effects: &mut Vec<Effect>) {
        if let Some(report) = self.rounds.release(now) {
            self.say_thinking(now, &report, current, effects);
        }
        match current.purpose {
            Purpose::Think => {
                let expected = current.best().and_then(|best| best.moves.get(1).copied());
                if let Some(mv) = current.answer() {
                    self.make_move(now, mv, expected, effects);
                }
            }
            Purpose::Hint => effects.extend(current.answer().map(|mv| Effect::Send(hint(mv)))),
            // The game is solved: there is nothing more to find out. A hit will find the answer in the table.
            Purpose::Ponder(_) | Purpose::Analysis => {}
        }
    }
}

impl Session for XBoardSession {
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
                effects.push(Effect::Send(format!("Error (the search failed): {message}")));
                self.done(now, &current, effects);
            }
            (Event::HashReduced(size), _) => {
                effects.push(Effect::Send(format!("telluser {}", self.config.smaller_hash(*size))));
            }
            (Event::ThreadsReduced(threads), _) => {
                effects.push(Effect::Send(format!("telluser {}", self.config.fewer_threads(*threads))));
            }
            (Event::Book(Ok(book)), _) => self.config.book = Some(book.clone()),
            (Event::Book(Err(error)), _) => {
                effects.push(Effect::Send(format!("Error (the book): {error}")));
            }
            (Event::LineTooLong(line), _) => {
                effects.push(Effect::Send(format!("Error (the line is too long): {}", beginning(line))));
            }
            (Event::Done { .. } | Event::Failed { .. }, None) | (Event::BookSaved(_), _) => {}
        }
    }
}

fn hint(mv: Move) -> String {
    format!("Hint: {}", reply::move_text(mv))
}
