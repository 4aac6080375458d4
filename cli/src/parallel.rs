//! Parallel work with results in the order of the items.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;

/// Items per worker that may be started before the oldest one is finished. It bounds the results that wait for a slow item.
const MAX_AHEAD: usize = 2;

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
    // The number of the next item, from 0.
    let items = Mutex::new((0, items));
    // The number of delivered results, `None` if no more are needed.
    let (delivered, changed) = (Mutex::new(Some(0)), Condvar::new());
    let deliver = |count| {
        *delivered.lock().unwrap_or_else(PoisonError::into_inner) = count;
        changed.notify_all();
    };
    thread::scope(|scope| {
        let (send_result, results) = mpsc::channel::<(usize, thread::Result<R>)>();
        for number in 0..jobs {
            let (send_result, items, worker) = (send_result.clone(), &items, &worker);
            let (delivered, changed) = (&delivered, &changed);
            let run = move || {
                let mut work = None;
                loop {
                    let mut index = 0;
                    let job = AssertUnwindSafe(|| {
                        // There are no more items after a panic of the iterator.
                        let mut items = items.lock().ok()?;
                        index = items.0;
                        let delivered = delivered.lock().unwrap_or_else(PoisonError::into_inner);
                        let is_full = |count: usize| index >= count + MAX_AHEAD * jobs;
                        let delivered = changed.wait_while(delivered, |count| count.is_some_and(is_full));
                        (*delivered.unwrap_or_else(PoisonError::into_inner))?;
                        items.0 += 1;
                        let item = items.1.next()?;
                        drop(items);
                        Some(work.get_or_insert_with(worker)(item))
                    });
                    let Some(result) = panic::catch_unwind(job).transpose() else { return };
                    let is_broken = result.is_err();
                    if send_result.send((index, result)).is_err() || is_broken {
                        return;
                    }
                }
            };
            let builder = thread::Builder::new().name(format!("job {number}")).stack_size(16 << 20);
            // One worker is enough.
            if let Err(error) = builder.spawn_scoped(scope, run)
                && number == 0
            {
                return Err(io::Error::new(error.kind(), format!("could not start a thread: {error}")));
            }
        }
        drop(send_result);
        let done = take_in_order(results, &mut take, |count| deliver(Some(count)));
        deliver(None);
        done
    })
}

/// Passes results to `take` in the order of their items, and the number of passed results to `deliver`.
fn take_in_order<R>(
    results: mpsc::Receiver<(usize, thread::Result<R>)>,
    take: &mut impl FnMut(R) -> io::Result<()>,
    deliver: impl Fn(usize),
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut count = 0;
    for (index, result) in results {
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(&count) {
            take(result.map_err(|panic| panicked(&*panic))?)?;
            count += 1;
            deliver(count);
        }
    }
    Ok(())
}

fn panicked(panic: &(dyn Any + Send)) -> io::Error {
    let message =
        panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    io::Error::other(format!("a job panicked: {}", message.unwrap_or("no message")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn results_are_in_order_and_bounded() {
        let (begun, ended) = (Mutex::new(0_usize), Mutex::new(BTreeSet::new()));
        let mut results = Vec::new();
        let items = (0..200_usize).inspect(|item| *begun.lock().unwrap() = *item);
        parallel_in_order(
            items,
            4,
            || {
                |item: usize| {
                    // Every second item ends after the next one.
                    while item.is_multiple_of(2) && !ended.lock().unwrap().contains(&(item + 1)) {
                        thread::yield_now();
                    }
                    ended.lock().unwrap().insert(item);
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
