//! Values and losses of games: random searches of small endgames against plain alpha-beta, and single rules.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use outflank::analysis::{Certainty, Change, Course, Kind, Known, Loss, Point, Values, loss};
use outflank::board::{Color, Move, Position, Square, Status};
use outflank::score::Score;
use outflank::search::NetworkSize;
use outflank::session::nboard::read_value;
use outflank::study::{Plan, Study};
use plain::{Random, plain, random_board};

mod plain;

fn certainty(text: &str) -> Certainty {
    text.parse().unwrap()
}

/// The score of a position for the side to move.
fn truth(position: &Position) -> Score {
    Score::from_centidiscs(100 * plain(position.board(), -64, 64))
}

/// The score of a move.
fn worth(position: &Position, square: Square) -> Score {
    let next = after(position, square);
    if next.side() == position.side() { truth(&next) } else { -truth(&next) }
}

fn after(position: &Position, square: Square) -> Position {
    position.play(Move::Place(square)).unwrap().after_forced_pass()
}

/// A random search result for a move: near the truth, or proven.
fn result(position: &Position, square: Square, random: &mut Random) -> Known {
    let score = worth(position, square);
    let noise = Score::from_centidiscs(random.below(800) as i32 - 400);
    let depth = 1 + random.below(24);
    let (text, score) = match random.below(8) {
        0 => ("100%".to_owned(), score),
        1 => ("100%W".to_owned(), Score::from_centidiscs(200 * score.centidiscs().signum())),
        2 => (format!("{depth}@84%"), score + noise),
        _ => (depth.to_string(), score + noise),
    };
    let mut line = vec![square];
    let mut at = after(position, square);
    while at.status() == Status::ToMove && random.below(5) > 0 {
        let moves: Vec<Square> = at.moves().into_iter().collect();
        line.push(moves[random.below(moves.len())]);
        at = after(&at, line[line.len() - 1]);
    }
    Known { score, certainty: certainty(&text), line }
}

#[test]
fn values_are_consistent_after_any_searches() {
    for seed in 1..=24 {
        let mut random = Random::new(seed);
        let start = random_board(&mut random, 7);
        let start = Position::new(start, Color::Black).after_forced_pass();
        let mut tree = vec![(start, None::<(usize, Square)>)];
        for _ in 0..4 {
            let mut at = 0;
            while tree[at].0.status() == Status::ToMove {
                let moves: Vec<Square> = tree[at].0.moves().into_iter().collect();
                let square = moves[random.below(moves.len())];
                tree.push((after(&tree[at].0, square), Some((at, square))));
                at = tree.len() - 1;
            }
        }
        let open: Vec<Position> =
            tree.iter().map(|node| node.0).filter(|position| position.status() == Status::ToMove).collect();
        let join = |values: &mut Values| {
            for (position, parent) in &tree {
                let Some((parent, square)) = parent else { continue };
                values.join(&tree[*parent].0, *square, position);
            }
        };
        let add = |values: &mut Values, (position, known, is_root): &(Position, Known, bool)| {
            let add = if *is_root { Values::add_root } else { Values::add };
            add(values, position, known.clone());
        };
        let (mut values, mut added) = (Values::default(), Vec::new());
        join(&mut values);
        for _ in 0..if open.is_empty() { 0 } else { 20 } {
            let position = open[random.below(open.len())];
            let moves: Vec<Square> = position.moves().into_iter().collect();
            let is_root = random.below(10) < 3;
            let best = *moves.iter().max_by_key(|square| worth(&position, **square)).unwrap();
            let old = added.len();
            for square in if is_root { vec![best] } else { moves } {
                let known = result(&position, square, &mut random);
                added.push((position, known, is_root));
            }
            added[old..].iter().for_each(|known| add(&mut values, known));
            check(&mut values, &tree, seed);
        }
        // The result does not depend on what was asked in between.
        let mut again = Values::default();
        join(&mut again);
        added.iter().for_each(|known| add(&mut again, known));
        check(&mut again, &tree, seed);
        for (position, _) in &tree {
            let value = |known: Option<Known>| known.map(|known| (known.score, known.certainty));
            assert_eq!(value(values.value(position)), value(again.value(position)), "seed {seed}");
        }
    }
}

