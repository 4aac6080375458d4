//! Requests of programs in other languages. Options are those of the commands, and answers are their JSON.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

use clap::{Args, Parser};
use outflank::game::Game;
use outflank::search::Search;

use crate::commands::analyze::analyzer::analyze;
use crate::commands::analyze::output::{self, Origin};
use crate::commands::read::row;
use crate::commands::solve::output::entry_row;
use crate::commands::{analyze, hint, solve};
use crate::files::Input;
use crate::json::Json;
use crate::options::SearchOptions;
use crate::program;

/// A search with its threads. It answers one request at a time; requests of other threads wait.
pub struct Engine {
    search: Mutex<Search>,
    stop: AtomicBool,
}

/// Options without the name of a program.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words<T: Args> {
    #[command(flatten)]
    options: T,
}

impl Engine {
    /// Starts an engine with the options `--threads`, `--hash`, `--eval` and `--kernel`.
    ///
    /// # Errors
    /// An invalid option, or a file of weights that cannot be read.
    pub fn start(options: &str) -> Result<Engine, String> {
        let search = options_in::<SearchOptions>(options)?.search().map_err(|error| error.to_string())?;
        Ok(Engine { search: Mutex::new(search), stop: AtomicBool::new(false) })
    }

    /// Values the best moves at the end of a game, as `outflank hint` does. After a stop, returns the values so far.
    ///
    /// # Errors
    /// An invalid game or option.
    pub fn hint(&self, game: &str, options: &str) -> Result<String, String> {
        let (game, request) = (read_one(game)?, options_in::<hint::Request>(options)?);
        let answer = request.answer(&mut *self.begin()?, game.position(), &self.stop)?;
        Ok(answer.json(None).to_string())
    }

    /// Solves the position at the end of a game. Returns the line of `outflank solve -`.
    ///
    /// # Errors
    /// An invalid game or option, or a stop.
    pub fn solve(&self, game: &str, options: &str) -> Result<String, String> {
        let (game, request) = (read_one(game)?, options_in::<solve::Request>(options)?);
        // Locked until the end: the next request resets the stop.
        let mut search = self.begin()?;
        let solution = request.solve_last(&mut search, &game, false, &self.stop)?;
        self.unless_stopped(entry_row(&(1, Ok(solution))).to_string())
    }

    /// Analyzes a game, as `outflank analyze` does.
    ///
    /// # Errors
    /// An invalid game, option or book, or a stop.
    pub fn analyze(&self, game: &str, options: &str) -> Result<String, String> {
        let (game, request) = (read_one(game)?, options_in::<analyze::Request>(options)?);
        let book = request.open_book().map_err(|error| error.to_string())?;
        let limits = request.limits();
        let mut search = self.begin()?;
        let analysis = analyze(&mut search, &game, &limits, book.as_deref(), &self.stop);
        let origin = Origin { file: None, record: 1 };
        self.unless_stopped(output::json(&origin, &game, &analysis, &limits))
    }

    /// Ends the running request of another thread.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits until no other request is running.
    ///
    /// # Errors
    /// If a request panicked: the state of its search is undefined.
    fn begin(&self) -> Result<MutexGuard<'_, Search>, String> {
        let search = self.search.lock().map_err(|_| "a request has failed: start another engine")?;
        self.stop.store(false, Ordering::Relaxed);
        Ok(search)
    }

    fn unless_stopped(&self, answer: String) -> Result<String, String> {
        if self.stop.load(Ordering::Relaxed) { Err("stopped".to_owned()) } else { Ok(answer) }
    }
}

/// Returns the games and positions of a text in any notation, as a JSON list of the lines of `outflank read`.
pub fn read(text: &str) -> String {
    let rows: Vec<Json> = Input::of_text(text).records().map(|record| row(None, &record)).collect();
    format!("[{}]", rows.iter().map(|row| row.get()).collect::<Vec<_>>().join(","))
}

/// Reads the only game of a text. A blank text is the start position.
fn read_one(text: &str) -> Result<Game, String> {
    if text.trim().is_empty() {
        return Ok(Game::default());
    }
    let input = Input::of_text(text);
    let mut records = input.records();
    let game = records.next().ok_or("no game or position found")?.game?;
    if records.next().is_some() { Err("several games: expected one".to_owned()) } else { Ok(game) }
}

/// Reads options that are separated by white space, except in double quotes.
///
/// # Errors
/// The first invalid option.
fn options_in<T: Args>(text: &str) -> Result<T, String> {
    let mut is_quoted = false;
    let words = text.split(|c: char| {
        is_quoted ^= c == '"';
        c.is_whitespace() && !is_quoted
    });
    let words = words.filter(|word| !word.is_empty()).map(|word| word.replace('"', ""));
    let read: Result<Words<T>, _> = program::parsed(words);
    read.map(|words| words.options).map_err(|error| {
        let text = error.to_string();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    })
}
