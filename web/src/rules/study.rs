//! The study of the page: a game tree with the values of its positions.

use std::collections::BTreeMap;

use outflank::analysis::{Certainty, Kind, Known};
use outflank::board::Square;
use outflank::game::NodeId;
use outflank::notation::{link, moves};
use outflank::score::{Discs, Score};
use outflank::search::NetworkSize;
use outflank::session::nboard;
use outflank::study::{self, MoveValues, Plan, TaskId};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::error::RulesError;
use super::read::GameValue;
use super::{layout, look, write};
use crate::exchange;

/// A study. Positions are 65 characters, nodes are their numbers. An unknown position or node has no values.
#[wasm_bindgen]
#[derive(Default)]
pub struct Study {
    study: study::Study,
    /// The plan of the analysis of the game.
    plan: Plan,
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

/// A move with its value for the side to move, in discs.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Row {
    #[serde(rename = "move")]
    mv: String,
    value: f64,
    proof: Proof,
    pv: Vec<String>,
    /// The depth field of a line that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<String>,
}

/// How certain a value is.
#[derive(Debug, PartialEq, Serialize)]
struct Proof {
    kind: &'static str,
    depth: Option<u32>,
    level: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<char>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Rows {
    rows: Vec<Row>,
    best: Option<Row>,
    /// All moves have values.
    complete: bool,
}

/// The results of the searches of a position, as lines of an engine.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Saved {
    rows: Vec<String>,
    /// The search for the best move.
    best: Option<String>,
    /// The search for the best move in an analysis of the game.
    reviewed: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct TaskValue {
    id: u32,
    position: String,
    lines: [String; 3],
}

/// Why a move is a mistake.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct ExplanationValue {
    reasons: Vec<ReasonValue>,
    played: Vec<String>,
    better: Vec<String>,
    #[serde(rename = "fallsAt")]
    falls_at: Option<usize>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct ReasonValue {
    kind: &'static str,
    played: FactsValue,
    better: FactsValue,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct FactsValue {
    plies: usize,
    own: Vec<String>,
    other: Vec<String>,
}

fn thrown(error: impl Into<RulesError>) -> JsValue {
    exchange::plain(&error.into())
}

// Comments, since wasm-bindgen copies documentation into the module's JavaScript.
#[wasm_bindgen]
impl Study {
    // The study of a link. Throws the error.
    pub fn read(text: &str) -> Result<Study, JsValue> {
        let (tree, cursor) = link::read(text).map_err(thrown)?;
        let mut study = study::Study::new(tree);
        study.go(cursor);
        Ok(Study { study, plan: Plan::default() })
    }

    // The study of a game of `games_read`. Throws the error.
    pub fn of(#[wasm_bindgen(unchecked_param_type = "Game")] game: JsValue) -> Result<Study, JsValue> {
        let game: GameValue = serde_wasm_bindgen::from_value(game)
            .map_err(|error| thrown(RulesError::new("game", error.to_string())))?;
        let study = study::Study::new(write::tree(&game).map_err(thrown)?);
        Ok(Study { study, plan: Plan::default() })
    }

    // The node of the cursor of the link.
    #[wasm_bindgen(getter)]
    pub fn cursor(&self) -> usize {
        self.study.cursor().index()
    }

    // All nodes that are not removed, each before its children and these in their order.
    #[wasm_bindgen(unchecked_return_type = "NodeValue[]")]
    pub fn nodes(&self) -> JsValue {
        let nodes: Vec<NodeValue> =
            self.study.tree().nodes().into_iter().map(|node| self.node(node)).collect();
        exchange::plain(&nodes)
    }

    // Plays a move. Returns its node, or `{ error }`.
    #[wasm_bindgen(unchecked_return_type = "NodeValue | Failed")]
    pub fn play(&mut self, node: usize, square: &str) -> JsValue {
        exchange::value(self.played(node, square).map(|node| self.node(node)))
    }

    // Sets the children of a node.
    pub fn arrange(&mut self, node: usize, children: Vec<usize>) {
        let tree = self.study.tree();
        let children: Option<Vec<NodeId>> = children.into_iter().map(|child| tree.node(child)).collect();
        if let Some((node, children)) = tree.node(node).zip(children) {
            self.study.arrange(node, &children);
        }
    }

    // Sets the comment of a node.
    pub fn comment(&mut self, node: usize, text: &str) {
        if let Some(node) = self.study.tree().node(node) {
            *self.study.comments_mut(node) = vec![text.to_owned()];
        }
    }

    // The tree as a link, with the cursor at a node.
    pub fn link(&self, cursor: Option<usize>) -> String {
        let tree = self.study.tree();
        link::write(tree, cursor.and_then(|node| tree.node(node)))
    }

    // Takes over the values of another study.
    pub fn adopt(&mut self, other: &mut Study) {
        self.study.adopt(&mut other.study);
    }

    // Sets the network of all searches, on which errors depend.
    pub fn network(&mut self, is_large: bool) {
        self.study.set_network(if is_large { NetworkSize::Large } else { NetworkSize::Small });
    }

    // Number of changes of values.
    #[wasm_bindgen(getter)]
    pub fn revision(&self) -> f64 {
        self.study.revision() as f64
    }

    // Abandons the analysis.
    pub fn stop(&mut self) {
        self.study.stop();
    }

    // Sets the number of moves of each line that no side has chosen.
    #[wasm_bindgen(setter)]
    pub fn set_given(&mut self, moves: usize) {
        self.study.set_given(moves);
    }

    // Removes all values.
    pub fn clear(&mut self) {
        self.study.clear();
    }

    // Removes the values of a position.
    pub fn forget(&mut self, position: &str) {
        if let Ok(position) = look::read(position) {
            self.study.forget(&position);
        }
    }

    // Adds the lines of an engine about a position. Returns `true` if a value is new.
    pub fn hear(&mut self, position: &str, lines: &str) -> bool {
        look::read(position).is_ok_and(|position| self.study.hear(&position, lines))
    }

    // Adds exact scores of moves for the side to move, in discs.
    pub fn prove(
        &mut self,
        position: &str,
        #[wasm_bindgen(unchecked_param_type = "Record<string, number>")] scores: JsValue,
    ) {
        let (Ok(position), Ok(scores)) =
            (look::read(position), serde_wasm_bindgen::from_value::<BTreeMap<String, i32>>(scores))
        else {
            return;
        };
        for (square, discs) in scores {
            let (Ok(square), score) = (square.parse(), Discs::new(discs).into()) else { continue };
            let (rows, ..) = self.study.searched(&position);
            let known = rows.iter().find(|row| row.line.first() == Some(&square));
            if known.is_some_and(|known| known.certainty.is_exact()) {
                continue;
            }
            let line = known.map_or_else(|| vec![square], |known| known.line.clone());
            self.study.add(&position, Known { score, certainty: Certainty::EXACT, line });
        }
    }

    // Adds values of positions by books, for the side to move, in discs: a position, its value, and the moves of the book from there on.
    pub fn add_book_values(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "PositionBooked[]")] values: JsValue,
    ) {
        let values: Vec<(String, f64, String)> = serde_wasm_bindgen::from_value(values).unwrap_or_default();
        let known = |(position, discs, line): (String, f64, String)| {
            let line: Vec<Square> = line.split(' ').map_while(|square| square.parse().ok()).collect();
            let certainty = Certainty::book(line.len() as u32);
            Some((look::read(&position).ok()?, Known { score: Score::from_discs(discs)?, certainty, line }))
        };
        self.study.add_book_values(values.into_iter().filter_map(known));
    }

