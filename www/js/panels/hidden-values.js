// The moves so far, shown instead of the lines while values are hidden.

import { $, attr, columns, each, h, patch, v } from '../base/dom.js';
import { pairs } from '../model/tree.js';
import { View } from './view.js';

export class HiddenValuesPanel extends View {
  /** @param {HTMLElement} card @param {App} app */
  constructor(card, app) {
    super(h('div.room', { role: 'group', tabindex: '0', hidden: true }), app);
    this.table = /** @type {HTMLElement} */ (card.querySelector('table'));
    card.append(this.root);
  }

  /** @param {boolean} isShown */
  draw(isShown) {
    attr(this.root, 'hidden', !isShown);
    attr(this.table, 'hidden', isShown);
    if (!isShown) return;
    const { modes, panels, study, t } = this.app;
    const { line, node } = study;
    const ids = line.map(({ id }) => id);
    const isListed = panels.shows('moves');
    const { progress } = modes.current ?? {};
    if (!this.isNew(node.id, ids, isListed, progress)) return;
    if (progress) return void patch(this.root, this.#progress(progress));
    attr(this.root, 'aria-label', t('room.moves'));
    const empty = modes.current?.empty;
    const rows = isListed ? [] : pairs(line);
    patch(this.root, rows.length > 0 ? this.#sheet(rows, node) : empty && v('p.muted', t(empty)));
    // `scrollIntoView` would also move the page of a phone.
    const at = $('.cur', this.root);
    if (at) this.root.scrollTop = at.offsetTop + at.offsetHeight - this.root.clientHeight;
  }

  /** The exercises of a lesson: the state of each, and what it is about. @param {NonNullable<Mode['progress']>} progress */
  #progress(progress) {
    return each('ol.lesson-dots', progress, ({ state, label }) => v('li', { class: state }, label));
  }

  /** @param {Pair[]} rows @param {TreeNode} node */
  #sheet(rows, node) {
    const { study, t } = this.app;
    const { black, white } = study.tree.tags;
    const head = ['#', black || t('black'), white || t('white')];
    const row = (/** @type {Pair} */ { number, last, X, O }) => {
      const moves = [X?.move ?? '–', O?.move ?? (last === X ? '' : '–')];
      const cells = [number, ...moves];
      return each(X === node || O === node ? 'tr.cur' : 'tr', cells, (cell) => v('td', cell));
    };
    return v('table', v('thead', columns(head)), v('tbody', rows.map(row)));
  }
}
