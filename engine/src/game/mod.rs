//! Games: a start position and the moves played from it, each legal when it was recorded, with tags.

#[expect(clippy::module_inception, reason = "the noun of the file is the game")]
mod game;
mod match_stats;
mod tags;
mod transformed;
mod tree;

pub use game::{Game, RecordedMove};
pub use match_stats::{Figures, MatchStats};
pub use tags::{Ending, GameClock, GameResult, Player, Tags};
pub use tree::{GameTree, NodeId};
