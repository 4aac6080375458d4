//! A game in the terminal, against the engine or between two people.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use outflank::analysis::ask_while;
use outflank::board::{Color, Move, Position, Square, Status};
use outflank::game::Game;
use outflank::notation::{squares, transcript};
use outflank::random::Random;
use outflank::search::time::{TimeControl, time_budget};
use outflank::search::{Goal, Line, Report, Search};
use outflank::session::{Level, limits_at_depth};

use super::hint;
use super::matches::{Clock, clock};
use crate::client::MatchTimeControl;
use crate::files::read_line;
use crate::native::{InputLine, MAX_LINE_BYTES, next_line};
use crate::options::SearchOptions;
use crate::print;

const HELP: &str = "f5: a move; hint; back: take the last move back; level NAME; moves; new; help; quit";
/// Depth of a hint in plies, and the number of its moves.
const HINT_DEPTH: u32 = 12;
const HINTS: usize = 3;

/// Play a game in the terminal
///
/// Shows the board and reads moves and commands from standard input, one per line; `help` lists them. At the end of the input, or
/// of the game, the moves are printed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Moves from the start, or a position, from which the game goes on. The start position by default
    #[arg(value_name = "MOVES", default_value = "", allow_hyphen_values = true)]
    start: String,
    /// Strength of the engine, a name or a number from 1 to 10: newcomer, beginner, casual, hobby, club, tournament, expert, master,
    /// champion, engine
    #[arg(long, value_name = "LEVEL", default_value = "casual")]
    level: Level,
    /// The side that you play
    #[arg(long, value_enum, default_value = "black")]
    color: Sides,
    /// Seconds for each side, and I seconds more after each of its moves. Without it there is no clock
    #[arg(long, value_name = "S[+I]", value_parser = clock)]
    time: Option<MatchTimeControl>,
    /// Seed of the moves of weak levels; random by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    search: SearchOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sides {
    Black,
    White,
    Both,
    Neither,
}

impl Sides {
    fn contains(self, side: Color) -> bool {
        self == Sides::Both || self == if side == Color::Black { Sides::Black } else { Sides::White }
    }
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let start = match options.start.trim() {
        "" => Game::default(),
        text => read_line(text).map_err(|error| io::Error::other(format!("{text}: {error}")))?,
    };
    let seed = options.seed.map_or_else(|| getrandom::u64().map_err(io::Error::other), Ok)?;
    let clock = Clock::new(options.time.unwrap_or(MatchTimeControl::None));
    let mut table = Table {
        search: options.search.search()?,
        sides: options.color,
        level: options.level,
        game: start.clone(),
        start,
        clocks: [clock; 2],
        full: clock,
        random: Random::new(seed),
        lost: None,
    };
    table.play(&mut io::stdin().lock())?;
    Ok(ExitCode::SUCCESS)
}

struct Table {
    search: Search,
    sides: Sides,
    level: Level,
    start: Game,
    game: Game,
    /// The clocks of Black and White, and a clock at the start.
    clocks: [Clock; 2],
    full: Clock,
    random: Random,
    /// The side whose time is over.
    lost: Option<Color>,
}

impl Table {
    fn play(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        print::line(format!("level {}. {HELP}", self.level.name))?;
        let mut is_shown = false;
        let mut began = Instant::now();
        loop {
            let position = self.game.position();
            let side = position.side();
            let is_over = self.lost.is_some() || position.status() == Status::Over;
            if !is_shown {
                print::line(board(&position, !is_over && self.sides.contains(side)))?;
                is_shown = true;
                began = Instant::now();
                if is_over {
                    print::line(self.result())?;
                }
            }
            if is_over && self.sides == Sides::Neither {
                return Ok(());
            }
            if !is_over && position.status() == Status::MustPass {
                print::line(format!("{} must pass", name(side)))?;
                is_shown = self.game.play(Move::Pass).is_err();
                continue;
            }
            if !is_over && !self.sides.contains(side) {
                self.answer(&position)?;
                is_shown = false;
                continue;
            }
            write!(
                io::stdout(),
                "{}> ",
                if is_over { String::new() } else { self.time_of(side) + name(side) }
            )?;
            io::stdout().flush()?;
            let line = match next_line(input)? {
                None => return print::line(format!("\n{}", transcript::write(&self.game))),
                Some(InputLine::TooLong(_)) => {
                    print::line(format!("the line is longer than {MAX_LINE_BYTES} bytes"))?;
                    continue;
                }
                Some(InputLine::Whole(line)) => line,
            };
            match self.command(line.trim(), began, is_over) {
                Ok(Done::Shows(text)) => print::line(text)?,
                Ok(Done::Changed) => is_shown = false,
                Ok(Done::Quits) => return print::line(transcript::write(&self.game)),
                Err(error) => print::line(error)?,
            }
        }
    }

