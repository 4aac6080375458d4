// What stands instead of the lines while values are hidden: the exercises of a lesson with the state of each, or a sentence.

import { attr, each, h, patch, v } from '../base/dom.js';
import { View } from './view.js';

export class HiddenValuesPanel extends View {
  /** @param {HTMLElement} card @param {App} app */
  constructor(card, app) {
    super(h('div.room', { hidden: true }), app);
    this.table = /** @type {HTMLElement} */ (card.querySelector('table'));
    card.append(this.root);
  }

  /** @param {boolean} isShown */
  draw(isShown) {
    attr(this.root, 'hidden', !isShown);
    attr(this.table, 'hidden', isShown);
    const { empty, progress } = this.app.modes.current ?? {};
    if (!isShown || !this.isNew(empty, progress)) return;
    const lesson = () =>
      each('ol.lesson-dots', progress ?? [], ({ state, label }) => v('li', { class: state }, label));
    patch(this.root, progress ? lesson() : empty && v('p.muted', this.t(empty)));
  }
}
