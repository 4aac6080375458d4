//! The session with a controller.

use std::collections::VecDeque;
use std::time::Duration;

use super::clock::Clock;
use super::{is_id, reply};
use crate::board::{Color, Move, Position, Status};
use crate::book::Contempt;
use crate::game::Game;
use crate::notation::{moves, squares};
use crate::search::{Goal, Limits, Report};
use crate::session::dialect::{Dialect, beginning};
use crate::session::state::{ActiveSearch, SearchTask, SessionState};
use crate::session::{Deadlines, Effect, SessionConfig, limits_at_depth};

/// Depth of a search without a clock, in plies, until the controller sets one.
const DEFAULT_DEPTH: u32 = 12;
/// Depth of a search on the clock: the whole game.
const WHOLE_GAME: u32 = 60;
/// Most lines that wait for the end of a search. Further commands are refused.
const MAX_WAITING: usize = 1000;

const COMMANDS: [&str; 22] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gogui-interrupt",
    "gogui-setup",
    "gogui-setup_player",
    "known_command",
    "list_commands",
    "name",
    "outflank-depth",
    "outflank-hint",
    "outflank-level",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// The game, its clocks, and what waits for the end of a search.
#[derive(Debug, Default)]
pub(in crate::session) struct Gtp {
    game: Game,
    /// Number of plies after each move that was sent or received.
    ends: Vec<usize>,
    /// Clocks of Black and White. `None` without a limit of time.
    clocks: Option<[Clock; 2]>,
    depth: Option<u32>,
    waiting: VecDeque<Waiting>,
    /// Number of waiting lines that came before a request to interrupt.
    interrupted: usize,
    /// The input has ended: no controller waits for a long search.
    has_ended: bool,
}

#[derive(Debug)]
enum Waiting {
    Line(String),
    /// The start of a line that is too long.
    TooLong(String),
    /// The end of the input.
    End,
}

#[derive(Debug)]
pub(in crate::session) struct Purpose {
    id: String,
    task: Task,
}

#[derive(Clone, Copy, Debug)]
enum Task {
    /// A move, to be played or only to be sent.
    Move {
        is_played: bool,
    },
    Hint,
}

type State = SessionState<Purpose>;
/// The text of a response, or of an error. `Ok(None)` if a search gives the response.
type Answer = Result<Option<String>, String>;

impl Dialect for Gtp {
    type Purpose = Purpose;

    fn new(_config: &SessionConfig) -> Gtp {
        Gtp::default()
    }

    fn line(&mut self, state: &mut State, line: &str) {
        if line.trim() == "# interrupt" {
            self.interrupted = self.waiting.len();
            return state.stop();
        }
        if !words(line).is_empty() {
            self.take(state, Waiting::Line(line.to_owned()));
        }
    }

    fn line_too_long(&mut self, state: &mut State, line: &str) {
        self.take(state, Waiting::TooLong(beginning(line)));
    }

    fn input_ended(&mut self, state: &mut State) {
        self.has_ended = true;
        self.take(state, Waiting::End);
        self.stop_long_search(state);
    }

    fn error(problem: &str, detail: &str) -> String {
        format!("# {problem}: {detail}")
    }

    fn notice(message: &str) -> String {
        format!("# {message}")
    }

    fn report(&mut self, _state: &mut State, _report: &Report) {}

    fn progress(&mut self, _state: &mut State) {}

    fn send_report(&self, _state: &mut State, _report: &Report) {}

    /// Sends the response that is owed, also after a failed search.
    fn done(&mut self, state: &mut State, search: &ActiveSearch<Purpose>) {
        let Purpose { id, task } = &search.purpose;
        let text = match *task {
            Task::Move { is_played } => {
                let mv = search.answer().unwrap_or(Move::Pass);
                if let (true, Some(clocks)) = (is_played, &mut self.clocks) {
                    clocks[search.root.side() as usize].spend(search.elapsed(state.now));
                }
                self.answer(mv, is_played)
            }
            Task::Hint => {
                let lines = search.report.as_ref().map(|report| report.lines.as_slice()).unwrap_or_default();
                lines.iter().map(reply::hint).collect::<Vec<_>>().join("\n")
            }
        };
        state.send_all(reply::response(id, Ok(&text)));
        while !state.is_searching()
            && let Some(waiting) = self.waiting.pop_front()
        {
            self.handle(state, &waiting);
            if self.interrupted > 0 {
                self.interrupted -= 1;
                state.stop();
            }
            self.stop_long_search(state);
        }
    }

    fn position(&self) -> Option<Position> {
        Some(self.game.position())
    }

    fn owes_answer(&self) -> bool {
        !self.waiting.is_empty()
    }
}

impl Gtp {
    /// Handles a line, after all lines before it.
    fn take(&mut self, state: &mut State, line: Waiting) {
        if !state.is_searching() {
            self.handle(state, &line);
        } else if self.waiting.len() < MAX_WAITING || matches!(line, Waiting::End) {
            self.waiting.push_back(line);
        } else if let Waiting::Line(line) | Waiting::TooLong(line) = &line {
            let refused = "the command is refused: a search is running, and too many commands wait";
            state.send_all(reply::response(id_of(&words(line)), Err(refused)));
        }
    }

