//! A program that plays, in whatever dialect it speaks.

use std::fmt;
use std::time::{Duration, Instant};

use outflank::board::{Color, IllegalMove, Move, Position};
use outflank::game::Game;
use outflank::notation::{fen, ggf, moves, squares};

use super::clock::{Clock, Control};
use super::options::{MatchOptions, PlayerOptions};
use super::process::{Process, Silence};
use super::protocol::Protocol;

/// Time for the move before the first game, where a depth cannot limit it.
const WARM_UP_TIME: Duration = Duration::from_secs(1);

/// A player; its program is started when it is needed.
#[derive(Debug)]
pub(super) struct Player {
    options: PlayerOptions,
    process: Option<Process>,
    pings: u32,
}

/// A move, and the time it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) mv: Move,
    pub(super) time: Duration,
}

/// Why a program loses a game other than by its discs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerError {
    /// There is no such program, or it cannot be carried out.
    Missing(String),
    /// It does not answer at its start.
    Start(String),
    /// It ended.
    Crash(String),
    /// It does not answer.
    Hang(Duration),
    /// It took too long, by so much.
    Time(Duration),
    /// Its answer is no move.
    NoMove(String),
    /// Its move is illegal.
    Illegal(Move, IllegalMove),
}

impl Player {
    pub(super) fn new(options: &PlayerOptions) -> Player {
        Player { options: options.clone(), process: None, pings: 0 }
    }

    /// Last lines that the program wrote to standard error.
    pub(super) fn errors(&self) -> Vec<String> {
        self.process.as_ref().map(Process::errors).unwrap_or_default()
    }

    /// Ends the program; the next game starts it again.
    pub(super) fn end(&mut self) {
        self.process = None;
    }

    /// Starts the program, if it is not running.
    pub(super) fn wake(&mut self, options: &MatchOptions) -> Result<(), PlayerError> {
        if self.process.is_some() {
            return Ok(());
        }
        self.start(options)?;
        if self.warm_up(options).is_err() {
            // A program that fails here fails again in its game, which records how.
            self.end();
            self.start(options)?;
        }
        Ok(())
    }

    /// Asks for a move that no clock counts: a program may answer before it has loaded all that a search needs.
    fn warm_up(&mut self, options: &MatchOptions) -> Result<(), PlayerError> {
        let mut options = options.clone();
        if self.options.protocol != Protocol::XBoard {
            options.control = Control::None;
            options.depth = Some(1);
        } else if options.control != Control::None {
            // Programs may keep a depth for later games; a time is replaced by that of the match.
            options.control = Control::PerMove(WARM_UP_TIME);
        }
        self.new_game(&options)?;
        let clock = Clock::new(options.control);
        self.answer(&Game::new(Position::START), &clock, &clock, &options).map(|_| ())
    }

    /// Gets the program ready for a game.
    pub(super) fn new_game(&mut self, options: &MatchOptions) -> Result<(), PlayerError> {
        self.wake(options)?;
        match self.options.protocol {
            Protocol::NBoard => {}
            Protocol::Cassio => {
                self.send("ENGINE-PROTOCOL new-position");
                self.wait_for("ready.", options).map_err(PlayerError::of_start)?;
            }
            Protocol::Hub => self.send("new-game"),
            Protocol::XBoard => {
                self.send("new");
                self.send("variant othello");
                self.send("force");
                self.send("easy");
                match options.control {
                    Control::Clock { main, increment } => {
                        let (minutes, seconds) = (main.as_secs() / 60, main.as_secs() % 60);
                        self.send(&format!("level 0 {minutes}:{seconds:02} {}", increment.as_secs_f64()));
                    }
                    Control::PerMove(time) => self.send(&format!("st {}", time.as_secs_f64())),
                    Control::None => {}
                }
                if let Some(depth) = options.depth {
                    self.send(&format!("sd {depth}"));
                }
            }
        }
        self.synchronise(options).map_err(PlayerError::of_start)
    }

