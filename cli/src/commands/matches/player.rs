//! A program that plays a match.

use std::fmt;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use crate::client::{Client, MatchTimeControl, MoveLimits, Reply, Step};
use outflank::board::{IllegalMove, Move};
use outflank::game::Game;
use outflank::session::Protocol;

use super::clock::Clock;
use super::options::{Options, PlayerOptions};
use super::process::Process;

/// Time for the move before the first game, if a depth cannot limit it.
const WARM_UP_TIME: Duration = Duration::from_secs(1);

/// A player. Its program is started when it is needed.
#[derive(Debug)]
pub(super) struct Player {
    command: String,
    client: Client,
    process: Option<Process>,
}

/// Reason why a program loses a game other than by its discs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerError {
    Missing(String),
    /// The program has an error for a command without which it cannot play.
    Refused(String),
    /// The program does not answer at its start.
    Start(String),
    Crash(String),
    /// The program does not answer within this time.
    Hang(Duration),
    /// The program exceeded its time by this much.
    Time(Duration),
    NoMove(String),
    Illegal(Move, IllegalMove),
}

impl Player {
    pub(super) fn new(options: &PlayerOptions) -> Player {
        Player { command: options.command.clone(), client: Client::new(options.protocol), process: None }
    }

    /// Returns the last lines that the program wrote to standard error.
    pub(super) fn errors(&mut self) -> Vec<String> {
        self.process.as_mut().map(Process::errors).unwrap_or_default()
    }

    /// Ends the program. The next game starts it again.
    pub(super) fn end(&mut self) {
        self.process = None;
    }

    /// Starts the program if it is not running.
    pub(super) fn wake(&mut self, options: &Options) -> Result<(), PlayerError> {
        if self.process.is_some() {
            return Ok(());
        }
        self.start(options)?;
        if self.warm_up(options).is_err() {
            // A program that fails here fails again in its game, which records the error.
            self.end();
            self.start(options)?;
        }
        Ok(())
    }

    fn start(&mut self, options: &Options) -> Result<(), PlayerError> {
        self.client = Client::new(self.client.protocol());
        let process = Process::start(&self.command, self.client.quit());
        self.process = Some(process.map_err(|error| PlayerError::Missing(error.to_string()))?);
        let opening = self.client.opening();
        self.carry_out(opening, options).map_err(PlayerError::of_start)
    }

    /// Asks for a move that no clock counts: a program may answer before it has loaded all that a search needs.
    fn warm_up(&mut self, options: &Options) -> Result<(), PlayerError> {
        let mut limits = options.limits();
        if !matches!(self.client.protocol(), Protocol::XBoard | Protocol::Gtp) {
            limits.time = MatchTimeControl::None;
            limits.depth = Some(1);
        } else if limits.time != MatchTimeControl::None {
            // Programs may keep a depth for later games. A time is replaced by that of the match.
            limits.time = MatchTimeControl::PerMove(WARM_UP_TIME);
        }
        self.new_game(&limits, options)?;
        let clocks = [Clock::new(limits.time).remaining; 2];
        self.answer(&Game::default(), clocks, &limits, options).map(|_| ())
    }

    /// Prepares the program for a game. Starts it if it is not running.
    pub(super) fn new_game(&mut self, limits: &MoveLimits, options: &Options) -> Result<(), PlayerError> {
        self.wake(options)?;
        let steps = self.client.new_game(limits);
        self.carry_out(steps, options).map_err(PlayerError::of_start)
    }

    /// Returns the move of the side to move in `game`, and its time; `clocks` holds its time and that of the other side. The program has
    /// read the position before its time starts.
    pub(super) fn answer(
        &mut self,
        game: &Game,
        clocks: [Duration; 2],
        limits: &MoveLimits,
        options: &Options,
    ) -> Result<(Move, Duration), PlayerError> {
        let steps = self.client.set_up(game, limits, clocks);
        self.carry_out(steps, options)?;
        let asked = Instant::now();
        let line = self.client.go(game, limits);
        self.send(&line);
        let timeout = clocks[0] + options.margin + options.patience;
        loop {
            let (at, line) = self.line(asked + timeout, timeout)?;
            if let Reply::Move(mv) = self.client.read(&line) {
                let mv = mv.map_err(PlayerError::NoMove)?;
                return Ok((mv, at.saturating_duration_since(asked)));
            }
        }
    }

    /// Sends lines and waits for their replies.
    fn carry_out(&mut self, steps: Vec<Step>, options: &Options) -> Result<(), PlayerError> {
        for step in steps {
            self.send(&step.line);
            let deadline = Instant::now() + options.patience;
            while let Some(expected) = &step.reply {
                let (_, line) = self.line(deadline, options.patience)?;
                match self.client.read(&line) {
                    reply if reply == *expected => break,
                    Reply::Refused(number) if *expected == Reply::Pong(Some(number)) => {
                        return Err(PlayerError::Refused(format!("`{}`: {line}", step.line)));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            process.send(line);
        }
    }

    fn line(&mut self, deadline: Instant, timeout: Duration) -> Result<(Instant, String), PlayerError> {
        let Some(process) = &mut self.process else {
            return Err(PlayerError::Start("not running".to_owned()));
        };
        process.line(deadline).map_err(|error| match error {
            RecvTimeoutError::Disconnected => PlayerError::Crash(process.status()),
            RecvTimeoutError::Timeout => PlayerError::Hang(timeout),
        })
    }
}

impl PlayerError {
    /// Returns the error as one that occurred before the game.
    fn of_start(self) -> PlayerError {
        match self {
            PlayerError::Missing(_) | PlayerError::Refused(_) | PlayerError::Start(_) => self,
            other => PlayerError::Start(other.to_string()),
        }
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Missing(why) => write!(f, "cannot be started: {why}"),
            PlayerError::Refused(why) => write!(f, "refuses {why}"),
            PlayerError::Start(why) => write!(f, "did not start: {why}"),
            PlayerError::Crash(status) => write!(f, "crashed ({status})"),
            PlayerError::Hang(timeout) => write!(f, "hung: no answer within {:.3} s", timeout.as_secs_f64()),
            PlayerError::Time(over) => write!(f, "overstepped its time by {:.3} s", over.as_secs_f64()),
            PlayerError::NoMove(line) => write!(f, "answered with no move: {line}"),
            PlayerError::Illegal(mv, reason) => write!(f, "played an illegal move: {mv}, {reason}"),
        }
    }
}
