//! Output for one game: a line of JSON, GGF, or a text report.

use std::fmt::Write as _;

use outflank::analysis::{Certainty, Change, Loss, Sums};
use outflank::board::{Bitboard, Color, Square};
use outflank::game::Game;
use outflank::notation::{ggf, squares, transcript};
use outflank::study::{Explanation, Facts, GameReport, PositionReport, Reason, ReasonKind};

use super::analyzer::{Analysis, AnalysisLimits};
use crate::json::{self, Json, object};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// One line of JSON per game
    Jsonl,
    /// GGF with the values of the moves
    Ggf,
    /// A table with a row per move
    Csv,
    /// Text reports
    Text,
}

/// The source of a record.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// `None` for standard input, whose lines are the records.
    pub(crate) file: Option<String>,
    pub(crate) record: usize,
}

/// The columns of [`csv`]. They have the names of the fields of JSON.
pub(super) const CSV_HEAD: &str = "file,record,black,white,result,ply,move,side,loss,at_least,changed,mistake,grave,\
                                   value,proof,level,best,error";

/// Returns a line of JSON without its end.
pub(crate) fn json(origin: &Origin, game: &Game, analysis: &Analysis, limits: &AnalysisLimits) -> String {
    let Analysis { report, nodes } = analysis;
    let valued = report.positions.iter().enumerate().map(|(ply, row)| position_row(ply, row));
    let judged = (1..).zip(report.positions.windows(2)).filter_map(|(ply, pair)| loss_row(ply, pair));
    let line = object! {
        "file?": origin.file,
        "record": origin.record,
        "start": squares::write(&game.start()),
        "moves": transcript::write(game),
        "black?": game.tags.black.name,
        "white?": game.tags.white.name,
        "result?": game.tags.result.map(|result| result.score.discs()),
        "depth": limits.plan.depth,
        "exact_from?": limits.plan.exact,
        "time?": limits.time.map(|time| json::rounded(time.as_secs_f64(), 3)),
        "node_limit?": limits.nodes,
        "book?": limits.book,
        "given?": Some(limits.given(game)).filter(|given| *given > 0),
        "reasons?": limits.plan.reasons.then_some(true),
        "positions": valued.collect::<Vec<_>>(),
        "losses": judged.collect::<Vec<_>>(),
        "summary": object! { "black": side(&report.sums[0]), "white": side(&report.sums[1]) },
        "nodes": nodes,
    };
    line.to_string()
}

/// Returns a line of JSON for a record that could not be read.
pub(super) fn json_error(origin: &Origin, error: &str) -> String {
    object! { "file?": origin.file, "record": origin.record, "error": error }.to_string()
}

/// Returns a row for the start of a game and for each move, without the last line end.
pub(super) fn csv(origin: &Origin, game: &Game, analysis: &Analysis) -> String {
    let tags = &game.tags;
    let [black, white] = [&tags.black, &tags.white].map(|player| player.name.clone().unwrap_or_default());
    let result = tags.result.map(|result| result.score.discs());
    let head = [
        &origin.file.clone().unwrap_or_default(),
        &origin.record.to_string(),
        &black,
        &white,
        &words_of(result),
    ];
    let head = head.map(|field| quoted(field)).join(",");
    let mut side = String::new();
    let row = |(ply, row): (usize, &PositionReport)| {
        let PositionReport { position, played, loss, point, .. } = row;
        let loss = loss.as_ref();
        let cells = [
            ply.to_string(),
            words_of(*played),
            std::mem::replace(&mut side, name(position.side()).to_owned()),
            words_of(loss.map(|loss| discs(loss.loss))),
            words_of(loss.and_then(|loss| loss.at_least).map(discs)),
            words_of(loss.and_then(|loss| loss.changed).map(|change| words(change)[0])),
            words_of(loss.map(|loss| loss.mistake)),
            words_of(loss.map(|loss| loss.mistake && loss.grave)),
            words_of(point.map(|point| point.score_for(Color::Black).discs())),
            point.map_or("none", |point| point.certainty.kind().name()).to_owned(),
            words_of(point.map(|point| level(point.certainty))),
            words_of(point.and_then(|point| point.best)),
        ];
        format!("{head},{},", cells.join(","))
    };
    analysis.report.positions.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
}

/// Returns a row for a record that could not be read.
pub(super) fn csv_error(origin: &Origin, error: &str) -> String {
    let file = quoted(origin.file.as_deref().unwrap_or_default());
    let between = ",".repeat(CSV_HEAD.matches(',').count() - 2);
    format!("{file},{}{between},{}", origin.record, quoted(error))
}

