//! The client's end of NBoard's protocol.

use outflank::board::Move;
use outflank::game::Game;
use outflank::notation::{ggf, moves};
use outflank::random::Random;

use super::Fault;
use super::client::{self, Client};
use super::seat::Seat;

/// A GUI, which tells its pings apart.
#[derive(Debug, Default)]
pub(super) struct NBoard {
    pings: u64,
    /// The position as the engine has it.
    known: Option<Game>,
}

impl NBoard {
    /// Ends whatever is going on; nothing of it may be said any more.
    fn fence(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        seat.promptly(&format!("ping {}", self.pings), |line| Ok((line == pong).then_some(())))
    }

    /// Tells the position, as a whole game or by its last move.
    fn tell(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) {
        let last = game.moves().last();
        let follows = |known: &Game| {
            known.start() == game.start()
                && known.plies() + 1 == game.plies()
                && known.moves().iter().zip(game.moves()).all(|(one, other)| one.mv == other.mv)
        };
        match (last, self.known.as_ref().is_some_and(follows)) {
            (Some(last), true) if !client::once_in(random, 4) => {
                seat.send(&format!("move {}", moves::write_played(last)));
            }
            _ => seat.send(&format!("set game {}", ggf::write(game))),
        }
        self.known = Some(game.clone());
    }

    /// Reads up to the answer to `go`. What is said of moves has to be of this position.
    fn answer(seat: &mut Seat, game: &Game) -> Result<Move, Fault> {
        loop {
            let line = seat.line("move")?;
            check(&line, game).map_err(|fault| seat.fault(&fault))?;
            if let Some(rest) = line.strip_prefix("=== ") {
                let text = rest.split('/').next().unwrap_or_default();
                let mv = moves::read(text).map_err(|error| seat.fault(&error.to_string()))?;
                return client::legal(game, mv).map_err(|fault| seat.fault(&fault));
            }
        }
    }
}

/// A line said after the fence is of this position, or is none of these.
fn check(line: &str, game: &Game) -> Result<(), Fault> {
    let Some(rest) = line.strip_prefix("search ") else {
        return match line.split(' ').next() {
            Some("status" | "nodestats" | "===" | "set" | "learned" | "analysis") => Ok(()),
            _ => Err(format!("not owed: `{line}`")),
        };
    };
    let first = rest.get(..2).and_then(|text| moves::read(text).ok()).ok_or(format!("`{line}`"))?;
    client::legal(game, first).map(drop).map_err(|fault| format!("`{line}`: {fault}"))
}

impl Client for NBoard {
    fn hello(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("nboard 2");
        self.fence(seat)
    }

    fn new_game(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("learn");
        while seat.line("learned")? != "learned" {}
        Ok(())
    }

    fn play(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<Move, Fault> {
        self.tell(seat, game, random);
        seat.send(&format!("set depth {}", client::easy_depth(random)));
        self.fence(seat)?;
        seat.send("go");
        // Impatience: it is stopped on the way, and asked again.
        while client::once_in(random, 4) {
            seat.wait(client::moment(random));
            self.fence(seat)?;
            seat.send("go");
        }
        if client::once_in(random, 6) {
            seat.send(&client::garbage(random));
        }
        NBoard::answer(seat, game)
    }

    fn torment(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<(), Fault> {
        self.tell(seat, game, random);
        seat.send("set depth 60");
        self.fence(seat)?;
        for _ in 0..1 + random.below(4) {
            seat.send(["hint 1", "hint 4", "hint 64", "go", "analyze"][random.below(5) as usize]);
            seat.wait(client::moment(random));
            match random.below(6) {
                0 => seat.send(&client::garbage(random)),
                1 => {
                    // Another position in the middle of it.
                    let other = client::elsewhere(game, random);
                    self.tell(seat, &other, random);
                }
                2 => seat.send(&format!("set contempt {}", random.below(201) as i32 - 100)),
                3 => seat.send("clear"),
                4 => {
                    let first = self.pings + 1;
                    self.pings += u64::from(1 + random.below(200));
                    let lines: Vec<String> =
                        (first..=self.pings).flat_map(|n| [format!("ping {n}"), "go".to_owned()]).collect();
                    seat.unread(client::nap(random), &lines);
                    for number in first..=self.pings {
                        let pong = format!("pong {number}");
                        loop {
                            let line = seat.line("pong")?;
                            if line == pong {
                                break;
                            }
                            if line.starts_with("pong") {
                                return Err(seat.fault(&format!("`{pong}` is owed, not `{line}`")));
                            }
                        }
                    }
                }
                _ => {}
            }
            self.fence(seat)?;
        }
        seat.send("set contempt 0");
        Ok(())
    }
}
