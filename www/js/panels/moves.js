// The variation tree: the main line in two columns, Black and White, variations indented below.

import { $, attr, h, text } from '../base/dom.js';
import { disc, lossSize } from '../base/format.js';
import { signOf } from '../model/marks.js';
import { pairs } from '../model/tree.js';

export class MovesPanel {
  start = $('#start');
  root = $('#moves');
  tools = $('#move-tools');
  /** Drawn moves by the ids of their nodes. @type {Map<number, { node: TreeNode, button: HTMLElement, value: HTMLElement, seen: string }>} */
  shown = new Map();
  /** @type {TreeNode | null} */
  current = null;
  /** The tree has changed since it was drawn. */
  #changed = true;
  /** The state of the drawn values. */
  #seen = '';

  /** @param {HTMLElement} panel @param {App} app */
  constructor(panel, app) {
    this.app = app;
    this.words = app.words;
    this.root.onclick = ({ target }) => {
      const button = /** @type {any} */ (target).closest('[data-node]');
      app.study.go(this.shown.get(Number(button?.dataset.node))?.node);
    };
    panel.append(this.start, this.root, this.tools);
    app.study.changed.listen((what) => {
      if (what !== 'move') this.#changed = true;
    });
    app.screen.drawn.listen(() => this.#paint());
  }

  relabel() {
    this.#changed = true;
  }

  #paint() {
    const { study, values, modes, perspective } = this.app;
    if (this.#changed) {
      this.#changed = false;
      this.#build(study.tree);
    }
    const empty = study.tree.root.children.length === 0;
    attr(this.start, 'hidden', !empty || modes.current !== null);
    attr(this.tools, 'hidden', empty);
    const hide = modes.current?.hide ?? false;
    const seen = `${values.revision} ${hide} ${perspective.home} ${this.words.language}`;
    if (seen !== this.#seen) {
      this.#seen = seen;
      for (const item of this.shown.values()) this.#drawValue(item, hide);
    }
    this.#follow(study.node);
  }

  /** Writes the loss of a mistake, otherwise the value after the move. */
  #drawValue(item, hide) {
    const { perspective, values } = this.app;
    const { point, loss } = values.at(item.node);
    const cost = point && !hide ? loss : null;
    const shown =
      point && !hide ? disc(perspective.homeSign * point.value, point.exact) + (point.exact ? ' ✓' : '') : '';
    const value = cost?.mistake ? `▲ ${lossSize(cost)}` : shown;
    const grade = cost?.mistake ? cost.grade : null;
    const seen = `${value} ${grade}`;
    if (seen === item.seen) return;
    item.seen = seen;
    text(item.value, value);
    attr(item.button, 'data-mistake', grade);
  }

  /** Draws the tree. @param {Tree} tree */
  #build(tree) {
    this.shown.clear();
    this.current = null;
    this.#seen = '';
    const cells = [];
    if (tree.root.text) cells.push(h('p.note', tree.root.text));
    for (const { number, X, O } of pairs(tree.main)) {
      const black = X ? this.#move(X) : h('span.gap', '–');
      cells.push(h('em', String(number)), black, O ? this.#move(O) : h('span.gap'));
      for (const node of [X, O]) {
        if (node?.text) cells.push(h('p.note', node.text));
        for (const other of node?.parent.children.slice(1) ?? []) cells.push(this.#variation(other));
      }
    }
    this.root.replaceChildren(...cells);
    attr(this.root, 'data-empty', cells.length === 0);
  }

  #move(node, numbered = false) {
    const value = h('small');
    const move = h('span', (numbered ? `${node.ply}. ` : '') + node.move + signOf(node.comment));
    const button = h('button.mv', { tabindex: '-1', data: { node: node.id } }, move, value);
    this.shown.set(node.id, { node, button, value, seen: '' });
    return button;
  }

  #variation(first) {
    const block = h('div.var');
    // A move after a comment or a variation has its number.
    let numbered = true;
    for (let node = first; node; node = node.children[0]) {
      block.append(this.#move(node, numbered));
      numbered = node.text !== '';
      if (node.text) block.append(h('span.note', ` ${node.text} `));
      if (node === first) continue;
      for (const other of node.parent.children.slice(1)) {
        block.append(this.#variation(other));
        numbered = true;
      }
    }
    return block;
  }

  /** Marks the current move, makes it the tab stop, and scrolls it into view. @param {TreeNode} current */
  #follow(current) {
    if (current === this.current) return;
    const before = this.shown.get(this.current?.id ?? 0) ?? this.first;
    if (before) {
      before.button.tabIndex = -1;
      attr(before.button, 'aria-current', null);
    }
    this.current = current;
    const now = this.shown.get(current.id);
    if (now) {
      now.button.tabIndex = 0;
      attr(now.button, 'aria-current', 'step');
      // The layout is asked for when the frame has it.
      requestAnimationFrame(() => this.draw());
    } else if (this.first) {
      this.first.button.tabIndex = 0;
      this.root.scrollTop = 0;
    }
  }

  get first() {
    return this.shown.values().next().value;
  }

  /** Scrolls the current move into view. */
  draw() {
    const button = this.shown.get(this.current?.id ?? 0)?.button;
    if (this.app.panels.current !== 'moves' || !button?.offsetParent) return;
    const box = this.root.getBoundingClientRect();
    const at = button.getBoundingClientRect();
    if (at.top < box.top) this.root.scrollTop -= box.top - at.top + 8;
    else if (at.bottom > box.bottom) this.root.scrollTop += at.bottom - box.bottom + 8;
  }
}
