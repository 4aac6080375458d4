//! Output for one game: a line of JSON, GGF, or a text report.

use std::fmt::Write as _;

use outflank::analysis::{Certainty, Change, Loss, Sums};
use outflank::board::{Color, Move, Square};
use outflank::game::{Game, RecordedMove};
use outflank::notation::{ggf, squares};
use outflank::score::Score;
use serde::Serialize;

use super::analyzer::{Analysis, AnalysisLimits, squares_of};
use crate::json;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// One line of JSON per game
    Jsonl,
    /// GGF with the values of the moves
    Ggf,
    /// Text reports
    Text,
}

/// The source of a record. Lines of standard input have none.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Origin {
    pub(super) file: String,
    pub(super) record: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    origin: Option<&'a Origin>,
    start: String,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<f64>,
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_from: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    positions: Vec<PositionRow>,
    losses: Vec<LossRow>,
    summary: Summary,
    nodes: u64,
}

#[derive(Serialize)]
struct PositionRow {
    ply: usize,
    side: &'static str,
    empties: u32,
    value: Option<f64>,
    proof: &'static str,
    level: f64,
    exact: bool,
    best: Option<String>,
    forced: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<Searched>,
}

/// The result of the search of this position alone.
#[derive(Serialize)]
struct Searched {
    value: f64,
    proof: &'static str,
    level: f64,
    line: String,
}

#[derive(Serialize)]
struct LossRow {
    ply: usize,
    r#move: String,
    side: &'static str,
    loss: Option<f64>,
    exact: bool,
    at_least: Option<f64>,
    changed: Option<&'static str>,
    mistake: bool,
    grave: bool,
}

#[derive(Serialize)]
struct Summary {
    black: Side,
    white: Side,
}

#[derive(Serialize)]
struct Side {
    moves: u32,
    known: u32,
    lost: f64,
    phases: [f64; 3],
    exact: bool,
    accuracy: Option<u32>,
    changed: Changes,
    discs: u32,
    slight: u32,
    grave: u32,
}

#[derive(Serialize)]
struct Changes {
    win_to_draw: u32,
    win_to_loss: u32,
    draw_to_loss: u32,
}

#[derive(Serialize)]
struct ErrorRow<'a> {
    #[serde(flatten)]
    origin: Option<&'a Origin>,
    error: &'a str,
}

/// Returns a line of JSON without its end.
pub(super) fn json(
    origin: Option<&Origin>,
    game: &Game,
    analysis: &Analysis,
    limits: &AnalysisLimits,
) -> String {
    let Analysis { positions, moves, found, points, losses, sums, .. } = analysis;
    let row = Row {
        origin,
        start: squares::write(&game.start()),
        moves: squares_of(moves),
        black: game.tags.black.name.as_deref(),
        white: game.tags.white.name.as_deref(),
        result: game.tags.result.map(|result| result.score.discs()),
        depth: limits.depth,
        exact_from: limits.exact,
        time: limits.time.map(|time| json::rounded(time.as_secs_f64(), 3)),
        positions: positions
            .iter()
            .zip(points)
            .zip(found)
            .enumerate()
            .map(|(ply, ((position, point), found))| PositionRow {
                ply,
                side: name(position.side()),
                empties: position.empties(),
                value: point.map(|point| discs(point.value)),
                proof: point.map_or("none", |point| point.certainty.kind().name()),
                level: point.map_or(0.0, |point| level(point.certainty)),
                exact: point.is_some_and(|point| point.certainty.is_exact()),
                best: point.and_then(|point| point.best).map(|best| best.to_string()),
                forced: point.is_some_and(|point| point.forced),
                searched: found.as_ref().map(|found| Searched {
                    value: discs(found.value),
                    proof: found.certainty.kind().name(),
                    level: level(found.certainty),
                    line: found.line.iter().map(Square::to_string).collect(),
                }),
            })
            .collect(),
        losses: losses
            .iter()
            .zip(moves)
            .zip(positions)
            .enumerate()
            .map(|(at, ((loss, mv), position))| LossRow {
                ply: at + 1,
                r#move: mv.to_string(),
                side: name(position.side()),
                loss: loss.map(|loss| discs(loss.loss)),
                exact: loss.is_some_and(|loss| loss.exact),
                at_least: loss.and_then(|loss| loss.at_least).map(discs),
                changed: loss.and_then(|loss| loss.changed).map(code),
                mistake: loss.is_some_and(|loss| loss.mistake),
                grave: loss.is_some_and(|loss| loss.mistake && loss.grave),
            })
            .collect(),
        summary: Summary { black: side(&sums[0]), white: side(&sums[1]) },
        nodes: analysis.nodes,
    };
    serde_json::to_string(&row).unwrap_or_default()
}

/// Returns a line of JSON for a record that could not be read.
pub(super) fn json_error(origin: Option<&Origin>, error: &str) -> String {
    serde_json::to_string(&ErrorRow { origin, error }).unwrap_or_default()
}

/// Returns the game in GGF, with the value of each move for its side.
pub(super) fn ggf(game: &Game, analysis: &Analysis, limits: &AnalysisLimits) -> String {
    let mut valued = Game::new(game.start());
    valued.tags = game.tags.clone();
    valued.tags.keep("ANALYSIS", &limits.words());
    let mut at = 0;
    for (played, before) in game.moves().iter().zip(game.positions()) {
        let mut played = *played;
        if played.mv != Move::Pass {
            at += 1;
            if let Some(Some(point)) = analysis.points.get(at) {
                let own = if before.side() == Color::Black { point.value } else { -point.value };
                played = RecordedMove { eval: Some(Score::from_centidiscs(own.round() as i32)), ..played };
            }
        }
        let _ = valued.play(played);
    }
    ggf::write_all(&valued)
}

