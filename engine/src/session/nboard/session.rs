//! The conversation with NBoard.

use std::time::Duration;

use super::command::{Command, Version};
use super::reply;
use crate::board::{Color, Move, Position, Status};
use crate::book::Contempt;
use crate::game::{Game, RecordedMove};
use crate::score::Score;
use crate::search::time::{TimeControl, time_budget};
use crate::search::{Goal, Line, Report, SearchId};
use crate::session::conversation::beginning;
use crate::session::throttle::ReportThrottle;
use crate::session::{
    ActiveSearch, Deadlines, Effect, Event, SearchTask, SearchTracker, Session, SessionConfig, Timestamp,
    limits_at_depth,
};

/// How often the status line is changed while a round is under way.
const STATUS_INTERVAL: Duration = Duration::from_millis(500);
/// The midgame depth, in plies, of a GUI that sets none, against the document.
const DEFAULT_DEPTH: u32 = 12;

/// A session with NBoard: a game, a few settings, and perhaps a search of the game's last position.
#[derive(Debug)]
pub struct NBoardSession {
    config: SessionConfig,
    version: Version,
    game: Game,
    depth: u32,
    contempt: Contempt,
    life: SearchTracker<Purpose>,
    /// The reports of the current search.
    rounds: ReportThrottle,
    /// Moves the book has told of, which the current search need not.
    told: Vec<Move>,
    /// When the status line was last changed by the current search.
    last_status: Timestamp,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// `hint`.
    Hint,
    /// `go`.
    Go,
    /// `analyze`, at the position after so many moves of the game.
    Analysis { ply: usize },
}

impl NBoardSession {
    /// An idle session at the start position; search ids go on after `last`.
    pub fn new(config: SessionConfig, last: SearchId) -> NBoardSession {
        NBoardSession {
            config,
            version: Version::Two,
            game: Game::default(),
            depth: DEFAULT_DEPTH,
            contempt: Contempt::default(),
            life: SearchTracker::new(last),
            rounds: ReportThrottle::default(),
            told: Vec::new(),
            last_status: Timestamp::default(),
        }
    }