fn check(values: &mut Values, tree: &[(Position, Option<(usize, Square)>)], seed: u64) {
    for (position, parent) in tree {
        let point = values.point(position);
        if let Some(point) = point {
            let sign = |score: Score| score.centidiscs().signum();
            match point.certainty.kind() {
                Kind::Exact => assert_eq!(point.score, truth(position), "seed {seed}"),
                Kind::Outcome => assert_eq!(sign(point.score), sign(truth(position)), "seed {seed}"),
                _ => {}
            }
        }
        assert!(point.is_some_and(|point| point.certainty.is_exact()) || position.status() != Status::Over);
        let Some((parent, square)) = parent else { continue };
        let before = &tree[*parent].0;
        let was = values.point(before);
        let lost = loss(before, [was, point], [None; 2]);
        assert_eq!(lost.is_none(), was.is_none() || point.is_none());
        if let (Some(lost), Some(was), Some(point)) = (lost, was, point) {
            let lead = |point: Point| point.score_for(before.side()).centidiscs();
            let difference = f64::from((lead(was) - lead(point)).max(0));
            assert_eq!(lost.loss, if was.forced { 0.0 } else { difference }, "seed {seed}");
        }
        let moves = values.moves(before);
        if let Some(row) = moves.iter().find(|row| row.line[0] == *square) {
            let point = values.point(position).unwrap();
            assert_eq!(
                (row.score, row.certainty.kind()),
                (point.score_for(before.side()), point.certainty.kind()),
                "seed {seed}"
            );
        }
    }
}

const START: Position = Position::START;

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn score(discs: f64) -> Score {
    Score::from_discs(discs).unwrap()
}

/// The value of a move from a line of NBoard: moves, discs, depth.
fn known(text: &str) -> Known {
    let [line, discs, depth] = text.split(' ').collect::<Vec<_>>()[..] else { panic!("{text}") };
    read_value(&format!("search {line} {discs} 0 {depth}")).unwrap().1
}

/// A position with three moves, a1, b1 and c1 to be tried: after `f5d6`.
fn two_moves_in() -> Position {
    after(&after(&START, square("f5")), square("d6"))
}

#[test]
fn a_value_needs_every_move_or_a_search_for_the_best() {
    let position = two_moves_in();
    let moves: Vec<String> = position.moves().into_iter().map(|square| square.to_string()).collect();
    let value = |at: usize, text: &str| known(&format!("{} {text}", moves[at]));
    let mut values = Values::default();
    for at in 1..moves.len() {
        assert!(values.add(&position, value(at, "1 6")));
    }
    assert_eq!((values.point(&position), values.level(&position)), (None, 0));
    values.add(&position, value(0, "2 8"));
    let point = values.point(&position).unwrap();
    assert_eq!(
        (point.score, point.certainty.level(), point.best),
        (score(2.0), 6_100, Some(square(&moves[0])))
    );
    // A search for the best move alone is enough, until every move has its level.
    assert!(values.add_root(&position, value(1, "0.5 14")));
    assert_eq!(values.point(&position).unwrap().score, score(0.5));
    assert_eq!(values.level(&position), 14_100);
    // Surer values stay, equal ones are replaced, illegal moves are rejected.
    assert!(!values.add(&position, value(1, "9 13")));
    assert!(values.add(&position, value(1, "0.75 14")));
    let illegal = known("a1 9 60");
    assert!(!values.add(&position, illegal.clone()));
    assert!(!values.add_root(&position, Known { line: Vec::new(), ..illegal }));
    // The best of several moves has the certainty of the least certain one.
    assert!(values.add_best(&position, &[value(0, "3 20"), value(1, "2 18")]));
    assert!(!values.add_best(&position, &[]));
    let root = values.root(&position).unwrap();
    assert_eq!((root.score, root.certainty.level()), (score(3.0), 18_100));
    values.forget(&position);
    assert_eq!(values.point(&position), None);
}

#[test]
fn a_line_carries_its_value_along_but_not_its_proof() {
    let mut values = Values::default();
    let (first, second) = (after(&START, square("f5")), two_moves_in());
    values.join(&START, square("f5"), &first);
    values.join(&first, square("d6"), &second);
    values.add_root(&START, known("f5d6c3 1 30"));
    let level = |values: &mut Values, position| {
        values.point(position).map(|point| (point.score, point.certainty.level()))
    };
    assert_eq!(level(&mut values, &first), Some((score(-1.0), 29_100)));
    assert_eq!(level(&mut values, &second), Some((score(1.0), 28_100)));
    assert_eq!(values.point(&second).unwrap().best, Some(square("c3")));
    // All four first moves are equal by symmetry.
    assert!(values.point(&START).unwrap().forced);
    assert!(values.moves(&START).iter().all(|row| row.score == score(1.0)));
    values.add_root(&START, known("f5d6c3 2 100%"));
    assert_eq!(level(&mut values, &first), Some((score(-2.0), 1_000_000)));
    assert_eq!(level(&mut values, &second), None);
}