pub(super) fn text(title: &str, game: &Game, analysis: &Analysis, limits: &AnalysisLimits) -> String {
    let Analysis { positions, moves, points, losses, sums, .. } = analysis;
    let player = |color| game.tags.player(color).name.clone().unwrap_or_else(|| "?".to_owned());
    let mut text = format!("{title}: {} (black) - {} (white)", player(Color::Black), player(Color::White));
    if let Some(result) = game.tags.result {
        let _ = write!(text, ", {:+} for black", result.score.discs());
    }
    let _ = writeln!(text, "\n{}", limits.words());
    if moves.is_empty() {
        let point = points.first().copied().flatten();
        let value =
            point.map_or("unknown".to_owned(), |point| signed(point.value, point.certainty.is_exact()));
        let found = analysis.found.first().and_then(Option::as_ref);
        let line: String = found.iter().flat_map(|found| &found.line).map(Square::to_string).collect();
        let _ = writeln!(text, "  value for black: {value}, line: {line}\n");
        return text;
    }
    let _ = writeln!(text, "  {:<22}{:>10}{:>10}", "discs lost", "black", "white");
    let mut row = |label: &str, cell: &dyn Fn(&Sums) -> String| {
        let _ = writeln!(text, "  {label:<22}{:>10}{:>10}", cell(&sums[0]), cell(&sums[1]));
    };
    for phase in 0..3 {
        let label = format!("moves {} to {}", 20 * phase + 1, 20 * phase + 20);
        row(&label, &|side| lost(side.phases[phase], !side.inexact));
    }
    row("all", &|side| lost(side.total, !side.inexact));
    row("a move", &|side| match side.known {
        0 => "-".to_owned(),
        known => format!("{:.2}", discs(side.total) / f64::from(known)),
    });
    row("accuracy", &|side| side.accuracy().map_or("-".to_owned(), |figure| figure.to_string()));
    row("mistakes in discs", &|side| side.discs.to_string());
    row("win became draw", &|side| side.changed[0].to_string());
    row("win became loss", &|side| side.changed[1].to_string());
    row("draw became loss", &|side| side.changed[2].to_string());
    row("slight", &|side| side.slight.to_string());
    row("grave", &|side| side.grave.to_string());
    for (at, loss) in losses.iter().enumerate() {
        let Some(loss) = loss.filter(|loss| loss.mistake) else { continue };
        let best = points[at].and_then(|point| point.best).filter(|best| Move::Place(*best) != moves[at]);
        let better = best.map(|best| format!(", better {best}")).unwrap_or_default();
        let changed = loss.changed.map(|change| format!(", {}", words(change))).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {:>2}. {} {}  {}{changed}{better}",
            at + 1,
            moves[at],
            name(positions[at].side()),
            amount(&loss),
        );
    }
    text.push('\n');
    text
}

fn amount(loss: &Loss) -> String {
    match (loss.exact, loss.at_least) {
        (true, _) => format!("lost {:.0}", discs(loss.loss)),
        (false, Some(least)) => {
            format!("lost about {:.0}, at least {:.0}", discs(loss.loss), discs(least).floor())
        }
        (false, None) => format!("lost about {:.0}", discs(loss.loss)),
    }
}

fn lost(centidiscs: f64, exact: bool) -> String {
    match (centidiscs, exact) {
        (..5.0, _) => "0".to_owned(),
        (_, true) => format!("{:.0}", discs(centidiscs)),
        (_, false) => format!("~{:.1}", discs(centidiscs)),
    }
}

fn signed(centidiscs: f64, exact: bool) -> String {
    if exact { format!("{:+.0}", discs(centidiscs)) } else { format!("{:+.2}", discs(centidiscs)) }
}

fn name(side: Color) -> &'static str {
    if side == Color::Black { "black" } else { "white" }
}

/// Returns discs. The mean of two values has more than two decimals.
fn discs(centidiscs: f64) -> f64 {
    json::rounded(centidiscs / 100.0, 6)
}

fn level(certainty: Certainty) -> f64 {
    f64::from(certainty.level()) / 1000.0
}

fn side(sums: &Sums) -> Side {
    let [win_to_draw, win_to_loss, draw_to_loss] = sums.changed;
    Side {
        moves: sums.moves,
        known: sums.known,
        lost: discs(sums.total),
        phases: sums.phases.map(discs),
        exact: !sums.inexact,
        accuracy: sums.accuracy(),
        changed: Changes { win_to_draw, win_to_loss, draw_to_loss },
        discs: sums.discs,
        slight: sums.slight,
        grave: sums.grave,
    }
}

fn code(change: Change) -> &'static str {
    match change {
        Change::WinToDraw => "WD",
        Change::WinToLoss => "WL",
        Change::DrawToLoss => "DL",
    }
}

fn words(change: Change) -> &'static str {
    match change {
        Change::WinToDraw => "a win became a draw",
        Change::WinToLoss => "a win became a loss",
        Change::DrawToLoss => "a draw became a loss",
    }
}
