// The study: the current tree, the position in it, and undo.

import { START } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { Tree } from './tree.js';

const MAX_UNDOS = 100;

/** Undoes or redoes a change. @typedef {{ label: string, run: () => Change }} Step */

export class Study {
  /** @type {Signal<[Change]>} */
  changed = new Signal();
  /** @type {Step[]} */
  #undos = [];
  /** @type {Step[]} */
  #redos = [];

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.tree = new Tree(rules, START);
    this.node = this.tree.root;
  }

  get position() {
    return this.node.position;
  }

  get line() {
    return this.tree.line(this.node);
  }

  /** Records a change. @param {string} label @param {() => void} undo @param {Change} [change] */
  #record(label, undo, change = 'tree') {
    const run = () => {
      undo();
      return change;
    };
    this.#redos = [];
    this.#undos.push({ label, run });
    if (this.#undos.length > MAX_UNDOS) this.#undos.shift();
  }

  /** Records that a node was added. @param {string} label @param {TreeNode} node */
  #recordAdded(label, node) {
    this.#record(label, () => {
      this.tree.remove(node);
      if (this.node.path.includes(node)) this.node = /** @type {TreeNode} */ (node.parent);
    });
  }

  load(tree, node = tree.root, label = 'undo.load') {
    const before = { tree: this.tree, node: this.node };
    this.#record(label, () => Object.assign(this, before), 'load');
    this.tree = tree;
    this.node = node;
    this.changed.send('load');
  }

  /** Plays a move at the cursor. A new move starts a variation. Throws if it is illegal. */
  play(move) {
    const { node, made } = this.tree.play(this.node, move);
    if (made) this.#recordAdded('undo.move', node);
    this.node = node;
    this.changed.send(made ? 'tree' : 'move');
    return node;
  }

  /** Plays a line from the cursor. Throws, with the tree unchanged, if a move is illegal. @param {string[]} moves */
  playLine(moves) {
    let at = this.node;
    /** @type {TreeNode | null} */
    let first = null;
    try {
      for (const move of moves) {
        const { node, made } = this.tree.play(at, move);
        if (made) first ??= node;
        at = node;
      }
    } catch (error) {
      if (first) this.tree.remove(first);
      throw error;
    }
    if (first) this.#recordAdded('undo.line', first);
    this.node = at;
    this.changed.send('tree');
  }

  /** The line through the cursor as a game, or its part up to the cursor. @param {boolean} whole */
  game(whole = true) {
    const { tags, root } = this.tree;
    const last = whole ? this.line[this.line.length - 1] : this.node;
    return { ...tags, start: root.position, moves: last.moves.join('') };
  }

  go(node) {
    if (!node || node === this.node) return;
    this.node = node;
    this.changed.send('move');
  }

  back() {
    this.go(this.node.parent);
  }

  forward() {
    this.go(this.node.children[0]);
  }

  first() {
    this.go(this.tree.root);
  }

  last() {
    this.go(this.line.at(-1));
  }

  /** Goes to another child of the parent, `step` further, with wraparound. Returns `false` if there is none. */
  sibling(step) {
    const siblings = this.node.parent?.children ?? [];
    const count = siblings.length;
    if (count < 2) return false;
    this.go(siblings[(siblings.indexOf(this.node) + step + count) % count]);
    return true;
  }

  remove(node) {
    if (!node.parent) return;
    const cursor = this.node;
    const restore = this.tree.remove(node);
    this.#record('undo.delete', () => {
      restore();
      this.node = cursor;
    });
    if (cursor.path.includes(node)) this.node = node.parent;
    this.changed.send('tree');
  }

  promote(node) {
    if (node.isMain) return;
    this.#record('undo.promote', this.tree.promote(node));
    this.changed.send('tree');
  }

  comment(node, words) {
    const before = node.comment;
    if (before === words) return;
    node.comment = words;
    this.#record('undo.comment', () => {
      node.comment = before;
    });
    this.changed.send('tree');
  }

  /** Undoes the last change. Returns its label, or `null` if there is none. */
  undo() {
    return this.#turn(this.#undos, this.#redos);
  }

  /** Redoes the last undone change. Returns its label, or `null` if there is none. */
  redo() {
    return this.#turn(this.#redos, this.#undos);
  }

  /** @param {Step[]} from @param {Step[]} to */
  #turn(from, to) {
    const last = from.pop();
    if (!last) return null;
    const { tree } = this;
    const restore = this.#snapshot();
    const change = last.run();
    const run = () => {
      const isOther = this.tree !== tree;
      restore();
      return isOther ? 'load' : change;
    };
    to.push({ label: last.label, run });
    this.changed.send(change);
    return last.label;
  }

  /** Returns a function that restores the current tree, its comments and the cursor. */
  #snapshot() {
    const { tree, node } = this;
    const nodes = [...tree.nodes()].map((at) => ({ at, children: [...at.children], comment: at.comment }));
    return () => {
      for (const { at, children, comment } of nodes) Object.assign(at, { children, comment });
      Object.assign(this, { tree, node });
    };
  }
}