    /// The move of the side to move in `game`.
    pub(super) fn answer(
        &mut self,
        game: &Game,
        own: &Clock,
        other: &Clock,
        options: &MatchOptions,
    ) -> Result<Answer, PlayerError> {
        let position = game.position();
        match self.options.protocol {
            Protocol::NBoard => {
                self.send(&format!("set game {}", ggf::write(game)));
                self.send(&format!("set depth {}", options.depth.unwrap_or(60)));
                self.synchronise(options)?;
                self.ask("go", "===", own, options)
            }
            Protocol::Cassio => self.cassio(game, own, options),
            Protocol::Hub => {
                let side = if position.side() == Color::Black { 'B' } else { 'W' };
                let board = squares::write_with(&position, ['b', 'w', 'e']);
                self.send(&format!("pos pos={side}{board}"));
                let mut level = "level".to_owned();
                if let Some(depth) = options.depth {
                    level.push_str(&format!(" depth={depth}"));
                }
                if let Some(nodes) = options.nodes {
                    level.push_str(&format!(" nodes={nodes}"));
                }
                let seconds = own.limit().unwrap_or_default().as_secs_f64();
                match options.control {
                    Control::Clock { increment, .. } => {
                        let increment = increment.as_secs_f64();
                        level.push_str(&format!(" time={seconds:.3} inc={increment:.3}"));
                    }
                    Control::PerMove(_) => level.push_str(&format!(" move-time={seconds:.3}")),
                    Control::None => {}
                }
                self.send(&level);
                self.synchronise(options)?;
                self.ask("go think", "done move=", own, options)
            }
            Protocol::XBoard => {
                self.send("force");
                self.send(&format!("setboard {}", fen::write(&position, 'd')));
                if let Control::Clock { .. } = options.control {
                    let centis = |clock: &Clock| clock.limit().unwrap_or_default().as_millis() / 10;
                    self.send(&format!("time {}", centis(own)));
                    self.send(&format!("otim {}", centis(other)));
                }
                self.synchronise(options)?;
                self.ask("go", "move ", own, options)
            }
        }
    }

    fn start(&mut self, options: &MatchOptions) -> Result<(), PlayerError> {
        let quit = match self.options.protocol {
            Protocol::Cassio => "ENGINE-PROTOCOL quit",
            Protocol::NBoard | Protocol::Hub | Protocol::XBoard => "quit",
        };
        self.process = Some(
            Process::start(&self.options.command, quit)
                .map_err(|error| PlayerError::Missing(error.to_string()))?,
        );
        let end = match self.options.protocol {
            Protocol::NBoard => {
                self.send("nboard 2");
                return self.synchronise(options).map_err(PlayerError::of_start);
            }
            Protocol::Cassio => {
                self.send("ENGINE-PROTOCOL init");
                "ready."
            }
            Protocol::Hub => {
                self.send("hub");
                self.wait_for("wait", options).map_err(PlayerError::of_start)?;
                self.send("init");
                "ready"
            }
            Protocol::XBoard => {
                self.send("xboard");
                self.send("protover 2");
                "feature done=1"
            }
        };
        self.wait_for(end, options).map(|_| ()).map_err(PlayerError::of_start)
    }

    /// Waits until it has read all that was sent, so that its own slowness to read does not count as thinking.
    fn synchronise(&mut self, options: &MatchOptions) -> Result<(), PlayerError> {
        self.pings += 1;
        let number = self.pings;
        let (ping, pong) = match self.options.protocol {
            Protocol::NBoard | Protocol::XBoard => (format!("ping {number}"), format!("pong {number}")),
            Protocol::Hub => ("ping".to_owned(), "pong".to_owned()),
            Protocol::Cassio => (String::new(), "ready.".to_owned()),
        };
        self.send(&ping);
        self.wait_for(&pong, options).map(|_| ())
    }

