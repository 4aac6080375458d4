//! Games and their notations.
//!
//! A [`Game`] is a start position and the moves played from it, each legal when it was recorded; text
//! becomes a game, a position or a move in [`notation`] and nowhere else. A [`Book`] is what is known of positions
//! beforehand, a [`Tally`] what came of many games.

mod book;
#[expect(clippy::module_inception, reason = "the noun of the file is the game")]
mod game;
pub mod notation;
mod played;
mod shelf;
mod tags;
mod tally;
mod turned;

pub use book::{Book, BookMove, Contempt, Unfinished};
pub use game::Game;
pub use played::Played;
pub use shelf::{Shelf, Shelved};
pub use tags::{Clock, Ending, GameResult, Player, Tags};
pub use tally::{Figures, Tally};