    fn handle(&mut self, state: &mut State, line: &Waiting) {
        let (line, is_too_long) = match line {
            Waiting::Line(line) => (line, false),
            Waiting::TooLong(line) => (line, true),
            Waiting::End => return self.quit(state),
        };
        let words = words(line);
        let id = id_of(&words);
        let command: Vec<&str> = words.iter().skip(usize::from(!id.is_empty())).map(String::as_str).collect();
        let answer = match command.as_slice() {
            _ if is_too_long => Err(format!("the line is too long: {line}")),
            [] => Err("unknown command".to_owned()),
            [verb, arguments @ ..] => self.command(state, id, verb, arguments),
        };
        match answer {
            Ok(Some(text)) => state.send_all(reply::response(id, Ok(&text))),
            Ok(None) => {}
            Err(text) => state.send_all(reply::response(id, Err(&text))),
        }
        if command.first() == Some(&"quit") {
            self.quit(state);
        }
    }

    /// After the end of the input, stops a search on a clock or to a great depth.
    fn stop_long_search(&self, state: &mut State) {
        let is_long = self.clocks.is_some() || self.depth.is_some_and(|depth| depth > DEFAULT_DEPTH);
        if self.has_ended && is_long {
            state.stop();
        }
    }

    fn quit(&mut self, state: &mut State) {
        self.waiting.clear();
        state.push(Effect::Quit);
    }

    /// Handles a command. A command with an error changes nothing.
    fn command(&mut self, state: &mut State, id: &str, verb: &str, arguments: &[&str]) -> Answer {
        let syntax = |expected: &str| format!("syntax error: {expected} expected");
        let one = |expected| match arguments {
            [one] => Ok(*one),
            _ => Err(syntax(expected)),
        };
        let color = || color(one("a color")?).ok_or_else(|| syntax("a color"));
        let text = match verb {
            "protocol_version" => "2".to_owned(),
            "name" => state.config.name.to_owned(),
            "version" => state.config.version.to_owned(),
            "known_command" => COMMANDS.contains(&one("a command")?).to_string(),
            "list_commands" => COMMANDS.join("\n"),
            "boardsize" => match one("a size")?.parse::<u64>() {
                Ok(8) => self.new_game(state),
                Ok(_) => return Err("unacceptable size".to_owned()),
                Err(_) => return Err(syntax("a size")),
            },
            "clear_board" => self.new_game(state),
            "play" => {
                let &[side, vertex] = arguments else { return Err(syntax("a color and a vertex")) };
                let mv = moves::read(vertex).map_err(|_| syntax("a vertex"))?;
                let side = self::color(side).ok_or_else(|| syntax("a color"))?;
                self.play(side, mv)?
            }
            "genmove" => return self.think(state, id, color()?, true),
            "reg_genmove" => return self.think(state, id, color()?, false),
            "undo" => {
                if self.ends.pop().is_none() {
                    return Err("cannot undo".to_owned());
                }
                self.game.truncate(self.ends.last().copied().unwrap_or_default());
                String::new()
            }
            "time_settings" => {
                let expected = || syntax("main time, period and moves of a period");
                let &[main, period, moves] = arguments else { return Err(expected()) };
                let (main, period) = seconds(main).zip(seconds(period)).ok_or_else(expected)?;
                let moves: u32 = moves.parse().map_err(|_| expected())?;
                let is_unlimited = !period.is_zero() && moves == 0;
                self.clocks = (!is_unlimited).then_some([Clock::new(main, period, moves); 2]);
                String::new()
            }
            "time_left" => {
                let expected = || syntax("a color, a time and a number of moves");
                let &[side, left, moves] = arguments else { return Err(expected()) };
                let side = self::color(side).ok_or_else(expected)?;
                let (left, moves) =
                    (seconds(left).ok_or_else(expected)?, moves.parse().map_err(|_| expected())?);
                let none = Clock::new(Duration::ZERO, Duration::ZERO, 0);
                self.clocks.get_or_insert([none; 2])[side as usize].set(left, moves);
                String::new()
            }
            "final_score" if self.game.is_over() => reply::score(&self.game.position()),
            "final_score" => return Err("cannot score".to_owned()),
            "showboard" => reply::board(&self.game.position()),
            "gogui-setup" => {
                let expected = || syntax("colors and vertices");
                let mut cells = ['-'; 64];
                for pair in arguments.chunks(2) {
                    let &[side, vertex] = pair else { return Err(expected()) };
                    let square = moves::read(vertex).ok().and_then(Move::square).ok_or_else(expected)?;
                    cells[square.index()] = self::color(side).ok_or_else(expected)?.letter();
                }
                let cells: String = cells.iter().collect();
                self.set_up(&format!("{cells} {}", self.game.position().side().letter()))?
            }
            "gogui-setup_player" => {
                let board = squares::write_with(&self.game.position(), ['X', 'O', '-']);
                self.set_up(&format!("{board} {}", color()?.letter()))?
            }
            "outflank-depth" => {
                let depth = one("a depth")?.parse().ok().filter(|depth| (1..=WHOLE_GAME).contains(depth));
                self.depth = Some(depth.ok_or_else(|| syntax("a depth from 1 to 60"))?);
                String::new()
            }
            "outflank-level" => {
                state.config.level = one("a level")?.parse()?;
                String::new()
            }
            "outflank-hint" => {
                let count = if arguments.is_empty() { Ok(1) } else { one("a number of moves")?.parse() };
                let count =
                    count.ok().filter(|&count| count > 0).ok_or_else(|| syntax("a number of moves"))?;
                return self.hint(state, id, count);
            }
            // An interrupt is a comment, which an engine that knows this command obeys.
            "quit" | "gogui-interrupt" => String::new(),
            _ => return Err("unknown command".to_owned()),
        };
        Ok(Some(text))
    }

