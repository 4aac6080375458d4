// The table of the moves that were played: how often, how they went, and what the engine makes of them.

import { attr, h, text } from '../base/dom.js';
import { disc, lossClass } from '../base/format.js';
import { forBlack, sideOf } from '../base/position.js';
import { isExact } from '../engine/proof.js';

const COLUMNS = ['move', 'count', 'share', 'score', 'value'];

export class OpeningMoves {
  /** @type {{ move: string, group: HTMLElement, button: HTMLElement, value: HTMLElement, cell: HTMLElement }[]} */
  #rows = [];
  /** @type {string | null} */
  #position = null;
  /** What is shown. */
  #shown = '';

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.root = h('table.played');
    this.root.addEventListener('pointerover', (event) => this.#hover(event.target));
    this.root.addEventListener('pointerleave', () => app.screen.hover(null));
    this.root.addEventListener('focusin', (event) => this.#hover(event.target));
    this.root.addEventListener('focusout', () => app.screen.hover(null));
    this.root.addEventListener('click', (event) => this.#play(event.target));
    this.root.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Has all be made anew: the words have changed. */
  clear() {
    this.#shown = '';
  }

  /** @param {MovePlayed[]} moves @param {string} position */
  show(moves, position) {
    const { openings, rules, settings, words } = this.app;
    const { t } = words;
    const black = settings.get('black');
    const names = moves.map(({ move }) => openings.name(rules.play(position, move).position));
    const shown = JSON.stringify([position, black, moves, names, words.language]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#position = position;
    const focused = this.root.contains(document.activeElement);
    const side = sideOf(position);
    const head = COLUMNS.map((name) =>
      h('th', { scope: 'col', title: t(`openings.${name}.title`) }, t(`openings.${name}`)),
    );
    this.#rows = moves.map((row, at) =>
      this.#make(row, names[at], black ? (v) => forBlack(v, side) : (v) => v),
    );
    this.root.hidden = moves.length === 0;
    this.root.replaceChildren(h('thead', h('tr', head)), ...this.#rows.map(({ group }) => group));
    if (this.#rows.length > 0) this.#rows[0].button.tabIndex = 0;
    this.drawValues(position);
    if (focused) (this.#rows[0]?.button ?? this.root.closest('[role=tabpanel]'))?.focus();
  }

  /** @param {MovePlayed} row @param {string | null} name @param {(value: number) => number} seen */
  #make({ move, twins, games, share, score }, name, seen) {
    const { t } = this.app.words;
    const label = twins.length > 0 ? t('openings.twins', { move, twins: twins.join(', ') }) : null;
    const button = h('button', { tabindex: '-1', title: label }, move);
    const value = h('span');
    const cell = h('td', value);
    const won = share === null ? '–' : t('openings.percent', { p: Math.round(100 * share) });
    const bar = h('i', { 'aria-hidden': 'true' });
    bar.style.setProperty('--share', String(share ?? 0));
    const group = h(
      'tbody',
      { data: { move } },
      h(
        'tr',
        h('th', { scope: 'row' }, button),
        h('td', this.app.words.number(games)),
        h('td', won, share !== null && bar),
        h('td', score === null ? '–' : disc(seen(score))),
        cell,
      ),
      name && h('tr.name', h('td', { colspan: COLUMNS.length }, name)),
    );
    return { move, group, button, value, cell };
  }

  /** Brings the engine's values up to date. @param {string} position */
  drawValues(position) {
    if (position !== this.#position || this.#rows.length === 0) return;
    const { scores, settings } = this.app;
    const { map, best } = scores.rows(position);
    for (const { move, value, cell } of this.#rows) {
      const row = map.get(move);
      const seen = row && (settings.get('black') ? forBlack(row.value, sideOf(position)) : row.value);
      text(value, seen === undefined ? '' : disc(seen, isExact(row.proof)));
      attr(cell, 'class', row ? `value ${lossClass((best?.value ?? row.value) - row.value)}` : 'value');
    }
  }

  /** @param {any} target */
  #at(target) {
    const group = target.closest?.('tbody');
    return this.#rows.find((row) => row.group === group);
  }

  #hover(target) {
    // Figures that are still shown for a moment after the board went on are none of it.
    const move = this.#position === this.app.study.position ? this.#at(target)?.move : null;
    this.app.screen.hover(move ?? null);
  }

  #play(target) {
    const row = this.#at(target);
    if (row && this.#position === this.app.study.position) this.app.studyActions.press(row.move);
  }

  /** Up and down through the moves. @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.code];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = this.#rows.findIndex(({ button }) => button === event.target);
    if (at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.#rows[at + step];
    if (!next) return;
    this.#rows[at].button.tabIndex = -1;
    next.button.tabIndex = 0;
    next.button.focus();
  }
}
