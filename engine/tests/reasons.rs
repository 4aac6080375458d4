//! The explanations of a game: what they show is on their boards, and every answer of an engine ends a task.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use outflank::analysis::{Known, ask};
use outflank::board::{Bitboard, Move, Position, Square, Status};
use outflank::notation::squares;
use outflank::search::{Search, SearchConfig};
use outflank::study::{Explanation, Inquiry, Plan, PositionReport, ReasonKind, Study, TaskId};

const GAME: &str = "d3c3c4e3f3b5b4c5d6c6f4a3e2e6b6f5a5a4a2f1d1g4c2a6a7b3d2f2c7d7e8e1e7b7f6g6f7c1h6g8f8b2h8c8a1b1g2g3g1h1h5h4a8h7h3g7\
                    g5h2d8b8";

fn plan(reasons: bool) -> Plan {
    Plan { depth: 4, exact: None, reasons }
}

fn analyzed(reasons: bool) -> Vec<PositionReport> {
    let (mut study, mut search) = (Study::read(GAME).unwrap(), Search::new(SearchConfig::default()));
    while let Some(task) = study.next_task(&plan(reasons)) {
        let report = ask(&mut search, task.position, task.goal(), task.limits());
        assert!(study.take(task.id, &report));
    }
    assert_eq!(study.left(), 0);
    let (rows, revision) = (study.report().positions, study.revision());
    let mut other = Study::default();
    other.adopt(&mut study);
    assert!(other.revision() >= revision, "results of another tree would count as current");
    rows
}

/// The boards of a line, and the moves of both sides.
fn follow(start: &Position, line: &[Square]) -> (Vec<Position>, [Bitboard; 2]) {
    let (mut at, mut moves) = (*start, [Bitboard::EMPTY; 2]);
    let boards = line.iter().map(|&square| {
        moves[usize::from(at.side() != start.side())] |= Bitboard::of(square);
        let after = at.play(Move::Place(square)).unwrap();
        at = after.after_forced_pass();
        after
    });
    (boards.collect(), moves)
}

#[test]
fn mistakes_have_reasons_that_their_boards_show() {
    let (rows, plain) = (analyzed(true), analyzed(false));
    let mut kinds = Vec::new();
    for (ply, (row, plain)) in rows.iter().zip(&plain).enumerate() {
        assert_eq!((row.point, row.loss), (plain.point, plain.loss), "reasons change no value");
        assert_eq!(plain.explanation, None);
        let is_mistake = row.loss.is_some_and(|loss| loss.mistake);
        assert_eq!(row.explanation.is_some(), is_mistake, "move {ply}");
        let Some(Explanation { position, played, better, reasons, falls_at, .. }) = &row.explanation else {
            continue;
        };
        assert_eq!((position, played.first()), (&rows[ply - 1].position, row.played.as_ref()));
        assert_eq!(better.first().copied(), row.loss.unwrap().best);
        assert!(
            reasons.len() <= 2 && reasons.is_sorted_by_key(|reason| reason.kind),
            "move {ply}: {reasons:?}"
        );
        assert!(falls_at.is_none_or(|at| reasons.is_empty() && (1..=8).contains(&at)), "move {ply}");
        for reason in reasons {
            kinds.push((ply, reason.kind));
            let lead = [(played, reason.played), (better, reason.better)].map(|(line, facts)| {
                let (boards, _) = follow(position, line);
                let board = boards[facts.plies - 1];
                let (_, moves) = follow(position, &line[..facts.plies]);
                let [own, other] = [position.side(), !position.side()].map(|side| board.discs(side));
                let empty = !(own | other);
                let squares = [facts.own, facts.other];
                match reason.kind {
                    ReasonKind::Corner => assert_eq!(squares, moves.map(|moves| moves & Bitboard::CORNERS)),
                    ReasonKind::LastMove => {
                        let region = facts.own | facts.other;
                        assert_eq!(region & position.board().empty(), region);
                    }
                    ReasonKind::Exposed => {
                        assert_eq!(squares, [own, other].map(|discs| discs & empty.dilated()))
                    }
                    ReasonKind::Potential => {
                        assert_eq!(squares, [other, own].map(|discs| empty & discs.dilated()))
                    }
                    ReasonKind::Mobility => {
                        assert!((facts.own | facts.other) & empty == facts.own | facts.other)
                    }
                    _ => {}
                }
                facts.own.count().cast_signed() - facts.other.count().cast_signed()
            });
            let is_bad = matches!(reason.kind, ReasonKind::Exposed | ReasonKind::Pass);
            assert!(if is_bad { lead[0] > lead[1] } else { lead[0] < lead[1] }, "move {ply}: {reason:?}");
        }
    }
    // h4 gives the corner a8.
    assert!(kinds.contains(&(52, ReasonKind::Corner)), "{kinds:?}");
}

/// The move a7 loses nothing: exact scores show it.
#[test]
fn loss_that_the_lines_do_not_show_is_not_explained() {
    let position =
        squares::read("---XXX----OOOX----OOOX-X-OOXOXXX-OOXXOOX-XOXOOO---XOOO---XX-O---O").unwrap();
    let moves = ["a7", "a6"].map(|name| name.parse().unwrap());
    let (mut inquiry, mut search) = (Inquiry::new(position, moves, 0), Search::new(SearchConfig::default()));
    while let Some(task) = inquiry.next(TaskId(0)) {
        let report = ask(&mut search, task.position, task.goal(), task.limits());
        inquiry.take(task.id, &report.lines.iter().filter_map(Known::of).collect::<Vec<_>>());
    }
    let (loss, _) = inquiry.loss().unwrap();
    assert!((0..400).contains(&loss), "{loss}");
    assert_eq!(inquiry.result().unwrap().reasons, []);
}

#[test]
fn answers_without_values_end_the_analysis() {
    let (mut study, mut search) = (Study::read(GAME).unwrap(), Search::new(SearchConfig::default()));
    let mut answered = 0;
    while let Some(task) = study.next_task(&plan(true)) {
        assert_eq!(task.position.status(), Status::ToMove);
        assert!(!study.take(TaskId(task.id.0 + 1), ""), "the task does not run");
        if task.moves == 1 && task.depth > 2 {
            study.take(task.id, &ask(&mut search, task.position, task.goal(), task.limits()));
            continue;
        }
        // The engine fails once, then it answers without values.
        study.put_back(task.id);
        let again = study.next_task(&plan(true)).unwrap();
        assert_eq!((again.position, again.moves), (task.position, task.moves));
        study.take(again.id, ["", "status x", "search pa 0 0 1", "search D4E5D4 9.00 0 12"][answered % 4]);
        assert!(!study.take(again.id, ""));
        answered += 1;
    }
    let explanations: Vec<_> =
        study.report().positions.into_iter().filter_map(|row| row.explanation).collect();
    assert!(answered > 0 && explanations.len() > 2);
    for explanation in explanations {
        assert_eq!((explanation.played.len(), explanation.reasons.len(), explanation.falls_at), (1, 0, None));
    }
}
