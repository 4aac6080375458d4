//! Describes a book: its size, its values, and the games that it covers.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use outflank::board::{Color, Position, Square};
use outflank::book::{Book, Entry, Key, ToKnow};
use outflank::notation::transcript;
use outflank::score::Score;

use super::File;
use crate::files::{Format, Input};
use crate::options::open_book;
use crate::print;

/// Print the size and the values of the book
///
/// Prints one line per ply: the number of positions reached from the start, the mean depth of their searches, and the share of the
/// games that are in the book until then. Prints the least certain moves after that: moves that are not in the book, at most
/// --error discs worse than best play, from the shallowest searches. The book may have any form; built-in is the one of the
/// program.
#[derive(Args, Debug)]
pub(crate) struct Stats {
    /// Files of games in any notation, also compressed, or folders with such files
    #[arg(value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Format of the files; detected from their names or their content by default
    #[arg(long, value_name = "FORMAT", ignore_case = true)]
    from: Option<Format>,
    #[command(flatten)]
    file: File,
    /// Largest loss of both sides on a line to an uncertain move
    #[arg(long, value_name = "DISCS", default_value = "1", value_parser = crate::options::discs)]
    error: f64,
    /// Print how many positions each side must know to play these moves and the best moves of the book after them
    #[arg(long, value_name = "MOVES")]
    line: Vec<String>,
    /// Replies that the player of --line must know lose at most this many discs
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = crate::options::discs)]
    window: f64,
    /// Count positions within the first N moves
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: u8,
    /// Print N uncertain moves
    #[arg(long, value_name = "N", default_value = "5")]
    uncertain: usize,
}

/// A position with the line of least loss to it.
struct Reached {
    loss: i32,
    line: String,
    at: Position,
}

/// The positions after some number of moves.
struct Ply {
    positions: usize,
    /// Mean depth of their searches.
    depth: u32,
}

/// A move that is not in the book. Sorted by depth, then by loss.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Uncertain {
    depth: u8,
    /// The losses of both sides on the line, in centidiscs.
    loss: i32,
    line: String,
    score: Score,
}

/// The games that the book covers.
#[derive(Default)]
struct Coverage {
    games: u64,
    faulty: u64,
    /// Number of games in the book, by plies.
    plies: Vec<u64>,
}

pub(super) fn stats(options: &Stats) -> io::Result<ExitCode> {
    let book = open_book(&options.file.book)?.book;
    let line = |text: &String| {
        transcript::read(text).map_err(|error| io::Error::other(format!("--line {text}: {error}")))
    };
    let lines = options.line.iter().map(line).collect::<io::Result<Vec<_>>>()?;
    let coverage = coverage(&book, options)?;
    let (plies, uncertain) = walk(&book);
    let mut output = io::stdout().lock();
    let value = book.look_up(&Key::of(Position::START.board()).0).and_then(|entry| entry.value);
    let value = value.map_or("unknown".to_owned(), |value| discs(value.centidiscs()));
    let positions: usize = plies.iter().map(|ply| ply.positions).sum();
    writeln!(output, "{} positions, {positions} reached from the start, value {value}", book.len())?;
    let has_games = coverage.games > 0;
    let head = if has_games { format!("  of {}", super::games(coverage.games)) } else { String::new() };
    writeln!(output, "ply  positions  depth{head}")?;
    for (ply, Ply { positions, depth }) in plies.iter().enumerate() {
        let known = coverage.plies.get(ply).copied().unwrap_or(0);
        let share = format!("  {:>5.1} %", 100.0 * known as f64 / coverage.games.max(1) as f64);
        writeln!(output, "{ply:>3} {positions:>10} {depth:>6}{}", if has_games { &share } else { "" })?;
    }
    let near = uncertain.iter().filter(|row| f64::from(row.loss) <= 100.0 * options.error);
    for Uncertain { depth, loss, line, score } in near.take(options.uncertain) {
        let (score, loss) = (discs(score.centidiscs()), discs(-loss));
        writeln!(output, "uncertain: {score} by {depth} plies, {loss} from best play: {line}")?;
    }
    let window = Score::from_discs(options.window).unwrap_or(Score::ZERO);
    for game in &lines {
        let know = |side| {
            let ToKnow { positions, outside } = book.to_know(game, side, window, options.plies);
            let least = if outside > 0 { format!(", {outside} lines leave the book") } else { String::new() };
            format!("{positions} as {side}{least}")
        };
        let (line, black, white) = (transcript::write(game), know(Color::Black), know(Color::White));
        writeln!(output, "positions to know by ply {}: {black}; {white}: {line}", options.plies)?;
    }
    if coverage.faulty > 0 {
        let (games, faulty) = (super::games(coverage.games), coverage.faulty);
        print::note(format_args!("{games} read, {faulty} invalid"));
    }
    Ok(if coverage.faulty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn discs(centidiscs: i32) -> String {
    format!("{:+.2}", f64::from(centidiscs) / 100.0)
}

fn coverage(book: &Book, options: &Stats) -> io::Result<Coverage> {
    let mut coverage = Coverage::default();
    for input in Input::open_all(&options.games, options.from)? {
        for record in input.records() {
            let Ok(game) = record.game else {
                coverage.faulty += 1;
                continue;
            };
            coverage.games += 1;
            let keys = game.positions().map(|position| Key::of(position.after_forced_pass().board()).0);
            for key in keys.take_while(|key| book.look_up(key).is_some()) {
                let ply = usize::from(key.discs()) - 4;
                coverage.plies.resize(coverage.plies.len().max(ply + 1), 0);
                coverage.plies[ply] += 1;
            }
        }
    }
    Ok(coverage)
}

/// Returns the plies of the positions that are reached from the start, and the moves that are not in the book.
fn walk(book: &Book) -> (Vec<Ply>, Vec<Uncertain>) {
    let (mut plies, mut uncertain) = (Vec::new(), Vec::new());
    let start = Reached { loss: 0, line: String::new(), at: Position::START };
    let mut layer = BTreeMap::from([(Key::of(start.at.board()).0, start)]);
    layer.retain(|key, _| book.look_up(key).is_some());
    while !layer.is_empty() {
        let positions = layer.len();
        let (mut next, mut depths): (BTreeMap<Key, Reached>, Vec<u32>) = Default::default();
        for (key, reached) in layer {
            let Some(Entry { own, value, .. }) = book.look_up(&key) else { continue };
            depths.extend(own.map(|own| u32::from(own.depth)));
            let Some(value) = value.map(|value| value.centidiscs()) else { continue };
            let line = |square: Square| format!("{}{square}", reached.line);
            if let Some((own, best)) = own.filter(|own| !own.exact).and_then(|own| Some((own, own.best?))) {
                let here = Key::of(reached.at.board()).1.inverse().square(best);
                let loss = reached.loss + value - own.score.centidiscs();
                uncertain.push(Uncertain { depth: own.depth, loss, line: line(here), score: own.score });
            }
            for (square, at) in reached.at.successors() {
                let key = Key::of(at.board()).0;
                let Some(after) = book.look_up(&key).and_then(|entry| entry.value) else { continue };
                let is_same_side = at.side() == reached.at.side();
                let after = if is_same_side { after.centidiscs() } else { -after.centidiscs() };
                let loss = reached.loss + (value - after).max(0);
                if next.get(&key).is_none_or(|known| loss < known.loss) {
                    next.insert(key, Reached { loss, line: line(square), at });
                }
            }
        }
        plies.push(Ply { positions, depth: depths.iter().sum::<u32>() / (depths.len() as u32).max(1) });
        layer = next;
    }
    uncertain.sort();
    (plies, uncertain)
}