    // Removes the values of books.
    pub fn clear_book_values(&mut self) {
        self.study.clear_book_values();
    }

    // The results of the searches of a position, to be stored. `undefined` if none is as deep as `plies`.
    #[wasm_bindgen(unchecked_return_type = "SavedSearches | undefined")]
    pub fn saved(&self, position: &str, plies: u32) -> JsValue {
        let Ok(position) = look::read(position) else { return JsValue::UNDEFINED };
        let (rows, best, reviewed) = self.study.searched(&position);
        if !rows.iter().any(|row| row.certainty.level() >= 1000 * plies.cast_signed()) {
            return JsValue::UNDEFINED;
        }
        exchange::plain(&Saved {
            rows: rows.iter().map(nboard::write_value).collect(),
            best: best.map(nboard::write_value),
            reviewed: reviewed.map(nboard::write_value),
        })
    }

    // Adds stored results, of which invalid ones are skipped. Returns `true` if a value is new.
    pub fn restore(
        &mut self,
        position: &str,
        #[wasm_bindgen(unchecked_param_type = "Partial<SavedSearches>")] saved: JsValue,
    ) -> bool {
        let Ok(position) = look::read(position) else { return false };
        let Saved { rows, best, reviewed } = serde_wasm_bindgen::from_value(saved).unwrap_or_default();
        let read = |line: &String| nboard::read_value(line).map(|(_, known)| known);
        let mut is_new = false;
        for known in rows.iter().filter_map(read) {
            is_new |= self.study.add(&position, known);
        }
        is_new |= best.as_ref().and_then(read).is_some_and(|best| self.study.add_best(&position, best));
        is_new | reviewed.is_some_and(|reviewed| self.study.hear_review(&position, &*reviewed))
    }