    /// Asks for a move and waits for the line that begins with `word`: the move follows.
    fn ask(
        &mut self,
        question: &str,
        word: &str,
        clock: &Clock,
        options: &MatchOptions,
    ) -> Result<Answer, PlayerError> {
        let asked = Instant::now();
        self.send(question);
        let patience = clock.limit().unwrap_or_default() + options.margin + options.patience;
        loop {
            let (at, line) = self.line(asked + patience, patience)?;
            if let Some(rest) = line.strip_prefix(word) {
                let time = at.saturating_duration_since(asked);
                let text = rest.trim().split([' ', '/']).next().unwrap_or_default();
                // XBoard's drops have a letter before them.
                let text = text.split_once('@').filter(|_| text != "@@@@").map_or(text, |(_, square)| square);
                let mv =
                    moves::read(text).map_err(|_| PlayerError::NoMove(line.chars().take(40).collect()))?;
                return Ok(Answer { mv, time });
            }
        }
    }

    /// Cassio's protocol knows depths, not clocks; the last result counts.
    fn cassio(&mut self, game: &Game, clock: &Clock, options: &MatchOptions) -> Result<Answer, PlayerError> {
        let position = game.position();
        let board = squares::write(&position).replace(' ', "");
        let depth = options.depth.unwrap_or(60);
        self.synchronise(options)?;
        let asked = Instant::now();
        if depth >= position.empties() {
            self.send(&format!("ENGINE-PROTOCOL endgame-search {board} -64 64 100"));
        } else {
            self.send(&format!("ENGINE-PROTOCOL midgame-search {board} -64.00 64.00 {depth} 73"));
        }
        let patience = clock.limit().unwrap_or_default() + options.margin + options.patience;
        let mut last = String::new();
        loop {
            let (at, line) = self.line(asked + patience, patience)?;
            if line == "ready." {
                let time = at.saturating_duration_since(asked);
                let mv = last.split(", ").find_map(|field| field.strip_prefix("move "));
                let mv = mv.and_then(|text| moves::read(text).ok());
                let mv = mv.ok_or_else(|| PlayerError::NoMove(last.chars().skip(65).take(40).collect()))?;
                return Ok(Answer { mv, time });
            }
            if line.starts_with(&board[..64]) {
                last = line;
            }
        }
    }

    fn send(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            process.send(line);
        }
    }

    /// Skips lines up to the one that is `text`.
    fn wait_for(&mut self, text: &str, options: &MatchOptions) -> Result<Instant, PlayerError> {
        let deadline = Instant::now() + options.patience;
        loop {
            let (at, line) = self.line(deadline, options.patience)?;
            if line.trim() == text || line.ends_with("done=1") && text.ends_with("done=1") {
                return Ok(at);
            }
        }
    }

    fn line(&mut self, deadline: Instant, patience: Duration) -> Result<(Instant, String), PlayerError> {
        let Some(process) = &mut self.process else {
            return Err(PlayerError::Start("not running".to_owned()));
        };
        process.line(deadline).map_err(|silence| match silence {
            Silence::Ended => PlayerError::Crash(process.status()),
            Silence::Late => PlayerError::Hang(patience),
        })
    }
}

impl PlayerError {
    /// The same before the game has begun.
    fn of_start(self) -> PlayerError {
        match self {
            PlayerError::Missing(_) | PlayerError::Start(_) => self,
            other => PlayerError::Start(other.to_string()),
        }
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Missing(why) => write!(f, "cannot be started: {why}"),
            PlayerError::Start(why) => write!(f, "did not start: {why}"),
            PlayerError::Crash(status) => write!(f, "crashed ({status})"),
            PlayerError::Hang(patience) => {
                write!(f, "hung: no answer within {:.3} s", patience.as_secs_f64())
            }
            PlayerError::Time(over) => write!(f, "overstepped its time by {:.3} s", over.as_secs_f64()),
            PlayerError::NoMove(line) => write!(f, "answered with no move: {line}"),
            PlayerError::Illegal(mv, reason) => write!(f, "played an illegal move: {mv}, {reason}"),
        }
    }
}
