// The puzzles and the endings: their purpose, the user's progress, and the next one.

import { button, options, patch, v } from '../base/dom.js';
import { PartError } from '../base/load.js';
import { endingsOf, GRADES, gradeOf } from '../model/endings.js';
import { puzzlesOf } from '../model/puzzles.js';
import { dueCount } from '../model/review.js';
import { View } from './view.js';

/** Key of the grade of endings. */
const GRADE = 'endings';

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
    await puzzles.load();
    const { t, number } = app.words;
    const mode = this.#mode;
    const own = puzzles.own.length;
    const { all, solved, weak } = puzzles.counts();
    const due = puzzles.due().length;
    const played = this.endings.counts(this.#graded);
    const hasGames = (await app.store.count('games')) > 0;
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
        v('p.muted', { key: 'endings' }, t('ending.intro')),
        v(
          'div.under',
          button(t('ending.start'), () => this.nextEnding(), { key: 'ending' }),
          v(
            'select',
            {
              key: 'grade',
              value: this.#grade,
              'aria-label': t('ending.grade'),
              onchange: (/** @type {any} */ { target }) => {
                app.store.set(GRADE, target.value);
                this.draw();
              },
            },
            options(GRADES.map((name) => [name, t(`ending.grade.${name}`)])),
          ),
          hasGames && button(t('ending.own'), () => this.nextEnding(true), { key: 'own-ending' }),
        ),
        played.all > 0 && v('p', t('puzzles.of', { solved: number(played.solved), all: number(played.all) })),
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

  /** The chosen grade of endings, which is stored. */
  get #grade() {
    const stored = this.app.store.get(GRADE);
    return GRADES.includes(stored) ? stored : GRADES[0];
  }

  /** The endings of this grade. */
  get #graded() {
    return this.endings.suite.filter((ending) => gradeOf(ending) === this.#grade);
  }

  /** Opens the next ending, of the suite or of the user's games. @param {boolean} own */
  async nextEnding(own = false) {
    const { app, endings } = this;
    await endings.load();
    let pool = this.#graded;
    if (own) {
      const { shelf } = /** @type {GamesPanel} */ (await app.panels.get('games'));
      await shelf.ready;
      const games = shelf.entries.map(([, game]) => game);
      pool = endingsOf(app.rules, games, (game) => app.ownNames.sideIn(game));
    }
    const puzzle = await endings.next(this.#mode?.puzzle ?? null, pool);
    if (!puzzle) {
      if (!own) return app.fail(new PartError(endings.name));
      return app.notices.show(app.t('ending.none'), { key: 'ending', stay: 4000 });
    }
    await app.modes.begin('ending', { puzzle, panel: this, own });
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

  /** @param {Puzzle} puzzle */
  async open(puzzle) {
    await this.app.modes.begin('puzzle', { puzzle, panel: this });
    this.app.panels.show('puzzles');
  }
}
