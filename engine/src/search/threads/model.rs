//! Tests of the hand-over of work among the threads of a search.
//!
//! In a build with `--cfg loom` (`cargo xtask test sanitize`), loom tries every order in which the threads can run. Loom is
//! a model checker with its own locks and atomics. A thread that waits indefinitely is a deadlock there, and the test fails.
//! A nap never ends by a timeout: this shows that every wake-up arrives, and that the timeout is needed only to call the
//! monitor.
//!
//! In other builds the tests run several times with the scheduling of the system, also under Miri and the thread sanitizer.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

use super::split_point::{Best, Parent, share};
use super::{Helper, Pool};
use crate::board::{Bitboard, Board, Square};
use crate::eval::network::SMALL;
use crate::eval::{Evaluator, Features, Network};
use crate::score::Confidence;
use crate::search::monitor::{Decision, Monitor};
use crate::search::moves::Child;
use crate::search::report::Report;
use crate::search::table::{HashSize, Table, ThreadTables};
use crate::search::value::Discs;
use crate::search::worker::{Shared, Worker};
#[cfg(loom)]
use loom::thread;
#[cfg(not(loom))]
use std::thread;

/// A monitor that always gives the same answer.
struct Always(Decision);

impl Monitor for Always {
    fn poll(&mut self, _nodes: u64) -> Decision {
        self.0
    }

    fn report(&mut self, _report: Report) {}
}

/// The value of a child is the number of its square, for the parent.
fn number(_: &mut Worker<'_>, _: &Parent<'_, Discs>, child: &Child) -> Discs {
    Discs(-(child.square.index() as i32))
}

/// As [`number`], but each child is split itself, which gives split points below split points. A child whose search was halted must
/// not count as a result.
fn split_again(worker: &mut Worker<'_>, node: &Parent<'_, Discs>, child: &Child) -> Discs {
    let last = child.square.index() as u8;
    let parent = Parent { alpha: Discs(63), ..*node };
    let found = share(worker, &parent, children(&[last - 1, last]), Best::NONE, number);
    assert!(found.is_none_or(|found| found.value.0 == i32::from(last)), "unfinished: {found:?}");
    found.map_or(Discs(0), |best| -best.value)
}

fn children(squares: &[u8]) -> Vec<Child> {
    let child = |&square: &u8| Child {
        square: Square::new(square).expect("on the board"),
        flips: Bitboard(0),
        moves: Bitboard(0),
        static_eval: None,
    };
    squares.iter().map(child).collect()
}

/// Checks the value and the square that a thread with this many helpers finds for children with these values, above `alpha`, in
/// every order. `None` if it was stopped.
fn explore(
    helpers: usize,
    values: &'static [u8],
    alpha: i32,
    decision: Decision,
    search: fn(&mut Worker<'_>, &Parent<'_, Discs>, &Child) -> Discs,
    expected: fn(Option<(i32, usize)>) -> bool,
) {
    static EVALUATOR: LazyLock<Evaluator> = LazyLock::new(|| Network::<SMALL>::zero().into());
    // Threads of a model have small stacks.
    LazyLock::force(&EVALUATOR);
    let runs = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&runs);
    in_every_order(helpers, move || {
        counted.fetch_add(1, Relaxed);
        let pool = Arc::new(Pool::default());
        let table = Table::new(HashSize(0));
        let shared = Arc::new(Shared { table, evaluator: EVALUATOR.clone(), pool: Arc::clone(&pool) });
        let lent: Vec<_> = (0..helpers)
            .map(|_| {
                let helper = Helper::of(&pool);
                thread::spawn(move || helper.help())
            })
            .collect();
        let (mut tables, mut monitor) = (ThreadTables::new(), Always(decision));
        let mut worker = Worker::owner(&shared, &mut tables, &mut monitor, u64::MAX);
        worker.confidence = Confidence::EXACT;
        let board = Board::START;
        let features = Features::of(board);
        let node = Parent { board, features: &features, alpha: Discs(alpha), depth: 2 };
        let best = share(&mut worker, &node, children(values), Best::NONE, search);
        let found = best.map(|best| (best.value.0, best.square.map_or(64, Square::index)));
        assert!(expected(found), "{found:?}");
        // Like a search that was suspended.
        pool.go_on();
        pool.close();
        for thread in lent {
            thread.join().expect("a helper goes home");
        }
    });
    let runs = runs.load(Relaxed);
    println!("{runs} orders");
    assert!(runs > 100 || cfg!(miri));
}

/// Runs `body` in every order with at most this many preemptions. The number is enough for all errors of this kind that were
/// ever found in this way, and small enough to finish.
#[cfg(loom)]
fn in_every_order(helpers: usize, body: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(if helpers > 1 { 2 } else { 3 });
    builder.check(body);
}

/// Runs `body` several times.
#[cfg(not(loom))]
fn in_every_order(_helpers: usize, body: impl Fn() + Send + Sync + 'static) {
    (0..if cfg!(miri) { 1 } else { 200 }).for_each(|_| body());
}

#[test]
fn owner_waits_for_its_helper() {
    explore(1, &[3, 9, 5], 63, Decision::Continue, number, |best| best == Some((9, 9)));
}

#[test]
fn owner_waits_for_two_helpers() {
    explore(2, &[3, 9], 63, Decision::Continue, number, |best| best == Some((9, 9)));
}

#[test]
fn cutoff_ends_a_split_point() {
    explore(1, &[3, 9, 5], 4, Decision::Continue, number, |best| {
        [Some((9, 9)), Some((5, 5))].contains(&best)
    });
}

/// The monitor is called only while the owner waits for a helper.
#[test]
fn stopped_owner_does_not_wait() {
    explore(1, &[3, 9], 63, Decision::Stop, number, |best| [None, Some((9, 9))].contains(&best));
}

#[test]
fn unfinished_results_do_not_count() {
    explore(1, &[9, 19], 63, Decision::Yield, split_again, |_| true);
}

#[test]
fn helpful_master_works_below_its_split_point() {
    explore(1, &[9, 19], 63, Decision::Continue, split_again, |best| best == Some((19, 19)));
}
