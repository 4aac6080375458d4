// The puzzles: their purpose, the user's progress, and the next one.

import { button, patch, v } from '../base/dom.js';
import { Puzzles } from '../model/puzzles.js';
import { TrainerList } from './trainer.js';
import { View } from './view.js';

export class PuzzlesPanel extends View {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.puzzles = new Puzzles(app.store, app.rules);
    this.trainer = new TrainerList(app);
    app.modes.changed.listen(() => this.draw());
  }

  async draw() {
    const { puzzles, app } = this;
    await Promise.all([puzzles.load(), app.words.load('trainer')]);
    const { t, number } = app.words;
    const mode = this.#mode;
    const own = puzzles.own.length;
    const row = ([name, n]) => v('tr', v('th', { scope: 'row' }, t(`puzzles.${name}`)), v('td', number(n)));
    patch(
      this.root,
      v(
        'div.pad.puzzle',
        v('p.muted', t('puzzles.intro')),
        mode && v('div.verdict', { key: 'verdict', class: mode.textClass }, mode.panelText),
        v(
          'div.under',
          button(t(mode ? 'puzzles.next' : 'puzzles.start'), () => this.next(), {
            key: 'next',
            class: 'solid',
          }),
          own > 0 && button(t('puzzles.own', { n: own }), () => this.next(puzzles.own), { key: 'own' }),
        ),
        v('table.figs', v('tbody', Object.entries(puzzles.counts).map(row))),
        this.trainer.root,
      ),
    );
    this.trainer.draw();
  }

  /** The mode of the puzzle on the board, if there is one. */
  get #mode() {
    const { current } = this.app.modes;
    return current && 'puzzle' in current ? /** @type {PuzzleMode} */ (current) : null;
  }

  /** Opens the next puzzle. @param {Puzzle[] | null} pool to choose from, or `null` for all */
  async next(pool = null) {
    const puzzle = await this.puzzles.next(this.#mode?.puzzle ?? null, pool);
    if (puzzle) await this.open(puzzle);
  }

  /** Saves positions as puzzles of the user. @param {string[]} positions */
  async save(positions) {
    const { scores } = this.app;
    await this.puzzles.addOwn(
      positions.map((position) => ({ id: position, position, scores: scores.exact(position), own: true })),
    );
    this.draw();
  }

  /** @param {Puzzle} puzzle */
  async open(puzzle) {
    await this.app.modes.begin('puzzle', { puzzle, panel: this });
    this.app.panels.show('puzzles');
  }
}
