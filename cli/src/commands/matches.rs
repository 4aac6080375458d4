//! Matches between two programs.

mod clock;
mod openings;
mod options;
mod player;
mod process;
mod protocol;
mod report;

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use outflank::board::{Color, Status};
use outflank::game::{Clock as GameClock, Game, Played, Tally};

pub(crate) use options::Options;

use clock::{Clock, Control};
use options::MatchOptions;
use player::{Player, PlayerError};
use report::{Record, Report};

/// A match is given up after so many games in a row in which the same program could not even be started.
const MOST_FALSE_STARTS: u32 = 3;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let options = &options.checked()?;
    let mut report = Report::open(options)?;
    let mut tally = Tally::default();
    for &record in report.records() {
        tally.add(record.score);
    }
    if tally.games() > 0 {
        println!("{} games are in the report already", tally.games());
    }
    let openings = openings::openings(options)?;
    let mut players = [Player::new(&options.first), Player::new(&options.second)];
    let mut false_starts = [0; 2];
    for number in tally.games() + 1..=options.games {
        // Each opening is played twice, with both colours.
        let opening = &openings[(number as usize - 1) / 2 % openings.len()];
        let first_is_black = number % 2 == 1;
        let end = play(&mut players, opening, first_is_black, options);
        let record = Record { number, first_is_black, score: end.score };
        let mut remark = String::new();
        if let Some((loser, fault)) = &end.fault {
            let name = ["first", "second"][*loser];
            remark = format!("{name} {fault}");
            println!("game {number}: {remark}; it loses the game and is started again");
            players[*loser].end();
            false_starts[*loser] =
                if matches!(fault, PlayerError::Start(_)) { false_starts[*loser] + 1 } else { 0 };
        } else {
            false_starts = [0; 2];
        }
        report.add(record, &remark, &end.game)?;
        tally.add(record.score);
        if number % 10 == 0 {
            println!("{tally}");
        }
        if let Some(player) = false_starts.iter().position(|&count| count >= MOST_FALSE_STARTS) {
            let name = ["first", "second"][player];
            return Err(io::Error::other(format!("the {name} program cannot be started: {remark}")));
        }
    }
    println!("{tally}");
    let [first, second] = report.faults();
    println!("games lost by a fault: first {first}, second {second}");
    Ok(ExitCode::SUCCESS)
}

/// How a game ended.
struct End {
    game: Game,
    /// In discs for the first program.
    score: i32,
    /// Which program lost by a fault, and by which.
    fault: Option<(usize, PlayerError)>,
}

/// Plays one game from `opening`.
fn play(players: &mut [Player; 2], opening: &Game, first_is_black: bool, options: &MatchOptions) -> End {
    let seat = |color: Color| usize::from((color == Color::Black) != first_is_black);
    let mut game = Game::new(opening.position());
    let names = [&options.first.command, &options.second.command];
    game.tags.black.name = Some(names[seat(Color::Black)].clone());
    game.tags.white.name = Some(names[seat(Color::White)].clone());
    if let Control::Clock { main, increment } = options.control {
        game.tags.clock = Some(GameClock { main, increment, grace: Duration::ZERO });
    }
    let mut clocks = [Clock::new(options.control); 2];
    let lost = |game: Game, loser: usize, fault: PlayerError| End {
        game,
        score: if loser == 0 { -64 } else { 64 },
        fault: Some((loser, fault)),
    };
    for (seat, player) in players.iter_mut().enumerate() {
        if let Err(fault) = player.new_game(options) {
            return lost(game, seat, fault);
        }
    }
    loop {
        let position = game.position();
        let seat = seat(position.side());
        match position.status() {
            Status::Over => {
                let score = position.board().final_score();
                return End { game, score: if seat == 0 { score } else { -score }, fault: None };
            }
            // A pass is no choice.
            Status::MustPass => {
                let _ = game.play(outflank::board::Move::Pass);
                continue;
            }
            Status::ToMove => {}
        }
        let answer = match players[seat].answer(&game, &clocks[seat], &clocks[1 - seat], options) {
            Ok(answer) => answer,
            Err(fault) => return lost(game, seat, fault),
        };
        if let Err(over) = clocks[seat].spend(answer.time, options.margin) {
            return lost(game, seat, PlayerError::Time(over));
        }
        if let Err(reason) = game.play(Played { mv: answer.mv, eval: None, time: Some(answer.time) }) {
            return lost(game, seat, PlayerError::Illegal(answer.mv, reason));
        }
    }
}