    // Starts the analysis of the line up to a node at a depth in plies; positions with at most `exact` empty squares are solved.
    // Returns the number of positions without values as good.
    // The mistakes are explained if `reasons`.
    pub fn begin(&mut self, last: usize, depth: u32, exact: Option<u32>, reasons: Option<bool>) -> usize {
        self.plan = Plan { depth, exact, reasons: reasons.unwrap_or_default() };
        self.study.begin(&self.plan, self.study.tree().node(last).unwrap_or_default());
        self.study.left()
    }

    // Returns the next position to search, with the lines for the engine. `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "Task | undefined")]
    pub fn next_task(&mut self) -> JsValue {
        match self.study.next_task(&self.plan) {
            Some(task) => {
                let (id, position) = (task.id.0, exchange::write(&task.position));
                exchange::plain(&TaskValue { id, position, lines: task.lines() })
            }
            None => JsValue::UNDEFINED,
        }
    }

    // Ends a task with the lines of the engine.
    pub fn take(&mut self, id: u32, lines: &str) -> bool {
        self.study.take(TaskId(id), lines)
    }

    // Puts the position of a task back, to be searched after all others.
    pub fn put_back(&mut self, id: u32) {
        self.study.put_back(TaskId(id));
    }

    // Number of positions of the analysis that are not answered.
    #[wasm_bindgen(getter)]
    pub fn left(&mut self) -> usize {
        self.study.left()
    }

    // Returns `true` if searches of a position have reached its depth of `plan_depth`, or its score is known.
    pub fn is_known(&mut self, position: &str, depth: u32, exact: u32) -> bool {
        let plan = Plan { depth, exact: Some(exact), ..Plan::default() };
        look::read(position).is_ok_and(|position| self.study.is_known(&position, &plan))
    }

    // The numbers of all nodes in the order of their numbers: see `layout`.
    pub fn numbers(&mut self) -> Vec<f64> {
        layout::numbers(&self.study.nodes())
    }

    // The numbers of the value of a position.
    pub fn point(&mut self, position: &str) -> Vec<f64> {
        let position = look::read(position).ok();
        layout::point(position.and_then(|position| self.study.point(&position)).as_ref())
    }

    // The numbers of the loss of a move, played or not.
    pub fn loss(&mut self, position: &str, square: &str) -> Vec<f64> {
        let (position, square) = (look::read(position).ok(), square.parse().ok());
        let loss = position.zip(square).and_then(|(position, square)| self.study.loss(&position, square));
        layout::loss(loss.as_ref())
    }

