//! What one thread of a search carries down the tree.

use std::sync::Arc;

use super::monitor::{Decision, Monitor};
use super::moves::Child;
use super::parallel::{Pool, Split};
use super::table::{Draft, Key, LocalTable, Table};
use crate::board::{Board, Square};
use crate::eval::Evaluator;
use crate::score::Confidence;

/// Nodes between two questions to the monitor: a millisecond or less.
const POLL_INTERVAL: u64 = 8192;
/// Nodes between two looks at the split points above: an atomic read or two.
const LOOK_INTERVAL: u64 = 512;

/// What all threads of a search share.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) table: Table,
    pub(super) evaluator: Evaluator,
    pub(super) pool: Arc<Pool>,
}

/// One thread of a search: its counters and its reasons to stop.
pub(super) struct Worker<'a> {
    pub(super) core: &'a Arc<Core>,
    /// Positions visited, each once for every visit.
    pub(super) nodes: u64,
    /// Confidence of the round, as its place in [`Confidence::LEVELS`].
    pub(super) level: u8,
    /// Set when what is being searched is of no more use: every function then returns at once, with a value
    /// nobody may use.
    pub(super) halted: bool,
    /// Why the whole search halted.
    pub(super) decision: Decision,
    /// The split point this thread works below.
    pub(super) split: Option<Arc<Split>>,
    /// The thread that owns the search asks its monitor; the others look at the pool.
    monitor: Option<&'a mut dyn Monitor>,
    poll_at: u64,
    monitor_at: u64,
    node_limit: u64,
    /// Nodes already added to the pool's total.
    published: u64,
    /// Nodes when this slice first stored a result: what comes before is the way back to where the last one
    /// stood.
    first_store: Option<u64>,
    /// Results of the lower storeys of the endgame.
    pub(super) local: &'a mut LocalTable,
}

impl<'a> Worker<'a> {
    /// The thread that owns the search.
    pub(super) fn owner(
        core: &'a Arc<Core>,
        local: &'a mut LocalTable,
        monitor: &'a mut dyn Monitor,
        node_limit: u64,
    ) -> Worker<'a> {
        let mut worker = Worker::helper(core, local, Confidence::EXACT.level() as u8);
        worker.monitor = Some(monitor);
        worker.node_limit = node_limit;
        worker
    }

    /// A thread lent to the search.
    pub(super) fn helper(core: &'a Arc<Core>, local: &'a mut LocalTable, level: u8) -> Worker<'a> {
        Worker {
            core,
            nodes: 0,
            level,
            halted: false,
            decision: Decision::Continue,
            split: None,
            monitor: None,
            poll_at: LOOK_INTERVAL,
            monitor_at: POLL_INTERVAL,
            node_limit: u64::MAX,
            published: 0,
            first_store: None,
            local,
        }
    }

    /// Whether to return at once. To be asked at every node that is not cheap.
    #[inline(always)]
    pub(super) fn should_halt(&mut self) -> bool {
        if self.nodes >= self.poll_at {
            self.look();
        }
        self.halted
    }

    /// Looks at the reasons to stop, whatever the count of nodes.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self) {
        self.poll_at = self.nodes + if self.split.is_some() { LOOK_INTERVAL } else { POLL_INTERVAL };
        if self.halted {
            return;
        }
        if self.split.as_ref().is_some_and(|split| split.is_cut()) || self.core.pool.is_halted() {
            self.halted = true;
        }
        if self.nodes >= self.monitor_at {
            self.monitor_at = self.nodes + POLL_INTERVAL;
            self.ask_monitor();
        }
    }

    /// Asks the monitor now; the search may be waiting for other threads.
    pub(super) fn ask_monitor(&mut self) {
        self.publish();
        let Some(monitor) = &mut self.monitor else { return };
        let total = self.core.pool.nodes();
        let decision = if total >= self.node_limit { Decision::Stop } else { monitor.poll(total) };
        if decision != Decision::Continue {
            self.decision = decision;
            self.halted = true;
            self.core.pool.halt();
        }
    }

    /// A bound above `alpha` (both in centidiscs) for `board`, searched to `depth` plies, where the table knows one of
    /// its `children` to be bad enough for its mover: the enhanced transposition cut-off (Plaat, Schaeffer, Pijls and
    /// de Bruin, *Exploiting graph properties of game trees*, AAAI 1996).
    #[inline(always)]
    pub(super) fn enhanced_cut(
        &self,
        board: Board,
        children: &[Child],
        alpha: i32,
        depth: u32,
        level: u8,
    ) -> Option<i32> {
        for child in children {
            let key = Key::of(board.placed(child.square, child.flips));
            if let Some(entry) = self.core.table.get(key)
                && entry.serves(depth as u8 - 1, level)
                && -i32::from(entry.upper) > alpha
            {
                return Some(-i32::from(entry.upper));
            }
        }
        None
    }

    /// Stores in the table what a search of the window `alpha` to `beta` found.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        key: Key,
        draft: Draft,
        window: (i32, i32),
        score: i32,
        best: Option<Square>,
    ) {
        if self.first_store.is_none() {
            self.first_store = Some(self.nodes);
        }
        self.core.table.put(key, draft, window, score, best);
    }

    /// Adds the nodes since the last time to the total of all threads.
    pub(super) fn publish(&mut self) {
        self.core.pool.add_nodes(self.nodes - self.published);
        self.published = self.nodes;
    }

    /// The monitor, where this thread has it.
    pub(super) fn monitor(&mut self) -> Option<&mut dyn Monitor> {
        self.monitor.as_deref_mut().map(|monitor| monitor as &mut dyn Monitor)
    }
}
