// The table of the moves played in games: how often, with which results, their values in the loaded book, and the engine's.

import { patch, v } from '../base/dom.js';
import { disc, isExact, lossClass } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { listenToMoves } from './lines.js';
import { View } from './view.js';

const COLUMNS = ['move', 'count', 'share', 'score', 'book', 'value'];

export class OpeningMoves extends View {
  /** @type {MovePlayed[]} */
  #moves = [];
  /** Values of the book by move. @type {Map<string, number>} */
  #book = new Map();
  /** @type {string | null} */
  #position = null;

  /** @param {HTMLTableElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    const movesAt = (target) => this.#movesAt(target);
    listenToMoves(root, app, { movesAt, play: ([move]) => app.press(move) });
  }

  /** Shows the moves of a position: those played in games, then others of the book.
   *  @param {MovePlayed[]} played @param {string} position @param {BookValue[]} book */
  show(played, position, book) {
    const moved = position !== this.#position;
    const focused = this.root.contains(document.activeElement);
    const { rules } = this.app;
    const known = new Set(played.flatMap(({ move, twins }) => [move, ...twins]));
    const unplayed = { twins: [], games: 0, scored: 0, share: null, score: null };
    this.#moves = [...played];
    for (const { move } of book.toSorted((a, b) => b.value - a.value || (a.move < b.move ? 1 : -1))) {
      if (known.has(move)) continue;
      const key = rules.canonical(rules.play(position, move).position);
      if (!known.has(key)) this.#moves.push({ move, ...unplayed });
      known.add(key);
    }
    this.#book = new Map(book.map(({ move, value }) => [move, value]));
    this.#position = position;
    this.draw();
    const first = this.root.querySelector('button');
    if (moved && focused) (first ?? /** @type {any} */ (this.root.closest('[role=tabpanel]')))?.focus();
  }

  /** Draws the moves with the current values of the engine. */
  draw() {
    const { openings, perspective, rules, values, t, words } = this.app;
    const position = this.#position;
    if (!position) return;
    const sign = perspective.sign(sideOf(position));
    const { map, best } = values.rows(position, false);
    const names = this.#moves.map(({ move }) => openings.name(rules.play(position, move).position));
    const valued = this.#moves.map(({ move }) => map.get(move));
    const book = [...this.#book];
    if (!this.isNew(position, sign, this.#moves, names, valued, best, book)) return;
    this.root.hidden = this.#moves.length === 0;
    const columns = COLUMNS.filter((name) => name !== 'book' || book.length > 0);
    const head = columns.map((name) =>
      v('th', { scope: 'col', title: t(`openings.${name}.title`) }, t(`openings.${name}`)),
    );
    const rows = this.#moves.map(({ move, twins, games, share, score }, at) => {
      const label = twins.length > 0 ? t('openings.twins', { move, twins: twins.join(', ') }) : null;
      const row = valued[at];
      const booked = this.#book.get(move);
      const bar = v('i', { 'aria-hidden': 'true', style: { '--share': String(share ?? 0) } });
      return v(
        'tbody',
        { key: position + move, data: { move } },
        v(
          'tr',
          v('th', { scope: 'row' }, v('button', { tabindex: at === 0 ? '0' : '-1', title: label }, move)),
          v('td', games > 0 ? words.number(games) : '–'),
          v('td', share === null ? '–' : [t('openings.percent', { p: Math.round(100 * share) }), bar]),
          v('td', score === null ? '–' : disc(sign * score)),
          book.length > 0 && v('td.book', booked === undefined ? '–' : disc(sign * booked)),
          v(
            'td.value',
            { class: row ? lossClass((best?.value ?? row.value) - row.value) : '' },
            v('span', row && disc(sign * row.value, isExact(row.proof))),
          ),
        ),
        names[at] && v('tr.name', v('td', { colspan: columns.length }, names[at])),
      );
    });
    patch(this.root, v('thead', { key: 'head' }, v('tr', head)), rows);
  }

  /** The move of a row, or `null` if the table still shows another position. @param {any} target */
  #movesAt(target) {
    const move = target.closest?.('tbody')?.dataset.move;
    return move && this.#position === this.app.study.position ? [move] : null;
  }
}
