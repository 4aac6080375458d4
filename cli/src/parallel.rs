//! Work that several threads share out among themselves, its results in the order of what they were made of.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// So many items a worker may be taken in hand before the first of them is done: what waits for an item that takes long.
const AHEAD: usize = 2;

/// How many results are through, and whether nobody wants more.
#[derive(Default)]
struct Passed {
    count: usize,
    over: bool,
}

/// Takes `items` as they come, lets `jobs` workers work on them side by side, and hands each result to `take` in the order
/// of the items, as soon as it and all before it are there. Ends with the first error of `take`, and with an error where
/// `items` or a worker panics.
///
/// `worker` makes a worker, on its own thread.
pub(crate) fn parallel_in_order<T: Send, R: Send, W: FnMut(T) -> R>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let passed = (Mutex::new(Passed::default()), Condvar::new());
    let (give, given) = mpsc::sync_channel::<(usize, T)>(jobs);
    let given = Mutex::new(given);
    let build = |name: String| thread::Builder::new().name(name);
    thread::scope(|scope| {
        let (tell, told) = mpsc::channel::<(usize, thread::Result<R>)>();
        let (given, worker, passed) = (&given, &worker, &passed);
        let feeder = build("feeder".to_owned());
        let feeder =
            feeder.spawn_scoped(scope, move || feed(items, &give, passed, AHEAD * jobs)).map_err(refused)?;
        for number in 0..jobs {
            let tell = tell.clone();
            let started =
                build(format!("job {number}")).stack_size(16 << 20).spawn_scoped(scope, move || {
                    let mut work = None;
                    while let Some((index, item)) = next(given) {
                        let job = AssertUnwindSafe(|| work.get_or_insert_with(worker)(item));
                        let result = panic::catch_unwind(job);
                        let is_broken = result.is_err();
                        if tell.send((index, result)).is_err() || is_broken {
                            return;
                        }
                    }
                });
            // With one worker less it takes longer; without any it would take for ever.
            if let Err(error) = started
                && number == 0
            {
                give_up(given, passed);
                return Err(refused(error));
            }
        }
        drop(tell);
        let mut waiting = BTreeMap::new();
        let mut count = 0;
        let mut done = Ok(());
        'all: for (index, result) in told {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&count) {
                done = result.map_err(|panic| broken(&*panic)).and_then(&mut take);
                if done.is_err() {
                    break 'all;
                }
                count += 1;
                let (state, news) = passed;
                state.lock().unwrap_or_else(PoisonError::into_inner).count = count;
                news.notify_all();
            }
        }
        give_up(given, passed);
        done.and(feeder.join().map_err(|panic| broken(&*panic)))
    })
}

fn feed<T>(
    items: impl Iterator<Item = T>,
    give: &SyncSender<(usize, T)>,
    (state, news): &(Mutex<Passed>, Condvar),
    ahead: usize,
) {
    for (index, item) in items.enumerate() {
        let mut passed = state.lock().unwrap_or_else(PoisonError::into_inner);
        while !passed.over && index >= passed.count + ahead {
            passed = news.wait(passed).unwrap_or_else(PoisonError::into_inner);
        }
        let over = passed.over;
        drop(passed);
        if over || give.send((index, item)).is_err() {
            return;
        }
    }
}

fn next<T>(given: &Mutex<Receiver<T>>) -> Option<T> {
    given.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Nobody wants more. Whoever still gives or works finds nobody to take.
fn give_up<T>(given: &Mutex<Receiver<T>>, (state, news): &(Mutex<Passed>, Condvar)) {
    state.lock().unwrap_or_else(PoisonError::into_inner).over = true;
    news.notify_all();
    while next(given).is_some() {}
}

/// The error in place of a panic.
fn broken(panic: &(dyn Any + Send)) -> io::Error {
    let message =
        panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    io::Error::other(format!("a job panicked: {}", message.unwrap_or("no message")))
}

fn refused(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("a thread cannot be started: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn in_the_order_of_the_items_and_not_far_ahead() {
        let begun = Mutex::new(0_usize);
        let mut results = Vec::new();
        let items = (0..200_usize).inspect(|item| *begun.lock().unwrap() = *item);
        parallel_in_order(
            items,
            4,
            || {
                |item: usize| {
                    thread::sleep(Duration::from_micros((item as u64 * 7919) % 900));
                    item * 2
                }
            },
            |result| {
                results.push(result);
                assert!(*begun.lock().unwrap() <= results.len() + AHEAD * 4 + 1);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(results, (0..200).map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_ends_it() {
        let mut taken = 0;
        let done = parallel_in_order(
            0..,
            3,
            || |item: usize| item,
            |_| {
                taken += 1;
                if taken == 10 { Err(io::Error::other("full")) } else { Ok(()) }
            },
        );
        assert_eq!((done.unwrap_err().to_string(), taken), ("full".to_owned(), 10));
    }

    #[test]
    fn a_panic_in_a_job_ends_it() {
        for jobs in [1, 2, 5] {
            let mut taken = Vec::new();
            let job = || |item: usize| if item == 20 { panic!("item {item}") } else { item };
            let take = |item| {
                taken.push(item);
                Ok(())
            };
            let error = parallel_in_order(0..100, jobs, job, take).unwrap_err();
            assert_eq!((error.to_string(), taken.len()), ("a job panicked: item 20".to_owned(), 20));
            // A worker that cannot be made, and items that cannot be read.
            let worker = || -> fn(usize) -> usize { panic!("no worker") };
            let error = parallel_in_order(0..100, jobs, worker, |_| Ok(())).unwrap_err();
            assert_eq!(error.to_string(), "a job panicked: no worker");
            let items = (0..100).inspect(|&item| assert!(item < 30, "item {item}"));
            let error = parallel_in_order(items, jobs, || |item: i32| item, |_| Ok(())).unwrap_err();
            assert_eq!(error.to_string(), "a job panicked: item 30");
        }
    }
}
