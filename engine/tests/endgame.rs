//! The endgame solver, compared with a plain alpha-beta search and with the positions of the FFO endgame suite.

use std::path::Path;

use outflank::analysis::ask;
use outflank::board::{Board, Color, Move, Position, Symmetry};
use outflank::kernel::Kernel;
use outflank::notation::obf::{self, ScoredPosition};
use outflank::score::{Bound, Confidence, Score, Window};
use outflank::search::{
    Depth, Goal, HashSize, Limits, Monitor, Progress, Proof, Report, Search, SearchConfig, SearchId,
    SearchRequest,
};

use plain::{Random, plain, random_board};

mod plain;

fn new_search(megabytes: u32) -> Search {
    Search::new(config(megabytes))
}

fn config(megabytes: u32) -> SearchConfig {
    SearchConfig::default().with_hash(HashSize(megabytes))
}

fn solve(search: &mut Search, board: Board, goal: Goal) -> Report {
    ask(search, Position::new(board, Color::Black), goal, Limits::NONE)
}

/// Checks that every move of the variation is legal, and that it ends with the end of the game and the score.
fn check_variation(board: Board, report: &Report) {
    let Some(line) = report.best() else {
        assert!(board.is_over());
        return;
    };
    let mut position = Position::new(board, Color::Black);
    for &mv in &line.moves {
        position = position.play(mv).expect("legal");
    }
    assert!(position.board().is_over(), "the variation {:?} stops early", line.moves);
    let score = position.board().final_score();
    let score = if position.side() == Color::Black { score } else { -score };
    assert_eq!(line.score.centidiscs(), score * 100, "{:?}", line.moves);
    assert_eq!((line.proof, report.complete), (Proof::Exact, true));
}

#[test]
fn random_positions_against_plain_alpha_beta() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let kernels = Kernel::available();
    let new = |&kernel| Search::new(config(2).with_kernel(kernel));
    let mut searches: Vec<Search> = kernels.iter().map(new).collect();
    for n in 0..2400 {
        // Most are small: the time of plain alpha-beta grows tenfold for every two or three squares.
        let empties = match n % 40 {
            0 if n % 400 == 0 => 14,
            0 => 13,
            1..=3 => 12,
            4..=8 => 11,
            9..=15 => 10,
            16..=25 => 9,
            26..=35 => 8,
            rest => rest as u32 - 35,
        };
        let board = random_board(&mut random, empties);
        let expected = plain(board, -64, 64);
        let board = Symmetry::all().nth(n / 40 % 8).expect("there are eight").board(board);
        let search = &mut searches[n % kernels.len()];
        let report = solve(search, board, Goal::BestMove);
        match report.best() {
            Some(line) => assert_eq!(line.score.centidiscs(), expected * 100, "{board:?}"),
            None => assert!(board.is_over()),
        }
        check_variation(board, &report);
    }
}

#[test]
#[ignore = "release: long searches"]
fn keys_of_similar_boards_do_not_collide() {
    let suite = obf(include_str!("data/collisions.obf"));
    assert_eq!(suite.len(), 9);
    for (board, value) in suite {
        for symmetry in Symmetry::all() {
            check_suite(&[(symmetry.board(board), value)], 64);
        }
    }
}

/// In a build with `--cfg whole_boards`, the search panics if a table answers for another board.
#[test]
#[cfg(whole_boards)]
fn no_table_answers_for_another_board() {
    check_suite(&obf(include_str!("data/fforum-40-44.obf")), 16);
}

#[derive(Default)]
struct Reports(Vec<Report>);

impl Monitor for Reports {
    fn report(&mut self, report: Report) {
        self.0.push(report);
    }
}

/// Returns the reports of a search of `board` with at most `nodes` nodes. The search checks the limit every 8192 nodes.
fn reports(search: &mut Search, board: Board, goal: Goal, nodes: Option<u64>) -> Vec<Report> {
    let (root, limits) = (Position::new(board, Color::Black), Limits::NONE.with_nodes(nodes));
    search.start(SearchRequest { id: SearchId(3), root, goal, limits });
    let mut monitor = Reports::default();
    assert_eq!(search.run(&mut monitor), Progress::Finished);
    monitor.0
}

/// Checks that the proven values of all reports are those of the position and of the moves. `values` are the values of the
/// moves in centidiscs, best first. Returns the numbers of exact values and of bounds.
fn check_claims(values: &[(Move, i32)], reports: &[Report]) -> [usize; 2] {
    let mut claims = [0; 2];
    for report in reports {
        for (line, &(_, kth)) in report.lines.iter().zip(values) {
            if !matches!(line.proof, Proof::Exact | Proof::Outcome) {
                continue;
            }
            claims[usize::from(line.bound != Bound::Exact)] += 1;
            let own = values.iter().find(|(mv, _)| Some(*mv) == line.first()).expect("a legal move").1;
            let score = line.score.centidiscs();
            for value in [kth, own] {
                let holds = match line.bound {
                    Bound::Exact => value == score && report.complete,
                    Bound::Lower => value >= score,
                    Bound::Upper => value <= score,
                };
                assert!(holds, "{line:?}, but {value}, in {report:?}");
            }
        }
    }
    claims
}

