//! The game tree of the page.

use outflank::game::{GameTree, NodeId};
use outflank::notation::link;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::error::RulesError;
use super::read::GameValue;
use super::{look, write};
use crate::exchange;

/// A tree with the node of its cursor.
#[wasm_bindgen]
pub struct Tree {
    tree: GameTree,
    cursor: NodeId,
}

/// A node with what the page draws.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct NodeValue {
    node: usize,
    /// `undefined` for the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    position: String,
    flips: Vec<usize>,
    /// The other side had to pass.
    passed: bool,
    comment: String,
}

fn thrown(error: impl Into<RulesError>) -> JsValue {
    exchange::plain(&error.into())
}

// Comments, since wasm-bindgen copies documentation into the module's JavaScript.
#[wasm_bindgen]
impl Tree {
    // The tree of a link. Throws the error.
    pub fn read(text: &str) -> Result<Tree, JsValue> {
        let (tree, cursor) = link::read(text).map_err(thrown)?;
        Ok(Tree { tree, cursor })
    }

    // The tree of a game of `games_read`. Throws the error.
    pub fn of(game: JsValue) -> Result<Tree, JsValue> {
        let game: GameValue = serde_wasm_bindgen::from_value(game)
            .map_err(|error| thrown(RulesError::new("game", error.to_string())))?;
        Ok(Tree { tree: write::tree(&game).map_err(thrown)?, cursor: NodeId::ROOT })
    }

    // The node of the cursor of the link.
    #[wasm_bindgen(getter)]
    pub fn cursor(&self) -> usize {
        self.cursor.index()
    }

    // All nodes, each before its children and these in their order.
    pub fn nodes(&self) -> JsValue {
        let nodes: Vec<NodeValue> = self.tree.nodes().into_iter().map(|node| self.value(node)).collect();
        exchange::plain(&nodes)
    }

    // Plays a move. Returns its node, or `{ error }`.
    pub fn play(&mut self, node: usize, square: &str) -> JsValue {
        exchange::value(self.played(node, square).map(|node| self.value(node)))
    }

    // Sets the children of a node.
    pub fn arrange(&mut self, node: usize, children: Vec<usize>) {
        let children: Option<Vec<NodeId>> = children.into_iter().map(|child| self.tree.node(child)).collect();
        if let Some((node, children)) = self.tree.node(node).zip(children) {
            self.tree.arrange(node, &children);
        }
    }

    // Sets the comment of a node.
    pub fn comment(&mut self, node: usize, text: &str) {
        if let Some(node) = self.tree.node(node) {
            *self.tree.comments_mut(node) = vec![text.to_owned()];
        }
    }

    // The tree as a link, with the cursor at a node.
    pub fn link(&self, cursor: Option<usize>) -> String {
        link::write(&self.tree, cursor.and_then(|node| self.tree.node(node)))
    }
}

impl Tree {
    fn played(&mut self, node: usize, square: &str) -> Result<NodeId, RulesError> {
        let mv = look::read_move(square)?;
        let node = self.tree.node(node);
        let node = node.ok_or_else(|| RulesError::new("node", "there is no such node"))?;
        self.tree.play(node, mv).map_err(|error| look::illegal(mv, error))
    }

    fn value(&self, node: NodeId) -> NodeValue {
        let parent = self.tree.parent(node);
        let mv = self.tree.played(node).and_then(|played| played.mv.square());
        let flips = parent.zip(mv).map(|(parent, square)| self.tree.position(parent).board().flips(square));
        NodeValue {
            node: node.index(),
            parent: parent.map(NodeId::index),
            mv: mv.map(|square| square.to_string()),
            position: exchange::write(&self.tree.position(node)),
            flips: flips.map(look::indices).unwrap_or_default(),
            passed: parent.is_some() && self.tree.is_passed(node),
            comment: self.tree.comments(node).join("\n"),
        }
    }
}
