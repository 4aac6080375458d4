// Counts the crashes of a worker within the last minute.

const SPAN_MS = 60_000;

export class CrashCounter {
  /** @type {number[]} */
  #times = [];

  /** Adds a crash and returns the number of recent ones. @param {number} now in milliseconds */
  add(now) {
    this.#times.push(now);
    return this.count(now);
  }

  /** @param {number} now */
  count(now) {
    this.#times = this.#times.filter((time) => now - time < SPAN_MS);
    return this.#times.length;
  }

  reset() {
    this.#times = [];
  }
}