/// Returns the values of the moves of `board` in centidiscs by plain alpha-beta, best first.
fn plain_values(board: Board) -> Vec<(Move, i32)> {
    let child = |square| (Move::Place(square), board.after_move(square, board.flips(square)));
    let mut children: Vec<_> = board.moves().into_iter().map(child).collect();
    if children.is_empty() {
        children.push((Move::Pass, board.after_pass()));
    }
    let value = |(mv, child)| (mv, -100 * plain(child, -64, 64));
    let mut values: Vec<_> = children.into_iter().map(value).collect();
    values.sort_by_key(|&(_, value)| -value);
    values
}

/// Every goal, in a search to the end and in one that is stopped.
#[test]
fn all_claims_hold() {
    let mut random = Random::new(0x0bad_c1a1);
    let mut search = new_search(2);
    let (mut positions, mut exact, mut bounds) = (0, 0, 0);
    while positions < 150 {
        let board = random_board(&mut random, 8 + positions as u32 % 7);
        if board.is_over() {
            continue;
        }
        positions += 1;
        let values = plain_values(board);
        let truth = values[0].1;
        let alpha = Score::from_centidiscs(truth - 600 + random.below(1000) as i32);
        let window = Window::new(alpha, alpha + Score::from_centidiscs(600)).unwrap_or(Window::FULL);
        for goal in [Goal::BestMove, Goal::Hints(3), Goal::Hints(64), Goal::Outcome, Goal::Value(window)] {
            for limit in [None, Some([1, 8192 * (1 + random.below(8) as u64)][random.below(2)])] {
                if random.below(2) == 0 {
                    search.clear();
                }
                let reports = reports(&mut search, board, goal, limit);
                let claims = check_claims(&values, &reports);
                exact += claims[0];
                bounds += claims[1];
                for best in reports.iter().filter_map(Report::best).filter(|_| goal == Goal::BestMove) {
                    let failed_low = best.proof == Proof::Exact && best.bound == Bound::Upper;
                    assert!(!failed_low, "a move that failed low is preferred: {best:?}");
                }
                if limit.is_some() {
                    continue;
                }
                let line = reports.last().and_then(Report::best).expect("not over");
                let (score, bound) = (line.score.centidiscs(), line.bound);
                let [alpha, beta] = [window.alpha(), window.beta()].map(Score::centidiscs);
                match goal {
                    Goal::Outcome => {
                        assert_eq!((score.signum(), line.proof), (truth.signum(), Proof::Outcome));
                    }
                    Goal::Value(_) if truth <= alpha => {
                        assert!(score <= alpha, "{truth} {window:?} {line:?}");
                    }
                    Goal::Value(_) if truth >= beta => {
                        assert!(score >= beta, "{truth} {window:?} {line:?}");
                    }
                    Goal::Hints(64) => {
                        let claims = check_claims(&values, &reports[reports.len() - 1..]);
                        assert_eq!(claims, [values.len(), 0], "{board:?}");
                    }
                    _ => assert_eq!((score, bound), (truth, Bound::Exact), "{goal:?} {line:?}"),
                }
            }
        }
    }
    assert!(exact > 500 && bounds > 500, "{exact} exact values, {bounds} bounds");
}

#[test]
fn two_threads_find_the_same_value() {
    for seed in 1..6 {
        let board = random_board(&mut Random::new(seed), 17);
        if board.is_over() {
            continue;
        }
        let expected = solve(&mut new_search(8), board, Goal::BestMove);
        let mut two = new_search(8);
        let helper = two.helper();
        let thread = std::thread::spawn(move || helper.help());
        let found = solve(&mut two, board, Goal::BestMove);
        two.close_helpers();
        thread.join().expect("the helper ends");
        let score = |report: &Report| report.best().map(|line| (line.score, line.proof));
        assert_eq!(score(&found), score(&expected));
        check_variation(board, &found);
    }
}

/// The positions of a suite with their values in centidiscs.
fn obf(text: &str) -> Vec<(Board, i32)> {
    let read = |line: Result<ScoredPosition, _>| {
        let line = line.expect("a position");
        (line.position.board(), Score::from(line.best().expect("a value")).centidiscs())
    };
    obf::read(text).map(|(_, line)| read(line)).collect()
}

/// Solves the positions of a suite and compares their values.
fn check_suite(suite: &[(Board, i32)], megabytes: u32) {
    let mut search = new_search(megabytes);
    for (n, &(board, value)) in (1..).zip(suite) {
        let report = solve(&mut search, board, Goal::BestMove);
        check_variation(board, &report);
        assert_eq!(report.best().map(|line| line.score.centidiscs()), Some(value), "position {n}");
    }
}

#[test]
fn ffo_positions_1_to_32() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/native/data/suites");
    let Ok(first) = std::fs::read_to_string(folder.join("fforum-1-19.obf")) else {
        println!("skipped: the published package has no suites");
        return;
    };
    let second = std::fs::read_to_string(folder.join("fforum-20-39.obf")).expect("both are there");
    check_suite(&obf(&(first + &second))[..32], 64);
}

#[test]
fn selective_iterations_lead_to_the_exact_one() {
    let board = random_board(&mut Random::new(5), 18);
    let reports = reports(&mut new_search(16), board, Goal::BestMove, None);
    let complete: Vec<&Report> = reports.iter().filter(|report| report.complete).collect();
    let order: Vec<(Depth, Confidence)> = complete.iter().map(|r| (r.depth, r.confidence)).collect();
    assert!(order.windows(2).all(|pair| pair[0] <= pair[1]), "{order:?}");
    assert!(complete.iter().all(|report| report.id == SearchId(3) && report.best().is_some()));
    assert_eq!(order.last(), Some(&(Depth::new(18), Confidence::EXACT)));
}
