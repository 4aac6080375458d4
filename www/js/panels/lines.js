// The best lines: one row a move, keyed by the move, kept in place while values change.

import { attr, h, text } from '../base/dom.js';
import { disc, lossClass, mark, proofText } from '../base/format.js';
import { forBlack } from '../base/position.js';
import { isExact } from '../engine/proof.js';

/** Moves of a line that are made: as many as its column can show; the best line has more rows. */
const SHOWN = Math.max(8, Math.ceil((globalThis.screen?.width ?? 0) / 120));
const SHOWN_OF_BEST = 24;

export class Lines {
  /** `on` takes `hover(moves | null)` and `play(moves)`. */
  constructor(body, words, on) {
    this.body = body;
    this.words = words;
    this.on = on;
    this.rows = new Map();
    this.position = null;
    body.addEventListener('pointerover', (event) => this.#over(event));
    body.addEventListener('pointerleave', () => on.hover(null));
    body.addEventListener('focusin', (event) => this.#over(event));
    body.addEventListener('focusout', () => on.hover(null));
    body.addEventListener('click', (event) => {
      const moves = this.#movesAt(event.target);
      if (moves) on.play(moves);
    });
    body.addEventListener('keydown', (event) => this.#key(event));
  }

  #movesAt(target) {
    const row = this.rows.get(target.closest?.('tr')?.dataset.move);
    if (!row) return null;
    const at = target.closest('[data-at]');
    return row.pv.slice(0, at ? Number(at.dataset.at) + 1 : 1);
  }

  #over(event) {
    this.on.hover(this.#movesAt(event.target));
  }

  /** Up and down move through the rows, left and right along a line. */
  #key(event) {
    const here = event.target.closest('button');
    if (!here || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const row = here.closest('tr');
    const go = {
      ArrowUp: () => row.previousElementSibling?.querySelector('button'),
      ArrowDown: () => row.nextElementSibling?.querySelector('button'),
      ArrowRight: () => here.nextElementSibling ?? row.querySelector('.pv button'),
      ArrowLeft: () => here.previousElementSibling ?? row.querySelector('button'),
    }[event.code];
    const next = go?.();
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** `{ position, side, rows (best first), black, limit, common }`: the mark `common` stands in the header alone. */
  draw({ position, side, rows, black, limit, common }) {
    if (position !== this.position) {
      this.position = position;
      this.rows.clear();
      this.body.replaceChildren();
    }
    const shown = rows.slice(0, limit);
    const wanted = new Set(shown.map((row) => row.move));
    for (const [move, row] of this.rows) {
      if (wanted.has(move)) continue;
      row.node.remove();
      this.rows.delete(move);
    }
    const best = rows[0]?.value ?? 0;
    /** @type {HTMLElement | null} */
    let before = null;
    for (const [index, row] of shown.entries()) {
      const kept = this.rows.get(row.move) ?? this.#make(row.move);
      this.#fill(kept, row, { best, side, black, common, first: index === 0 });
      const place = before ? before.nextSibling : this.body.firstChild;
      if (kept.node !== place) this.body.insertBefore(kept.node, place);
      before = kept.node;
    }
    const stop = this.body.querySelector('[tabindex="0"]');
    const first = this.body.querySelector('button');
    if (!stop && first) first.tabIndex = 0;
  }

  #make(move) {
    const row = {
      pv: [],
      written: '',
      button: h('button', { tabindex: '-1', data: { at: 0 } }),
      value: h('span'),
      proof: h('td.proof'),
      line: h('div'),
    };
    row.dot = h('td.value', row.value);
    row.node = h(
      'tr',
      { data: { move } },
      h('td.move', row.button),
      row.dot,
      row.proof,
      h('td.pv', row.line),
    );
    text(row.button, move);
    this.rows.set(move, row);
    return row;
  }

  #fill(kept, row, { best, side, black, common, first }) {
    kept.pv = row.pv;
    attr(kept.node, 'class', first ? 'cur' : null);
    attr(kept.dot, 'class', `value ${lossClass(best - row.value)}`);
    text(kept.value, disc(black ? forBlack(row.value, side) : row.value, isExact(row.proof)));
    const sign = mark(row.proof);
    text(kept.proof, sign === common ? '' : sign);
    attr(kept.proof, 'title', proofText(row.proof));
    const moves = row.pv.slice(1, 1 + (first ? SHOWN_OF_BEST : SHOWN));
    const written = moves.join(' ');
    if (written === kept.written) return;
    kept.written = written;
    const { children } = kept.line;
    while (children.length > moves.length) children[children.length - 1].remove();
    for (const [at, move] of moves.entries()) {
      if (children[at]) text(children[at], move);
      else
        kept.line.append(
          h('button', { tabindex: '-1', data: { at: at + 1 }, class: at === 0 ? 'reply' : null }, move),
        );
    }
  }
}