/// A point of a position with Black to move: discs and depth.
fn point(text: &str) -> Point {
    let Known { score, certainty, .. } = known(&format!("f5 {text}"));
    let error = certainty.error(NetworkSize::Small, 60);
    Point { side: Color::Black, score, certainty, error, best: None, forced: false }
}

#[test]
fn errors_fall_with_depth_and_proofs_have_none() {
    for network in [NetworkSize::Small, NetworkSize::Large] {
        for empties in 10..=60 {
            let error = |text: &str| certainty(text).error(network, empties);
            let deeper = |depth: u32| error(&format!("{depth}@73%"));
            assert!((0..=empties).map(deeper).is_sorted_by(|less, more| less >= more), "{empties}");
            assert_eq!([error("100%"), error("100%W")], [0.0; 2]);
            assert!(error("73%") > error("95%") && error("95%") > 0.0 && error("3@book") > 0.0);
            // A search of a selected depth and the notation of a solve.
            assert_eq!(deeper(empties), error("73%"));
        }
    }
    let error = |network| {
        let mut values = Values::of(network);
        values.add_root(&START, known("d3 0 8"));
        values.point(&START).map(|point| point.error)
    };
    assert!(error(NetworkSize::Large) < error(NetworkSize::Small));
}

#[test]
fn losses() {
    let between = |before, after| Loss::between(&START, &point(before), &point(after));
    let exact = between("4 100%", "0 100%");
    assert_eq!((exact.loss, exact.at_least, exact.changed), (400.0, Some(400.0), Some(Change::WinToDraw)));
    let vague = between("10 20", "0 100%");
    let error = point("10 20").error;
    // A value and its certain part are three standard errors apart.
    assert_eq!((vague.exact, vague.at_least, vague.error), (false, Some(1000.0 - 3.0 * error), error));
    let both = between("20 20", "0 20").at_least.unwrap();
    assert!((both - (2000.0 - 3.0 * 2_f64.sqrt() * error)).abs() < 1e-6, "{both}");
    assert_eq!(between("3 20", "0 20").at_least, None);
    // White has won, by an unknown margin.
    let proven = between("10 100%", "-9 100%W");
    assert_eq!((proven.loss, proven.proven, proven.grave), (1900.0, Some(1200.0), true));
    // Values of very different depth make a mistake only if their errors leave one.
    for (before, after, is_mistake) in
        [("3 14", "0 15", true), ("3 24", "0 14", false), ("9 24", "0 14", true), ("3 14", "0 100%", true)]
    {
        assert_eq!(between(before, after).mistake, is_mistake, "{before}, {after}");
    }
    let forced = Loss::between(&START, &Point { forced: true, ..point("2 14") }, &point("-3 14"));
    assert_eq!((forced.loss, forced.mistake, forced.changed), (0.0, false, None));
    // The values of a review count until deeper searches know both sides of the move.
    let points = |texts: [&str; 2]| texts.map(|text| Some(text).filter(|text| !text.is_empty()).map(point));
    for (now, expected) in
        [(["3 15", "2 20"], Some(400.0)), (["2.5 21", "2 20"], Some(50.0)), (["", "2 20"], None)]
    {
        let loss = loss(&START, points(now), points(["3 15", "-1 14"]));
        assert_eq!(loss.map(|loss| loss.loss), expected, "{now:?}");
    }
}

/// The course of a game with these values, Black to move first.
fn course(values: &[Option<Point>]) -> Course {
    let mut course = Course::start(values[0], None);
    for (pair, side) in values.windows(2).zip([Color::Black, Color::White].into_iter().cycle()) {
        let position = Position::new(START.board(), side);
        let loss = loss(&position, [pair[0], pair[1]], [None; 2]);
        course = course.extended(&position, loss.as_ref(), pair[1], None);
    }
    course
}

