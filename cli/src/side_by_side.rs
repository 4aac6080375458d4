//! Work that several threads share out among themselves, its results in the order of what they were made of.

use std::collections::BTreeMap;
use std::io;
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
/// of the items, as soon as it and all before it are there. Ends with the first error of `take`.
///
/// `worker` makes a worker, on its own thread.
pub(crate) fn in_order<T: Send, R: Send, W: FnMut(T) -> R>(
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
        let (tell, told) = mpsc::channel::<(usize, R)>();
        let (given, worker, passed) = (&given, &worker, &passed);
        let feeder = build("feeder".to_owned());
        feeder.spawn_scoped(scope, move || feed(items, &give, passed, AHEAD * jobs)).map_err(refused)?;
        for number in 0..jobs {
            let tell = tell.clone();
            let started =
                build(format!("job {number}")).stack_size(16 << 20).spawn_scoped(scope, move || {
                    let mut work = worker();
                    while let Some((index, item)) = next(given) {
                        if tell.send((index, work(item))).is_err() {
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
                done = take(result);
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
        done
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
        in_order(
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
        let done = in_order(
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
}