/// Returns a field of CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn words_of(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn position_row(ply: usize, row: &PositionReport) -> Json {
    let PositionReport { position, point, .. } = row;
    // The result of the search of this position alone.
    let searched = row.searched.as_ref().map(|found| {
        object! {
            "value": position.side().for_black(found.score).discs(),
            "proof": found.certainty.kind().name(),
            "level": level(found.certainty),
            "line": found.line.iter().map(Square::to_string).collect::<String>(),
        }
    });
    object! {
        "ply": ply,
        "side": name(position.side()),
        "empties": position.empties(),
        "value": point.map(|point| point.score_for(Color::Black).discs()),
        "proof": point.map_or("none", |point| point.certainty.kind().name()),
        "level": point.map_or(0.0, |point| level(point.certainty)),
        "exact": point.is_some_and(|point| point.certainty.is_exact()),
        "best": point.and_then(|point| point.best).map(|best| best.to_string()),
        "forced": point.is_some_and(|point| point.forced),
        "searched?": searched,
    }
}

fn loss_row(ply: usize, pair: &[PositionReport]) -> Option<Json> {
    let [before, PositionReport { played: Some(square), loss, explanation, .. }] = pair else { return None };
    Some(object! {
        "ply": ply,
        "move": square.to_string(),
        "side": name(before.position.side()),
        "loss": loss.map(|loss| discs(loss.loss)),
        "exact": loss.is_some_and(|loss| loss.exact),
        "at_least": loss.and_then(|loss| loss.at_least).map(discs),
        "changed": loss.and_then(|loss| loss.changed).map(|change| words(change)[0]),
        "mistake": loss.is_some_and(|loss| loss.mistake),
        "grave": loss.is_some_and(|loss| loss.mistake && loss.grave),
        "explanation?": explanation.as_ref().map(explained),
    })
}

fn explained(explanation: &Explanation) -> Json {
    let facts = |facts: &Facts| {
        let [own, other] = [facts.own, facts.other].map(|squares| list(squares, ""));
        object! { "plies": facts.plies, "own": own, "other": other }
    };
    let reason = |reason: &Reason| {
        object! {
            "kind": reason.kind.name(), "played": facts(&reason.played), "better": facts(&reason.better)
        }
    };
    object! {
        "reasons": explanation.reasons.iter().map(reason).collect::<Vec<_>>(),
        "played": list(explanation.played.iter().copied(), ""),
        "better": list(explanation.better.iter().copied(), ""),
        "falls_at": explanation.falls_at,
    }
}

fn list(squares: impl IntoIterator<Item = Square>, separator: &str) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(separator)
}

/// Returns a reason in words.
fn sentence(reason: &Reason, explanation: &Explanation) -> String {
    let label = match reason.kind {
        ReasonKind::Corner => "corners taken",
        ReasonKind::Pass => "forced to pass by",
        ReasonKind::LastMove => "last move in the region",
        ReasonKind::Mobility => "moves",
        ReasonKind::SafeMoves => "moves that give no corner",
        ReasonKind::Potential => "empty squares next to discs of the other side",
        ReasonKind::Exposed => "discs next to empty squares",
        _ => "stable discs",
    };
    let is_event = reason.kind <= ReasonKind::LastMove;
    let count = |squares: Bitboard| match squares.count() {
        count if !is_event => count.to_string(),
        0 => "-".to_owned(),
        _ => list(squares, " "),
    };
    let side = explanation.position.side();
    let counts = |facts: &Facts| {
        let [own, other] = [facts.own, facts.other].map(count);
        format!("{} {own}, {} {other}", name(side), name(!side))
    };
    let is_timed = !is_event || reason.kind == ReasonKind::Corner;
    let after = if is_timed { format!(" after {} moves", reason.played.plies) } else { String::new() };
    let better = list(explanation.better.first().copied(), "");
    format!("{label}{after}: {}; with {better}: {}", counts(&reason.played), counts(&reason.better))
}

fn side(sums: &Sums) -> Json {
    let [win_to_draw, win_to_loss, draw_to_loss] = sums.changed;
    object! {
        "moves": sums.moves,
        "known": sums.known,
        "lost": discs(sums.total),
        "phases": sums.phases.map(discs),
        "exact": !sums.inexact,
        "accuracy": sums.accuracy(),
        "changed": object! {
            "win_to_draw": win_to_draw, "win_to_loss": win_to_loss, "draw_to_loss": draw_to_loss
        },
        "discs": sums.discs,
        "slight": sums.slight,
        "grave": sums.grave,
    }
}

