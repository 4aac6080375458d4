//! The tree that a reader fills, and the variations that it is in.

use super::error::excerpt;
use super::{ReadError, moves, words};
use crate::game::{Game, GameTree, NodeId, RecordedMove, Tags};

/// The kind of the parts of variations that are not kept.
pub const CUT_VARIATIONS: &str = "cut variations";

/// The most positions of a game with its variations.
const MAX_NODES: usize = 100_000;

pub(super) struct Branches<'a> {
    text: &'a str,
    pub(super) tree: GameTree,
    /// Number of comments.
    comments: usize,
    /// The first part of a variation that was not read, and the number of the move before it.
    pub(super) unread: Option<String>,
    /// Parts that are not read become comments: in PGN they may be words.
    pub(super) has_words: bool,
    /// The node of the next move.
    pub(super) at: NodeId,
    /// The nodes to which closing brackets return, each with the number of brackets: nested ones need no memory of their own.
    open: Vec<(NodeId, usize)>,
    depth: usize,
    /// A variation that cannot be read: its depth, and the byte from which it is skipped.
    damaged: Option<(usize, usize)>,
}

impl<'a> Branches<'a> {
    pub(super) fn new(text: &'a str, tree: GameTree) -> Branches<'a> {
        Branches {
            text,
            tree,
            comments: 0,
            unread: None,
            has_words: false,
            at: NodeId::ROOT,
            open: Vec::new(),
            depth: 0,
            damaged: None,
        }
    }

    /// Number of open brackets.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The reader is in a part of a variation that is skipped.
    pub(super) fn is_skipping(&self) -> bool {
        self.damaged.is_some()
    }

    /// An opening bracket: moves continue from a node.
    pub(super) fn open(&mut self, from: NodeId) {
        self.depth += 1;
        match self.open.last_mut() {
            Some((at, brackets)) if *at == self.at => *brackets += 1,
            _ => self.open.push((self.at, 1)),
        }
        if !self.is_skipping() {
            self.at = from;
        }
    }

    /// A closing bracket at a byte. A part that was skipped is cut, or becomes a comment.
    pub(super) fn close(&mut self, byte: usize) -> Result<(), ReadError> {
        if let Some((_, start)) = self.damaged.take_if(|(depth, _)| *depth == self.depth) {
            let part = self.text[start..byte].trim();
            // Words in brackets are about the move before them.
            let before = self.open.last().map(|&(at, _)| at);
            let before = before.filter(|&at| {
                self.has_words && words::places(part) == 0 && self.tree.parent(at) == Some(self.at)
            });
            if before.is_none() {
                let number = self.tree.discs_placed(self.at) + 1;
                self.unread.get_or_insert_with(|| format!("move {number}: `{}`", excerpt(part)));
            }
            if self.has_words {
                self.at = before.unwrap_or(self.at);
                self.comment(part.to_owned())?;
            }
        }
        self.depth = self.depth.saturating_sub(1);
        if let Some((at, brackets)) = self.open.last_mut() {
            self.at = *at;
            *brackets -= 1;
            if *brackets == 0 {
                self.open.pop();
            }
        }
        Ok(())
    }

    /// An error at a byte. A variation is skipped from there on; of the main line, the error is returned.
    pub(super) fn fail(&mut self, main: bool, byte: usize, error: ReadError) -> Result<(), ReadError> {
        if main {
            return Err(error);
        }
        self.damaged = Some((self.depth, byte));
        Ok(())
    }

    /// Adds a comment on the last move.
    pub(super) fn comment(&mut self, text: String) -> Result<(), ReadError> {
        self.comments += 1;
        if self.comments > MAX_NODES {
            return Err(ReadError::too_many(MAX_NODES, "comments"));
        }
        self.tree.comments_mut(self.at).push(text);
        Ok(())
    }

    /// Like [`moves::play`].
    pub(super) fn play(&mut self, played: RecordedMove) -> Result<(), ReadError> {
        if self.tree.len() > MAX_NODES {
            return Err(ReadError::too_many(MAX_NODES, "positions"));
        }
        let played_at = self.tree.play(self.at, played);
        let number = || self.tree.discs_placed(self.at) + 1;
        self.at = moves::checked(played_at, played.mv, number)?.unwrap_or(self.at);
        Ok(())
    }

    /// The main line with its variations as a game.
    pub(super) fn game(&self, tags: &Tags) -> Game {
        let mut tags = tags.clone();
        if let Some(part) = &self.unread {
            let comments = "parts of variations that cannot be read (they became comments)";
            tags.drop_part(if self.has_words { comments } else { CUT_VARIATIONS }, || part.clone());
        }
        self.tree.game(tags)
    }
}