    fn line(&mut self, now: Timestamp, line: &str, effects: &mut Vec<Effect>) {
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return,
            Err(error) => return self.error(&error.to_string(), effects),
        };
        match command {
            Command::Version(version) => {
                self.version = version;
                effects.push(Effect::Send(format!("set myname {}", self.config.name)));
            }
            Command::SetDepth(plies) => self.depth = plies,
            Command::SetContempt(discs) => self.contempt = Contempt(discs),
            Command::SetGame(game) => {
                self.life.abandon(effects);
                if game.plies() < self.game.plies() {
                    self.life.reset_overrun();
                }
                self.game = *game;
            }
            Command::New => {
                self.life.abandon(effects);
                self.life.reset_overrun();
                self.game = Game::default();
            }
            Command::Move(played) => self.play(played, effects),
            Command::Hint(count) => self.hint(now, count, effects),
            Command::Go => self.go(now, effects),
            Command::Ping(number) => {
                let abandoned = self.life.abandon(effects);
                effects.push(Effect::Send(format!("pong {number}")));
                if abandoned.is_some() {
                    self.waiting(effects);
                }
            }
            Command::Learn => self.learn(effects),
            Command::Analyze => {
                self.life.abandon(effects);
                self.told.clear();
                self.say_status("is analyzing the game", effects);
                self.analyze_from(now, self.game.plies(), effects);
            }
            Command::Clear => {
                self.life.abandon(effects);
                effects.push(Effect::Clear);
            }
            Command::Quit => effects.push(Effect::Quit),
        }
    }

    /// A search of the position before the move is nobody's any more: it is given up.
    fn play(&mut self, played: RecordedMove, effects: &mut Vec<Effect>) {
        match self.game.play_passing(played) {
            Ok(()) => {
                self.life.abandon(effects);
            }
            Err(reason) => self.error(&format!("move: {} is illegal: {reason}", played.mv), effects),
        }
    }

    fn hint(&mut self, now: Timestamp, count: usize, effects: &mut Vec<Effect>) {
        let root = self.game.position();
        self.life.abandon(effects);
        if root.status() == Status::Over {
            return self.game_over(effects);
        }
        self.say_status("is analyzing", effects);
        let known = match &self.config.book {
            Some(open) => open.book.moves(&root, self.contempt),
            None => Vec::new(),
        };
        let said = known.iter().take(count).map(|known| Effect::Send(reply::book(known, self.contempt)));
        effects.extend(said);
        self.told = known.iter().filter_map(|known| known.line.first().copied()).collect();
        let complete = known.len() == root.moves().count() as usize && !known.is_empty();
        if complete || known.len() >= count {
            return self.waiting(effects);
        }
        let goal = if count == 1 { Goal::BestMove } else { Goal::Hints(count) };
        self.start(now, root, goal, Deadlines::default(), Purpose::Hint, effects);
    }

    fn go(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let root = self.game.position();
        self.life.abandon(effects);
        let moves = root.moves();
        let forced = match root.status() {
            Status::Over => return self.game_over(effects),
            Status::MustPass => Some(Move::Pass),
            Status::ToMove if moves.count() == 1 => moves.into_iter().next().map(Move::Place),
            Status::ToMove => None,
        };
        if let Some(forced) = forced {
            effects.push(Effect::Send(reply::the_move(forced, None, Duration::ZERO)));
            return self.waiting(effects);
        }
        if let Some(best) = self.config.book_choice(&root, self.contempt)
            && let Some(&mv) = best.line.first()
        {
            effects.push(Effect::Send(reply::book(&best, self.contempt)));
            effects.push(Effect::Send(reply::the_move(mv, Some(best.score), Duration::ZERO)));
            return self.waiting(effects);
        }
        self.told.clear();
        self.say_status("is thinking", effects);
        let deadlines = self.deadlines(now, &root);
        // Where a draw is not worth a draw, the best move may be another one: all values are needed.
        let goal = if self.contempt == Contempt::default() || !self.solves(&root) {
            Goal::BestMove
        } else {
            Goal::Hints(usize::MAX)
        };
        self.start(now, root, goal, deadlines, Purpose::Go, effects);
    }

    /// Whether a search of `root` goes to the end of the game.
    fn solves(&self, root: &Position) -> bool {
        let limits = limits_at_depth(root, self.depth);
        root.empties() <= u32::from(limits.exact_from).max(limits.depth.plies())
    }

    /// The line to play: the best, or where all are proven the one that is best with draws held for what they are.
    fn chosen<'a>(&self, current: &'a ActiveSearch<Purpose>) -> Option<&'a Line> {
        let lines = current.report.as_ref().map(|report| report.lines.as_slice()).unwrap_or_default();
        let draw = self.contempt.for_side(current.root.side());
        let worth = |line: &Line| if line.score == Score::ZERO { draw } else { line.score.centidiscs() };
        if draw == 0 || !lines.iter().all(Line::is_exact) {
            return lines.first();
        }
        // The first of equals.
        lines.iter().rev().max_by_key(|line| worth(line))
    }

    /// Adds the game to the book, if there is one and the game is over.
    fn learn(&mut self, effects: &mut Vec<Effect>) {
        match &self.config.book {
            // It is learned once it is in the file.
            Some(open) if self.game.is_over() => {
                return effects.push(Effect::Learn(open.clone(), Box::new(self.game.clone())));
            }
            Some(_) => effects.push(Effect::Send(reply::status("the game is not over: nothing to learn"))),
            None => {}
        }
        effects.push(Effect::Send("learned".to_owned()));
    }

    /// The time of the side to move: its clock less what its moves took. A game without clock, or a GUI of
    /// version 1, sets no limit but the depth.
    fn deadlines(&self, now: Timestamp, root: &Position) -> Deadlines {
        let side = root.side();
        let Some(clock) = self.game.tags.clock(side).filter(|_| self.version >= Version::Two) else {
            return Deadlines::default();
        };
        let moves = self.game.positions().take(self.game.plies()).filter(|before| before.side() == side);
        let moves = u32::try_from(moves.count()).unwrap_or(u32::MAX);
        let given = clock.main.saturating_add(clock.increment.saturating_mul(moves));
        let remaining = given.saturating_sub(self.game.time_used(side));
        let control = TimeControl::Clock { remaining, increment: clock.increment, moves: None };
        Deadlines::from(now, time_budget(control, root.empties(), self.life.overrun()))
    }

    fn start(
        &mut self,
        now: Timestamp,
        root: Position,
        goal: Goal,
        deadlines: Deadlines,
        purpose: Purpose,
        effects: &mut Vec<Effect>,
    ) {
        let limits = limits_at_depth(&root, self.depth);
        self.rounds = ReportThrottle::default();
        self.last_status = now;
        self.life.start(now, SearchTask { root, goal, limits, deadlines, purpose }, effects);
    }

    /// Goes on with the analysis at `ply`: finished positions are answered at once, the others searched, the
    /// last one of the game first.
    fn analyze_from(&mut self, now: Timestamp, ply: usize, effects: &mut Vec<Effect>) {
        for ply in (0..=ply).rev() {
            let Some(root) = self.game.position_at(ply) else { continue };
            if root.status() == Status::Over {
                let score = Score::from_centidiscs(100 * root.board().final_score());
                effects.push(Effect::Send(reply::analysis(ply, for_black(score, &root))));
            } else {
                let purpose = Purpose::Analysis { ply };
                return self.start(now, root, Goal::BestMove, Deadlines::default(), purpose, effects);
            }
        }
        self.waiting(effects);
    }

    /// Takes note of a report: complete rounds are said, at leisure; of others the status line tells.
    fn report(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(current) = self.life.current() else { return };
        let Some(report) = &current.report else { return };
        if matches!(current.purpose, Purpose::Analysis { .. }) {
            return;
        }
        if report.complete {
            let round = self.rounds.accept(now, report);
            self.say_round(now, round, effects);
        } else if current.purpose == Purpose::Hint && now.since(self.last_status) >= STATUS_INTERVAL {
            effects.extend(reply::progress(report).map(Effect::Send));
            self.last_status = now;
        }
    }

    /// A good moment to say what has been held back, and how far the search is.
    fn progress(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if self.rounds.is_holding() {
            let round = self.rounds.release(now);
            return self.say_round(now, round, effects);
        }
        if let Some(current) = self.life.current()
            && !matches!(current.purpose, Purpose::Analysis { .. })
        {
            self.say_nodes(now, current, effects);
        }
    }

    fn say_round(&self, now: Timestamp, round: Option<Report>, effects: &mut Vec<Effect>) {
        if let Some(report) = round {
            self.say_lines(&report, effects);
            if let Some(current) = self.life.current() {
                self.say_nodes(now, current, effects);
            }
        }
    }

    fn say_lines(&self, report: &Report, effects: &mut Vec<Effect>) {
        let lines = || report.lines.iter().filter(|line| !line.moves.is_empty());
        let depth = reply::depth(lines(), report.depth);
        let untold = lines().filter(|line| !line.first().is_some_and(|mv| self.told.contains(&mv)));
        effects.extend(untold.map(|line| Effect::Send(reply::search(line, &depth, self.contempt))));
    }

    fn say_nodes(&self, now: Timestamp, current: &ActiveSearch<Purpose>, effects: &mut Vec<Effect>) {
        if self.version >= Version::Two {
            effects.push(Effect::Send(reply::nodestats(current.nodes, current.elapsed(now))));
        }
    }

    fn done(&mut self, now: Timestamp, current: &ActiveSearch<Purpose>, effects: &mut Vec<Effect>) {
        match current.purpose {
            Purpose::Hint => {
                if let Some(report) = self.rounds.release(now) {
                    self.say_lines(&report, effects);
                }
                self.say_nodes(now, current, effects);
                self.waiting(effects);
            }
            Purpose::Go => {
                if let Some(report) = self.rounds.release(now) {
                    self.say_lines(&report, effects);
                }
                self.say_nodes(now, current, effects);
                let chosen = self.chosen(current);
                if let Some(mv) = chosen.and_then(Line::first).or_else(|| current.answer()) {
                    let eval = chosen.map(|line| line.score);
                    effects.push(Effect::Send(reply::the_move(mv, eval, current.elapsed(now))));
                }
                self.waiting(effects);
            }
            Purpose::Analysis { ply } => {
                if let Some(best) = current.best() {
                    effects.push(Effect::Send(reply::analysis(ply, for_black(best.score, &current.root))));
                }
                match ply.checked_sub(1) {
                    Some(before) => self.analyze_from(now, before, effects),
                    None => self.waiting(effects),
                }
            }
        }
    }

    /// Tells what is wrong. A GUI that waits for a move gets one nevertheless.
    fn failed(
        &mut self,
        now: Timestamp,
        current: &ActiveSearch<Purpose>,
        message: &str,
        effects: &mut Vec<Effect>,
    ) {
        self.error(&format!("the search failed: {message}"), effects);
        if current.purpose == Purpose::Go {
            self.done(now, current, effects);
        }
    }

    fn error(&self, message: &str, effects: &mut Vec<Effect>) {
        effects.push(Effect::Send(reply::status(&format!("Error: {message}"))));
    }

    fn game_over(&self, effects: &mut Vec<Effect>) {
        effects.push(Effect::Send(reply::status("the game is over")));
    }

    fn waiting(&self, effects: &mut Vec<Effect>) {
        self.say_status("is waiting", effects);
    }

    fn say_status(&self, what: &str, effects: &mut Vec<Effect>) {
        effects.push(Effect::Send(reply::status(&format!("{} {what}", self.config.name))));
    }
}

