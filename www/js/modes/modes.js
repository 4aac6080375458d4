// The mode that has the board.

import { loadPanelStyles, PartError } from '../base/load.js';
import { Signal } from '../base/signal.js';

/** The modules of the modes. @type {Record<string, keyof Parts>} */
const MODES = {
  match: 'js/modes/match-start.js',
  summary: 'js/modes/match-summary.js',
  editor: 'js/modes/editor.js',
  puzzle: 'js/modes/puzzle.js',
  ending: 'js/modes/ending.js',
  trainer: 'js/modes/trainer.js',
  line: 'js/modes/line.js',
  review: 'js/modes/review.js',
  learn: 'js/modes/learn.js',
};

/** The modes that a reload begins again. @type {unknown[]} */
const RESUMING = ['puzzle', 'ending', 'trainer', 'review', 'learn', 'editor'];

export class Modes {
  /** @type {Mode | null} */
  current = null;
  /** Its id and setup. @type {[id: string, setup: any] | null} */
  #begun = null;
  /** The number of modes that were asked for. */
  #asked = 0;
  /** A mode started or ended. @type {Signal<[]>} */
  changed = new Signal();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** What begins the mode again after a reload, see `resume`. @type {[id: string, setup: any] | null} */
  get begun() {
    const [id = '', setup] = this.#begun ?? [];
    return RESUMING.includes(id) ? [id, { ...setup, ...this.current?.kept }] : null;
  }

  /** Creates a mode and gives it the board, or reports why not. @param {string} id @param {any} [setup] */
  begin(id, setup) {
    return this.app.attempt(() => this.#begin(id, setup));
  }

  /** Begins the mode of this tab before its reload, unless what the tab stored is none. Returns `true` if it began.
   *  @param {any} begun */
  async resume(begun) {
    if (!Array.isArray(begun) || !RESUMING.includes(begun[0])) return false;
    await this.#begin(begun[0], { ...begun[1], resumed: true }).catch((error) => {
      if (error instanceof PartError) this.app.fail(error);
    });
    return this.current !== null;
  }

  /** @param {string} id @param {any} setup */
  async #begin(id, setup) {
    this.#asked += 1;
    const asked = this.#asked;
    // A mode that was asked for later is not replaced, nor is its board.
    const isLast = () => asked === this.#asked;
    // Without its styles a move would not be animated.
    const [{ create }] = await Promise.all([this.app.part(MODES[id]), loadPanelStyles()]);
    /** @type {Mode | null} */
    const mode = isLast() ? await create(this.app, setup) : null;
    if (!mode || !isLast()) return mode?.drop();
    this.leave();
    this.current = mode;
    this.#begun = [id, setup];
    this.changed.send();
    mode.start();
  }

  leave() {
    const { current } = this;
    if (!current) return;
    this.current = null;
    this.#begun = null;
    current.end();
    this.changed.send();
  }
}
