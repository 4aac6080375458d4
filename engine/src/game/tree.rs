//! The game tree: positions joined by moves, with variations and comments.

use super::{Game, RecordedMove, Tags};
use crate::board::{IllegalMove, Move, Position};
use crate::score::Score;

/// Positions joined by moves.
///
/// A node is a position after a placed disc; the root is the start. A pass is a part of its node. The first child of a node
/// continues its line, the others are variations. A node keeps its [`NodeId`] when it is removed. An id of a larger tree is treated as
/// the root.
///
/// ```
/// use outflank::board::Move;
/// use outflank::game::{GameTree, NodeId, Tags};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut tree = GameTree::default();
/// let f5 = tree.play(NodeId::ROOT, "f5".parse::<Move>()?)?;
/// let d6 = tree.play(f5, "d6".parse::<Move>()?)?;
/// let f6 = tree.play(f5, "f6".parse::<Move>()?)?;
/// tree.comments_mut(f6).push("the diagonal opening".to_owned());
/// assert_eq!(tree.main_line(), [NodeId::ROOT, f5, d6]);
/// assert_eq!(tree.children(f5), [d6, f6]);
///
/// let game = tree.game(Tags::default());
/// assert_eq!(game.tree(), tree);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GameTree {
    nodes: Vec<Node>,
}

/// A node of a [`GameTree`]. A node has a higher id than the node before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the number of the node, from 0 for the root.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    /// The root is its own parent.
    parent: NodeId,
    played: Option<RecordedMove>,
    /// The position without the pass.
    position: Position,
    /// The pass, if it was recorded.
    pass: Option<RecordedMove>,
    children: Vec<NodeId>,
    comments: Vec<String>,
}

impl GameTree {
    /// A tree without moves.
    pub fn new(start: Position) -> GameTree {
        let mut tree = GameTree { nodes: Vec::new() };
        tree.push(NodeId::ROOT, None, start);
        tree
    }

    fn push(&mut self, parent: NodeId, played: Option<RecordedMove>, position: Position) {
        let (children, comments) = (Vec::new(), Vec::new());
        self.nodes.push(Node { parent, played, position, pass: None, children, comments });
    }

