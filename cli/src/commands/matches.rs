//! Matches between two programs.

mod clock;
mod games;
mod openings;
mod options;
mod player;
mod process;
mod protocol;
mod report;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::ProgressBar;
use outflank::board::{Color, Status};
use outflank::game::{Figures, Game, GameClock, MatchStats, RecordedMove};
use serde::Serialize;

pub(crate) use options::Options;

use crate::calendar::Moment;
use crate::json;
use crate::print;
use crate::progress::progress;
use clock::{Clock, Control};
use games::GameFiles;
use options::MatchOptions;
use player::{Player, PlayerError};
use report::{PlayedGame, Record, Report};

/// What the players are called.
const NAMES: [&str; 2] = ["first", "second"];

/// A match is given up after so many games in a row in which the same program could not even be started.
const MOST_FALSE_STARTS: u32 = 3;

/// The result as JSON.
#[derive(Serialize)]
struct Outcome<'a> {
    first: &'a str,
    second: &'a str,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// A game, for the first program.
    discs: f64,
    /// Of the points, 0 to 1, with its 95 % interval and the distance of the farther end.
    share: f64,
    share_error: f64,
    share_low: f64,
    share_high: f64,
    /// `null` if a side has no points.
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    /// Games lost by a fault.
    first_faults: u32,
    second_faults: u32,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let json = options.json;
    let options = &options.checked()?;
    let mut report = Report::open(options)?;
    let mut tally = MatchStats::default();
    for &record in report.records() {
        tally.add(record.score);
    }
    let bar = progress(u64::from(options.games), "games");
    let tell = |line: &str| {
        let line = print::printable(line);
        bar.suspend(|| if json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") })
    };
    if tally.games() > 0 {
        let verb = if tally.games() == 1 { "game is" } else { "games are" };
        tell(&format!("{} {verb} in the report already", tally.games()))?;
    }
    let openings = openings::openings(options)?;
    let mut files = GameFiles::open(options, &openings, &report.take_earlier())?;
    let mut players = [Player::new(&options.first), Player::new(&options.second)];
    if tally.games() < options.games {
        // Nothing is counted of a match that cannot be played.
        for (seat, player) in players.iter_mut().enumerate() {
            if let Err(fault) = player.wake(options) {
                return Err(unplayable(options, seat, &fault, &player.errors()));
            }
        }
    }
    let mut false_starts = [0; 2];
    // The speed is that of the games played now.
    bar.reset_eta();
    for number in tally.games() + 1..=options.games {
        show(&bar, &tally);
        let began = Moment::now();
        let mut record = Record { number, first_is_black: number % 2 == 1, score: 0 };
        let mut end = play(&mut players, record.opening(&openings), record, options);
        end.game.tags.date = Some(began.to_string());
        record.score = end.score;
        let mut remark = String::new();
        let mut errors = Vec::new();
        if let Some((loser, fault)) = &end.fault {
            match fault {
                // No fault of the game: it is not counted.
                PlayerError::Missing(_) => {
                    return Err(unplayable(options, *loser, fault, &[]));
                }
                PlayerError::Start(_) => false_starts[*loser] += 1,
                _ => false_starts[*loser] = 0,
            }
            let name = NAMES[*loser];
            remark = format!("{name} {fault}").replace(';', ",");
            tell(&format!("game {number}: {remark}; it loses the game and is started again"))?;
            errors = players[*loser].errors();
            for line in &errors {
                tell(&format!("game {number}: {name} wrote to standard error: {line}"))?;
            }
            players[*loser].end();
        } else {
            false_starts = [0; 2];
        }
        let played = PlayedGame { record, remark, game: end.game };
        report.add(&played)?;
        files.add(&played, &openings, options)?;
        tally.add(record.score);
        if number % 10 == 0 {
            tell(&tally.to_string())?;
        }
        if let (Some(seat), Some((_, fault))) =
            (false_starts.iter().position(|&count| count >= MOST_FALSE_STARTS), &end.fault)
        {
            return Err(unplayable(options, seat, fault, &errors));
        }
    }
    bar.finish_and_clear();
    let [first_faults, second_faults] = report.faults();
    if json {
        let Figures { games, won, drawn, lost, discs, share, interval: [low, high], elo } = tally.figures();
        let [elo, elo_low, elo_high] = elo.map(|elo| json::rounded(elo, 1));
        json::print(&Outcome {
            first: &options.first.command,
            second: &options.second.command,
            games,
            won,
            drawn,
            lost,
            discs: json::rounded(discs, 3),
            share: json::rounded(share, 4),
            share_error: json::rounded((share - low).max(high - share), 4),
            share_low: json::rounded(low, 4),
            share_high: json::rounded(high, 4),
            elo,
            elo_low,
            elo_high,
            first_faults,
            second_faults,
        })?;
    } else {
        tell(&table::write(report.records(), options))?;
        if tally.games() > 0 && first_faults + second_faults == tally.games() {
            let Figures { games, won, drawn, lost, .. } = tally.figures();
            let noun = if games == 1 { "game" } else { "games" };
            tell(&format!(
                "{games} {noun}: {won} won, {drawn} drawn, {lost} lost; each was lost by a fault, so that the result \
                 says nothing about strength"
            ))?;
        } else {
            tell(&tally.to_string())?;
        }
        tell(&format!("games lost by a fault: first {first_faults}, second {second_faults}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How far the match is, and how it stands.
fn show(bar: &ProgressBar, tally: &MatchStats) {
    let Figures { games, won, drawn, lost, .. } = tally.figures();
    bar.set_position(u64::from(games));
    bar.set_message(format!(": {won} won, {drawn} drawn, {lost} lost"));
}

/// The match cannot go on: one of the programs does not start.
fn unplayable(options: &MatchOptions, seat: usize, fault: &PlayerError, errors: &[String]) -> io::Error {
    let command = [&options.first.command, &options.second.command][seat];
    let errors: String = errors.iter().map(|line| format!("\n  standard error: {line}")).collect();
    io::Error::other(format!("the {} program (`{command}`) {fault}{errors}", NAMES[seat]))
}

/// A time as it is written down: nobody reads more than milliseconds.
fn told(time: Duration) -> Duration {
    Duration::from_millis(time.as_millis() as u64)
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
fn play(players: &mut [Player; 2], opening: &Game, record: Record, options: &MatchOptions) -> End {
    let mut game = Game::new(opening.position());
    let names = [&options.first.command, &options.second.command];
    game.tags.black.name = Some(names[record.seat(Color::Black)].clone());
    game.tags.white.name = Some(names[record.seat(Color::White)].clone());
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
        let seat = record.seat(position.side());
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
        if let Err(reason) =
            game.play(RecordedMove { mv: answer.mv, eval: None, time: Some(told(answer.time)) })
        {
            return lost(game, seat, PlayerError::Illegal(answer.mv, reason));
        }
    }
}
