// The lines to and from the engine that the console has yet to show.

import { Signal } from '../base/signal.js';

/** As many lines wait at most. */
const KEPT = 400;

export class ProtocolLog {
  /** A line was added. @type {Signal<[]>} */
  added = new Signal();
  /** Whether the lines of the page's own engine are left out: the console speaks to another. */
  muted = false;
  /** @type {[Direction, string][]} */
  #waiting = [];

  /** A line of the page's own engine. @param {Direction} direction @param {string} line */
  hear(direction, line) {
    if (!this.muted) this.add(direction, line);
  }

  /** @param {Direction} direction @param {string} line */
  add(direction, line) {
    this.#waiting.push([direction, line]);
    if (this.#waiting.length > KEPT) this.#waiting.shift();
    this.added.send();
  }

  /** Hands out the oldest lines, `most` at most. @param {number} most */
  take(most) {
    return this.#waiting.splice(0, most);
  }

  get isEmpty() {
    return this.#waiting.length === 0;
  }
}
