//! Matches between two programs.

mod clock;
mod games;
mod openings;
mod options;
mod player;
mod process;
mod report;
mod sprt;
mod table;

use std::io::{self, Write};
use std::iter;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;
use outflank::board::{Color, Move, Status};
use outflank::game::{Figures, Game, GameClock, MatchStats, RecordedMove};

pub(crate) use clock::Clock;
pub(crate) use options::{Options, clock};

use crate::calendar;
use crate::client::MatchTimeControl;
use crate::json::{self, object};
use crate::parallel::parallel_in_order;
use crate::print;
use crate::progress::progress;
use games::PgnFile;
use player::{Player, PlayerError};
use report::{PlayedGame, Record, Report};

/// Names of the players in messages.
const NAMES: [&str; 2] = ["first", "second"];

/// Most consecutive games in which the same program may fail to start. After them the match ends.
const MAX_FALSE_STARTS: u32 = 3;

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    options.check()?;
    let players = options.players();
    if players.len() == 2 {
        run_match(options)?;
        return Ok(ExitCode::SUCCESS);
    }
    // The results of each program, over all its matches.
    let mut points = vec![(0.0, 0); players.len()];
    for one in 0..players.len() {
        for other in one + 1..players.len() {
            let pair = options.of_pair(one, other);
            if !options.json {
                print::line(format_args!("\nmatch {}-{}", one + 1, other + 1))?;
            }
            let Figures { games, won, drawn, .. } = run_match(&pair)?.figures();
            let share = f64::from(won) + f64::from(drawn) / 2.0;
            for (player, share) in [(one, share), (other, f64::from(games) - share)] {
                points[player].0 += share;
                points[player].1 += games;
            }
        }
    }
    if !options.json {
        print::line(format_args!("\npoints  games       %  program"))?;
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|one, other| points[*other].0.total_cmp(&points[*one].0));
        for player in order {
            let ((points, games), command) = (points[player], &players[player].command);
            let share = 100.0 * points / f64::from(games.max(1));
            print::line(format_args!("{points:>6.1}  {games:>5}  {share:>6.1}  {}: {command}", player + 1))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays a match of two programs, and prints its result.
fn run_match(options: &Options) -> io::Result<MatchStats> {
    let (mut report, earlier) = Report::open(options)?;
    let mut tally = MatchStats::default();
    report.scores().into_iter().for_each(|score| tally.add(score));
    let bar = progress(u64::from(options.games), "games");
    let print = |line: &str| print_beside(&bar, options, line);
    match tally.games() {
        0 => {}
        1 => print("1 game is in the report already")?,
        games => print(&format!("{games} games are in the report already"))?,
    }
    let openings = openings::openings(options)?;
    let pgn = options.pgn.as_ref();
    let mut pgn = pgn.map(|path| PgnFile::open(path, options, &openings, &earlier)).transpose()?;
    let mut false_starts = [0; 2];
    let numbers = tally.games() + 1..=options.games;
    let is_decided =
        |report: &Report| options.sprt.is_some_and(|test| test.decision(&report.scores()).is_some());
    // Games that other workers have begun when the test decides are not counted.
    let decided = AtomicBool::new(is_decided(&report));
    // The speed is that of the games of this run.
    bar.reset_eta();
    let take = |played: io::Result<Played>| {
        if decided.load(Ordering::Relaxed) {
            return Ok(());
        }
        let played = played?;
        played.error_lines().iter().try_for_each(|line| print(line))?;
        let Played { played, error, errors } = played;
        report.add(&played)?;
        if let Some(pgn) = &mut pgn {
            pgn.add(&played, &openings, options)?;
        }
        tally.add(played.record.score);
        decided.store(is_decided(&report), Ordering::Relaxed);
        let Figures { games, won, drawn, lost, .. } = tally.figures();
        bar.set_position(u64::from(games));
        bar.set_message(format!(": {won} won, {drawn} drawn, {lost} lost"));
        if played.record.number % 10 == 0 {
            print(&tally.to_string())?;
        }
        match (count_false_starts(&mut false_starts, &error), &error) {
            (Some(seat), Some((_, error))) => Err(unplayable(options, seat, error, &errors)),
            _ => Ok(()),
        }
    };
    let worker = || worker(options, &openings);
    let numbers = numbers.take_while(|_| !decided.load(Ordering::Relaxed));
    if options.jobs == 1 {
        numbers.map(worker()).try_for_each(take)?;
    } else {
        parallel_in_order(numbers, options.jobs as usize, worker, take)?;
    }
    bar.finish_and_clear();
    print_result(options, &report, &tally, &print)?;
    Ok(tally)
}

/// Prints a line above the progress bar, on standard error if the output is JSON.
fn print_beside(bar: &ProgressBar, options: &Options, line: &str) -> io::Result<()> {
    let line = print::printable(line);
    bar.suspend(|| {
        if options.json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") }
    })
}

/// A game of a worker.
struct Played {
    played: PlayedGame,
    /// The program that lost by an error, and the error.
    error: Option<(usize, PlayerError)>,
    /// What that program wrote to standard error.
    errors: Vec<String>,
}

impl Played {
    /// Returns the lines that report the error, and what the program wrote to standard error.
    fn error_lines(&self) -> Vec<String> {
        let Some((loser, _)) = &self.error else { return Vec::new() };
        let number = self.played.record.number;
        let error = format!("game {number}: {}; it loses the game and is restarted", self.played.remark);
        let written = |line| format!("game {number}: {} wrote to standard error: {line}", NAMES[*loser]);
        iter::once(error).chain(self.errors.iter().map(written)).collect()
    }
}

/// Returns a function that plays a game. It has its own pair of programs.
fn worker<'a>(options: &'a Options, openings: &'a [Game]) -> impl FnMut(u32) -> io::Result<Played> + use<'a> {
    let mut players = [Player::new(&options.first), Player::new(&options.second)];
    let mut is_awake = false;
    move |number| {
        if !is_awake {
            wake(&mut players, options)?;
            is_awake = true;
        }
        play_number(&mut players, number, openings, options)
    }
}

/// Plays a game. A program that loses by an error is ended.
///
/// # Errors
/// If a program cannot play the match. The game is not counted.
fn play_number(
    players: &mut [Player; 2],
    number: u32,
    openings: &[Game],
    options: &Options,
) -> io::Result<Played> {
    let began = calendar::now();
    let mut record = Record { number, first_is_black: number % 2 == 1, score: 0 };
    let mut end = play(players, record.opening(openings), record, options);
    end.game.tags.date = Some(began);
    record.score = end.score;
    let (mut remark, mut errors) = (String::new(), Vec::new());
    if let Some((loser, error)) = &end.error {
        if let PlayerError::Missing(_) | PlayerError::Refused(_) = error {
            return Err(unplayable(options, *loser, error, &[]));
        }
        remark = format!("{} {error}", NAMES[*loser]).replace(';', ",");
        errors = players[*loser].errors();
        players[*loser].end();
    }
    Ok(Played { played: PlayedGame { record, remark, game: end.game }, error: end.error, errors })
}

/// Starts both programs. No game is counted if the match cannot be played.
fn wake(players: &mut [Player; 2], options: &Options) -> io::Result<()> {
    for (seat, player) in players.iter_mut().enumerate() {
        if let Err(error) = player.wake(options) {
            return Err(unplayable(options, seat, &error, &player.errors()));
        }
    }
    Ok(())
}

/// Counts the games in sequence in which each program did not start. Returns the program that failed too often.
fn count_false_starts(counts: &mut [u32; 2], error: &Option<(usize, PlayerError)>) -> Option<usize> {
    match error {
        Some((loser, PlayerError::Start(_))) => counts[*loser] += 1,
        Some((loser, _)) => counts[*loser] = 0,
        None => *counts = [0; 2],
    }
    counts.iter().position(|&count| count >= MAX_FALSE_STARTS)
}

fn print_result(
    options: &Options,
    report: &Report,
    tally: &MatchStats,
    print: &dyn Fn(&str) -> io::Result<()>,
) -> io::Result<()> {
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
            "sprt_ratio?": options.sprt.map(|test| json::rounded(test.ratio(&report.scores()), 3)),
            "sprt_accepted?": options.sprt.and_then(|test| test.decision(&report.scores())),
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
        if let Some(test) = options.sprt {
            print(&test.text(&report.scores()))?;
        }
        print(&format!("games lost by an error: first {first_faults}, second {second_faults}"))?;
    }
    Ok(())
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
