//! The client's end of Hub's protocol.

use std::time::Duration;

use outflank::board::{Color, Move, Position};
use outflank::game::Game;
use outflank::notation::{moves, squares};
use outflank::random::Random;

use super::Fault;
use super::client::{self, Client};
use super::seat::Seat;

/// A GUI, which counts what is owed to it.
#[derive(Debug, Default)]
pub(super) struct Hub {
    /// Whether a `done` is owed.
    searches: bool,
    /// Pings not answered yet.
    pings: u32,
    /// The last `done`.
    done: Option<Move>,
    /// Garbage sent: each line of it may be told of once, at any time.
    garbage: u32,
}

impl Hub {
    fn take(&mut self, line: &str) -> Result<(), Fault> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "pong" => self.pings = self.pings.checked_sub(1).ok_or("`pong` for nothing".to_owned())?,
            "done" => {
                if !std::mem::take(&mut self.searches) {
                    return Err("`done` for nothing".to_owned());
                }
                let text = rest.strip_prefix("move=").and_then(|rest| rest.split(' ').next());
                self.done = text.and_then(|text| moves::read(text).ok());
            }
            "info" if self.searches || rest.starts_with("message=") => {}
            "error" if self.garbage > 0 => self.garbage -= 1,
            _ => return Err(format!("not owed: `{line}`")),
        }
        Ok(())
    }

    fn ping(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        self.pings += 1;
        seat.promptly("ping", |line| {
            self.take(line)?;
            Ok((self.pings == 0).then_some(()))
        })
    }

    fn tell(&mut self, seat: &mut Seat, game: &Game) {
        let board = |position: &Position| {
            let side = if position.side() == Color::Black { 'B' } else { 'W' };
            format!("{side}{}", squares::write_with(position, ['b', 'w', 'e']))
        };
        let played: Vec<String> = game.moves().iter().map(|played| played.mv.to_string()).collect();
        seat.send(&format!("pos pos={} moves=\"{}\"", board(&game.start()), played.join(" ")));
    }

    fn go(&mut self, seat: &mut Seat, mode: &str) {
        seat.send(&format!("go {mode}"));
        (self.searches, self.done) = (true, None);
    }

    /// Ends the search; its `done` comes soon, if it has not come before.
    fn stop(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        if !self.searches {
            return Ok(());
        }
        seat.promptly("stop", |line| {
            self.take(line)?;
            Ok((!self.searches).then_some(()))
        })
    }

    fn finish(&mut self, seat: &mut Seat, game: &Game) -> Result<Move, Fault> {
        while self.searches {
            let line = seat.line("done")?;
            self.take(&line).map_err(|fault| seat.fault(&fault))?;
        }
        match self.done {
            Some(mv) => client::legal(game, mv).map_err(|fault| seat.fault(&fault)),
            None => Err(seat.fault("a `done` without a move")),
        }
    }
}

impl Client for Hub {
    fn hello(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("hub");
        while seat.line("wait")? != "wait" {}
        seat.promptly("init", |line| Ok((line == "ready").then_some(())))
    }

    fn new_game(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("new-game");
        self.ping(seat)
    }

    fn play(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<Move, Fault> {
        self.tell(seat, game);
        seat.send("level infinite");
        seat.send(&match random.below(4) {
            0 => "level nodes=5000".to_owned(),
            1 => "level move-time=0.01".to_owned(),
            2 => "level moves=20 time=0.5 inc=0.005".to_owned(),
            _ => format!("level depth={}", client::easy_depth(random)),
        });
        let ponders = client::once_in(random, 8);
        self.go(seat, if ponders { "ponder" } else { "think" });
        while client::once_in(random, 3) {
            seat.wait(client::moment(random));
            self.ping(seat)?;
        }
        if ponders {
            seat.send("ponder-hit");
        }
        if client::once_in(random, 5) {
            self.garbage += 1;
            seat.send(&client::garbage(random));
        }
        if client::once_in(random, 4) {
            seat.wait(client::moment(random));
            self.stop(seat)?;
        }
        self.finish(seat, game)
    }

    fn torment(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<(), Fault> {
        self.tell(seat, game);
        seat.send("level infinite");
        let mode = ["think", "ponder", "analyze"][random.below(3) as usize];
        self.go(seat, mode);
        let mut asked = game.clone();
        for _ in 0..1 + random.below(5) {
            seat.wait(client::moment(random));
            match random.below(8) {
                0 => {
                    self.garbage += 1;
                    seat.send(&client::garbage(random));
                }
                1 => {
                    // The next position in the middle of it: the answer is still of the last one.
                    let other = client::elsewhere(game, random);
                    self.tell(seat, &other);
                    self.stop(seat)?;
                    self.finish(seat, &asked)?;
                    seat.send("level infinite");
                    self.go(seat, "analyze");
                    asked = other;
                }
                2 | 3 => {
                    // Refused while a search is under way.
                    self.garbage += 1;
                    seat.send(["go think", "new-game"][random.below(2) as usize]);
                }
                4 => {
                    let count = 1 + random.below(500);
                    self.pings += count;
                    seat.unread(client::nap(random), &vec!["ping".to_owned(); count as usize]);
                    while self.pings > 0 {
                        let line = seat.line("pong")?;
                        self.take(&line).map_err(|fault| seat.fault(&fault))?;
                    }
                }
                5 => {
                    seat.send(&format!("set-param name=hash value={}", 3 + random.below(2)));
                    seat.send(&format!("set-param name=margin value=0.{}", random.below(10)));
                    seat.promptly("init", |line| {
                        if line == "ready" {
                            return Ok(Some(()));
                        }
                        self.take(line).map(|()| None)
                    })?;
                }
                6 => seat.send("level move-time=0.2"),
                _ => self.ping(seat)?,
            }
        }
        self.stop(seat)?;
        self.finish(seat, &asked)?;
        // Errors that are still on their way come before this.
        self.ping(seat)?;
        seat.send("set-param name=margin value=0");
        seat.promptly("init", |line| Ok((line == "ready").then_some(())))?;
        seat.wait(Duration::from_millis(1));
        Ok(())
    }
}