    fn command(&mut self, line: &str, began: Instant, is_over: bool) -> Result<Done, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" | "help" => Ok(Done::Shows(HELP.to_owned())),
            "quit" | "exit" => Ok(Done::Quits),
            "moves" => Ok(Done::Shows(transcript::write(&self.game))),
            "level" => {
                self.level = rest.trim().parse().map_err(|error| format!("level: {error}"))?;
                Ok(Done::Shows(format!("level {}", self.level.name)))
            }
            "new" => {
                self.game = self.start.clone();
                self.clocks = [self.full; 2];
                self.lost = None;
                Ok(Done::Changed)
            }
            "back" | "undo" => self.take_back(),
            _ if is_over => Err(format!("`{word}`: the game is over; back, moves, new or quit")),
            "hint" => {
                let position = self.game.position();
                let limits = limits_at_depth(&position, HINT_DEPTH);
                let report = ask_while(&mut self.search, position, Goal::Hints(HINTS), limits, |_, _| true);
                Ok(Done::Shows(hint::table(&report)))
            }
            _ => {
                let square: Square =
                    word.parse().map_err(|_| format!("`{word}` is neither a move nor a command: {HELP}"))?;
                let side = self.game.position().side();
                self.game.play(Move::Place(square)).map_err(|error| format!("{square}: {error}"))?;
                self.spend(side, began.elapsed());
                Ok(Done::Changed)
            }
        }
    }

    /// Takes moves back up to the last one of a player. Clocks do not go back.
    fn take_back(&mut self) -> Result<Done, String> {
        let is_own =
            |position: &Position| position.status() == Status::ToMove && self.sides.contains(position.side());
        let earlier = (self.start.plies()..self.game.plies()).rev();
        let found = earlier.into_iter().find(|&ply| self.game.position_at(ply).is_some_and(|at| is_own(&at)));
        self.game.truncate(found.ok_or("back: there is no earlier move of yours")?);
        self.lost = None;
        Ok(Done::Changed)
    }

    /// Plays a move of the engine.
    fn answer(&mut self, position: &Position) -> io::Result<()> {
        let began = Instant::now();
        let side = position.side();
        let clock = self.clocks[usize::from(side == Color::White)];
        let budget = clock.increment().map(|increment| {
            let control = TimeControl::Clock { remaining: clock.remaining, increment, moves: None };
            time_budget(control, position.empties(), Duration::ZERO).hard
        });
        let searches =
            |_, last: Option<&Report>| last.is_none() || budget.is_none_or(|budget| began.elapsed() < budget);
        let limits = limits_at_depth(position, self.level.depth);
        self.search.clear();
        let report = ask_while(&mut self.search, *position, self.level.goal(), limits, searches);
        let chosen = report.lines.get(self.level.choose(position, &report, self.random.unit().into()));
        let any = || position.moves().into_iter().next().map(Move::Place);
        let mv = chosen.and_then(Line::first).or_else(any).unwrap_or(Move::Pass);
        // Moves of a search are legal.
        let _ = self.game.play(mv);
        print::line(format!("{} plays {mv}", self.time_of(side) + name(side)))?;
        self.spend(side, began.elapsed());
        Ok(())
    }

    fn spend(&mut self, side: Color, time: Duration) {
        if self.clocks[usize::from(side == Color::White)].spend(time, Duration::ZERO).is_err() {
            self.lost = Some(side);
        }
    }

    /// Returns the time of a side in brackets, empty without a clock.
    fn time_of(&self, side: Color) -> String {
        let clock = &self.clocks[usize::from(side == Color::White)];
        let seconds = clock.remaining.as_secs();
        clock.increment().map(|_| format!("[{}:{:02}] ", seconds / 60, seconds % 60)).unwrap_or_default()
    }

    fn result(&self) -> String {
        let position = self.game.position();
        let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).count());
        let moves = transcript::write(&self.game);
        match self.lost {
            Some(side) => format!("the time of {} is over: {} wins\n{moves}", name(side), name(!side)),
            None => format!("the game is over: {black} black and {white} white discs\n{moves}"),
        }
    }
}

enum Done {
    Shows(String),
    Changed,
    Quits,
}

/// Draws a board. A point is a legal move.
fn board(position: &Position, marks: bool) -> String {
    let cells = squares::write(position);
    let row = |row: usize| {
        let cell = |column: usize| {
            let at = 8 * row + column;
            let is_legal = marks && position.moves().0 >> at & 1 != 0;
            if is_legal { "." } else { &cells[at..=at] }
        };
        format!("{} {}", row + 1, (0..8).map(cell).collect::<Vec<_>>().join(" "))
    };
    let rows: Vec<String> = (0..8).map(row).collect();
    format!("\n  a b c d e f g h\n{}", rows.join("\n"))
}

fn name(side: Color) -> &'static str {
    if side == Color::Black { "black (X)" } else { "white (O)" }
}
