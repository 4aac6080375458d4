//! A position to search.

use super::value::Centidiscs;
use crate::board::{Bitboard, Board};
use crate::eval::Features;

/// A position to search, with what its parent has computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'f> {
    pub(super) board: Board,
    /// The features for the evaluation. Not used for boards with fewer empty squares than evaluated endgame nodes have.
    pub(super) features: &'f Features,
    pub(super) moves: Bitboard,
    /// The static evaluation. `None` until it is computed.
    pub(super) static_eval: Option<Centidiscs>,
}