/// Returns the game in GGF, with the value of each move for its side.
pub(super) fn ggf(game: &Game, analysis: &Analysis, limits: &AnalysisLimits) -> String {
    let mut tree = game.tree();
    for (pair, row) in tree.main_line().windows(2).zip(analysis.report.positions.iter().skip(1)) {
        let (before, node) = (pair[0], pair[1]);
        if let Some(point) = row.point {
            let own = point.score_for(tree.position(before).side());
            tree.set_eval(node, Some(own));
        }
    }
    let mut tags = game.tags.clone();
    tags.keep("ANALYSIS", &limits.words());
    ggf::write_all(&tree.game(tags))
}

pub(super) fn text(title: &str, game: &Game, analysis: &Analysis, limits: &AnalysisLimits) -> String {
    let GameReport { positions, sums, .. } = &analysis.report;
    let player = |color| game.tags.player(color).name.clone().unwrap_or_else(|| "?".to_owned());
    let mut text = format!("{title}: {} (black) - {} (white)", player(Color::Black), player(Color::White));
    if let Some(result) = game.tags.result {
        let _ = write!(text, ", {:+} for black", result.score.discs());
    }
    let _ = writeln!(text, "\n{}", limits.words());
    if let [PositionReport { point, searched, .. }] = &positions[..] {
        let value = point.map_or("unknown".to_owned(), |point| {
            let discs = point.score_for(Color::Black).discs();
            if point.certainty.is_exact() { format!("{discs:+.0}") } else { format!("{discs:+.2}") }
        });
        let line: String = searched.iter().flat_map(|found| &found.line).map(Square::to_string).collect();
        let _ = writeln!(text, "  value for black: {value}, line: {line}\n");
        return text;
    }
    match limits.given(game) {
        0 => {}
        given => text += &format!("  the first {given} moves were given and are not counted\n"),
    }
    let _ = writeln!(text, "  {:<22}{:>10}{:>10}", "discs lost", "black", "white");
    let mut row = |label: &str, cell: &dyn Fn(&Sums) -> String| {
        let _ = writeln!(text, "  {label:<22}{:>10}{:>10}", cell(&sums[0]), cell(&sums[1]));
    };
    // A phase is a number of discs. The moves from a set-up position are numbered from 1.
    let before = 60_u32.saturating_sub(game.start().empties());
    for (phase, last) in [20, 40, 60].into_iter().enumerate().filter(|(_, last)| *last > before) {
        let label = format!("moves {} to {}", (last - 20_u32).saturating_sub(before) + 1, last - before);
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
    add_mistakes(&mut text, positions);
    text.push('\n');
    text
}

/// Adds the mistakes, with their explanations.
fn add_mistakes(text: &mut String, positions: &[PositionReport]) {
    for (ply, pair) in (1..).zip(positions.windows(2)) {
        let [before, PositionReport { played: Some(square), loss: Some(loss), explanation, .. }] = pair
        else {
            continue;
        };
        if !loss.mistake {
            continue;
        }
        let best = before.point.and_then(|point| point.best).filter(|best| best != square);
        let better = best.map(|best| format!(", better {best}")).unwrap_or_default();
        let changed = loss.changed.map(|change| format!(", {}", words(change)[1])).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {ply:>2}. {square} {}  {}{changed}{better}",
            name(before.position.side()),
            amount(loss),
        );
        let Some(explanation) = explanation else { continue };
        for reason in &explanation.reasons {
            let _ = writeln!(text, "        {}", sentence(reason, explanation));
        }
        if let Some(at) = explanation.falls_at {
            let _ = writeln!(text, "        no single reason: the value falls at move {}", ply + at - 1);
        }
        let [played, better] =
            [&explanation.played, &explanation.better].map(|line| list(line.iter().copied(), " "));
        let _ = writeln!(text, "        {played}\n        {better}");
    }
}

fn amount(loss: &Loss) -> String {
    let lost = discs(loss.loss);
    match (loss.proven, loss.at_least) {
        _ if loss.exact => format!("lost {lost:.0}"),
        (Some(least), _) => format!("lost about {lost:.0}, at least {:.0}", discs(least).floor()),
        (None, Some(least)) => format!("lost about {lost:.0}, probably at least {:.0}", discs(least).floor()),
        (None, None) => format!("lost about {lost:.0}"),
    }
}

fn lost(centidiscs: f64, exact: bool) -> String {
    match (centidiscs, exact) {
        (..5.0, _) => "0".to_owned(),
        (_, true) => format!("{:.0}", discs(centidiscs)),
        (_, false) => format!("~{:.1}", discs(centidiscs)),
    }
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

/// Returns a short and a long name of a change.
fn words(change: Change) -> [&'static str; 2] {
    match change {
        Change::WinToDraw => ["WD", "a win became a draw"],
        Change::WinToLoss => ["WL", "a win became a loss"],
        Change::DrawToLoss => ["DL", "a draw became a loss"],
    }
}
