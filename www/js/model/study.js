// The study: the current tree, the position in it, and undo.

import { START } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { Tree } from './tree.js';

const MAX_UNDOS = 100;

/** A change, with the function that restores the state on its other side. @typedef {{ label: string, restore: () => void }} Step */

export class Study {
  /** @type {Signal<[Change]>} */
  changed = new Signal();
  /** @type {Step[]} */
  #undos = [];
  /** @type {Step[]} */
  #redos = [];
  /** @type {Tree} */
  #tree;

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.#tree = new Tree(rules, START);
    this.node = this.tree.root;
  }

  get tree() {
    return this.#tree;
  }

  /** The values move from tree to tree. */
  set tree(tree) {
    if (tree !== this.#tree) tree.core.adopt(this.#tree.core);
    this.#tree = tree;
  }

  get position() {
    return this.node.position;
  }

  get line() {
    return this.tree.line(this.node);
  }

  /** Makes a change that can be undone. Throws, with nothing changed, if `make` does.
   *  @param {string} label @param {() => Change | void} make returns the kind of the change */
  #change(label, make) {
    const restore = this.#snapshot();
    let change;
    try {
      change = make() ?? 'tree';
    } catch (error) {
      restore();
      throw error;
    }
    if (change !== 'move') {
      this.#redos = [];
      this.#undos.push({ label, restore });
      if (this.#undos.length > MAX_UNDOS) this.#undos.shift();
    }
    this.changed.send(change);
  }

  load(tree, node = tree.root, label = 'undo.load') {
    this.#change(label, () => {
      Object.assign(this, { tree, node });
      return 'load';
    });
  }

  /** Plays moves from the cursor. A new move starts a variation. Throws, with the tree unchanged, if a move is illegal.
   *  @param {string[]} moves */
  play(...moves) {
    this.#change(moves.length > 1 ? 'undo.line' : 'undo.move', () => {
      /** @type {Change} */
      let change = 'move';
      for (const move of moves) {
        const { node, made } = this.tree.play(this.node, move);
        this.node = node;
        if (made) change = 'tree';
      }
      return change;
    });
    return this.node;
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

  /** Goes to another child of the parent, `step` further, with wraparound. Returns `false` if there is none. */
  sibling(step) {
    const siblings = this.node.parent?.children ?? [];
    const count = siblings.length;
    if (count < 2) return false;
    this.go(siblings[(siblings.indexOf(this.node) + step + count) % count]);
    return true;
  }

  remove(node) {
    const { parent } = node;
    if (!parent) return;
    this.#change('undo.delete', () => {
      if (this.node.path.includes(node)) this.node = parent;
      this.tree.remove(node);
    });
  }

  promote(node) {
    if (!node.isMain) this.#change('undo.promote', () => this.tree.promote(node));
  }

  comment(node, words) {
    if (node.comment === words) return;
    this.#change('undo.comment', () => {
      node.comment = words;
    });
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
    to.push({ label: last.label, restore: this.#snapshot() });
    last.restore();
    this.changed.send(this.tree === tree ? 'tree' : 'load');
    return last.label;
  }

  /** Returns a function that restores the current tree, its comments and the cursor. */
  #snapshot() {
    const { tree, node } = this;
    const nodes = [...tree.nodes()].map((at) => ({ at, children: at.children, comment: at.comment }));
    return () => {
      for (const { at, children, comment } of nodes) Object.assign(at, { children, comment });
      Object.assign(this, { tree, node });
    };
  }
}
