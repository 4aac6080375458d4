//! Two engines and the game between them.

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::random::Random;
use outflank::session::Protocol;

use super::player::Player;
use super::seat::Figures;
use super::{Fault, Options, once_in};

/// Games after which memory is compared.
const WARM_GAMES: u64 = 3;
/// Fewest empty squares at which a search continues until it is stopped.
const LONG_EMPTIES: u32 = 30;

#[derive(Debug)]
pub(super) struct Table {
    pub(super) protocol: Protocol,
    players: Vec<Player>,
    /// Of replaced engines, and of games.
    figures: Figures,
}

impl Table {
    pub(super) fn open(protocol: Protocol, options: &Options) -> Result<Table, Fault> {
        let mut table = Table { protocol, players: Vec::new(), figures: Figures::default() };
        table.restart(options)?;
        Ok(table)
    }

    /// Starts both engines again, after a fault.
    pub(super) fn restart(&mut self, options: &Options) -> Result<(), Fault> {
        for player in self.players.drain(..) {
            self.figures.add(&player.seat.figures);
        }
        for threads in ["1", "2"] {
            self.players.push(Player::new(self.protocol, options, threads)?);
        }
        Ok(())
    }

    pub(super) fn figures(&self) -> Figures {
        let mut all = self.figures.clone();
        self.players.iter().for_each(|player| all.add(&player.seat.figures));
        all
    }

    /// Plays a game, or a part of it.
    pub(super) fn game(&mut self, random: &mut Random) -> Result<(), Fault> {
        self.players.iter_mut().try_for_each(Player::new_game)?;
        let mut game = Game::default();
        let first = random.below(2) as usize;
        loop {
            let here = game.position();
            let player = &mut self.players[(first + game.plies()) % 2];
            let mv = match here.status() {
                Status::Over => break,
                Status::MustPass => Move::Pass,
                Status::ToMove => {
                    if here.empties() >= LONG_EMPTIES && once_in(random, 5) {
                        player.torment(&game, random)?;
                    }
                    self.figures.moves += 1;
                    player.play(&game, random)?
                }
            };
            game.play(mv).map_err(|error| error.to_string())?;
            // The game is abandoned.
            if once_in(random, 300) {
                return Ok(());
            }
        }
        self.figures.games += 1;
        if self.figures.games >= WARM_GAMES {
            self.players.iter_mut().for_each(|player| player.seat.warm());
        }
        Ok(())
    }

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