    // Why a move is a mistake. `undefined` if it was not explained.
    #[wasm_bindgen(unchecked_return_type = "Explanation | undefined")]
    pub fn explanation(&mut self, position: &str, square: &str) -> JsValue {
        let (position, square) = (look::read(position).ok(), square.parse().ok());
        let explanation =
            position.zip(square).and_then(|(position, square)| self.study.explanation(&position, square));
        explanation.map_or(JsValue::UNDEFINED, |explanation| exchange::plain(&explained(explanation)))
    }

    // The moves of a position, the best first, and the best move with the value of the position, with or without those of the book.
    #[wasm_bindgen(unchecked_return_type = "{ rows: Row[]; best: Row | null; complete: boolean }")]
    pub fn rows(&mut self, position: &str, with_book: bool) -> JsValue {
        let position = look::read(position).unwrap_or_default();
        let MoveValues { rows, best } = self.study.moves(&position, with_book);
        let complete = rows.len() == position.moves().count() as usize;
        let (rows, best) = (rows.iter().map(move_row).collect(), best.as_ref().map(move_row));
        exchange::plain(&Rows { rows, best, complete })
    }
}

impl Study {
    fn played(&mut self, node: usize, square: &str) -> Result<NodeId, RulesError> {
        let mv = look::read_move(square)?;
        let node = self.study.tree().node(node);
        let node = node.ok_or_else(|| RulesError::new("node", "there is no such node"))?;
        self.study.play(node, mv).map_err(|error| look::illegal(mv, error))
    }

    fn node(&self, node: NodeId) -> NodeValue {
        let tree = self.study.tree();
        let parent = tree.parent(node);
        let mv = tree.played(node).and_then(|played| played.mv.square());
        let flips = parent.zip(mv).map(|(parent, square)| tree.position(parent).board().flips(square));
        NodeValue {
            node: node.index(),
            parent: parent.map(NodeId::index),
            mv: mv.map(|square| square.to_string()),
            position: exchange::write(&tree.position(node)),
            flips: flips.map(look::indices).unwrap_or_default(),
            passed: parent.is_some() && tree.is_passed(node),
            comment: tree.comments(node).join("\n"),
        }
    }
}

fn explained(explanation: &study::Explanation) -> ExplanationValue {
    let facts = |facts: &study::Facts| {
        let [own, other] = [facts.own, facts.other].map(names);
        FactsValue { plies: facts.plies, own, other }
    };
    let reason = |reason: &study::Reason| {
        let (kind, played, better) = (reason.kind.name(), facts(&reason.played), facts(&reason.better));
        ReasonValue { kind, played, better }
    };
    let [played, better] = [&explanation.played, &explanation.better].map(|line| names(line.iter().copied()));
    let reasons = explanation.reasons.iter().map(reason).collect();
    ExplanationValue { reasons, played, better, falls_at: explanation.falls_at }
}

fn names(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

/// Returns the value of a line of an engine.
pub(super) fn read_row(line: &str) -> Option<Row> {
    let (mv, known) = nboard::read_value(line)?;
    let depth = Some(known.certainty.to_string());
    Some(Row { depth, ..row(&moves::write_upper(mv).to_ascii_lowercase(), &known) })
}

fn move_row(known: &Known) -> Row {
    let first = known.line.first().map(Square::to_string);
    row(&first.unwrap_or_default(), known)
}

#[inline(never)]
fn row(mv: &str, known: &Known) -> Row {
    let Known { score, certainty, line } = known;
    let outcome = match score.centidiscs().signum() {
        _ if certainty.kind() != Kind::Outcome => None,
        1 => Some('W'),
        -1 => Some('L'),
        _ => Some('D'),
    };
    let (kind, depth, confidence) = (certainty.kind().name(), certainty.depth(), certainty.confidence());
    let level = f64::from(certainty.level()) / 1000.0;
    let proof = Proof { kind, depth, level, confidence, outcome };
    Row { mv: mv.to_owned(), value: score.discs(), proof, pv: names(line.iter().copied()), depth: None }
}
