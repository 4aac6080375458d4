// The puzzles: what they are about, how far one has come, and the next one.

import { h } from '../base/dom.js';
import { Puzzles } from '../model/puzzles.js';
import { TrainerList } from './trainer.js';

export class PuzzlesPanel {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.puzzles = new Puzzles(app.store, app.rules);
    this.trainer = new TrainerList(app);
    app.modes.changed.listen(() => this.draw());
  }

  async draw() {
    const { puzzles, app } = this;
    await Promise.all([puzzles.load(), app.words.load('trainer')]);
    const { t } = app.words;
    const mode = this.#mode;
    const start = h(
      'button.solid',
      { onclick: () => this.next() },
      t(mode ? 'puzzles.next' : 'puzzles.start'),
    );
    const own = h(
      'button.plain',
      { onclick: () => this.next(puzzles.own) },
      t('puzzles.own', { n: puzzles.own.length }),
    );
    const rows = Object.entries(puzzles.counts).map(([name, n]) =>
      h('tr', h('th', { scope: 'row' }, t(`puzzles.${name}`)), h('td', app.words.number(n))),
    );
    this.root.replaceChildren(
      h(
        'div.pad.puzzle',
        h('p.muted', t('puzzles.intro')),
        mode &&
          h('div', { class: `verdict ${mode.verdict?.right === false ? 'wrong' : ''}` }, mode.panelText),
        h('div.under', start, puzzles.own.length > 0 && own),
        h('table.figs', h('tbody', rows)),
        this.trainer.root,
      ),
    );
    this.trainer.draw();
  }

  relabel() {
    this.draw();
  }

  /** The mode of the puzzle on the board, if there is one. */
  get #mode() {
    const { current } = this.app.modes;
    return current && 'puzzle' in current ? /** @type {PuzzleMode} */ (current) : null;
  }

  /** @param {Puzzle[] | null} pool chosen from, or all */
  async next(pool = null) {
    const puzzle = await this.puzzles.next(this.#mode?.puzzle ?? null, pool);
    if (puzzle) await this.open(puzzle);
  }

  /** Sets a puzzle on the board. @param {Puzzle} puzzle */
  async open(puzzle) {
    await this.app.modes.begin('puzzle', { puzzle, panel: this });
    this.app.panels.show('puzzles');
  }
}
