//! Values the best moves of positions.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::analysis::{Certainty, ask_while};
use outflank::board::{Bitboard, Color, Position, Square, Status};
use outflank::game::Game;
use outflank::notation::squares;
use outflank::search::{Goal, Line, Report, Search};
use outflank::session::limits_at_depth;

use crate::files::{self, Input, read_line};
use crate::json::{self, Json, object};
use crate::options::{NEVER, SearchOptions, seconds, within};
use crate::print;

/// Depth of a search without limits, in plies.
const DEFAULT_DEPTH: u32 = 14;
/// Depth of a search with limits of time or nodes only: the whole game.
const WHOLE_GAME: u32 = 60;

/// Value the best moves of a position
///
/// Prints the value for the side to move, the depth and the expected moves. Endgames are solved from a number of empty squares
/// that grows with the depth. The exit status is 1 if a position could not be read, or if a file has none.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Moves from the start, a position, or a file of games and positions, whose ends are valued; - for the lines of standard
    /// input. The start position by default
    #[arg(value_name = "MOVES|FILE", default_value = "", allow_hyphen_values = true)]
    position: String,
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    search: SearchOptions,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// The moves to value and the limits of the search.
#[derive(Args, Debug)]
pub(crate) struct Request {
    /// Value the best N moves
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..))]
    count: u8,
    /// Search to D plies; 14 without another limit
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search for at most SECONDS, such as 0.5, 2s or 200ms
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Search N nodes, which are counted in steps of up to 8192
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Value only these moves, with commas between them
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    only: Vec<Square>,
}

pub(crate) fn run(options: &Options) -> io::Result<ExitCode> {
    let mut search = options.search.search()?;
    let text = &options.position;
    let path = Path::new(text);
    let mut success = true;
    let mut any = false;
    let mut answer = |origin: Option<(Option<&str>, usize)>, game: Result<Game, String>| {
        let gap = if any { "\n" } else { "" };
        any = true;
        let answer = game.and_then(|game| options.request.answer(&mut search, game.position(), &NEVER));
        success &= answer.is_ok();
        let title = |end| match origin {
            Some((Some(file), record)) => format!("{file}, record {record}{end}"),
            _ => String::new(),
        };
        match (answer, options.json) {
            (Ok(answer), true) => json::print(&answer.json(origin)),
            (Ok(answer), false) => print::line(format!("{gap}{}{}", title("\n"), answer.table())),
            (Err(error), true) => {
                let (file, record) = origin.unzip();
                json::print(&object! { "file?": file, "record?": record, "error": error })
            }
            (Err(error), false) => {
                print::note(title(": ") + &error);
                Ok(())
            }
        }
    };
    if text.trim().is_empty() {
        answer(None, Ok(Game::default()))?;
    } else if text == "-" {
        (1..).zip(files::standard_input()).try_for_each(|(line, game)| answer(Some((None, line)), game))?;
        any = true;
    } else if path.exists() {
        let input = Input::open(path, None)?;
        input
            .records()
            .try_for_each(|record| answer(Some((Some(&input.name), record.number)), record.game))?;
    } else {
        let game =
            read_line(text).map_err(|error| format!("{text}: not an option, a file or a position: {error}"));
        answer(None, game)?;
    }
    if !any {
        print::note(format_args!("{text}: no games or positions found"));
    }
    Ok(if success && any { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) struct Answer {
    position: Position,
    report: Report,
    time: Duration,
}

impl Request {
    /// Searches the position with an empty table. If a limit or `stop` ends an iteration, its values are those of the one before.
    ///
    /// # Errors
    /// If a move of `--only` is illegal.
    pub(crate) fn answer(
        &self,
        search: &mut Search,
        position: Position,
        stop: &AtomicBool,
    ) -> Result<Answer, String> {
        let Request { count, depth, time, nodes, .. } = *self;
        let (start, may_continue) = (Instant::now(), within(time, stop));
        let unlimited = if time.is_some() || nodes.is_some() { WHOLE_GAME } else { DEFAULT_DEPTH };
        let mut limits = limits_at_depth(&position, depth.unwrap_or(unlimited)).with_nodes(nodes);
        let only: Bitboard = self.only.iter().copied().collect();
        if let Some(illegal) = (only & !position.moves()).into_iter().next() {
            return Err(format!("--only: {illegal} is not a legal move"));
        }
        if !only.is_empty() {
            limits = limits.with_only(only);
        }
        let goal = if count == 1 { Goal::BestMove } else { Goal::Hints(count.into()) };
        search.clear();
        let mut complete: Option<Report> = None;
        let last = ask_while(search, position, goal, limits, |_, last| {
            if let Some(report) = last.filter(|report| report.complete)
                && complete.as_ref().is_none_or(|known| known.nodes < report.nodes)
            {
                complete = Some(report.clone());
            }
            may_continue(last)
        });
        let nodes = last.nodes;
        let mut report = complete.filter(|_| !last.complete).unwrap_or(last);
        report.nodes = nodes;
        Ok(Answer { position, report, time: start.elapsed() })
    }
}

impl Answer {
    /// Returns the side, the effort and the table of the moves.
    fn table(&self) -> String {
        let Answer { position, report, time } = self;
        if position.status() == Status::Over {
            let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).count());
            return format!("the game is over: {black} black and {white} white discs");
        }
        let side = if position.side() == Color::Black { "black" } else { "white" };
        let (empties, seconds, nodes) = (position.empties(), time.as_secs_f64(), report.nodes);
        format!("{side} to move, {empties} empty squares: {nodes} nodes, {seconds:.3} s\n{}", table(report))
    }

    pub(crate) fn json(&self, origin: Option<(Option<&str>, usize)>) -> Json {
        let (file, record) = origin.unzip();
        let row = |(line, first): (&Line, String)| {
            let squares = line.moves.iter().filter_map(|mv| mv.square());
            object! {
                "move": first,
                "value": line.score.discs(),
                "proof": Certainty::of(line).kind().name(),
                "plies": line.depth.plies(),
                "confidence": line.proof.confidence().percent(),
                "line": squares.map(|square| square.to_string()).collect::<String>(),
            }
        };
        object! {
            "file?": file,
            "record?": record,
            "position": squares::write(&self.position),
            "moves": lines(&self.report).map(row).collect::<Vec<_>>(),
            "nodes": self.report.nodes,
            "seconds": json::rounded(self.time.as_secs_f64(), 6),
        }
    }
}

/// Returns the lines of a report with their first moves.
fn lines(report: &Report) -> impl Iterator<Item = (&Line, String)> {
    let first = |line: &Line| line.first().map(|mv| mv.to_string()).unwrap_or_default();
    report.lines.iter().map(move |line| (line, first(line)))
}

/// Returns the values of moves in a table.
pub(crate) fn table(report: &Report) -> String {
    let mut text =
        "move |  value |  depth | expected moves\n-----+--------+--------+---------------".to_owned();
    for (line, first) in lines(report) {
        let rest: Vec<String> = line.moves.iter().skip(1).map(ToString::to_string).collect();
        let (discs, depth) = (line.score.discs(), Certainty::of(line).to_string());
        text += format!("\n{first:4} | {discs:+6.2} | {depth:>6} | {}", rest.join(" ")).trim_end();
    }
    text
}
