//! The game tree: positions joined by moves, with variations and comments.

use super::{Game, RecordedMove, Tags};
use crate::board::{IllegalMove, Move, Position};
use crate::score::Score;

/// Positions joined by moves.
///
/// A node is a position after a placed disc; the root is the start. A pass is a part of its node. The first child of a node
/// continues its line, the others are variations. Nodes are numbered from 0, the root, and keep their numbers when they are
/// removed. Other numbers panic.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTree {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    /// The root is its own parent.
    parent: usize,
    played: Option<RecordedMove>,
    /// The position without the pass.
    position: Position,
    /// The pass, if it was recorded.
    pass: Option<RecordedMove>,
    children: Vec<usize>,
    comments: Vec<String>,
}

impl GameTree {
    /// A tree without moves.
    pub fn new(start: Position) -> GameTree {
        let mut tree = GameTree { nodes: Vec::new() };
        tree.push(0, None, start);
        tree
    }

    fn push(&mut self, parent: usize, played: Option<RecordedMove>, position: Position) {
        let (children, comments) = (Vec::new(), Vec::new());
        self.nodes.push(Node { parent, played, position, pass: None, children, comments });
    }

    /// Removes the newest nodes until at most `len` are left.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.nodes.len() > len.max(1) {
            if let Some(Node { parent, .. }) = self.nodes.pop() {
                self.nodes[parent].children.pop();
            }
        }
    }

    /// Number of nodes, removed ones included.
    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The position of a node. A forced pass is made.
    pub fn position(&self, node: usize) -> Position {
        self.nodes[node].position.after_forced_pass()
    }

    /// The position of a node with the pass only if it was recorded.
    pub(crate) fn recorded(&self, node: usize) -> Position {
        if self.nodes[node].pass.is_some() { self.position(node) } else { self.nodes[node].position }
    }

    /// Returns `true` if a pass is a part of the node.
    pub fn is_passed(&self, node: usize) -> bool {
        self.position(node) != self.nodes[node].position
    }

    /// The node before another one. `None` for the root.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.nodes[node].played.map(|_| self.nodes[node].parent)
    }

    /// The move that leads to a node. `None` for the root.
    pub fn played(&self, node: usize) -> Option<RecordedMove> {
        self.nodes[node].played
    }

    /// The pass of a node, if it was recorded.
    pub fn pass(&self, node: usize) -> Option<RecordedMove> {
        self.nodes[node].pass
    }

    /// The move that leads to a node, to complete its evaluation and time.
    pub(crate) fn played_mut(&mut self, node: usize) -> Option<&mut RecordedMove> {
        let Node { played, pass, .. } = &mut self.nodes[node];
        pass.as_mut().or(played.as_mut())
    }

    /// Sets the evaluation of the move that leads to a node.
    pub fn set_eval(&mut self, node: usize, eval: Option<Score>) {
        if let Some(played) = &mut self.nodes[node].played {
            played.eval = eval;
        }
    }

    /// The nodes after a node, the continuation of its line first.
    pub fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    /// The comments on a node.
    pub fn comments(&self, node: usize) -> &[String] {
        &self.nodes[node].comments
    }

    /// The comments on a node, to change them.
    pub fn comments_mut(&mut self, node: usize) -> &mut Vec<String> {
        &mut self.nodes[node].comments
    }

    /// Plays a move and returns its node, which may exist already. A pass is recorded in its node. An illegal move changes nothing.
    pub fn play(&mut self, node: usize, played: impl Into<RecordedMove>) -> Result<usize, IllegalMove> {
        let played = played.into();
        if played.mv == Move::Pass {
            // A variation repeats the pass of the line that it leaves.
            if self.nodes[node].pass.is_none() || self.children(node).is_empty() {
                self.recorded(node).play(Move::Pass)?;
                self.nodes[node].pass = Some(played);
            }
            return Ok(node);
        }
        let next = self.position(node).play(played.mv)?;
        let is_known = |&&child: &&usize| self.nodes[child].played.is_some_and(|known| known.mv == played.mv);
        if let Some(&known) = self.nodes[node].children.iter().find(is_known) {
            return Ok(known);
        }
        let child = self.nodes.len();
        self.push(node, Some(played), next);
        self.nodes[node].children.push(child);
        Ok(child)
    }

    /// Removes, restores and sorts the children of a node. Returns `false` and changes nothing if others are given.
    pub fn arrange(&mut self, node: usize, children: &[usize]) -> bool {
        let distinct = (1..).zip(children).all(|(next, child)| !children[next..].contains(child));
        let own = |&child: &usize| child < self.len() && self.parent(child) == Some(node);
        let valid = distinct && children.iter().all(own);
        if valid {
            self.nodes[node].children = children.to_vec();
        }
        valid
    }

    /// Number of discs placed before a node.
    pub fn discs_placed(&self, node: usize) -> usize {
        std::iter::successors(self.parent(node), |&node| self.parent(node)).count()
    }

    /// The root and the first children after it.
    pub fn main_line(&self) -> Vec<usize> {
        std::iter::successors(Some(0), |&node| self.children(node).first().copied()).collect()
    }

    /// All nodes that are not removed, each before its children and these in their order.
    pub fn nodes(&self) -> Vec<usize> {
        let (mut nodes, mut stack) = (Vec::new(), vec![0]);
        while let Some(node) = stack.pop() {
            nodes.push(node);
            stack.extend(self.children(node).iter().rev());
        }
        nodes
    }

    /// The main line as a game. Its [`Game::tree`] has the variations. Comments of `tags` are replaced.
    pub fn game(&self, mut tags: Tags) -> Game {
        let line = self.main_line();
        let comments = |(discs, &node): (usize, &usize)| {
            let texts = self.nodes[node].comments.iter();
            texts.map(move |text| (discs, text.clone())).collect::<Vec<_>>()
        };
        tags.comments = line.iter().enumerate().flat_map(comments).collect();
        let mut game = Game::new(self.nodes[0].position);
        for &node in &line {
            // Each of them is legal.
            let Node { played, pass, .. } = &self.nodes[node];
            let _ = played.map(|played| game.play_passing(played));
            let _ = pass.map(|pass| game.play(pass));
        }
        game.tags = tags;
        let nodes = self.nodes();
        if nodes.len() > line.len() {
            game.set_tree(self.numbered(&nodes));
        }
        game
    }

    /// The tree of some of its nodes, numbered in their order. Passes before moves are recorded, as in a game.
    fn numbered(&self, nodes: &[usize]) -> GameTree {
        let mut numbers = vec![0; self.nodes.len()];
        nodes.iter().enumerate().for_each(|(number, &node)| numbers[node] = number);
        let renumbered = |&at: &usize| {
            let mut node = self.nodes[at].clone();
            let passes = self.is_passed(at) && !node.children.is_empty();
            node.pass = node.pass.or_else(|| passes.then(|| Move::Pass.into()));
            node.parent = numbers[node.parent];
            node.children.iter_mut().for_each(|child| *child = numbers[*child]);
            node
        };
        GameTree { nodes: nodes.iter().map(renumbered).collect() }
    }
}

impl Default for GameTree {
    /// A tree without moves from the usual start.
    fn default() -> GameTree {
        GameTree::new(Position::START)
    }
}

impl From<&Game> for GameTree {
    /// The moves of a game with the comments of its tags, and its variations.
    fn from(game: &Game) -> GameTree {
        let mut tree = game.variations().cloned().unwrap_or_else(|| {
            let (mut tree, mut at) = (GameTree::new(game.start()), 0);
            for played in game.moves() {
                at = tree.play(at, *played).unwrap_or(at);
            }
            tree
        });
        let line = tree.main_line();
        line.iter().for_each(|&node| tree.comments_mut(node).clear());
        for (discs, text) in &game.tags.comments {
            tree.comments_mut(line[(*discs).min(line.len() - 1)]).push(text.clone());
        }
        tree
    }
}
