//! A check of a table, in builds with `--cfg whole_boards`: every board stored is kept, and a hit for another board panics.
//! In all other builds it does nothing.

use crate::board::Board;

/// The boards of the entries of a table, by the address of the entry.
#[derive(Debug, Default)]
pub(super) struct BoardCheck {
    #[cfg(whole_boards)]
    boards: std::sync::Mutex<std::collections::HashMap<usize, Board>>,
}

#[cfg(whole_boards)]
impl BoardCheck {
    /// Records that `entry` contains `board`.
    pub(super) fn stored<T>(&self, entry: &T, board: Option<Board>) {
        let mut boards = self.boards.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let address = std::ptr::from_ref(entry).addr();
        match board {
            Some(board) => boards.insert(address, board),
            None => boards.remove(&address),
        };
    }

    /// Checks that `entry` contains `board`.
    ///
    /// # Panics
    ///
    /// If it contains another board.
    pub(super) fn found<T>(&self, entry: &T, board: Option<Board>) {
        let boards = self.boards.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let stored = boards.get(&std::ptr::from_ref(entry).addr());
        if let (Some(stored), Some(board)) = (stored, board) {
            assert_eq!(*stored, board, "the table answered for another board");
        }
    }
}

#[cfg(not(whole_boards))]
impl BoardCheck {
    #[inline(always)]
    pub(super) fn stored<T>(&self, _entry: &T, _board: Option<Board>) {}

    #[inline(always)]
    pub(super) fn found<T>(&self, _entry: &T, _board: Option<Board>) {}
}