    /// Removes the newest nodes until at most `len` are left.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.nodes.len() > len.max(1) {
            if let Some(Node { parent, .. }) = self.nodes.pop() {
                self.nodes[parent.index()].children.pop();
            }
        }
    }

    /// Number of nodes, removed ones included.
    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node with a number. `None` if there is none.
    pub fn node(&self, index: usize) -> Option<NodeId> {
        self.ids().nth(index)
    }

    /// All nodes in the order of their ids, removed ones included.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(|index| NodeId(index as u32))
    }

    fn at(&self, node: NodeId) -> &Node {
        self.nodes.get(node.index()).unwrap_or(&self.nodes[0])
    }

    fn at_mut(&mut self, node: NodeId) -> &mut Node {
        let index = if node.index() < self.nodes.len() { node.index() } else { 0 };
        &mut self.nodes[index]
    }

    /// The position of a node. A forced pass is made.
    pub fn position(&self, node: NodeId) -> Position {
        self.at(node).position.after_forced_pass()
    }

    /// The position of a node with the pass only if it was recorded.
    pub(crate) fn recorded(&self, node: NodeId) -> Position {
        if self.at(node).pass.is_some() { self.position(node) } else { self.at(node).position }
    }

    /// Returns `true` if a pass is a part of the node.
    pub fn is_passed(&self, node: NodeId) -> bool {
        self.position(node) != self.at(node).position
    }

    /// The node before another one. `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.at(node).played.map(|_| self.at(node).parent)
    }

    /// The move that leads to a node. `None` for the root.
    pub fn played(&self, node: NodeId) -> Option<RecordedMove> {
        self.at(node).played
    }

    /// The pass of a node, if it was recorded.
    pub fn pass(&self, node: NodeId) -> Option<RecordedMove> {
        self.at(node).pass
    }

    /// The move that leads to a node, to complete its evaluation and time.
    pub(crate) fn played_mut(&mut self, node: NodeId) -> Option<&mut RecordedMove> {
        let Node { played, pass, .. } = self.at_mut(node);
        pass.as_mut().or(played.as_mut())
    }

    /// Sets the evaluation of the move that leads to a node.
    pub fn set_eval(&mut self, node: NodeId, eval: Option<Score>) {
        if let Some(played) = &mut self.at_mut(node).played {
            played.eval = eval;
        }
    }

    /// The nodes after a node, the continuation of its line first.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.at(node).children
    }

    /// The comments on a node.
    pub fn comments(&self, node: NodeId) -> &[String] {
        &self.at(node).comments
    }

    /// The comments on a node, to change them.
    pub fn comments_mut(&mut self, node: NodeId) -> &mut Vec<String> {
        &mut self.at_mut(node).comments
    }

    /// Plays a move and returns its node, which may exist already. A pass is recorded in its node. An illegal move changes nothing.
    pub fn play(&mut self, node: NodeId, played: impl Into<RecordedMove>) -> Result<NodeId, IllegalMove> {
        let played = played.into();
        if played.mv == Move::Pass {
            // A variation repeats the pass of the line that it leaves.
            if self.at(node).pass.is_none() || self.children(node).is_empty() {
                self.recorded(node).play(Move::Pass)?;
                self.at_mut(node).pass = Some(played);
            }
            return Ok(node);
        }
        let next = self.position(node).play(played.mv)?;
        let is_known = |&&child: &&NodeId| self.at(child).played.is_some_and(|known| known.mv == played.mv);
        if let Some(&known) = self.at(node).children.iter().find(is_known) {
            return Ok(known);
        }
        let child = NodeId(self.nodes.len() as u32);
        self.push(node, Some(played), next);
        self.at_mut(node).children.push(child);
        Ok(child)
    }

    /// Removes, restores and sorts the children of a node. Returns `false` and changes nothing if others are given.
    pub fn arrange(&mut self, node: NodeId, children: &[NodeId]) -> bool {
        let distinct = (1..).zip(children).all(|(next, child)| !children[next..].contains(child));
        let own = |&child: &NodeId| child.index() < self.len() && self.parent(child) == Some(node);
        let valid = distinct && children.iter().all(own);
        if valid {
            self.at_mut(node).children = children.to_vec();
        }
        valid
    }

    /// Number of discs placed before a node.
    pub fn discs_placed(&self, node: NodeId) -> usize {
        std::iter::successors(self.parent(node), |&node| self.parent(node)).count()
    }

    /// The root and the first children after it.
    pub fn main_line(&self) -> Vec<NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |&node| self.children(node).first().copied()).collect()
    }

    /// All nodes that are not removed, each before its children and these in their order.
    pub fn nodes(&self) -> Vec<NodeId> {
        let (mut nodes, mut stack) = (Vec::new(), vec![NodeId::ROOT]);
        while let Some(node) = stack.pop() {
            nodes.push(node);
            stack.extend(self.children(node).iter().rev());
        }
        nodes
    }

    /// The main line as a game. Its [`Game::tree`] has the variations. Comments of `tags` are replaced.
    pub fn game(&self, mut tags: Tags) -> Game {
        let line = self.main_line();
        let comments = |(discs, &node): (usize, &NodeId)| {
            let texts = self.at(node).comments.iter();
            texts.map(move |text| (discs, text.clone())).collect::<Vec<_>>()
        };
        tags.comments = line.iter().enumerate().flat_map(comments).collect();
        let mut game = Game::new(self.nodes[0].position);
        for &node in &line {
            // Each of them is legal.
            let Node { played, pass, .. } = &self.at(node);
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
    fn numbered(&self, nodes: &[NodeId]) -> GameTree {
        let mut numbers = vec![NodeId::ROOT; self.nodes.len()];
        nodes.iter().zip(self.ids()).for_each(|(node, number)| numbers[node.index()] = number);
        let renumbered = |&at: &NodeId| {
            let mut node = self.at(at).clone();
            let passes = self.is_passed(at) && !node.children.is_empty();
            node.pass = node.pass.or_else(|| passes.then(|| Move::Pass.into()));
            node.parent = numbers[node.parent.index()];
            node.children.iter_mut().for_each(|child| *child = numbers[child.index()]);
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
            let (mut tree, mut at) = (GameTree::new(game.start()), NodeId::ROOT);
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
