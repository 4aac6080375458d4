//! The client's end of the protocol of WinBoard and XBoard.

use std::collections::VecDeque;

use outflank::board::Move;
use outflank::game::Game;
use outflank::notation::{fen, moves};
use outflank::random::Random;

use super::Fault;
use super::client::{self, Client};
use super::seat::Seat;

/// A GUI, which knows what the engine's board shows.
#[derive(Debug, Default)]
pub(super) struct XBoard {
    next_ping: u64,
    /// Pings not answered yet, oldest first.
    pings: VecDeque<u64>,
    /// The game as the engine has it, while it plays it.
    known: Option<Game>,
    /// Whether a move is owed.
    thinks: bool,
    /// The last move it told.
    moved: Option<Move>,
    /// Garbage sent: each line of it may be told of once, at any time.
    garbage: u32,
}

fn text(mv: Move) -> String {
    match mv {
        Move::Place(square) => format!("D@{square}"),
        Move::Pass => "@@@@".to_owned(),
    }
}

impl XBoard {
    fn take(&mut self, line: &str) -> Result<(), Fault> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "move" => {
                if !std::mem::take(&mut self.thinks) {
                    return Err(format!("a move that nobody waits for: `{line}`"));
                }
                self.moved = moves::read(rest.strip_prefix("D@").unwrap_or(rest)).ok();
            }
            "pong" => {
                let number = self.pings.pop_front().ok_or("`pong` for nothing".to_owned())?;
                if rest != number.to_string() {
                    return Err(format!("`pong {number}` is owed, not `{line}`"));
                }
            }
            "Error" if self.garbage > 0 => self.garbage -= 1,
            "Error" | "Illegal" | "tellusererror" => return Err(format!("`{line}`")),
            _ => {}
        }
        Ok(())
    }

    fn send_ping(&mut self) -> String {
        self.next_ping += 1;
        self.pings.push_back(self.next_ping);
        format!("ping {}", self.next_ping)
    }

    /// A ping while nothing is thought about.
    fn ping(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        let question = self.send_ping();
        seat.promptly(&question, |line| {
            self.take(line)?;
            Ok(self.pings.is_empty().then_some(()))
        })
    }

    /// Takes the engine from its move; one that was on its way may still come, before the pong.
    fn force(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("force");
        self.known = None;
        self.ping(seat)?;
        self.thinks = false;
        Ok(())
    }

    /// Sets a position up, in force mode.
    fn set_up(&mut self, seat: &mut Seat, game: &Game) -> Result<(), Fault> {
        self.force(seat)?;
        seat.send(&format!("setboard {}", fen::write(&game.position(), 'd')));
        Ok(())
    }

    fn is_expected(&self, game: &Game) -> bool {
        self.known.as_ref().is_some_and(|known| {
            known.plies() + 1 == game.plies()
                && known.moves().iter().zip(game.moves()).all(|(one, other)| one.mv == other.mv)
        })
    }

    fn finish(&mut self, seat: &mut Seat, game: &Game) -> Result<Move, Fault> {
        while self.thinks || !self.pings.is_empty() {
            let line = seat.line("move")?;
            self.take(&line).map_err(|fault| seat.fault(&fault))?;
        }
        let mv = self.moved.ok_or_else(|| seat.fault("no move"))?;
        client::legal(game, mv).map_err(|fault| seat.fault(&fault))
    }
}

impl Client for XBoard {
    fn hello(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("xboard");
        seat.promptly("protover 2", |line| Ok((line == "feature done=1").then_some(())))?;
        seat.send("post");
        self.new_game(seat)
    }

    fn new_game(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        self.force(seat)?;
        seat.send("new");
        seat.send("variant othello");
        seat.send("force");
        self.ping(seat)
    }

    fn play(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<Move, Fault> {
        let last = game.moves().last().map(|played| played.mv);
        self.moved = None;
        match last.filter(|_| self.is_expected(game)) {
            // As in a game: its clock, the move, and it answers.
            Some(mv) => {
                seat.send(&format!("time {}", 10 + random.below(100)));
                seat.send(&format!("otim {}", 10 + random.below(100)));
                self.thinks = true;
                seat.send(&format!("usermove {}", text(mv)));
            }
            None => {
                self.set_up(seat, game)?;
                seat.send(["easy", "hard"][random.below(2) as usize]);
                seat.send(&format!("sd {}", client::easy_depth(random)));
                seat.send(["level 40 0:02 0", "st 0.01", "level 0 0:01 0.01"][random.below(3) as usize]);
                self.thinks = true;
                seat.send("go");
            }
        }
        if client::once_in(random, 4) {
            // Answered after the move.
            let question = self.send_ping();
            seat.send(&question);
        }
        if client::once_in(random, 6) {
            self.garbage += 1;
            seat.send(&client::garbage(random));
        }
        if client::once_in(random, 6) {
            seat.send(&format!("memory {}", 3 + random.below(2)));
        }
        if client::once_in(random, 4) {
            seat.wait(client::moment(random));
            seat.send("?");
        }
        let mv = self.finish(seat, game)?;
        // It has played it on its board.
        let mut known = game.clone();
        self.known = known.play(mv).is_ok().then_some(known);
        Ok(mv)
    }

    fn torment(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<(), Fault> {
        self.set_up(seat, game)?;
        seat.send("sd 60");
        seat.send("level 0 60 0");
        if client::once_in(random, 2) {
            // A long thought, hurried.
            (self.thinks, self.moved) = (true, None);
            seat.send("go");
            seat.wait(client::moment(random));
            seat.promptly("?", |line| {
                self.take(line)?;
                Ok((!self.thinks).then_some(()))
            })?;
            self.finish(seat, game)?;
            return self.force(seat);
        }
        seat.send("analyze");
        for _ in 0..1 + random.below(5) {
            seat.wait(client::moment(random));
            match random.below(8) {
                0 => {
                    self.garbage += 1;
                    seat.send(&client::garbage(random));
                }
                1 => {
                    let other = client::elsewhere(game, random);
                    seat.send(&format!("setboard {}", fen::write(&other.position(), 'd')));
                }
                2 => seat.send("undo"),
                3 => seat.send("hint"),
                4 => {
                    let lines: Vec<String> = (0..=random.below(300)).map(|_| self.send_ping()).collect();
                    seat.unread(client::nap(random), &lines);
                    while !self.pings.is_empty() {
                        let line = seat.line("pong")?;
                        self.take(&line).map_err(|fault| seat.fault(&fault))?;
                    }
                }
                5 => seat.send(&format!("memory {}", 3 + random.below(2))),
                6 => {
                    seat.promptly(".", |line| Ok(line.starts_with("stat01: ").then_some(())))?;
                }
                _ => self.ping(seat)?,
            }
        }
        seat.send("exit");
        self.force(seat)
    }
}
