// The best lines: one row per move.

import { attr, patch, v } from '../base/dom.js';
import { commonMark, disc, lossClass, mark, proofText } from '../base/format.js';
import { forBlack } from '../base/position.js';
import { isExact } from '../engine/evaluation.js';

/** Moves of a line that its column can show. The best line has several rows of text. */
const SHOWN = Math.max(8, Math.ceil((globalThis.screen?.width ?? 0) / 120));
const SHOWN_OF_BEST = 24;

/** Moves the tab stop and the focus. @param {HTMLElement | null} from @param {any} to */
export function moveFocus(from, to) {
  if (!to) return;
  if (from) from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

export class Lines {
  /** @type {Row[]} */
  #rows = [];

  /** @param {HTMLElement} body @param {App} app */
  constructor(body, app) {
    this.body = body;
    this.app = app;
    const hover = (/** @type {string[] | null} */ moves) => app.screen.hover(moves?.[0] ?? null, moves);
    const over = (event) => hover(this.#movesAt(event.target));
    body.addEventListener('pointerover', over);
    body.addEventListener('pointerleave', () => hover(null));
    body.addEventListener('focusin', over);
    body.addEventListener('focusout', () => hover(null));
    body.addEventListener('click', (event) => {
      const moves = this.#movesAt(event.target);
      if (moves) app.studyActions.playLine(moves);
    });
    body.addEventListener('keydown', (event) => this.#key(event));
  }

  #movesAt(target) {
    const row = this.#rows.find(({ move }) => move === target.closest?.('tr')?.dataset.move);
    if (!row) return null;
    return row.pv.slice(0, Number(target.closest('[data-at]')?.dataset.at ?? 0) + 1);
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
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    moveFocus(here, go());
  }

  /** @param {Scene} scene */
  draw({ position, look: { side }, sorted, hide }) {
    const { settings } = this.app;
    const black = settings.get('black');
    // A mark that all rows share is shown in the header only.
    const common = commonMark(sorted);
    this.#rows = hide ? [] : sorted.slice(0, settings.get('lines'));
    const best = sorted[0]?.value ?? 0;
    const cell = (at, move) => {
      const props = { tabindex: '-1', data: { at }, class: at === 1 ? 'reply' : null };
      return v('button', props, move);
    };
    patch(
      this.body,
      this.#rows.map((row, index) => {
        const sign = mark(row.proof);
        const value = disc(black ? forBlack(row.value, side) : row.value, isExact(row.proof));
        const moves = row.pv.slice(1, 1 + (index === 0 ? SHOWN_OF_BEST : SHOWN));
        return v(
          'tr',
          { key: position + row.move, class: index === 0 ? 'cur' : null, data: { move: row.move } },
          v('td.move', cell(0, row.move)),
          v('td.value', { class: lossClass(best - row.value) }, v('span', value)),
          v('td.proof', { title: proofText(row.proof) }, sign === common ? '' : sign),
          v(
            'td.pv',
            v(
              'div',
              moves.map((move, at) => cell(at + 1, move)),
            ),
          ),
        );
      }),
    );
    const first = this.body.querySelector('button');
    if (first && !this.body.querySelector('[tabindex="0"]')) attr(first, 'tabindex', 0);
  }
}
