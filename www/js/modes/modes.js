// Which mode has the board.

import { load } from '../base/load.js';
import { Signal } from '../base/signal.js';

export class Modes {
  /** @type {Mode | null} */
  current = null;
  /** A mode has come or gone. @type {Signal<[]>} */
  changed = new Signal();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Makes the mode `id` and gives it the board. @param {string} id @param {any} [setup] */
  async begin(id, setup) {
    const { MODES } = await load('js/modes/register.js');
    const entry = MODES.find((mode) => mode.id === id);
    if (!entry) throw new Error(`there is no mode ${id}`);
    await this.app.words.load(entry.words ?? id);
    const mode = await entry.create(this.app, setup);
    if (mode) this.#enter(mode);
  }

  /** @param {Mode} mode */
  #enter(mode) {
    this.leave();
    this.current = mode;
    this.changed.send();
    mode.start();
  }

  /** Takes the board from the mode that has it. */
  leave() {
    const { current } = this;
    if (!current) return;
    this.current = null;
    current.end();
    this.changed.send();
  }
}
