//! Two engines and the game between them.

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::random::Random;
use outflank::session::Protocol;

use super::cassio::Cassio;
use super::client::{self, Client};
use super::hub::Hub;
use super::nboard::NBoard;
use super::seat::{Figures, Seat};
use super::xboard::XBoard;
use super::{Fault, Options};

/// Memory is compared with what there was after so many games.
const WARM: u64 = 3;

/// Two engines that speak the same dialect.
#[derive(Debug)]
pub(super) struct Table {
    dialect: Protocol,
    players: Vec<Player>,
    /// Of engines that had to be replaced, and of games.
    figures: Figures,
}

#[derive(Debug)]
struct Player {
    seat: Seat,
    client: Box<dyn Client>,
}

impl Table {
    /// Starts both.
    pub(super) fn open(dialect: Protocol, options: &Options) -> Result<Table, Fault> {
        let mut table = Table { dialect, players: Vec::new(), figures: Figures::default() };
        table.set_up_again(options)?;
        Ok(table)
    }

    /// Starts both anew, after a fault.
    pub(super) fn set_up_again(&mut self, options: &Options) -> Result<(), Fault> {
        for player in self.players.drain(..) {
            self.figures.add(&player.seat.figures);
        }
        for threads in ["1", "2"] {
            let client: Box<dyn Client> = match self.dialect {
                Protocol::NBoard => Box::new(NBoard::default()),
                Protocol::Cassio => Box::new(Cassio::default()),
                Protocol::Hub => Box::new(Hub::default()),
                Protocol::XBoard => Box::new(XBoard::default()),
            };
            let mut player = Player { seat: Seat::new(self.dialect, options, threads)?, client };
            player.client.hello(&mut player.seat)?;
            self.players.push(player);
        }
        Ok(())
    }

    pub(super) fn dialect(&self) -> Protocol {
        self.dialect
    }

    /// What was counted so far.
    pub(super) fn figures(&self) -> Figures {
        let mut all = self.figures.clone();
        for player in &self.players {
            all.add(&player.seat.figures);
        }
        all
    }

    /// Plays a game, or some of it.
    pub(super) fn game(&mut self, random: &mut Random) -> Result<(), Fault> {
        for Player { seat, client } in &mut self.players {
            client.new_game(seat)?;
        }
        let mut game = Game::default();
        let first = random.below(2) as usize;
        loop {
            let here = game.position();
            let turn = (first + game.plies()) % 2;
            let mv = match here.status() {
                Status::Over => break,
                Status::MustPass => Move::Pass,
                Status::ToMove => {
                    let Player { seat, client } = &mut self.players[turn];
                    if client::is_long(&here) && client::once_in(random, 5) {
                        client.torment(seat, &game, random)?;
                    }
                    self.figures.moves += 1;
                    client.play(seat, &game, random)?
                }
            };
            game.play(mv).map_err(|error| error.to_string())?;
            // Somebody wants another game.
            if client::once_in(random, 300) {
                return Ok(());
            }
        }
        self.figures.games += 1;
        if self.figures.games >= WARM {
            self.players.iter_mut().for_each(|player| player.seat.warm());
        }
        Ok(())
    }

    /// Lets both leave.
    pub(super) fn close(mut self, growth: u64) -> (Figures, Vec<Fault>) {
        let mut faults = Vec::new();
        for player in self.players.drain(..) {
            let (figures, end) = player.seat.close(growth);
            self.figures.add(&figures);
            faults.extend(end);
        }
        (self.figures, faults)
    }
}
