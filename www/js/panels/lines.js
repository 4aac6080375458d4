// The best lines: one row per move.

import { $$, attr, patch, v } from '../base/dom.js';
import { commonMark, disc, isExact, lossClass, mark, proofText } from '../base/format.js';

/** Moves of a line that its column can show. The best line may be scrolled by its keys. */
const SHOWN = Math.max(8, Math.ceil((globalThis.screen?.width ?? 0) / 120));
const SHOWN_OF_BEST = 24;
const HOLD_MS = 500;

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Listens to a table of moves. `movesAt` returns the moves of an element or `null`; a hover shows and a click plays them. Up and
 *  down lead to the first button of another row, left and right along a row.
 *  @param {HTMLElement} root
 * @param {Pick<App, 'screen'>} app @param {{ movesAt(target: any): string[] | null, play(moves: string[]): void }} on */
export function listenToMoves(root, app, { movesAt, play }) {
  for (const name of ['pointerover', 'focusin'])
    root.addEventListener(name, ({ target }) => app.screen.hover(movesAt(target)));
  for (const name of ['pointerleave', 'focusout']) root.addEventListener(name, () => app.screen.hover(null));
  root.addEventListener('click', ({ target }) => {
    const moves = movesAt(target);
    if (moves) play(moves);
  });
  root.addEventListener('keydown', (event) => {
    const { altKey, code, ctrlKey, isComposing, metaKey, target } = event;
    const here = /** @type {HTMLElement} */ (/** @type {Element} */ (target).closest('button'));
    const step = !ctrlKey && !metaKey && !altKey && !isComposing && STEPS[code];
    if (!here || !step) return;
    const rows = $$('[data-move]', root).map((row) => $$('button', row));
    const at = rows.findIndex((row) => row.includes(here));
    // In a row of one button, left and right step through the game.
    if (step[1] && rows[at].length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    const to = step[0] ? rows[at + step[0]]?.[0] : rows[at][rows[at].indexOf(here) + step[1]];
    if (!to) return;
    here.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
}

export class Lines {
  /** @type {Row[]} */
  #rows = [];
  /** The moves in the drawn order; another order, and the time from which it is asked for. */
  #order = { position: '', drawn: [''], wanted: '', since: 0 };

  /** @param {HTMLElement} body @param {App} app */
  constructor(body, app) {
    this.body = body;
    this.app = app;
    const movesAt = (target) => this.#movesAt(target);
    listenToMoves(body, app, { movesAt, play: (moves) => app.playLine(moves) });
  }

  #movesAt(target) {
    const row = this.#rows.find(({ move }) => move === target.closest?.('tr')?.dataset.move);
    if (!row) return null;
    return row.pv.slice(0, Number(target.closest('[data-at]')?.dataset.at ?? 0) + 1);
  }

  /** Rows keep their places until another order has lasted for a moment, or the analysis ends.
   *  @param {string} position @param {Row[]} sorted @returns {Row[]} */
  #held(position, sorted) {
    const { analysis, painter } = this.app;
    const order = this.#order;
    const moves = sorted.map(({ move }) => move);
    const wanted = moves.join();
    const now = performance.now();
    if (wanted !== order.wanted) Object.assign(order, { wanted, since: now });
    const isSame = position === order.position && moves.length === order.drawn.length;
    if (!isSame || !analysis.running || now - order.since > HOLD_MS)
      Object.assign(order, { position, drawn: moves });
    else if (order.drawn.join() !== wanted) painter.later();
    const places = new Map(order.drawn.map((move, i) => [move, i]));
    return sorted.toSorted((a, b) => (places.get(a.move) ?? 99) - (places.get(b.move) ?? 99));
  }

  /** @param {Scene} scene */
  draw({ position, sorted, sign, hide }) {
    const { openings, rules, settings } = this.app;
    // A mark that all rows share is shown in the header only.
    const common = commonMark(sorted);
    this.#rows = hide ? [] : this.#held(position, sorted.slice(0, settings.get('lines')));
    const best = sorted[0]?.value ?? 0;
    const cell = (at, move) =>
      v('button', { tabindex: '-1', data: { at }, class: at === 1 ? 'reply' : null }, move);
    patch(
      this.body,
      this.#rows.map((row) => {
        const { kind, confidence: n = 0 } = row.proof;
        const isShare = kind === 'selective';
        const written = mark(row.proof, sign);
        const proof = isShare ? v('i.share', { style: { '--share': n / 100 } }) : written;
        const why = isShare ? `: ${this.app.t('lines.selective', { n })}` : '';
        const said = `${proofText(row.proof, sign)}${why}`;
        const value = disc(sign * row.value, isExact(row.proof));
        const isBest = row.move === sorted[0].move;
        const moves = row.pv.slice(1, 1 + (isBest ? SHOWN_OF_BEST : SHOWN));
        const name = openings.name(rules.play(position, row.move).position);
        const line = v(
          'div',
          name && v('span', name),
          moves.map((move, at) => cell(at + 1, move)),
        );
        return v(
          'tr',
          { key: position + row.move, class: isBest ? 'cur' : null, data: { move: row.move } },
          v('td.move', cell(0, row.move)),
          v('td.value', { class: lossClass(best - row.value) }, v('span', value)),
          v('td.proof', { title: said, 'aria-label': said }, written === common ? '' : proof),
          v('td.pv', line),
        );
      }),
    );
    const first = this.body.querySelector('button');
    if (first && !this.body.querySelector('[tabindex="0"]')) attr(first, 'tabindex', 0);
  }
}
