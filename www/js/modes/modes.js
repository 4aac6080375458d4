// The mode that has the board.

import { load } from '../base/load.js';
import { Signal } from '../base/signal.js';

/** The modules of the modes, and the parts of their translations.
 *  @type {Record<string, { module: keyof Parts, words: string }>} */
export const MODES = {
  match: { module: 'js/modes/match-start.js', words: 'match' },
  summary: { module: 'js/modes/match-summary.js', words: 'match' },
  editor: { module: 'js/modes/editor.js', words: 'editor' },
  puzzle: { module: 'js/modes/puzzle.js', words: 'puzzles' },
  trainer: { module: 'js/modes/trainer.js', words: 'trainer' },
  line: { module: 'js/modes/line.js', words: 'next' },
  review: { module: 'js/modes/review.js', words: 'trainer' },
  learn: { module: 'js/modes/learn.js', words: 'learn' },
};

export class Modes {
  /** @type {Mode | null} */
  current = null;
  /** A mode started or ended. @type {Signal<[]>} */
  changed = new Signal();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Creates a mode and gives it the board, or reports why not. @param {string} id @param {any} [setup] */
  begin(id, setup) {
    return this.app.attempt(async () => {
      const { module, words } = MODES[id];
      const [{ create }] = await Promise.all([load(module), this.app.words.load(words)]);
      /** @type {Mode | null} */
      const mode = await create(this.app, setup);
      if (!mode) return;
      this.leave();
      this.current = mode;
      this.changed.send();
      mode.start();
    });
  }

  leave() {
    const { current } = this;
    if (!current) return;
    this.current = null;
    current.end();
    this.changed.send();
  }
}
