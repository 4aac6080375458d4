// The game tree of the rules module, as the page draws it: positions joined by moves, with variations and comments. The first child
// of a node continues the main line. A pass is part of the position after a move, not a node.

import { sideOf } from '../base/position.js';
import { isPosition } from '../base/validate.js';
import { readMarks } from './marks.js';
import { checked } from './rules.js';

let serial = 0;

export class TreeNode {
  /** @type {any[]} */
  #children = [];
  #comment;

  /** @param {Tree} tree @param {any} value a node of the module @param {any} parent */
  constructor(tree, { node, move = null, position, flips, passed, comment }, parent) {
    this.id = ++serial;
    this.tree = tree;
    /** Its number in the module. */
    this.at = node;
    this.parent = parent;
    this.move = move;
    this.position = position;
    this.flips = flips;
    /** The other side had to pass after this move. */
    this.passed = passed;
    this.#comment = comment;
    this.ply = parent ? parent.ply + 1 : 0;
    if (parent) parent.#children = [...parent.#children, this];
  }

  get children() {
    return this.#children;
  }

  /** Nodes that are or were children of this one. */
  set children(children) {
    if (children === this.#children) return;
    this.#children = children;
    const numbers = Uint32Array.from(children, ({ at }) => at);
    this.tree.core.arrange(this.at, numbers);
  }

  get comment() {
    return this.#comment;
  }

  set comment(text) {
    if (text === this.#comment) return;
    this.#comment = text;
    this.tree.core.comment(this.at, text);
  }

  /** The comment without its marks. */
  get text() {
    return readMarks(this.#comment).text;
  }

  /** The marks on the board: see `model/marks.js`. */
  get marks() {
    return readMarks(this.#comment).marks;
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
  /** By their numbers. @type {TreeNode[]} */
  #nodes = [];

  /** Throws a `CodedError` if the source is invalid.
   *  @param {Rules} rules @param {string | Game} source a position, a link or a game @param {Partial<Game>} tags players, date and so on */
  constructor(rules, source, tags = {}) {
    this.core = rules.tree(isPosition(source) ? `${source}:` : source);
    for (const value of this.core.nodes()) this.#add(value);
    this.root = this.#nodes[0];
    /** The node of the cursor of the link. */
    this.cursor = this.#nodes[this.core.cursor];
    this.tags = tags;
    this.core.given = tags.given ?? 0;
  }

  #add(value) {
    const node = new TreeNode(this, value, this.#nodes[value.parent] ?? null);
    this.#nodes[node.at] = node;
    return node;
  }

  /** The tree as a link, with the cursor at a node. @param {TreeNode | null} [node] */
  link(node) {
    return this.core.link(node?.at);
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
    const value = checked(this.core.play(node.at, move));
    const known = this.#nodes[value.node];
    return { node: known ?? this.#add(value), made: !known };
  }

  /** Removes a subtree. @param {TreeNode} node */
  remove(node) {
    node.parent.children = node.parent.children.filter((child) => child !== node);
  }

  /** Makes the line to `node` the main line. */
  promote(node) {
    for (let child = node; child.parent; child = child.parent) {
      const { parent } = child;
      parent.children = [child, ...parent.children.filter((other) => other !== child)];
    }
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
