// The game tree: positions joined by moves, with variations and comments.
// The first child of a node is the main line; passes are part of the positions, never nodes.

import { splitMoves } from './rules.js';

let serial = 0;

export class TreeNode {
  constructor(parent, move, position, { flips = [], passed = false } = {}) {
    this.id = ++serial;
    this.parent = parent;
    this.move = move;
    this.position = position;
    this.flips = flips;
    /** True where the side not to move had to pass right after this move. */
    this.passed = passed;
    this.children = [];
    this.comment = '';
    this.ply = parent ? parent.ply + 1 : 0;
  }

  get isMain() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
  }

  /** The nodes from the root down to this one. */
  get path() {
    const path = [];
    for (let node = this; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  get moves() {
    return this.path.slice(1).map((node) => node.move);
  }
}

export class Tree {
  /** `rules` judges the moves; `start` is the position of the root. */
  constructor(rules, start, tags = {}) {
    this.rules = rules;
    this.root = new TreeNode(null, null, start);
    /** Players, date and the like, as read from a game. */
    this.tags = tags;
  }

  /** A tree of one line. Throws at an illegal move, naming its number. */
  static fromGame(rules, game) {
    const { start, moves, scores, ...tags } = game;
    const tree = new Tree(rules, start, tags);
    let node = tree.root;
    for (const move of splitMoves(moves)) node = tree.play(node, move).node;
    return tree;
  }

  /** Whether a node hangs in it: nothing above it was undone or deleted. @param {TreeNode} node */
  holds(node) {
    let top = node;
    while (top.parent?.children.includes(top)) top = top.parent;
    return top === this.root;
  }

  /** The child of `node` by `move`, made where it is missing: `{ node, made }`. */
  play(node, move) {
    const known = node.children.find((child) => child.move === move);
    if (known) return { node: known, made: false };
    const { position, flips, passed } = this.rules.play(node.position, move);
    const child = new TreeNode(node, move, position, { flips, passed });
    node.children.push(child);
    return { node: child, made: true };
  }

  /** Takes a subtree out; the function returned puts it back where it was. */
  remove(node) {
    const { parent } = node;
    const at = parent.children.indexOf(node);
    parent.children.splice(at, 1);
    return () => {
      parent.children.splice(at, 0, node);
    };
  }

  /** Makes the line to `node` the main line; the function returned takes that back. */
  promote(node) {
    const undo = [];
    for (let child = node; child.parent; child = child.parent) {
      const { parent } = child;
      const at = parent.children.indexOf(child);
      if (at === 0) continue;
      const before = [...parent.children];
      parent.children.splice(at, 1);
      parent.children.unshift(child);
      undo.push(() => {
        parent.children = before;
      });
    }
    return () => {
      for (const step of undo.reverse()) step();
    };
  }

  /** The line that runs through `node`: its ancestors, itself, and on by the first child of each, so the main line's
   *  where `node` is on it. */
  line(node) {
    const line = node.path;
    for (let at = node; at.children.length > 0; ) {
      at = at.children[0];
      line.push(at);
    }
    return line;
  }

  /** Nodes of the main line, the root first. */
  get main() {
    return this.line(this.root);
  }

  *nodes(from = this.root) {
    const stack = [from];
    for (let node = stack.pop(); node; node = stack.pop()) {
      yield node;
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]);
    }
  }
}
