// The puzzles: their purpose, the user's progress, and the next one.

import { button, patch, v } from '../base/dom.js';
import { puzzlesOf } from '../model/puzzles.js';
import { dueCount } from '../model/review.js';
import { View } from './view.js';

export class PuzzlesPanel extends View {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.puzzles = puzzlesOf(app.store, app.rules);
    app.modes.changed.listen(() => this.draw());
  }

  async draw() {
    const { puzzles, app } = this;
    await puzzles.load();
    const { t, number } = app.words;
    const mode = this.#mode;
    const own = puzzles.own.length;
    const { all, solved, weak, due } = puzzles.counts;
    const today = dueCount(app);
    const parts = [
      t('puzzles.of', { solved: number(solved), all: number(all) }),
      weak > 0 && `${t('puzzles.weak')} ${number(weak)}`,
      due > 0 && `${t('puzzles.due')} ${number(due)}`,
    ];
    patch(
      this.root,
      v(
        'div.pad.puzzle',
        v('p.muted', t('puzzles.intro')),
        v(
          'div.under',
          !mode && button(t('puzzles.start'), () => this.next(), { key: 'next', class: 'solid' }),
          own > 0 && button(t('puzzles.own', { n: own }), () => this.next(puzzles.own), { key: 'own' }),
        ),
        v(
          'div.progress',
          v('span.ring', { 'aria-hidden': 'true', style: { '--share': String(solved / Math.max(1, all)) } }),
          v('p', parts.filter(Boolean).join(' · ')),
        ),
        today > 0 &&
          button(t('review.start', { n: today }), () => app.modes.begin('review'), { key: 'review' }),
      ),
    );
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
    const { values } = this.app;
    await this.puzzles.addOwn(
      positions.map((position) => ({ id: position, position, scores: values.exact(position), own: true })),
    );
    this.draw();
  }

  /** @param {Puzzle} puzzle */
  async open(puzzle) {
    await this.app.modes.begin('puzzle', { puzzle, panel: this });
    this.app.panels.show('puzzles');
  }
}