    fn new_game(&mut self, state: &mut State) -> String {
        state.reset_overrun();
        state.push(Effect::Clear);
        self.set_game(Game::default())
    }

    fn set_up(&mut self, text: &str) -> Result<String, String> {
        Ok(self.set_game(Game::new(squares::read(text).map_err(|error| error.to_string())?)))
    }

    fn set_game(&mut self, game: Game) -> String {
        self.game = game;
        self.ends.clear();
        String::new()
    }

    /// Plays a move. After the end of the game, a pass of either side is accepted.
    fn play(&mut self, side: Color, mv: Move) -> Result<String, String> {
        let here = self.game.position();
        let is_last_pass = here.status() == Status::Over && mv == Move::Pass;
        if !is_last_pass {
            let is_turn = here.side() == side || here.status() == Status::MustPass && mv != Move::Pass;
            if !is_turn || self.game.play_passing(mv).is_err() {
                return Err("illegal move".to_owned());
            }
        }
        self.ends.push(self.game.plies());
        Ok(String::new())
    }

    /// Plays a move of the engine if it is to be played. Returns its vertex.
    fn answer(&mut self, mv: Move, is_played: bool) -> String {
        if is_played {
            if !self.game.is_over() {
                // The move is legal.
                let _ = self.game.play_passing(mv);
            }
            self.ends.push(self.game.plies());
        }
        reply::vertex(mv)
    }

    /// Finds a move for `side`.
    fn think(&mut self, state: &mut State, id: &str, side: Color, is_played: bool) -> Answer {
        let mut root = self.game.position();
        if root.side() != side && root.status() == Status::MustPass {
            root = root.after_forced_pass();
        }
        let status = root.status();
        if status != Status::Over && root.side() != side {
            return Err("the other side is to move".to_owned());
        }
        let moves = root.moves();
        let known = state.config.book_choice(&root, Contempt::default());
        let mv = match known.and_then(|best| best.line.first().copied()) {
            _ if status != Status::ToMove => Move::Pass,
            Some(mv) => mv,
            None if moves.count() == 1 => moves.into_iter().next().map_or(Move::Pass, Move::Place),
            None => {
                let depth = if self.clocks.is_some() { WHOLE_GAME } else { DEFAULT_DEPTH };
                let clock = self.clocks.map(|clocks| clocks[side as usize].time_control());
                let deadlines = clock.map(|control| state.deadlines(control, &root)).unwrap_or_default();
                let purpose = Purpose { id: id.to_owned(), task: Task::Move { is_played } };
                let (goal, limits) = (Goal::BestMove, self.limits(&root, depth));
                state.start(SearchTask { root, goal, limits, deadlines, purpose, plays: true });
                return Ok(None);
            }
        };
        Ok(Some(self.answer(mv, is_played)))
    }

    /// Values the best `count` moves, without a limit of time.
    fn hint(&mut self, state: &mut State, id: &str, count: usize) -> Answer {
        let root = self.game.position();
        if root.status() == Status::Over {
            return Err("the game is over".to_owned());
        }
        let goal = if count == 1 { Goal::BestMove } else { Goal::Hints(count) };
        let purpose = Purpose { id: id.to_owned(), task: Task::Hint };
        let (limits, deadlines) = (self.limits(&root, DEFAULT_DEPTH), Deadlines::default());
        state.start(SearchTask { root, goal, limits, deadlines, purpose, plays: false });
        Ok(None)
    }

    /// Returns the limits of a search, with a depth for a controller that has set none.
    fn limits(&self, root: &Position, depth: u32) -> Limits {
        limits_at_depth(root, self.depth.unwrap_or(depth))
    }
}

/// Returns the words of a line, without control characters and without the comment after `#`.
fn words(line: &str) -> Vec<String> {
    let text = line.split('#').next().unwrap_or_default();
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\t').collect();
    text.split_whitespace().map(str::to_owned).collect()
}

/// Returns the id of a command. Empty if it has none.
fn id_of(words: &[String]) -> &str {
    words.first().map(String::as_str).filter(|first| is_id(first)).unwrap_or_default()
}

fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Reads a number of seconds, at most a billion. A clock may show a negative time.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok().filter(|number: &f64| !number.is_nan())?;
    Duration::try_from_secs_f64(number.clamp(0.0, 1e9)).ok()
}
