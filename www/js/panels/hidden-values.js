// Replaces the lines: by the line that a mode plays, or by the solution of a position. While values are hidden, by the exercises of a
// lesson with the state of each, or by a sentence.

import { $, attr, each, h, patch, v } from '../base/dom.js';
import { splitMoves } from '../model/rules.js';
import { listenToMoves } from './lines.js';
import { View } from './view.js';

export class HiddenValuesPanel extends View {
  /** @param {HTMLElement} card @param {App} app */
  constructor(card, app) {
    super(h('div.room', { hidden: true }), app);
    this.table = /** @type {HTMLElement} */ (card.querySelector('table'));
    card.append(this.root);
    this.card = card;
    listenToMoves(this.root, app, {
      movesAt: ({ dataset }) => (dataset.line ? splitMoves(dataset.line) : null),
      play: (moves) => app.modes.current?.solution?.show(moves),
    });
  }

  /** @param {boolean} isHidden values are hidden */
  draw(isHidden) {
    const { empty, played, progress, solution } = this.app.modes.current ?? {};
    const list = played ?? solution;
    const isShown = isHidden || Boolean(list);
    attr(this.root, 'hidden', !isShown);
    attr(this.table, 'hidden', isShown);
    if (list) {
      const isFirst = this.isNew(solution?.node.id, solution?.isDone, played?.at);
      patch(this.root, list.content);
      attr($('ul button:first-of-type, ol button', this.root) ?? this.root, 'tabindex', 0);
      // The answers to the played move are visible, or the move on the board.
      if (isFirst) this.card.scrollTop = $('.open, [aria-current]', this.root)?.offsetTop ?? 0;
      return undefined;
    }
    if (!isShown || !this.isNew(empty, progress)) return;
    const lesson = () =>
      each('ol.lesson-dots', progress ?? [], ({ state, label }) => v('li', { class: state }, label));
    patch(this.root, progress ? lesson() : empty && v('p.muted', this.t(empty)));
  }
}
