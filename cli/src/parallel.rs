//! Parallel work with results in the order of the items.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Items per worker that may be started before the oldest one is finished. It bounds the results that wait for a slow item.
const MAX_AHEAD: usize = 2;

/// The number of delivered results.
#[derive(Default)]
struct Delivered {
    count: usize,
    /// No more results are needed.
    over: bool,
}

/// Processes `items` with `jobs` parallel workers and passes the results to `take` in the order of the items, each as soon as
/// all earlier results are there. `worker` makes a worker, on the thread of the worker.
///
/// # Errors
/// The first error of `take`, and an error if `items` or a worker panics or if no thread can be started.
pub(crate) fn parallel_in_order<T: Send, R: Send, W: FnMut(T) -> R>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let delivered = (Mutex::new(Delivered::default()), Condvar::new());
    let (give, queue) = mpsc::sync_channel::<(usize, T)>(jobs);
    let queue = Mutex::new(queue);
    let build = |name: String| thread::Builder::new().name(name);
    thread::scope(|scope| {
        let (send_result, results) = mpsc::channel::<(usize, thread::Result<R>)>();
        let (queue, worker, delivered) = (&queue, &worker, &delivered);
        let feeder = build("feeder".to_owned());
        let feeder = feeder
            .spawn_scoped(scope, move || feed(items, &give, delivered, MAX_AHEAD * jobs))
            .map_err(refused)?;
        for number in 0..jobs {
            let send_result = send_result.clone();
            let started =
                build(format!("job {number}")).stack_size(16 << 20).spawn_scoped(scope, move || {
                    let mut work = None;
                    while let Some((index, item)) = next(queue) {
                        let job = AssertUnwindSafe(|| work.get_or_insert_with(worker)(item));
                        let result = panic::catch_unwind(job);
                        let is_broken = result.is_err();
                        if send_result.send((index, result)).is_err() || is_broken {
                            return;
                        }
                    }
                });
            // One worker is enough.
            if let Err(error) = started
                && number == 0
            {
                stop(queue, delivered);
                return Err(refused(error));
            }
        }
        drop(send_result);
        let mut waiting = BTreeMap::new();
        let mut count = 0;
        let mut done = Ok(());
        'all: for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&count) {
                done = result.map_err(|panic| panicked(&*panic)).and_then(&mut take);
                if done.is_err() {
                    break 'all;
                }
                count += 1;
                let (state, changed) = delivered;
                state.lock().unwrap_or_else(PoisonError::into_inner).count = count;
                changed.notify_all();
            }
        }
        stop(queue, delivered);
        done.and(feeder.join().map_err(|panic| panicked(&*panic)))
    })
}

fn feed<T>(
    items: impl Iterator<Item = T>,
    give: &SyncSender<(usize, T)>,
    (state, changed): &(Mutex<Delivered>, Condvar),
    ahead: usize,
) {
    for (index, item) in items.enumerate() {
        let mut delivered = state.lock().unwrap_or_else(PoisonError::into_inner);
        while !delivered.over && index >= delivered.count + ahead {
            delivered = changed.wait(delivered).unwrap_or_else(PoisonError::into_inner);
        }
        let over = delivered.over;
        drop(delivered);
        if over || give.send((index, item)).is_err() {
            return;
        }
    }
}

fn next<T>(queue: &Mutex<Receiver<T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Ends the feeder and the workers: no more results are needed.
fn stop<T>(queue: &Mutex<Receiver<T>>, (state, changed): &(Mutex<Delivered>, Condvar)) {
    state.lock().unwrap_or_else(PoisonError::into_inner).over = true;
    changed.notify_all();
    while next(queue).is_some() {}
}

/// Converts a panic to an error.
fn panicked(panic: &(dyn Any + Send)) -> io::Error {
    let message =
        panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    io::Error::other(format!("a job panicked: {}", message.unwrap_or("no message")))
}

fn refused(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not start a thread: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_are_in_order_and_bounded() {
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
                assert!(*begun.lock().unwrap() <= results.len() + MAX_AHEAD * 4 + 1);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(results, (0..200).map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn error_ends_the_work() {
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
    fn panic_ends_the_work() {
        for jobs in [1, 2, 5] {
            let mut taken = Vec::new();
            let job = || |item: usize| if item == 20 { panic!("item {item}") } else { item };
            let take = |item| {
                taken.push(item);
                Ok(())
            };
            let error = parallel_in_order(0..100, jobs, job, take).unwrap_err();
            assert_eq!((error.to_string(), taken.len()), ("a job panicked: item 20".to_owned(), 20));
            let worker = || -> fn(usize) -> usize { panic!("no worker") };
            let error = parallel_in_order(0..100, jobs, worker, |_| Ok(())).unwrap_err();
            assert_eq!(error.to_string(), "a job panicked: no worker");
            let items = (0..100).inspect(|&item| assert!(item < 30, "item {item}"));
            let error = parallel_in_order(items, jobs, || |item: i32| item, |_| Ok(())).unwrap_err();
            assert_eq!(error.to_string(), "a job panicked: item 30");
        }
    }
}
