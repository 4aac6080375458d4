// The clocks of both sides of a match.

/**
 * A gap of so many seconds between two looks is none of the game: the device slept, or the browser had the page frozen.
 * A page that is only hidden is looked at once a minute.
 */
const ASLEEP = 90;

const now = () => performance.now() / 1000;

export class MatchClock {
  /** Whose clock runs. @type {Side | null} */
  running = null;
  #began = now();
  #looked = now();

  /** @param {[number, number]} time @param {Record<Side, number> | null} left what is left of an earlier sitting */
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

  /** The time of `side` runs from here on. What the running one has used is used. @param {Side | null} side */
  run(side) {
    this.#settle();
    this.running = side;
  }

  /** The running side has moved, and gets its increment. */
  endTurn() {
    this.#settle();
    if (this.running) this.left[this.running] += this.increment;
    this.running = null;
  }

  /** Taken at every look at the clock: skips the time that the page slept. */
  look() {
    const gap = now() - this.#looked;
    if (gap > ASLEEP) this.#began += gap;
    this.#looked = now();
  }

  #settle() {
    this.look();
    if (this.running) this.left[this.running] -= now() - this.#began;
    this.#began = now();
  }
}
