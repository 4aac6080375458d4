// The table of the moves played in games: how often, with which results, and the engine's values.

import { patch, v } from '../base/dom.js';
import { disc, lossClass } from '../base/format.js';
import { sideOf } from '../base/position.js';
import { isExact } from '../engine/evaluation.js';
import { listenToMoves } from './lines.js';
import { View } from './view.js';

const COLUMNS = ['move', 'count', 'share', 'score', 'value'];

export class OpeningMoves extends View {
  /** @type {MovePlayed[]} */
  #moves = [];
  /** @type {string | null} */
  #position = null;

  /** @param {HTMLTableElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    listenToMoves(root, app, {
      movesAt: (target) => this.#movesAt(target),
      play: ([move]) => app.studyActions.press(move),
      next: (code, button) => this.#next(code, button),
    });
  }

  /** Shows the moves of a position. @param {MovePlayed[]} moves @param {string} position */
  show(moves, position) {
    const moved = position !== this.#position;
    const focused = this.root.contains(document.activeElement);
    this.#moves = moves;
    this.#position = position;
    this.draw();
    const first = this.root.querySelector('button');
    if (moved && focused) (first ?? /** @type {any} */ (this.root.closest('[role=tabpanel]')))?.focus();
  }

  /** Draws the moves with the current values of the engine. */
  draw() {
    const { openings, perspective, rules, scores, t, words } = this.app;
    const position = this.#position;
    if (!position) return;
    const sign = perspective.sign(sideOf(position));
    const { map, best } = scores.rows(position);
    const names = this.#moves.map(({ move }) => openings.name(rules.play(position, move).position));
    const values = this.#moves.map(({ move }) => map.get(move));
    if (!this.isNew(position, sign, this.#moves, names, values, best)) return;
    this.root.hidden = this.#moves.length === 0;
    const head = COLUMNS.map((name) =>
      v('th', { scope: 'col', title: t(`openings.${name}.title`) }, t(`openings.${name}`)),
    );
    const rows = this.#moves.map(({ move, twins, games, share, score }, at) => {
      const label = twins.length > 0 ? t('openings.twins', { move, twins: twins.join(', ') }) : null;
      const row = values[at];
      const bar = v('i', { 'aria-hidden': 'true', style: { '--share': String(share ?? 0) } });
      return v(
        'tbody',
        { key: position + move, data: { move } },
        v(
          'tr',
          v('th', { scope: 'row' }, v('button', { tabindex: at === 0 ? '0' : '-1', title: label }, move)),
          v('td', words.number(games)),
          v('td', share === null ? '–' : [t('openings.percent', { p: Math.round(100 * share) }), bar]),
          v('td', score === null ? '–' : disc(sign * score)),
          v(
            'td.value',
            { class: row ? lossClass((best?.value ?? row.value) - row.value) : '' },
            v('span', row && disc(sign * row.value, isExact(row.proof))),
          ),
        ),
        names[at] && v('tr.name', v('td', { colspan: COLUMNS.length }, names[at])),
      );
    });
    patch(this.root, v('thead', { key: 'head' }, v('tr', head)), rows);
  }

  /** The move of a row, or `null` if the table still shows another position. @param {any} target */
  #movesAt(target) {
    const move = target.closest?.('tbody')?.dataset.move;
    return move && this.#position === this.app.study.position ? [move] : null;
  }

  /** Up and down move through the moves. */
  #next(code, button) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[code];
    const buttons = [...this.root.querySelectorAll('button')];
    return step && (buttons[buttons.indexOf(button) + step] ?? null);
  }
}
