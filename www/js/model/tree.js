// The game tree: positions joined by moves, with variations and comments. The first child of a node continues the main line.
// A pass is part of the position after a move, not a node.

import { sideOf } from '../base/position.js';
import { RulesError, splitMoves } from './rules.js';

let serial = 0;

export class TreeNode {
  constructor(parent, move, position, { flips = [], passed = false } = {}) {
    this.id = ++serial;
    this.parent = parent;
    this.move = move;
    this.position = position;
    this.flips = flips;
    /** The other side had to pass after this move. */
    this.passed = passed;
    this.children = [];
    this.comment = '';
    this.ply = parent ? parent.ply + 1 : 0;
  }

  get isMain() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
  }

  /** The nodes from the root to this one. */
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
  /** @param {Rules} rules @param {string} start position of the root @param {Partial<Game>} tags players, date and so on */
  constructor(rules, start, tags = {}) {
    this.rules = rules;
    this.root = new TreeNode(null, null, start);
    this.tags = tags;
  }

  /** A tree of one line. Throws a `RulesError` with the number of an illegal move.
   *  @param {Rules} rules @param {Game} game */
  static fromGame(rules, { start, moves, scores, ...tags }) {
    const tree = new Tree(rules, start, tags);
    let node = tree.root;
    for (const move of splitMoves(moves)) node = tree.playRead(node, move);
    return tree;
  }

  /** Plays a move that was read. Throws a `RulesError` with its number if it is illegal.
   *  @param {TreeNode} node @param {string} move @returns {TreeNode} */
  playRead(node, move) {
    try {
      return this.play(node, move).node;
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new RulesError({ code: 'illegal', number: node.ply + 1, move, message });
    }
  }

  /** Returns `true` if the node and all nodes above it are still in the tree. @param {TreeNode} node */
  holds(node) {
    let top = node;
    while (top.parent?.children.includes(top)) top = top.parent;
    return top === this.root;
  }

  /** Returns the child of `node` by `move`, and whether it was made. Throws if the move is illegal.
   *  @param {TreeNode} node @param {string} move @returns {{ node: TreeNode, made: boolean }} */
  play(node, move) {
    const known = node.children.find((child) => child.move === move);
    if (known) return { node: known, made: false };
    const played = this.rules.play(node.position, move);
    const child = new TreeNode(node, move, played.position, played);
    node.children.push(child);
    return { node: child, made: true };
  }

  /** Removes a subtree. Returns a function that restores it. */
  remove(node) {
    const { parent } = node;
    const at = parent.children.indexOf(node);
    parent.children.splice(at, 1);
    return () => {
      parent.children.splice(at, 0, node);
    };
  }

  /** Makes the line to `node` the main line. Returns a function that reverts it. */
  promote(node) {
    const before = node.path.map(({ parent }) => ({ parent, children: parent?.children }));
    for (let child = node; child.parent; child = child.parent) {
      const { parent } = child;
      parent.children = [child, ...parent.children.filter((other) => other !== child)];
    }
    return () => {
      for (const { parent, children } of before) if (parent) parent.children = children;
    };
  }

  /** The line through `node`: its ancestors, itself, and the first children after it. */
  line(node) {
    const line = node.path;
    for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** Nodes of the main line, the root first. @returns {TreeNode[]} */
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

/** Returns the moves of a line in rows, as on a score sheet. @param {TreeNode[]} line @returns {Pair[]} */
export function pairs(line) {
  /** @type {Pair[]} */
  const rows = [];
  for (const node of line) {
    if (!node.parent) continue;
    const side = sideOf(node.parent.position);
    const row = rows.at(-1);
    if (!row || row[side] || side === 'X') rows.push({ number: node.ply, last: node, [side]: node });
    else Object.assign(row, { last: node, [side]: node });
  }
  return rows;
}