#[test]
fn sums_and_accuracy() {
    let exact = ["4 100%", "0 100%", "6 100%", "6 100%"].map(|text| Some(point(text)));
    let [black, white] = course(&exact).sums;
    assert_eq!((black.total, white.total, black.phases), (400.0, 600.0, [400.0, 0.0, 0.0]));
    assert_eq!((black.moves, black.grave, white.changed), (2, 1, [0, 0, 1]));
    assert_eq!(course(&exact).level, Some(1_000_000));
    let accuracy = |loss: f64, known: u32, moves: u32| {
        let mut sums = black;
        (sums.total, sums.known, sums.moves) = (100.0 * loss, known, moves);
        sums.accuracy()
    };
    assert_eq!([accuracy(0.0, 0, 0), accuracy(0.0, 26, 30), accuracy(0.0, 27, 30)], [None, None, Some(100)]);
    for (loss, expected) in [(0.0, 100), (0.5, 92), (1.0, 84), (2.0, 71), (4.0, 50), (8.0, 25), (64.0, 0)] {
        assert_eq!(accuracy(30.0 * loss, 30, 30), Some(expected), "{loss}");
    }
    // A loss that is shown is too much for 100.
    assert_eq!([accuracy(0.04, 1, 1), accuracy(0.05, 60, 60)], [Some(100), Some(99)]);
    let unknown = course(&[exact[0], None, exact[0]]);
    assert_eq!((unknown.sums[0].known, unknown.sums[0].inexact), (0, true));
}

#[test]
fn values_of_a_book_are_not_searched_unless_the_score_is_to_be_proven() {
    let mut study = Study::read("f5f6e6f4").unwrap();
    let line: Vec<Position> =
        study.tree().main_line().iter().map(|&node| study.tree().position(node)).collect();
    let tasks = |study: &mut Study, plan: Plan| -> Vec<Position> {
        let next = || study.next_task(&plan).map(|task| task.position);
        let mut found: Vec<_> = std::iter::from_fn(next).collect();
        found.reverse();
        found
    };
    let plan = Plan { depth: 4, ..Plan::default() };
    study.begin(&plan, *study.tree().main_line().last().unwrap());
    let book = [(0, known("f5 0.0 8@book")), (1, known("d6 -1.0 7@book")), (2, known("e6 9.0 6@book"))];
    study.add_book_values(book.map(|(ply, value)| (line[ply], value)));
    assert_eq!(tasks(&mut study, plan), line[3..]);
    let report = study.report();
    let [start, second, third] = [0, 1, 2].map(|ply| &report.positions[ply]);
    assert_eq!((start.point.unwrap().score, second.loss.unwrap().loss), (score(0.0), 0.0));
    assert_eq!((third.point.unwrap().certainty.kind(), third.loss.unwrap().loss), (Kind::Book, 800.0));
    assert_eq!(third.searched, Some(known("e6 9.0 6@book")));
    // A move has the value of the position after it, whose best move the book does not know.
    study.add(&line[2], known("e6 3 9"));
    study.add(&line[3], known("f4 -3 9"));
    study.add_book_values([(line[3], Known { line: Vec::new(), ..known("f4 -7 0@book") })]);
    let [after, row] = [study.point(&line[3]).unwrap().score, study.moves(&line[2], true).rows[0].score];
    assert_eq!(
        (after, row, study.point(&line[3]).unwrap().best),
        (score(-7.0), score(7.0), Some(square("f4")))
    );
    assert_eq!(study.loss(&line[2], square("e6")).unwrap().loss, 200.0);
    study.begin(&plan, *study.tree().main_line().last().unwrap());
    assert_eq!(tasks(&mut study, plan), line[3..]);
    // A move that a search finds better is not surer.
    study.add(&line[2], known("c4 12 9"));
    let best = [true, false].map(|with_book| study.moves(&line[2], with_book).best);
    assert!(best[0] == third.searched && best[1] != best[0], "{best:?}");
    // A proven score is surer, and remains when the book is closed.
    study.add_best(&line[1], known("d6 -2.0 100%"));
    assert_eq!(study.point(&line[1]).map(|point| point.score), Some(score(-2.0)));
    assert_eq!(tasks(&mut study, Plan { exact: Some(60), ..plan }), [line[0], line[2], line[3], line[4]]);
    study.clear_book_values();
    assert_eq!(study.point(&line[1]).map(|point| point.score), Some(score(-2.0)));
    assert_eq!(study.point(&line[2]), None);
}
