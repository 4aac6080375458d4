//! Long run of games between engines in every protocol, with disturbances.
//!
//! Two engines with the same protocol play each other, one with one thread and one with two. Between moves, at random,
//! searches are stopped and abandoned, pings and invalid lines are sent, the position and the limits change during a search,
//! and for some time no output is read. Every owed reply must arrive in order, and soon. Every move must be legal. Memory must
//! not grow, and no engine may end.

mod player;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::random::Random;
use outflank::session::Protocol;

use crate::spawned::echo;
use player::Player;

/// The first error of a run, with the last lines before it.
pub type Fault = String;

/// Measurements of the machine after a round of games.
const ECHOES: usize = 20;
/// Games after which memory is compared.
const WARM_GAMES: usize = 3;
/// Fewest empty squares at which a search continues until it is stopped.
const LONG_EMPTIES: u32 = 30;

#[derive(Clone, Debug)]
pub struct Options {
    pub engine: PathBuf,
    /// Rounds are played until this time is over, at least one. A round is one game in each protocol.
    pub time: Duration,
    pub seed: u64,
    /// Longest time of a reply.
    pub late: Duration,
    /// Most bytes by which a process may grow.
    pub growth: u64,
}

/// The engines of a protocol, and the number of their moves.
#[derive(Debug)]
struct Pair {
    protocol: Protocol,
    players: [Player; 2],
    moves: usize,
}

/// Plays until the time is over, and returns a table of the results. `print` receives lines of progress.
///
/// # Errors
/// The first fault.
pub fn run(protocols: &[Protocol], options: &Options, mut print: impl FnMut(&str)) -> Result<String, Fault> {
    let start = Instant::now();
    let mut random = Random::new(options.seed);
    let open = |&protocol| {
        let players = [Player::new(protocol, options, "1")?, Player::new(protocol, options, "2")?];
        Ok(Pair { protocol, players, moves: 0 })
    };
    let mut pairs = protocols.iter().map(open).collect::<Result<Vec<_>, Fault>>()?;
    let (mut games, mut machine) = (0, Vec::new());
    while games == 0 || start.elapsed() < options.time {
        for pair in &mut pairs {
            pair.game(&mut random).map_err(|fault| format!("{}: {fault}", pair.protocol))?;
            if games == WARM_GAMES {
                pair.players.iter_mut().for_each(Player::warm);
            }
        }
        machine.extend(echo(ECHOES));
        games += 1;
        print(&format!("{games} games in each protocol, {:.0?}", start.elapsed()));
    }
    let mut text = "protocol   moves  replies  99 % within    longest  memory\n".to_owned();
    for Pair { protocol, players, moves } in pairs {
        let (mut replies, mut memory) = (Vec::new(), String::new());
        for mut player in players {
            replies.append(&mut player.replies);
            let grown = player.close(options.growth).map_err(|fault| format!("{protocol}: {fault}"))?;
            memory.push_str(&grown);
        }
        text.push_str(&row(protocol.name(), moves, replies, &memory));
    }
    Ok(text + &row("(cat)", 0, machine, ""))
}

fn row(name: &str, moves: usize, mut replies: Vec<Duration>, memory: &str) -> String {
    replies.sort_unstable();
    let within = |percent: usize| {
        let at = (replies.len() * percent).div_ceil(100).saturating_sub(1);
        replies.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let mut text = String::new();
    let (count, most, longest) = (replies.len(), within(99), within(100));
    let _ = writeln!(text, "{name:8} {moves:>7} {count:>8} {most:>9.1} ms {longest:>7.1} ms {memory}");
    text
}

impl Pair {
    fn game(&mut self, random: &mut Random) -> Result<(), Fault> {
        self.players.iter_mut().try_for_each(Player::new_game)?;
        let mut game = Game::default();
        let first = random.below(2) as usize;
        while !game.is_over() {
            let here = game.position();
            let player = &mut self.players[(first + game.plies()) % 2];
            let mv = if here.status() == Status::MustPass {
                Move::Pass
            } else {
                if here.empties() >= LONG_EMPTIES && random.below(5) == 0 {
                    player.torment(&game, random)?;
                }
                player.play(&game, random)?
            };
            game.play(mv).map_err(|error| error.to_string())?;
            self.moves += 1;
        }
        Ok(())
    }
}
