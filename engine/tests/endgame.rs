//! The endgame solver, compared with a plain alpha-beta search without table, ordering and pruning, and with the positions
//! of the FFO endgame suite.

use std::path::Path;

use outflank::board::{Bitboard, Board, Color, Move, Position, Square, Symmetry};
use outflank::kernel::Kernel;
use outflank::score::{Bound, Confidence, Score, Window};
use outflank::search::{
    Decision, Depth, Goal, HashSize, KeepLastReport, Limits, Monitor, NextIteration, Progress, Proof, Report,
    Search, SearchConfig, SearchId, SearchRequest,
};

use plain::{Random, plain};

mod plain;

fn new_search(kernel: Kernel, megabytes: u32) -> Search {
    Search::new(SearchConfig::default().with_hash(HashSize(megabytes)).with_kernel(kernel))
}

fn solve(search: &mut Search, board: Board, goal: Goal) -> Report {
    let root = Position::new(board, Color::Black);
    search.start(SearchRequest { id: SearchId(1), root, goal, limits: Limits::NONE });
    let mut monitor = KeepLastReport::default();
    assert_eq!(search.run(&mut monitor), Progress::Finished);
    monitor.last.expect("a finished search reports")
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

/// Returns how many positions a test takes: more if `OUTFLANK_LONG_TESTS` is set.
fn volume(short: usize, long: usize) -> usize {
    if std::env::var_os("OUTFLANK_LONG_TESTS").is_some() { long } else { short }
}

#[test]
fn random_positions_against_plain_alpha_beta() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let kernels = Kernel::available();
    let mut searches: Vec<Search> = kernels.iter().map(|&kernel| new_search(kernel, 2)).collect();
    let positions = volume(2400, 20_000);
    for n in 0..positions {
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
        let board = random.board(empties);
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
fn keys_of_similar_boards_do_not_collide() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/collisions.obf"));
    let lines = obf(&text.expect("the file is there"));
    assert_eq!(lines.len(), 9);
    let mut search = new_search(Kernel::best(), 64);
    for (n, line) in lines.iter().enumerate() {
        for symmetry in Symmetry::all() {
            search.clear();
            let report = solve(&mut search, symmetry.board(line.board), Goal::BestMove);
            let score = report.best().expect("not over").score.centidiscs();
            assert_eq!(score, line.best * 100, "position {}, {symmetry:?}", n + 1);
        }
    }
}

/// In a build with `--cfg whole_boards`, the search panics if a table answers for another board.
#[test]
#[cfg(whole_boards)]
fn no_table_answers_for_another_board() {
    for (n, line) in obf(include_str!("data/fforum-40-44.obf")).iter().enumerate() {
        let report = solve(&mut new_search(Kernel::best(), 16), line.board, Goal::BestMove);
        let score = report.best().expect("not over").score.centidiscs();
        assert_eq!(score, line.best * 100, "position {}", 40 + n);
    }
}

#[test]
fn twins_have_separate_values() {
    let mut random = Random(0x0dd_ba11);
    let mut search = new_search(Kernel::best(), 16);
    let [h4, h8] = ["h4", "h8"].map(|name| Bitboard(1 << name.parse::<Square>().expect("a square").index()));
    let mut pairs = 0;
    while pairs < volume(60, 1000) {
        // The twin has a disc of the mover on h8 and one of the opponent on h4, or the other way around. The board has none
        // there.
        let board = random.board(12);
        if board.empty() & (h4 | h8) != h4 | h8 || board.is_over() {
            continue;
        }
        let twin = if pairs % 2 == 0 {
            Board { player: board.player | h8, opponent: board.opponent | h4 }
        } else {
            Board { player: board.player | h4, opponent: board.opponent | h8 }
        };
        if twin.is_over() {
            continue;
        }
        for board in [board, twin] {
            let report = solve(&mut search, board, Goal::BestMove);
            let score = report.best().expect("not over").score.centidiscs();
            assert_eq!(score, plain(board, -64, 64) * 100, "{board:?}");
        }
        pairs += 1;
    }
}

#[derive(Default)]
struct Reports(Vec<Report>);

impl Monitor for Reports {
    fn poll(&mut self, _nodes: u64) -> Decision {
        Decision::Continue
    }

    fn may_start_iteration(&mut self, _next: &NextIteration) -> bool {
        true
    }

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

#[test]
fn stopped_search_claims_only_proven_values() {
    let mut random = Random(0x57_0b_ed);
    let (mut claims, mut wrong_positions, mut wrong_moves) = (0, 0, 0);
    for n in 0..volume(12, 400) {
        let board = random.board(16 + n as u32 % 3);
        if board.moves().is_empty() {
            continue;
        }
        let mut search = new_search(Kernel::best(), 8);
        let values = solve(&mut search, board, Goal::Hints(64)).lines;
        let truth = values.first().expect("a move").score.centidiscs();
        search.clear();
        let all = solve(&mut search, board, Goal::BestMove).nodes as usize;
        for stop in 1..=40 {
            search.clear();
            for report in reports(&mut search, board, Goal::BestMove, Some((all * stop / 40) as u64)) {
                let best = report.best().expect("not over");
                if best.proof != Proof::Exact {
                    continue;
                }
                claims += 1;
                let score = best.score.centidiscs();
                let holds = |bound: Bound, value: i32| match bound {
                    Bound::Exact => value == score,
                    Bound::Lower => value >= score,
                    Bound::Upper => value <= score,
                };
                let value = values.iter().find(|line| line.first() == best.first()).expect("a legal move");
                wrong_positions += usize::from(!holds(best.bound, truth));
                wrong_moves += usize::from(!holds(best.bound, value.score.centidiscs()));
                assert_ne!(best.bound, Bound::Upper, "a move that failed low is preferred: {report:?}");
            }
        }
    }
    println!("{claims} claims, {wrong_positions} not the position's value, {wrong_moves} not the move's");
    assert!(claims > 100);
    assert_eq!((wrong_positions, wrong_moves), (0, 0));
}

/// Returns the values of the moves of `board` in centidiscs by plain alpha-beta, best first.
fn plain_values(board: Board) -> Vec<(Move, i32)> {
    let moves = board.moves();
    let mut values: Vec<(Move, i32)> = moves
        .into_iter()
        .map(|square| {
            (Move::Place(square), -100 * plain(board.after_move(square, board.flips(square)), -64, 64))
        })
        .collect();
    if moves.is_empty() {
        values.push((Move::Pass, -100 * plain(board.after_pass(), -64, 64)));
    }
    values.sort_by_key(|&(_, value)| -value);
    values
}

#[test]
fn all_claims_hold_in_stopped_searches_as_well() {
    let mut random = Random(0x0bad_c1a1);
    let mut search = new_search(Kernel::best(), 2);
    let (mut positions, mut exact, mut bounds, mut wrong) = (0, 0, 0, Vec::new());
    while positions < volume(150, 6000) {
        let board = random.board(8 + positions as u32 % 7);
        if board.is_over() {
            continue;
        }
        positions += 1;
        let values = plain_values(board);
        let alpha = Score::from_centidiscs(values[0].1 - 600 + random.below(1000) as i32);
        let window = Window::new(alpha, alpha + Score::from_centidiscs(600)).unwrap_or(Window::FULL);
        for goal in [Goal::BestMove, Goal::Hints(3), Goal::Outcome, Goal::Value(window)] {
            let limit = [None, Some(1), Some(8192 * (1 + random.below(8) as u64))][random.below(3)];
            if random.below(2) == 0 {
                search.clear();
            }
            for report in reports(&mut search, board, goal, limit) {
                for (line, &(_, kth)) in report.lines.iter().zip(&values) {
                    if !matches!(line.proof, Proof::Exact | Proof::Outcome) {
                        continue;
                    }
                    let own =
                        values.iter().find(|(mv, _)| Some(*mv) == line.first()).expect("a legal move").1;
                    let score = line.score.centidiscs();
                    let holds = |value: i32| match line.bound {
                        Bound::Exact => value == score && report.complete,
                        Bound::Lower => value >= score,
                        Bound::Upper => value <= score,
                    };
                    *(if line.bound == Bound::Exact { &mut exact } else { &mut bounds }) += 1;
                    if !holds(kth) || !holds(own) {
                        wrong.push(format!("{board:?} {goal:?} {limit:?}: {line:?}, but {kth} and {own}"));
                    }
                }
            }
        }
    }
    println!("{positions} positions, {exact} exact values, {bounds} bounds, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(exact > 500 && bounds > 500);
}

#[test]
fn claims_of_windows_and_outcomes_are_true() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut search = new_search(Kernel::best(), 2);
    for n in 0..volume(300, 3000) {
        let board = random.board(7 + n as u32 % 5);
        if board.is_over() {
            continue;
        }
        let truth = plain(board, -64, 64) * 100;
        let outcome = solve(&mut search, board, Goal::Outcome);
        let line = outcome.best().expect("not over");
        assert_eq!((line.score.centidiscs().signum(), line.proof), (truth.signum(), Proof::Outcome));
        let alpha = Score::from_centidiscs(random.below(12800) as i32 - 6400);
        let beta = alpha + Score::from_centidiscs(1 + random.below(1000) as i32);
        let Ok(window) = Window::new(alpha, beta) else { continue };
        let report = solve(&mut search, board, Goal::Value(window));
        let line = report.best().expect("not over");
        let score = line.score.centidiscs();
        if truth <= alpha.centidiscs() {
            assert!(truth <= score && score <= alpha.centidiscs(), "{truth} {window:?} {line:?}");
        } else if truth >= beta.centidiscs() {
            assert!(beta.centidiscs() <= score && score <= truth, "{truth} {window:?} {line:?}");
        } else {
            assert_eq!(score, truth, "{window:?} {line:?}");
        }
    }
}

#[test]
fn all_moves_of_solved_positions_have_their_values() {
    let mut random = Random(0xfeed_beef_1234_5678);
    let mut search = new_search(Kernel::best(), 2);
    for n in 0..volume(100, 1000) {
        let board = random.board(6 + n as u32 % 5);
        if board.moves().is_empty() {
            continue;
        }
        let report = solve(&mut search, board, Goal::Hints(64));
        assert_eq!(report.lines.len() as u32, board.moves().count());
        for line in &report.lines {
            let square = line.first().and_then(|mv| mv.square()).expect("a move");
            let value = -plain(board.after_move(square, board.flips(square)), -64, 64);
            assert_eq!(line.score.centidiscs(), value * 100, "{square} of {board:?}");
        }
        assert!(report.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }
}

#[test]
fn kernels_and_slices_visit_the_same_tree() {
    let board = Random(77).board(16);
    let signatures: Vec<(u64, i32)> = Kernel::available()
        .iter()
        .map(|&kernel| {
            let report = solve(&mut new_search(kernel, 8), board, Goal::BestMove);
            (report.nodes, report.best().expect("not over").score.centidiscs())
        })
        .collect();
    assert!(signatures.windows(2).all(|pair| pair[0] == pair[1]), "{signatures:?}");
}

#[test]
fn two_threads_find_the_same_value() {
    for seed in 1..volume(6, 40) as u64 {
        let board = Random(seed).board(17);
        if board.is_over() {
            continue;
        }
        let mut one = new_search(Kernel::best(), 8);
        let expected = solve(&mut one, board, Goal::BestMove);
        let mut two = new_search(Kernel::best(), 8);
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

struct ObfLine {
    board: Board,
    best: i32,
}

fn suite(name: &str) -> Option<Vec<ObfLine>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/suites").join(name);
    std::fs::read_to_string(path).ok().map(|text| obf(&text))
}

/// The positions of a suite with their values.
fn obf(text: &str) -> Vec<ObfLine> {
    text.lines()
        .filter(|line| !line.starts_with('%'))
        .map(|line| {
            let of = |disc: char| {
                Bitboard(line.chars().take(64).enumerate().map(|(n, c)| u64::from(c == disc) << n).sum())
            };
            let side = if line[64..].trim_start().starts_with('O') { Color::White } else { Color::Black };
            let position = Position::from_discs(of('X'), of('O'), side).expect("a position");
            let best = line.split(';').skip(1).filter_map(|pair| pair.split(':').nth(1)?.parse().ok()).max();
            ObfLine { board: position.board(), best: best.expect("a value") }
        })
        .collect()
}

#[test]
fn ffo_positions_up_to_39() {
    let Some(first) = suite("fforum-1-19.obf") else {
        println!("skipped: the suites are not beside this checkout");
        return;
    };
    let mut search = new_search(Kernel::best(), 64);
    let second = suite("fforum-20-39.obf").expect("both are there");
    let count = volume(32, 39);
    for (n, line) in first.iter().chain(&second).take(count).enumerate() {
        let report = solve(&mut search, line.board, Goal::BestMove);
        let score = report.best().expect("not over").score.centidiscs();
        assert_eq!(score, line.best * 100, "position {}", n + 1);
        check_variation(line.board, &report);
    }
}

#[test]
fn selective_iterations_lead_to_the_exact_one() {
    let reports = reports(&mut new_search(Kernel::best(), 16), Random(5).board(18), Goal::BestMove, None);
    let complete: Vec<&Report> = reports.iter().filter(|report| report.complete).collect();
    let order: Vec<(Depth, Confidence)> = complete.iter().map(|r| (r.depth, r.confidence)).collect();
    assert!(order.windows(2).all(|pair| pair[0] <= pair[1]), "{order:?}");
    assert!(complete.iter().all(|report| report.id == SearchId(3) && report.best().is_some()));
    assert_eq!(order.last(), Some(&(Depth::new(18), Confidence::EXACT)));
}