impl Session for NBoardSession {
    fn handle(&mut self, now: Timestamp, event: &Event, effects: &mut Vec<Effect>) {
        let Ok(ended) = self.life.observe(now, event) else { return };
        match (event, ended) {
            (Event::Line(line), _) => self.line(now, line, effects),
            (Event::Eof, _) => effects.push(Effect::Quit),
            (Event::Report(_), _) => self.report(now, effects),
            (Event::Progress { .. }, _) => self.progress(now, effects),
            (Event::Done { .. }, Some(current)) => self.done(now, &current, effects),
            (Event::Failed { message, .. }, Some(current)) => self.failed(now, &current, message, effects),
            (Event::HashReduced(size), _) => {
                effects.push(Effect::Send(reply::status(&self.config.smaller_hash(*size))));
            }
            (Event::ThreadsReduced(threads), _) => {
                effects.push(Effect::Send(reply::status(&self.config.fewer_threads(*threads))));
            }
            (Event::Book(Ok(book)), _) => self.config.book = Some(book.clone()),
            (Event::BookSaved(Ok(book)), _) => {
                self.config.book = Some(book.clone());
                effects.push(Effect::Send("learned".to_owned()));
            }
            (Event::Book(Err(error)), _) => self.error(&format!("book: {error}"), effects),
            // A GUI waits for the answer.
            (Event::BookSaved(Err(error)), _) => {
                self.error(&format!("book: {error}"), effects);
                effects.push(Effect::Send("learned".to_owned()));
            }
            (Event::LineTooLong(line), _) => {
                self.error(&format!("the line is too long: {}", beginning(line)), effects);
            }
            (Event::Done { .. } | Event::Failed { .. }, None) => {}
        }
    }
}

/// The score of the side to move, from Black's side.
fn for_black(score: Score, root: &Position) -> Score {
    match root.side() {
        Color::Black => score,
        Color::White => -score,
    }
}
