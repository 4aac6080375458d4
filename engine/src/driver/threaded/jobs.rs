//! What the search's thread has to do, in order.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::search::{ExternalBounds, HashSize, SearchRequest};

/// The most seeds that wait: the table holds no more of them than it has places anyway.
const MAX_PENDING_BOUNDS: usize = 4096;

/// Something for the search's thread to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Job {
    /// Answer a request.
    Search(SearchRequest),
    /// Change the size of the transposition table.
    Resize(HashSize),
    /// Change the number of threads.
    Threads(usize),
    /// Empty the table.
    Clear,
    /// Put a value into it.
    AddBounds(ExternalBounds),
}

/// The jobs that wait. There are never many: one that makes an earlier one pointless takes its place.
#[derive(Debug, Default)]
pub(super) struct JobQueue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    seeds: usize,
    /// Whether nobody does them any more.
    is_closed: bool,
    /// Whether there will be no more of them.
    is_finished: bool,
}

impl JobQueue {
    /// Adds a job. Never waits. Nobody waits for an answer to an earlier search any more, and a seed too many costs the
    /// oldest one. False when there is nobody to do it.
    pub(super) fn push(&self, job: Job) -> bool {
        let mut waiting = self.lock();
        let kind = std::mem::discriminant(&job);
        match job {
            Job::Search(_) | Job::Resize(_) | Job::Threads(_) => {
                waiting.jobs.retain(|old| std::mem::discriminant(old) != kind);
            }
            Job::Clear => {
                waiting.jobs.retain(|old| !matches!(old, Job::Clear | Job::AddBounds(_)));
                waiting.seeds = 0;
            }
            Job::AddBounds(_) => {
                if waiting.seeds == MAX_PENDING_BOUNDS
                    && let Some(oldest) = waiting.jobs.iter().position(|old| matches!(old, Job::AddBounds(_)))
                {
                    waiting.jobs.remove(oldest);
                    waiting.seeds -= 1;
                }
                waiting.seeds += 1;
            }
        }
        waiting.jobs.push_back(job);
        self.arrived.notify_all();
        !waiting.is_closed
    }

    /// Says that there will be no more jobs.
    pub(super) fn finish(&self) {
        self.lock().is_finished = true;
        self.arrived.notify_all();
    }

    /// Says that nobody does them any more: further ones are refused.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
    }

    /// The next job, if there is one.
    pub(super) fn poll(&self) -> NextJob {
        self.lock().pop()
    }

    /// Waits for the next job; nothing when there will be no more.
    pub(super) fn wait(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            match waiting.pop() {
                NextJob::Do(job) => return Some(job),
                NextJob::Leave => return None,
                NextJob::Idle => waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What there is to do.
#[derive(Debug, PartialEq)]
pub(super) enum NextJob {
    /// This.
    Do(Job),
    /// Nothing at the moment.
    Idle,
    /// Nothing ever again.
    Leave,
}

impl Waiting {
    fn pop(&mut self) -> NextJob {
        match self.jobs.pop_front() {
            _ if self.is_finished => NextJob::Leave,
            None => NextJob::Idle,
            Some(job) => {
                self.seeds -= usize::from(matches!(job, Job::AddBounds(_)));
                NextJob::Do(job)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::score::{Confidence, Score};
    use crate::search::{Depth, Goal, Limits, SearchId};

    fn search(id: u64) -> Job {
        Job::Search(SearchRequest {
            id: SearchId(id),
            root: Position::START,
            goal: Goal::BestMove,
            limits: Limits::NONE,
        })
    }

    fn seed(plies: u32) -> Job {
        Job::AddBounds(ExternalBounds {
            position: Position::START,
            lower: Score::MIN,
            upper: Score::MAX,
            depth: Depth::new(plies),
            confidence: Confidence::EXACT,
            best: None,
        })
    }

    fn taken(jobs: &JobQueue) -> Vec<Job> {
        let mut waiting = jobs.lock();
        std::iter::from_fn(|| if let NextJob::Do(job) = waiting.pop() { Some(job) } else { None }).collect()
    }

    #[test]
    fn one_of_a_kind_is_enough() {
        let jobs = JobQueue::default();
        for round in 0..1000 {
            for job in [seed(1), search(round), Job::Resize(HashSize(4)), Job::Clear, Job::Threads(2)] {
                assert!(jobs.push(job));
            }
        }
        assert_eq!(taken(&jobs), [search(999), Job::Resize(HashSize(4)), Job::Clear, Job::Threads(2)]);
        // What a search starts from comes before it.
        for job in [Job::Resize(HashSize(8)), seed(1), search(1), seed(2)] {
            jobs.push(job);
        }
        assert_eq!(taken(&jobs), [Job::Resize(HashSize(8)), seed(1), search(1), seed(2)]);
    }

    #[test]
    fn the_oldest_seeds_give_way() {
        let jobs = JobQueue::default();
        jobs.push(search(1));
        for _ in 0..10 {
            jobs.push(seed(1));
        }
        for _ in 0..MAX_PENDING_BOUNDS {
            jobs.push(seed(2));
        }
        let left = taken(&jobs);
        assert_eq!((left.len(), &left[0], &left[1]), (MAX_PENDING_BOUNDS + 1, &search(1), &seed(2)));
        assert_eq!(jobs.lock().seeds, 0);
    }

    #[test]
    fn either_end_may_leave() {
        let jobs = JobQueue::default();
        assert_eq!(jobs.poll(), NextJob::Idle);
        assert!(jobs.push(Job::Clear));
        assert_eq!(jobs.wait(), Some(Job::Clear));
        jobs.push(Job::Clear);
        jobs.finish();
        assert_eq!((jobs.poll(), jobs.wait()), (NextJob::Leave, None));
        jobs.close();
        assert!(!jobs.push(Job::Clear));
    }
}
