// The clocks of both sides of a match.

/** Longest time between two calls of `skipSleep`, in seconds. A longer gap does not count as used: the device slept, or the
 *  browser froze the page. In a hidden page timers run once per minute. */
const MAX_GAP = 90;

const now = () => performance.now() / 1000;

export class MatchClock {
  /** Whose clock runs. @type {Side | null} */
  running = null;
  #began = now();
  #checked = now();

  /** @param {[number, number]} time @param {Record<Side, number> | null} left of a resumed match */
  constructor([seconds, increment], left = null) {
    this.increment = increment;
    this.left = left ?? { X: seconds, O: seconds };
  }

  /** Seconds that a side has left. @param {Side} side */
  of(side) {
    return this.left[side] - (side === this.running ? now() - this.#began : 0);
  }

  get seconds() {
    return { X: this.of('X'), O: this.of('O') };
  }

  /** Starts the clock of `side` and stops the other one. @param {Side | null} side */
  run(side) {
    this.#settle();
    this.running = side;
  }

  /** The running side has moved: its clock stops, and it gets its increment. */
  endTurn() {
    this.#settle();
    if (this.running) this.left[this.running] += this.increment;
    this.running = null;
  }

  /** Skips the time that the page slept. Called at every tick. */
  skipSleep() {
    const gap = now() - this.#checked;
    if (gap > MAX_GAP) this.#began += gap;
    this.#checked = now();
  }

  #settle() {
    this.skipSleep();
    if (this.running) this.left[this.running] -= now() - this.#began;
    this.#began = now();
  }
}
