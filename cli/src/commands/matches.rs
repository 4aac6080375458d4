//! Matches between two programs.

mod clock;
mod games;
mod openings;
mod options;
mod player;
mod process;
mod report;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use outflank::board::{Color, Move, Status};
use outflank::game::{Figures, Game, GameClock, MatchStats, RecordedMove};
use outflank_cli::client::MatchTimeControl;

pub(crate) use options::Options;

use crate::calendar;
use crate::json::{self, object};
use crate::print;
use crate::progress::progress;
use clock::Clock;
use games::PgnFile;
use player::{Player, PlayerError};
use report::{PlayedGame, Record, Report};

/// Names of the players in messages.
const NAMES: [&str; 2] = ["first", "second"];

/// Most consecutive games in which the same program may fail to start. After them the match ends.
const MAX_FALSE_STARTS: u32 = 3;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    options.check()?;
    let (mut report, earlier) = Report::open(options)?;
    let mut tally = MatchStats::default();
    for &record in report.records() {
        tally.add(record.score);
    }
    let bar = progress(u64::from(options.games), "games");
    let print = |line: &str| {
        let line = print::printable(line);
        bar.suspend(|| {
            if options.json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") }
        })
    };
    if tally.games() > 0 {
        let verb = if tally.games() == 1 { "game is" } else { "games are" };
        print(&format!("{} {verb} in the report already", tally.games()))?;
    }
    let openings = openings::openings(options)?;
    let pgn = options.pgn.as_ref();
    let mut pgn = pgn.map(|path| PgnFile::open(path, options, &openings, &earlier)).transpose()?;
    let mut players = [Player::new(&options.first), Player::new(&options.second)];
    if tally.games() < options.games {
        // No game is counted if the match cannot be played.
        for (seat, player) in players.iter_mut().enumerate() {
            if let Err(error) = player.wake(options) {
                return Err(unplayable(options, seat, &error, &player.errors()));
            }
        }
    }
    let mut false_starts = [0; 2];
    // The speed is that of the games of this run.
    bar.reset_eta();
    for number in tally.games() + 1..=options.games {
        let Figures { games, won, drawn, lost, .. } = tally.figures();
        bar.set_position(u64::from(games));
        bar.set_message(format!(": {won} won, {drawn} drawn, {lost} lost"));
        let began = calendar::now();
        let mut record = Record { number, first_is_black: number % 2 == 1, score: 0 };
        let mut end = play(&mut players, record.opening(&openings), record, options);
        end.game.tags.date = Some(began);
        record.score = end.score;
        let mut remark = String::new();
        let mut errors = Vec::new();
        if let Some((loser, error)) = &end.error {
            match error {
                // The game is not counted.
                PlayerError::Missing(_) => return Err(unplayable(options, *loser, error, &[])),
                PlayerError::Start(_) => false_starts[*loser] += 1,
                _ => false_starts[*loser] = 0,
            }
            let name = NAMES[*loser];
            remark = format!("{name} {error}").replace(';', ",");
            print(&format!("game {number}: {remark}; it loses the game and is restarted"))?;
            errors = players[*loser].errors();
            for line in &errors {
                print(&format!("game {number}: {name} wrote to standard error: {line}"))?;
            }
            players[*loser].end();
        } else {
            false_starts = [0; 2];
        }
        let played = PlayedGame { record, remark, game: end.game };
        report.add(&played)?;
        if let Some(pgn) = &mut pgn {
            pgn.add(&played, &openings, options)?;
        }
        tally.add(record.score);
        if number % 10 == 0 {
            print(&tally.to_string())?;
        }
        if let (Some(seat), Some((_, error))) =
            (false_starts.iter().position(|&count| count >= MAX_FALSE_STARTS), &end.error)
        {
            return Err(unplayable(options, seat, error, &errors));
        }
    }
    bar.finish_and_clear();
    let [first_faults, second_faults] = report.errors();
    let Figures { games, won, drawn, lost, discs, share, interval: [low, high], elo } = tally.figures();
    if options.json {
        let [elo, elo_low, elo_high] = elo.map(|elo| json::rounded(elo, 1));
        json::print(&object! {
            "first": options.first.command,
            "second": options.second.command,
            "games": games,
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "discs": json::rounded(discs, 3),
            "share": json::rounded(share, 4),
            "share_error": json::rounded((share - low).max(high - share), 4),
            "share_low": json::rounded(low, 4),
            "share_high": json::rounded(high, 4),
            "elo": elo,
            "elo_low": elo_low,
            "elo_high": elo_high,
            "first_faults": first_faults,
            "second_faults": second_faults,
        })?;
    } else {
        print(&table::write(report.records(), options))?;
        if games > 0 && first_faults + second_faults == games {
            let noun = if games == 1 { "game" } else { "games" };
            print(&format!(
                "{games} {noun}: {won} won, {drawn} drawn, {lost} lost; each was lost by an error, so that the result \
                 is no measure of strength"
            ))?;
        } else {
            print(&tally.to_string())?;
        }
        print(&format!("games lost by an error: first {first_faults}, second {second_faults}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the error of a match that cannot continue because a program does not start.
fn unplayable(options: &Options, seat: usize, error: &PlayerError, lines: &[String]) -> io::Error {
    let command = options.commands()[seat];
    let lines: String = lines.iter().map(|line| format!("\n  standard error: {line}")).collect();
    io::Error::other(format!("the {} program (`{command}`) {error}{lines}", NAMES[seat]))
}

struct End {
    game: Game,
    /// In discs for the first program.
    score: i32,
    /// The program that lost by an error, and the error.
    error: Option<(usize, PlayerError)>,
}

fn play(players: &mut [Player; 2], opening: &Game, record: Record, options: &Options) -> End {
    let limits = options.limits();
    let mut game = Game::new(opening.position());
    let names = options.commands();
    game.tags.black.name = Some(names[record.seat(Color::Black)].to_owned());
    game.tags.white.name = Some(names[record.seat(Color::White)].to_owned());
    if let MatchTimeControl::Clock { main, increment } = limits.time {
        game.tags.clock = Some(GameClock { main, increment, grace: Duration::ZERO });
    }
    let mut clocks = [Clock::new(limits.time); 2];
    let lost = |game: Game, loser: usize, error: PlayerError| End {
        game,
        score: if loser == 0 { -64 } else { 64 },
        error: Some((loser, error)),
    };
    for (seat, player) in players.iter_mut().enumerate() {
        if let Err(error) = player.new_game(&limits, options) {
            return lost(game, seat, error);
        }
    }
    loop {
        let position = game.position();
        let seat = record.seat(position.side());
        match position.status() {
            Status::Over => {
                let score = position.board().final_score();
                return End { game, score: if seat == 0 { score } else { -score }, error: None };
            }
            // A pass is played without asking.
            Status::MustPass => {
                let _ = game.play(Move::Pass);
                continue;
            }
            Status::ToMove => {}
        }
        let left = [seat, 1 - seat].map(|seat| clocks[seat].remaining);
        let answer = players[seat].answer(&game, left, &limits, options);
        let (mv, time) = match answer {
            Ok(answer) => answer,
            Err(error) => return lost(game, seat, error),
        };
        if let Err(over) = clocks[seat].spend(time, options.margin) {
            return lost(game, seat, PlayerError::Time(over));
        }
        let time = Duration::from_millis(time.as_millis() as u64);
        if let Err(reason) = game.play(RecordedMove { mv, eval: None, time: Some(time) }) {
            return lost(game, seat, PlayerError::Illegal(mv, reason));
        }
    }
}
