//! Games: a start position and the moves played from it, each legal when it was recorded, with tags.

#[expect(clippy::module_inception, reason = "the noun of the file is the game")]
mod game;
mod played;
mod tags;
mod tally;
mod turned;

pub use game::Game;
pub use played::Played;
pub use tags::{Clock, Ending, GameResult, Player, Tags};
pub use tally::{Figures, Tally};
