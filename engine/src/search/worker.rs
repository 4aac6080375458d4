//! The state of one thread of a search.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::monitor::{Decision, Monitor};
use super::moves::Child;
use super::table::{Draft, Key, Table, ThreadTables};
use super::threads::{Pool, SplitPoint};
use super::value::Centidiscs;
use crate::board::{Bitboard, Board};
use crate::eval::{Evaluator, Features};
use crate::kernel::Kernels;
use crate::score::Confidence;

/// Number of nodes between two calls of the monitor: a millisecond or less.
const POLL_INTERVAL: u64 = 8192;
/// Number of nodes between two checks of the split points above, which cost an atomic read or two.
const SPLIT_CHECK_INTERVAL: u64 = 512;

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) table: Table,
    pub(super) evaluator: Evaluator,
    pub(super) pool: Arc<Pool>,
}

/// One thread of a search: its counters and its reasons to stop.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) nodes: u64,
    pub(super) confidence: Confidence,
    /// `true` if the iteration goes to the end of the game.
    pub(super) to_end: bool,
    /// `true` if the result is no longer needed. Every function then returns at once, and its value must not be used.
    pub(super) halted: bool,
    /// Why the whole search halted.
    pub(super) decision: Decision,
    /// The split point below which this thread works.
    pub(super) split: Option<Arc<SplitPoint>>,
    /// The thread that owns the search calls its monitor. The other threads check the pool.
    monitor: Option<&'a mut dyn Monitor>,
    poll_at: u64,
    monitor_at: u64,
    node_limit: u64,
    /// Nodes already added to the total of the pool.
    published: u64,
    pub(super) tables: &'a mut ThreadTables,
}

impl<'a> Worker<'a> {
    pub(super) fn owner(
        shared: &'a Arc<Shared>,
        tables: &'a mut ThreadTables,
        monitor: &'a mut dyn Monitor,
        node_limit: u64,
    ) -> Worker<'a> {
        let mut worker = Worker::helper(shared, tables, Confidence::EXACT);
        worker.monitor = Some(monitor);
        worker.node_limit = node_limit;
        worker
    }

    pub(super) fn helper(
        shared: &'a Arc<Shared>,
        tables: &'a mut ThreadTables,
        confidence: Confidence,
    ) -> Worker<'a> {
        Worker {
            shared,
            nodes: 0,
            confidence,
            to_end: true,
            halted: false,
            decision: Decision::Continue,
            split: None,
            monitor: None,
            poll_at: SPLIT_CHECK_INTERVAL,
            monitor_at: POLL_INTERVAL,
            node_limit: u64::MAX,
            published: 0,
            tables,
        }
    }

    /// Returns `true` if the search must return at once. Called at every node that is not cheap.
    #[inline(always)]
    pub(super) fn should_halt(&mut self) -> bool {
        if self.nodes >= self.poll_at {
            self.look();
        }
        self.halted
    }

    /// Checks the reasons to stop.
    #[cold]
    #[inline(never)]
    pub(super) fn look(&mut self) {
        self.poll_at = self.nodes + if self.split.is_some() { SPLIT_CHECK_INTERVAL } else { POLL_INTERVAL };
        if self.halted {
            return;
        }
        if self.split.as_ref().is_some_and(|split| split.is_cut()) || self.shared.pool.is_halted() {
            self.halted = true;
        }
        if self.nodes >= self.monitor_at {
            self.monitor_at = self.nodes + POLL_INTERVAL;
            self.ask_monitor();
        }
    }

    /// Calls the monitor. The search may be waiting for other threads.
    pub(super) fn ask_monitor(&mut self) {
        self.publish();
        let Some(monitor) = &mut self.monitor else { return };
        let total = self.shared.pool.nodes();
        let decision = if total >= self.node_limit { Decision::Stop } else { monitor.poll(total) };
        if decision != Decision::Continue {
            self.decision = decision;
            self.halted = true;
            self.shared.pool.halt();
        }
    }

    /// Returns the static evaluation of `board` with `features`, on which the mover has `moves`.
    #[inline(always)]
    pub(super) fn static_value<K: Kernels>(
        &mut self,
        board: Board,
        features: &Features,
        moves: Bitboard,
    ) -> Centidiscs {
        let evaluator = &self.shared.evaluator;
        let value = self.tables.values.value(
            board,
            #[inline(always)]
            || evaluator.value::<K>(features, board, moves),
        );
        Centidiscs(value)
    }

    /// Returns a lower bound above `alpha` for `board` at `draft` if the table contains one of its `children` with a value
    /// low enough: the enhanced transposition cutoff (Plaat, Schaeffer, Pijls and de Bruin, *Exploiting graph properties of
    /// game trees*, AAAI 1996).
    #[inline(always)]
    pub(super) fn enhanced_cut(
        &self,
        board: Board,
        children: &[Child],
        alpha: Centidiscs,
        draft: Draft,
    ) -> Option<Centidiscs> {
        let below = Draft { depth: draft.depth - 1, ..draft };
        for child in children {
            // The board is computed again: larger children would cost more.
            let key = Key::of(board.after_move(child.square, child.flips));
            if let Some(entry) = self.shared.table.get(key)
                && entry.serves(below)
                && -Centidiscs(entry.upper.into()) > alpha
            {
                return Some(-Centidiscs(entry.upper.into()));
            }
        }
        None
    }

    /// Returns the draft of a search to `depth` in this iteration.
    #[inline(always)]
    pub(super) fn draft(&self, depth: u32) -> Draft {
        let or_deeper = self.shared.table.serves_deeper.load(Relaxed);
        Draft { depth: depth as u8, confidence: self.confidence, or_deeper }
    }

    /// Adds the nodes since the last call to the total of all threads.
    pub(super) fn publish(&mut self) {
        self.shared.pool.add_nodes(self.nodes - self.published);
        self.published = self.nodes;
    }

    /// Returns the monitor, if this thread has it.
    pub(super) fn monitor(&mut self) -> Option<&mut dyn Monitor> {
        self.monitor.as_deref_mut().map(|monitor| monitor as &mut dyn Monitor)
    }
}
