// Lines to and from the engine that the console has not shown yet.

import { Signal } from '../base/signal.js';

const MAX_LINES = 400;

export class ProtocolLog {
  /** A line was added. @type {Signal<[]>} */
  added = new Signal();
  /** @type {[Direction, string][]} */
  #waiting = [];

  /** @param {Direction} direction @param {string} line */
  add(direction, line) {
    this.#waiting.push([direction, line]);
    if (this.#waiting.length > MAX_LINES) this.#waiting.shift();
    this.added.send();
  }

  /** Removes and returns at most `most` lines, the oldest first. @param {number} most */
  take(most) {
    return this.#waiting.splice(0, most);
  }

  get isEmpty() {
    return this.#waiting.length === 0;
  }
}
