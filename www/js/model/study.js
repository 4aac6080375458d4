// The study: the tree on the table, where in it we are, and how to take the last change back.

import { START } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { Tree } from './tree.js';

const UNDO_LIMIT = 100;

export class Study {
  /** @type {Signal<[Change]>} */
  changed = new Signal();
  /** How to take the last changes back: each with what it is called. @type {{ label: string, run: () => Change }[]} */
  #undos = [];
  /** The same for changes that were taken back. @type {{ label: string, run: () => Change }[]} */
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

  #pushUndo(label, run) {
    this.#redos = [];
    this.#undos.push({ label, run });
    if (this.#undos.length > UNDO_LIMIT) this.#undos.shift();
  }

  /** Puts another tree on the table. */
  load(tree, node = tree.root, label = 'undo.load') {
    const before = { tree: this.tree, node: this.node };
    this.#pushUndo(label, () => {
      this.tree = before.tree;
      this.node = before.node;
      return 'load';
    });
    this.tree = tree;
    this.node = node;
    this.changed.send('load');
  }

  /** Plays a move at the cursor; another move than the game's makes a variation. Throws if illegal. */
  play(move) {
    const { node, made } = this.tree.play(this.node, move);
    if (made) {
      const from = this.node;
      this.#pushUndo('undo.move', () => {
        this.tree.remove(node);
        if (this.node.path.includes(node)) this.node = from;
        return 'tree';
      });
    }
    this.node = node;
    this.changed.send(made ? 'tree' : 'move');
    return node;
  }

  /** Plays a line from the cursor, as a variation where it is new. Throws at an illegal move. @param {string[]} moves */
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
    if (first) {
      const { parent } = first;
      const added = first;
      this.#pushUndo('undo.line', () => {
        this.tree.remove(added);
        if (parent && this.node.path.includes(added)) this.node = parent;
        return 'tree';
      });
    }
    this.node = at;
    this.changed.send('tree');
  }

  /** The line through the cursor as a game for writing, or its part up to the cursor. @param {boolean} whole */
  game(whole = true) {
    const nodes = whole ? this.line : this.node.path;
    const { tags, root } = this.tree;
    return {
      ...tags,
      start: root.position,
      moves: nodes
        .slice(1)
        .map((node) => node.move)
        .join(''),
    };
  }

  go(node) {
    if (!node || node === this.node) return;
    this.node = node;
    this.changed.send('move');
  }

  back() {
    this.go(this.node.parent);
  }

  /** Along the line the cursor is in: into a variation leads `sibling`. */
  forward() {
    this.go(this.node.children[0]);
  }

  first() {
    this.go(this.tree.root);
  }

  last() {
    this.go(this.line.at(-1));
  }

  /** The sibling `step` further, round the end. */
  sibling(step) {
    const { parent } = this.node;
    if (!parent || parent.children.length < 2) return false;
    const count = parent.children.length;
    this.go(parent.children[(parent.children.indexOf(this.node) + step + count) % count]);
    return true;
  }

  remove(node) {
    if (!node.parent) return;
    const cursor = this.node;
    const restore = this.tree.remove(node);
    this.#pushUndo('undo.delete', () => {
      restore();
      this.node = cursor;
      return 'tree';
    });
    if (cursor.path.includes(node)) this.node = node.parent;
    this.changed.send('tree');
  }

  promote(node) {
    if (node.isMain) return;
    const restore = this.tree.promote(node);
    this.#pushUndo('undo.promote', () => {
      restore();
      return 'tree';
    });
    this.changed.send('tree');
  }

  comment(node, words) {
    const before = node.comment;
    if (before === words) return;
    node.comment = words;
    this.#pushUndo('undo.comment', () => {
      node.comment = before;
      return 'tree';
    });
    this.changed.send('tree');
  }

  /** Takes the last change back; its label, or null where there is nothing to undo. */
  undo() {
    return this.#turn(this.#undos, this.#redos);
  }

  /** Does again what was taken back last; its label, or null where there is nothing. */
  redo() {
    return this.#turn(this.#redos, this.#undos);
  }

  #turn(from, to) {
    const last = from.pop();
    if (!last) return null;
    const { tree } = this;
    const back = this.#picture();
    const change = last.run();
    to.push({
      label: last.label,
      run: () => {
        const other = this.tree !== tree;
        back();
        return other ? 'load' : change;
      },
    });
    this.changed.send(change);
    return last.label;
  }

  /** The tree on the table as it is, with its comments and the cursor; the function returned puts it back. */
  #picture() {
    const { tree, node } = this;
    const nodes = [...tree.nodes()].map((at) => ({ at, children: [...at.children], comment: at.comment }));
    return () => {
      for (const { at, children, comment } of nodes) {
        at.children = children;
        at.comment = comment;
      }
      this.tree = tree;
      this.node = node;
    };
  }
}
