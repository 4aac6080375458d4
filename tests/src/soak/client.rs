//! What a client does in any dialect, and what it has at hand.

use std::fmt;
use std::time::Duration;

use outflank::board::{Move, Position, Status};
use outflank::game::Game;
use outflank::random::Random;

use super::Fault;
use super::seat::Seat;

/// The client's end of one dialect, for one engine.
pub(super) trait Client: fmt::Debug {
    /// The first words.
    fn hello(&mut self, seat: &mut Seat) -> Result<(), Fault>;

    /// A new game begins.
    fn new_game(&mut self, seat: &mut Seat) -> Result<(), Fault>;

    /// Asks for the move to play at the end of `game`, where there is a choice, and takes it, whatever is done to the engine
    /// meanwhile.
    fn play(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<Move, Fault>;

    /// A search that nobody wants to its end: it is asked about, disturbed, and stopped.
    fn torment(&mut self, seat: &mut Seat, game: &Game, random: &mut Random) -> Result<(), Fault>;
}

/// Whether something happens that does so once in `times`.
pub(super) fn once_in(random: &mut Random, times: u32) -> bool {
    random.below(times) == 0
}

/// A while, mostly short.
pub(super) fn moment(random: &mut Random) -> Duration {
    let longest = [1, 5, 20, 60][random.below(4) as usize];
    Duration::from_micros(u64::from(random.below(1000 * longest)))
}

/// A while without a reader.
pub(super) fn nap(random: &mut Random) -> Duration {
    Duration::from_millis(u64::from(50 + random.below(400)))
}

/// A depth in plies that takes milliseconds.
pub(super) fn easy_depth(random: &mut Random) -> u32 {
    1 + random.below(8)
}

/// Another position: the game some moves ago, or the start.
pub(super) fn elsewhere(game: &Game, random: &mut Random) -> Game {
    game.prefix(random.below(game.plies() as u32 + 1) as usize)
}

/// Whether a search of `position` goes on until it is stopped: it has many squares left.
pub(super) fn is_long(position: &Position) -> bool {
    position.status() == Status::ToMove && position.empties() >= 30
}

/// Lines that mean nothing in any dialect.
pub(super) fn garbage(random: &mut Random) -> String {
    const BITS: [&str; 16] = [
        "xyzzy",
        "",
        " ",
        "(;GM[Chess]",
        "\"",
        "=",
        "\u{e9}\u{2026}",
        "99999999999999999999",
        "-1",
        "\t",
        "%s",
        "move",
        "ENGINE",
        "{",
        "name=",
        "\u{0}",
    ];
    let mut line = ["qwertz", "?!", "<html>", "#", "uciok"][random.below(5) as usize].to_owned();
    for _ in 0..random.below(6) {
        line.push(' ');
        line.push_str(BITS[random.below(BITS.len() as u32) as usize]);
    }
    if random.below(50) == 0 {
        line.push_str(&"x".repeat(random.below(100_000) as usize));
    }
    line
}

/// Checks that an engine's move can be played.
pub(super) fn legal(game: &Game, mv: Move) -> Result<Move, Fault> {
    match game.position().play(mv) {
        Ok(_) => Ok(mv),
        Err(error) => Err(format!("an illegal move: {error}")),
    }
}
