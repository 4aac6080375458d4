// The analysis of saved games in sequence. The game on the board stays.

import { orNull } from '../base/validate.js';
import { Review } from '../engine/searches.js';
import { reportChange } from './game-report.js';
import { Study } from './study.js';
import { Tree } from './tree.js';
import { Values } from './values.js';

export class GameSeries {
  /** Number of games, 0 unless the series runs; of those before the current one; and of those that could not be analyzed. */
  of = 0;
  at = 0;
  failed = 0;
  /** Number of starts and stops. */
  #turn = 0;
  /** The review of the current game has ended. */
  #ended = () => {};

  /** @param {App} app @param {SavedGames} shelf @param {() => void} changed called after every position */
  constructor(app, shelf, changed) {
    this.app = app;
    this.shelf = shelf;
    this.changed = changed;
    this.study = new Study(app.rules);
    this.values = new Values(this.study, app.store);
    this.review = new Review(Object.create(app, { values: { value: this.values } }), () => {
      changed();
      if (!this.review.running) this.#ended();
    });
  }

  /** The finished share. */
  get progress() {
    return (this.at + this.review.progress) / Math.max(1, this.of);
  }

  /** Analyzes the games under some keys. The report of each is saved when it is finished. @param {string[]} keys */
  async run(keys) {
    const { app, review, shelf, study, values } = this;
    const turn = ++this.#turn;
    const report = /** @type {ReportPanel | undefined} */ (app.panels.made.get('report'));
    report?.review.stop();
    Object.assign(this, { of: keys.length, at: 0, failed: 0 });
    this.#rest(true);
    await app.control.whole;
    if (app.engine.info) await values.engineIs(app.engine.info, app.network);
    for (const [at, key] of keys.entries()) {
      if (turn !== this.#turn) return;
      this.at = at;
      const record = shelf.kept.get(key);
      // The game was removed, or analyzed in another tab.
      if (!record || record.report) continue;
      const { start, moves, given } = record;
      const tree = orNull(() => new Tree(app.rules, { start, moves }, { given }));
      if (tree) {
        Object.assign(study, { tree, node: tree.root });
        study.changed.send('load');
        await new Promise((resolve) => {
          this.#ended = () => resolve(null);
          review.start(tree.main);
        });
      }
      if (turn !== this.#turn) return;
      const isDone = tree && review.left === 0;
      if (isDone) values.settle();
      if (isDone) await shelf.change([key], reportChange(tree, values));
      else this.failed++;
    }
    if (turn === this.#turn) this.stop();
  }

  stop() {
    this.#turn++;
    this.of = 0;
    this.review.stop();
    this.#rest(false);
    // The game on the board may be one of the series.
    this.app.values.reread();
    this.app.control.recall();
    this.changed();
  }

  /** The analysis of the position on the board rests during the series. @param {boolean} rests */
  #rest(rests) {
    this.app.control.reviewing = rests;
    this.app.control.update();
  }
}
