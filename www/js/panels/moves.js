// The variation tree: the main line in two columns, Black and White, variations indented below.

import { attr, h, text } from '../base/dom.js';
import { sideOf } from '../base/position.js';
import { disc } from '../base/format.js';

export class Moves {
  /** `on` takes `go(node)`; `judge(node)` answers `{ value, exact, mistake, loss }` or null. */
  constructor(root, words, on) {
    this.root = root;
    this.words = words;
    this.on = on;
    this.shown = new Map();
    this.current = null;
    root.addEventListener('click', (event) => {
      const item = this.shown.get(Number(event.target.closest('[data-node]')?.dataset.node));
      if (item) on.go(item.node);
    });
  }

  /** Draws the tree anew; called where it changed. */
  build(tree) {
    this.shown.clear();
    this.current = null;
    const cells = [];
    if (tree.root.comment) cells.push(h('p', { class: 'note', text: tree.root.comment }));
    let row = null;
    let later = [];
    const flush = () => {
      if (row) {
        cells.push(h('em', { text: String(row.number) }), row.X ?? h('span', { class: 'gap', text: row.O ? '–' : '' }), row.O ?? h('span', { class: 'gap' }));
      }
      cells.push(...later);
      row = null;
      later = [];
    };
    for (const node of tree.main.slice(1)) {
      const side = sideOf(node.parent.position);
      if (row && (row[side] || side === 'X')) flush();
      row ??= { number: node.ply };
      row[side] = this.#move(node);
      if (node.comment) later.push(h('p', { class: 'note', text: node.comment }));
      for (const other of node.parent.children.slice(1)) later.push(this.#variation(other));
    }
    flush();
    this.root.replaceChildren(...cells);
    attr(this.root, 'data-empty', cells.length === 0);
  }

  #move(node, numbered = false) {
    const value = h('small');
    const button = h('button', { type: 'button', tabindex: '-1', class: 'mv', data: { node: node.id } }, h('span', { text: numbered ? `${node.ply}. ${node.move}` : node.move }), value);
    this.shown.set(node.id, { node, button, value });
    return button;
  }

  #variation(first) {
    const block = h('div', { class: 'var' });
    let numbered = true;
    for (let node = first; node; node = node.children[0]) {
      block.append(this.#move(node, numbered));
      numbered = false;
      if (node.comment) block.append(h('span', { class: 'note', text: ` ${node.comment} ` }));
      if (node !== first) for (const other of node.parent.children.slice(1)) block.append(this.#variation(other));
    }
    return block;
  }

  /** Mends values and the mark of the current move. */
  draw(current, judge) {
    for (const { node, button, value } of this.shown.values()) {
      const judged = judge(node);
      text(value, judged ? this.#words(judged) : '');
      attr(button, 'data-mistake', judged?.mistake ? judged.grade : null);
      attr(button, 'aria-current', node === current ? 'step' : null);
    }
    if (current !== this.current) {
      const before = this.shown.get(this.current?.id);
      if (before) before.button.tabIndex = -1;
      this.current = current;
      const now = this.shown.get(current.id);
      if (now) {
        now.button.tabIndex = 0;
        this.reveal();
      } else {
        const first = this.shown.values().next().value;
        if (first) {
          first.button.tabIndex = 0;
          this.root.scrollTop = 0;
        }
      }
    }
  }

  /** Scrolls the current move into sight. */
  reveal() {
    const button = this.shown.get(this.current?.id)?.button;
    if (!button?.offsetParent) return;
    const box = this.root.getBoundingClientRect();
    const at = button.getBoundingClientRect();
    if (at.top < box.top) this.root.scrollTop -= box.top - at.top + 8;
    else if (at.bottom > box.bottom) this.root.scrollTop += at.bottom - box.bottom + 8;
  }

  #words({ value, exact, mistake, loss, atLeast, lossExact }) {
    const written = disc(value, exact) + (exact ? ' ✓' : '');
    if (!mistake) return written;
    const amount = this.words.number(lossExact ? Math.round(loss) : Math.max(1, Math.floor(atLeast ?? loss)), { maximumFractionDigits: 0 });
    return `▲ ${this.words.t(lossExact ? 'loss.exact' : atLeast !== null ? 'loss.atLeast' : 'loss.about', { v: amount })}`;
  }
}
