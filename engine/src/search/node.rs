//! A position to be searched.

use super::value::Centidiscs;
use crate::board::{Bitboard, Board};
use crate::eval::Features;

/// A position to be searched, with what its parent has found out about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'f> {
    pub(super) board: Board,
    /// What its evaluation is made of; not used where the board has fewer empty squares than nodes of the endgame that
    /// are evaluated.
    pub(super) features: &'f Features,
    /// The moves of the mover.
    pub(super) moves: Bitboard,
    /// The static evaluation, where somebody asked for it.
    pub(super) static_eval: Option<Centidiscs>,
}
