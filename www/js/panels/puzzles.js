// The puzzles and the endings: their purpose, the user's progress, and the next one.

import { button, patch, v } from '../base/dom.js';
import { endingsOf, GRADES, gradeOf } from '../model/endings.js';
import { puzzlesOf } from '../model/puzzles.js';
import { dueOf } from '../model/review.js';
import { View } from './view.js';

export class PuzzlesPanel extends View {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    this.puzzles = puzzlesOf(app.store, app.rules);
    this.endings = puzzlesOf(app.store, app.rules, 'endings');
    app.modes.changed.listen(() => this.draw());
  }

  async draw() {
    const { puzzles, app } = this;
    const { all: today } = await dueOf(app);
    const { t, number } = app.words;
    const mode = this.#mode;
    const own = puzzles.own.length;
    const { all, solved, weak } = puzzles.counts;
    const due = puzzles.due().length;
    const hasGames = (await app.store.count('games')) > 0;
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
        v('p.muted', { key: 'endings' }, t('ending.intro')),
        v(
          'div.under',
          [...GRADES, ...(hasGames ? ['own'] : [])].map((grade) =>
            button(t(`ending.${grade}`), () => this.nextEnding(grade)),
          ),
        ),
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
    if (puzzle) await this.app.modes.begin('puzzle', { puzzle });
    this.app.panels.show('puzzles');
  }

  /** Opens the next ending. @param {string} grade of the suite, or `own` for those of the user's games */
  async nextEnding(grade) {
    const { app, endings } = this;
    await endings.load();
    let pool = endings.suite.filter((ending) => gradeOf(ending) === grade);
    if (grade === 'own') {
      const { shelf } = /** @type {GamesPanel} */ (await app.panels.get('games'));
      await shelf.ready;
      const games = shelf.entries.map(([, game]) => game);
      pool = endingsOf(app.rules, games, (game) => app.ownNames.sideIn(game));
    }
    const puzzle = await endings.next(this.#mode?.puzzle ?? null, pool);
    if (!puzzle) return app.notices.show(app.t('ending.none'), { key: 'ending', stay: 4000 });
    await app.modes.begin('ending', { puzzle });
    return app.panels.show('puzzles');
  }

  /** Saves positions as puzzles of the user. @param {string[]} positions */
  async save(positions) {
    const { values } = this.app;
    await this.puzzles.addOwn(
      positions.map((position) => ({ id: position, position, scores: values.exact(position), own: true })),
    );
    this.draw();
  }
}
