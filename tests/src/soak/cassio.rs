//! The client's end of the protocol of Cassio.

use outflank::board::{Move, Position};
use outflank::game::Game;
use outflank::notation::{moves, squares};
use outflank::random::Random;

use super::Fault;
use super::client::{self, Client};
use super::seat::Seat;

/// Cassio, which knows what is owed to it.
#[derive(Debug, Default)]
pub(super) struct Cassio {
    /// Whether a search is under way, as far as is known.
    searches: bool,
    /// Questions whose answer has not come yet.
    questions: u32,
    /// The last result of the search under way.
    result: Option<Move>,
    /// Whether the last line was one: at the end of a search `ready.` follows it.
    just_told: bool,
}

fn squares_of(position: &Position) -> String {
    squares::write_with(position, ['X', 'O', '-']) + &position.side().letter().to_string()
}

impl Cassio {
    /// Takes a line: `ok.` answers a question in mid-search, `ready.` ends a search or answers a question without one.
    fn take(&mut self, line: &str, asked: &Position) -> Result<(), Fault> {
        self.just_told = line.starts_with(&squares_of(asked));
        if line == "ok." || line.starts_with("node ") {
            if !self.searches || self.questions == 0 {
                return Err(format!("not owed: `{line}`"));
            }
            self.questions -= 1;
        } else if line == "ready." {
            if self.searches {
                self.searches = false;
            } else {
                self.questions = self.questions.checked_sub(1).ok_or("`ready.` for nothing".to_owned())?;
            }
        } else if let Some(rest) = line.strip_prefix(&squares_of(asked)) {
            let text = rest.strip_prefix(", move ").and_then(|rest| rest.get(..2));
            self.result = text.and_then(|text| moves::read(text).ok());
            if !self.searches || line.len() > 255 {
                return Err("a result that nobody waits for, or a line too long".to_owned());
            }
        } else if !line.starts_with("WARNING: ") {
            return Err(format!("not owed: `{line}`"));
        }
        Ok(())
    }

    fn search(&mut self, seat: &mut Seat, position: &Position, depth: u32) {
        let board = squares_of(position);
        if depth >= position.empties() {
            seat.send(&format!("ENGINE-PROTOCOL  endgame-search {board} -64 64 100"));
        } else {
            seat.send(&format!("ENGINE-PROTOCOL  midgame-search {board} -64.00 64.00 {depth} 90"));
        }
        (self.searches, self.result, self.just_told) = (true, None, false);
    }

    fn ask(&mut self, seat: &mut Seat, asked: &Position, question: &str) -> Result<(), Fault> {
        self.questions += 1;
        seat.promptly(question, |line| {
            self.take(line, asked)?;
            Ok((self.questions == 0).then_some(()))
        })
    }

    /// Stops, and makes sure that it has: a search may have ended on its own a moment before, with a `ready.` of its own.
    fn stop(&mut self, seat: &mut Seat, asked: &Position) -> Result<(), Fault> {
        let mut readies = 0;
        seat.promptly("ENGINE-PROTOCOL stop", |line| {
            readies += u32::from(line == "ready.");
            if readies == 0 {
                self.take(line, asked)?;
            }
            Ok((readies > 0).then_some(()))
        })?;
        let own = seat.promptly("ENGINE-PROTOCOL get-version", |line| match line {
            "ready." => {
                readies += 1;
                Ok(None)
            }
            _ if line.starts_with("version: ") => Ok(Some(readies)),
            other => Err(format!("after a stop: `{other}`")),
        })?;
        let last = seat.line("ready.")?;
        if last != "ready." || own > 1 + u32::from(self.just_told) {
            return Err(seat.fault("one `ready.` after a stop is all that is owed"));
        }
        (self.searches, self.questions) = (false, 0);
        Ok(())
    }
}

impl Client for Cassio {
    fn hello(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        self.ask(seat, &Position::START, "ENGINE-PROTOCOL init")
    }

    fn new_game(&mut self, seat: &mut Seat) -> Result<(), Fault> {
        seat.send("ENGINE-PROTOCOL empty-hash");
        self.ask(seat, &Position::START, "ENGINE-PROTOCOL new-position")
    }

    fn play(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<Move, Fault> {
        let position = game.position();
        let depth = client::easy_depth(random);
        self.search(seat, &position, depth);
        while client::once_in(random, 4) {
            seat.wait(client::moment(random));
            match random.below(3) {
                0 => self.ask(seat, &position, "")?,
                1 => self.ask(seat, &position, "ENGINE-PROTOCOL  get-search-infos")?,
                _ => {
                    self.stop(seat, &position)?;
                    self.search(seat, &position, depth);
                }
            }
        }
        if client::once_in(random, 6) {
            seat.send(&client::garbage(random));
        }
        while self.searches {
            let line = seat.line("result")?;
            self.take(&line, &position).map_err(|fault| seat.fault(&fault))?;
        }
        match self.result {
            Some(mv) => client::legal(game, mv).map_err(|fault| seat.fault(&fault)),
            None => Err(seat.fault("a search without a result")),
        }
    }

    fn torment(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<(), Fault> {
        let mut position = game.position();
        self.search(seat, &position, 60);
        for _ in 0..1 + random.below(5) {
            seat.wait(client::moment(random));
            match random.below(7) {
                0 => seat.send(&client::garbage(random)),
                1 => {
                    self.stop(seat, &position)?;
                    position = client::elsewhere(game, random).position();
                    self.search(seat, &position, 60);
                }
                2 => {
                    let board = squares_of(&position);
                    seat.send(&format!("ENGINE-PROTOCOL  feed-hash {board} -2.00 2.00 18 100 ??"));
                }
                3 => seat.send("ENGINE-PROTOCOL empty-hash"),
                4 => {
                    let count = 1 + random.below(200);
                    self.questions += count;
                    seat.unread(client::nap(random), &vec![String::new(); count as usize]);
                    while self.questions > 0 {
                        let line = seat.line("answer to an empty line")?;
                        self.take(&line, &position).map_err(|fault| seat.fault(&fault))?;
                    }
                }
                5 => self.ask(seat, &position, "ENGINE-PROTOCOL  get-search-infos")?,
                _ => self.ask(seat, &position, "")?,
            }
        }
        self.stop(seat, &position)
    }
}
