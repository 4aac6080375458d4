//! The midgame search: the promises of its reports, suspension, limits.

use std::collections::HashSet;

use outflank::analysis::{ask, ask_while};
use outflank::board::{Bitboard, Board, Color, Move, Position, Status};
use outflank::notation::transcript;
use outflank::score::{Bound, Confidence, Window};
use outflank::search::{
    Decision, Depth, Goal, HashSize, KeepLastReport, Limits, Monitor, Progress, Proof, Report, Search,
    SearchConfig, SearchId, SearchRequest,
};
use random::Random;

#[path = "properties/random.rs"]
mod random;

fn new_search() -> Search {
    Search::new(SearchConfig::default().with_hash(HashSize(8)))
}

/// The report of a new search.
fn ask_new(root: Position, goal: Goal, limits: Limits) -> Report {
    ask(&mut new_search(), root, goal, limits)
}

fn after(moves: &str) -> Position {
    transcript::read_from(Position::START, moves).expect("legal moves").position()
}

/// Checks that lines are sorted, legal to their end, and as long as their depth, without passes.
fn check_lines(root: Position, report: &Report) {
    assert!(report.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    for line in &report.lines {
        let mut position = root;
        for &mv in &line.moves {
            position = position.play(mv).expect("legal");
        }
        let placed = line.moves.iter().filter(|&&mv| mv != Move::Pass).count() as u32;
        assert!(
            placed == line.depth.plies() || position.status() == Status::Over,
            "{:?} is not {:?} plies long",
            line.moves,
            line.depth
        );
    }
}

#[test]
fn hints_give_every_move_its_value() {
    let root = after("f5d6c3d3c4f4");
    let limits = Limits::to_depth(7, Confidence::at_least(73));
    let report = ask_new(root, Goal::Hints(64), limits);
    assert!(report.lines.iter().all(|line| line.bound == Bound::Exact && line.depth == Depth::new(7)));
    check_lines(root, &report);
    let firsts: HashSet<_> = report.lines.iter().map(|line| line.first()).collect();
    assert_eq!((report.lines.len(), firsts.len() as u32), (firsts.len(), root.moves().count()));
    // Each value is that of a search of the position after the move, shifted as the value of the best move is.
    let to_depth = |plies| Limits::to_depth(plies, Confidence::EXACT);
    let report = ask_new(root, Goal::Hints(64), to_depth(3));
    let shifts = report.lines.iter().map(|line| {
        let child = root.play(line.first().expect("a move")).expect("legal");
        let alone = ask_new(child, Goal::Value(Window::FULL), to_depth(2));
        line.score.centidiscs() + alone.best().expect("not over").score.centidiscs()
    });
    // The mean is rounded to centidiscs.
    let shifts: Vec<i32> = shifts.collect();
    assert!(shifts.iter().all(|shift| shift.abs_diff(shifts[0]) <= 1), "{shifts:?}");
}

#[test]
fn the_value_of_a_best_move_is_the_mean_of_two_iterations() {
    let root = after("f5d6c3d3c4f4");
    let value = |goal, depth| {
        let report = ask_new(root, goal, Limits::to_depth(depth, Confidence::at_least(73)));
        report.best().expect("not over").score.centidiscs()
    };
    let raw = |depth| value(Goal::Value(Window::FULL), depth);
    assert_eq!(value(Goal::BestMove, 1), raw(1));
    for depth in 2..=6 {
        assert_eq!(value(Goal::BestMove, depth), (raw(depth) + raw(depth - 1)) / 2, "{depth} plies");
    }
    assert_ne!(value(Goal::BestMove, 9), raw(9));
}

#[test]
fn symmetric_moves_are_equal() {
    let limits = Limits::to_depth(9, Confidence::at_least(73));
    let report = ask_new(Position::START, Goal::Hints(4), limits);
    assert_eq!(report.lines.len(), 4);
    assert!(report.lines.windows(2).all(|pair| pair[0].score == pair[1].score));
    check_lines(Position::START, &report);
}

/// A monitor that gives the same answer to every poll.
struct Always(Decision, KeepLastReport);

impl Monitor for Always {
    fn poll(&mut self, _nodes: u64) -> Decision {
        self.0
    }

    fn report(&mut self, report: Report) {
        self.1.report(report);
    }
}

#[test]
fn suspended_search_ends_like_an_uninterrupted_one() {
    let root = after("f5d6c3d3c4f4f6f3e6e7d7c5b6");
    let limits = Limits::to_depth(12, Confidence::at_least(87));
    let whole = ask_new(root, Goal::BestMove, limits);
    let mut search = new_search();
    search.start(SearchRequest { id: SearchId(7), root, goal: Goal::BestMove, limits });
    let mut monitor = Always(Decision::Yield, KeepLastReport::default());
    let mut slices = 1;
    while search.run(&mut monitor) == Progress::Suspended {
        slices += 1;
        assert!(slices < 1000, "no progress");
    }
    assert!(slices > 3, "{slices}");
    let report = monitor.1.last.expect("a finished search reports");
    assert_eq!((report.id, report.depth), (SearchId(7), whole.depth));
    check_lines(root, &report);
    // The nodes of the slices add up to about the same number.
    let ratio = report.nodes as f64 / whole.nodes as f64;
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
}

#[test]
fn search_stopped_at_once_has_a_legal_move() {
    let root = after("f5d6c3");
    let mut search = new_search();
    search.start(SearchRequest { id: SearchId(7), root, goal: Goal::BestMove, limits: Limits::NONE });
    let mut monitor = Always(Decision::Stop, KeepLastReport::default());
    assert_eq!(search.run(&mut monitor), Progress::Finished);
    let report = monitor.1.last.take().expect("a finished search reports");
    let mv = report.best().and_then(|line| line.first()).expect("a move");
    assert!(root.play(mv).is_ok() && !report.complete);
    // Stopped: there is nothing to continue.
    assert_eq!(search.run(&mut monitor), Progress::Finished);
}

#[test]
fn limits_end_the_search() {
    let root = after("f5d6c3");
    let limits = Limits::to_depth(40, Confidence::at_least(73));
    let nodes = ask_new(root, Goal::BestMove, limits.with_nodes(Some(50_000))).nodes;
    assert!((50_000..70_000).contains(&nodes), "{nodes}");
    let is_shallow = |nodes, last: Option<&Report>| {
        last.is_none_or(|report| report.nodes <= nodes && report.depth < Depth::new(4))
    };
    let stopped = ask_while(&mut new_search(), root, Goal::BestMove, limits, is_shallow);
    assert_eq!(stopped.depth, Depth::new(4));
}

#[test]
fn pass_and_finished_game_are_answered() {
    // Black's e1 is the only disc with a line. White has no move.
    let pass = Position::new(Board { player: Bitboard(0b10), opponent: Bitboard(0b1) }, Color::White);
    assert_eq!(pass.status(), Status::MustPass);
    let report = ask_new(pass, Goal::BestMove, Limits::NONE);
    let line = report.best().expect("a pass");
    assert_eq!(line.first(), Some(Move::Pass));
    assert_eq!((line.proof, line.score.centidiscs()), (Proof::Exact, -6400));
    let over = Position::new(Board { player: Bitboard(1), opponent: Bitboard(0) }, Color::Black);
    assert!(ask_new(over, Goal::Hints(3), Limits::NONE).lines.is_empty());
}

#[test]
fn clear_and_resize_empty_the_table() {
    let root = after("f5d6c3d3c4f4");
    let limits = Limits::to_depth(8, Confidence::EXACT);
    let mut search = new_search();
    let nodes = |search: &mut Search| ask(search, root, Goal::BestMove, limits).nodes;
    let first = nodes(&mut search);
    assert!(nodes(&mut search) < first);
    search.clear();
    assert_eq!(nodes(&mut search), first);
    search.resize(HashSize(4));
    assert_eq!(search.hash_size(), HashSize(4));
    search.resize(HashSize(8));
    assert_eq!(nodes(&mut search), first);
}

#[test]
#[should_panic(expected = "a square has discs of both sides")]
fn overlapping_discs_are_rejected() {
    let Board { player, opponent } = Board::START;
    let _ = Position::new(Board { player: player | opponent, opponent }, Color::Black);
}

/// The generation of a search in the entries of the table has eight bits.
#[test]
fn equal_searches_visit_equal_nodes_after_hundreds_of_others() {
    let search = || Search::new(SearchConfig::default().with_hash(HashSize(1)));
    let root = after("f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6");
    let nodes = |search: &mut Search, depth| {
        search.clear();
        let limits = Limits::to_depth(depth, Confidence::at_least(73));
        ask(search, root, Goal::BestMove, limits).nodes
    };
    let first = nodes(&mut search(), 18);
    assert!(first > 200_000, "{first} nodes do not fill the table");
    // Every generation returns once: entries of the first search must not count as those of a later one.
    for others in 253..=255 {
        let mut search = search();
        assert_eq!(nodes(&mut search, 18), first);
        for _ in 0..others {
            nodes(&mut search, 1);
        }
        assert_eq!(nodes(&mut search, 18), first, "after {others} other searches");
    }
}

/// With a table full of other depths, values contradict each other from window to window. The search must end nevertheless.
#[test]
fn backward_analysis_of_a_game_ends() {
    const GAME: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2\
                        c1h2h1g2b8a8g7h8h7h6";
    const MAX_NODES: u64 = 10_000_000;
    let mut search = new_search();
    for discs in (0..GAME.len() / 2).rev() {
        let root = after(&GAME[..2 * discs]);
        for depth in [4, 7] {
            let limits =
                Limits::to_depth(depth, Confidence::EXACT).with_exact_from(10).with_nodes(Some(MAX_NODES));
            let nodes = ask(&mut search, root, Goal::BestMove, limits).nodes;
            assert!(nodes < MAX_NODES, "depth {depth} after {discs} moves");
        }
    }
}

/// Checks that values do not depend on what the search was asked before: a request again, after its children, after its
/// siblings, and for one move after several.
fn check_history(positions: &[Position], depth: u32) {
    let mut search = new_search();
    // As the sessions ask.
    let confidence = if depth <= 8 { Confidence::EXACT } else { Confidence::LOWEST };
    let limits = Limits::to_depth(depth, confidence);
    let mut value = |root: Position, goal, before: &[Position]| {
        search.clear();
        for &other in before {
            ask(&mut search, other, Goal::BestMove, limits);
        }
        ask(&mut search, root, goal, limits).best().expect("not over").score.discs()
    };
    let mut differences: [Vec<f64>; 4] = Default::default();
    for &root in positions {
        let moves = root.moves().into_iter();
        let children: Vec<_> = moves.map(|square| root.play(Move::Place(square)).expect("legal")).collect();
        let children: Vec<_> =
            children.into_iter().filter(|child| child.status() == Status::ToMove).collect();
        let fresh = value(root, Goal::BestMove, &[]);
        let mut differ = |kind: usize, one: f64, two: f64| differences[kind].push((one - two).abs());
        differ(0, fresh, value(root, Goal::BestMove, &[root]));
        differ(1, fresh, value(root, Goal::BestMove, &children));
        if let [child, siblings @ ..] = &children[..] {
            differ(2, value(*child, Goal::BestMove, &[]), value(*child, Goal::BestMove, siblings));
        }
        differ(3, fresh, value(root, Goal::Hints(3), &[]));
    }
    for (kind, differences) in differences.iter().enumerate() {
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        assert!(mean <= if kind < 3 { 0.0 } else { 0.3 }, "{depth} plies, kind {kind}: {mean}");
    }
}

/// Positions of games whose moves are often the best ones of a shallow search.
fn drawn_positions(count: usize) -> Vec<Position> {
    let mut random = Random::new(7);
    let mut search = new_search();
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = random.game(10);
        let end = 20 + random.below(30);
        loop {
            let moves: Vec<Move> = game.position().legal_moves().collect();
            let drawn = moves.get(random.below(moves.len())).copied();
            let Some(mut mv) = drawn.filter(|_| game.position().empties() as usize > end) else { break };
            if random.below(8) > 0 {
                let report =
                    ask(&mut search, game.position(), Goal::BestMove, Limits::to_depth(2, Confidence::EXACT));
                mv = report.best().and_then(|line| line.first()).unwrap_or(mv);
            }
            game.play(mv).expect("legal");
        }
        positions.extend(Some(game.position()).filter(|position| position.status() == Status::ToMove));
    }
    positions
}

#[test]
fn values_do_not_depend_on_earlier_questions() {
    check_history(&drawn_positions(20), 6);
}

#[test]
#[ignore = "release: 5,000 searches"]
fn values_of_many_positions_do_not_depend_on_earlier_questions() {
    let positions = drawn_positions(100);
    for (depth, count) in [(6, 100), (7, 60), (8, 20), (9, 60), (10, 30), (12, 20), (14, 8)] {
        check_history(&positions[..count], depth);
    }
}
