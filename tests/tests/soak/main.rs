//! Long run of games between engines in every protocol, with disturbances.
//!
//! Two engines with the same protocol play each other, one with one thread and one with two. Between moves, at random,
//! searches are stopped and abandoned, pings and invalid lines are sent, the position and the limits change during a search,
//! and for some time no output is read. Every owed reply must arrive in order, and soon. Every move must be legal. Memory must
//! not grow, and no engine may end.
//!
//! The test plays one round: one game in each protocol. `cargo xtask soak` sets `OUTFLANK_SOAK` to the minutes, the seed and the
//! names of protocols, and the limits are stricter.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod player;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use outflank::board::{Move, Status};
use outflank::game::Game;
use outflank::random::Random;
use outflank::session::Protocol;

use outflank_tests::spawned::echo;
use player::Player;

/// The first error of a run, with the last lines before it.
type Fault = String;

/// Measurements of the machine after a round of games.
const ECHOES: usize = 20;
/// Games after which memory is compared.
const WARM_GAMES: usize = 3;
/// Fewest empty squares at which a search continues until it is stopped.
const LONG_EMPTIES: u32 = 30;

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Longest time of a reply.
    late: Duration,
    /// Most bytes by which a process may grow.
    growth: u64,
}

#[test]
fn disturbed_games_in_every_protocol() {
    let words = std::env::var("OUTFLANK_SOAK").unwrap_or_default();
    let mut words = words.split(' ').filter(|word| !word.is_empty());
    let minutes: Option<u64> = words.next().map(|minutes| minutes.parse().unwrap());
    let seed = words.next().map_or(7, |seed| seed.parse().unwrap());
    let named: Vec<Protocol> =
        words.map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))).collect();
    let protocols = if named.is_empty() { &Protocol::ALL[..] } else { &named };
    let limits = match minutes {
        Some(_) => Limits { late: Duration::from_secs(1), growth: 8 << 20 },
        // Other tests run at the same time.
        None => Limits { late: Duration::from_secs(10), growth: 32 << 20 },
    };
    let time = Duration::from_secs(60 * minutes.unwrap_or(0));
    let table = run(protocols, time, seed, limits).unwrap_or_else(|fault| panic!("{fault}"));
    println!("\n{table}");
}

/// The engines of a protocol, and the number of their moves.
#[derive(Debug)]
struct Pair {
    protocol: Protocol,
    players: [Player; 2],
    moves: usize,
}

/// Plays rounds until the time is over, at least one, and returns a table of the results.
fn run(protocols: &[Protocol], time: Duration, seed: u64, limits: Limits) -> Result<String, Fault> {
    let start = Instant::now();
    let mut random = Random::new(seed);
    let open = |&protocol| {
        let players = [Player::new(protocol, limits, "1")?, Player::new(protocol, limits, "2")?];
        Ok(Pair { protocol, players, moves: 0 })
    };
    let mut pairs = protocols.iter().map(open).collect::<Result<Vec<_>, Fault>>()?;
    let (mut games, mut machine) = (0, Vec::new());
    while games == 0 || start.elapsed() < time {
        for pair in &mut pairs {
            pair.game(&mut random).map_err(|fault| format!("{}: {fault}", pair.protocol))?;
            if games == WARM_GAMES {
                pair.players.iter_mut().for_each(Player::warm);
            }
        }
        machine.extend(echo(ECHOES));
        games += 1;
        println!("{games} games in each protocol, {:.0?}", start.elapsed());
    }
    let mut text = "protocol   moves  replies  99 % within    longest  memory\n".to_owned();
    for Pair { protocol, players, moves } in pairs {
        let (mut replies, mut memory) = (Vec::new(), String::new());
        for mut player in players {
            replies.append(&mut player.replies);
            let grown = player.close(limits.growth).map_err(|fault| format!("{protocol}: {fault}"))?;
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
