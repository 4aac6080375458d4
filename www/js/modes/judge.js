// What a move is worth that a person tries: the engine looks at the positions before and after it, to the depth of a
// report or to the end; `model/scores.js` then knows what the move costs.

import { emptyCount } from '../base/position.js';

/** From so many empty squares on the search goes to the end. */
const SOLVE_EMPTIES = 16;
const TO_THE_END = 60;
const LEAST_DEPTH = 14;
/** A reply is shown from this depth on. */
const REPLY_DEPTH = 10;
/** States in which the engine does not work for the page. */
const AWAY = ['crashed', 'manual'];

export class Judge {
  /** @type {string[]} */
  #wanted = [];
  /** @type {((known: boolean) => void) | null} */
  #done = null;
  /** Positions to look at where nothing is wanted. @type {string[]} */
  #later = [];
  /** What the engine looks at. @type {string | null} */
  #at = null;
  /** What was looked at already, however far that went. @type {Set<string>} */
  #seen = new Set();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Whether a verdict is waited for. */
  get busy() {
    return this.#done !== null;
  }

  /** Has `positions` looked at while nothing else is to be done. @param {string[]} positions */
  prepare(positions) {
    this.#later = positions;
    this.#next();
  }

  /** Has `positions` looked at and calls `done`, with false where the engine could not.
   *  @param {string[]} positions @param {(known: boolean) => void} done */
  ask(positions, done) {
    this.#wanted = positions;
    this.#done = done;
    this.#next();
  }

  /** Nothing is waited for any more. */
  stop() {
    this.#wanted = [];
    this.#later = [];
    this.#done = null;
    if (this.#at === null) return;
    this.#at = null;
    this.app.engine.stop();
  }

  /** The engine is the page's again. */
  resume() {
    this.#at = null;
    this.#next();
  }

  /** Gives up where the engine does not work for the page: to be called now and then. */
  look() {
    if (!this.busy || !AWAY.includes(this.app.engine.state)) return;
    this.#at = null;
    this.#settle(false);
  }

  /** The depth for a position: one ply more where the leaves would have an odd number of empty squares, as in a
   *  report. */
  #depthAt(position) {
    const empties = emptyCount(position);
    if (empties <= SOLVE_EMPTIES) return TO_THE_END;
    const depth = Math.max(LEAST_DEPTH, this.app.settings.get('reviewDepth'));
    return depth + ((empties - depth) & 1);
  }

  #isKnown(position) {
    const { evaluations, rules, scores } = this.app;
    if (this.#seen.has(position) || rules.look(position).over) return true;
    if (scores.value(position)?.exact) return true;
    const depth = this.#depthAt(position);
    return depth < TO_THE_END && evaluations.get(position).reached(depth);
  }

  #next() {
    const wanted = this.#wanted.find((position) => !this.#isKnown(position));
    if (!wanted && this.busy) this.#settle(true);
    // The verdict may have begun something else.
    const position = wanted ?? (this.busy ? undefined : this.#later.find((other) => !this.#isKnown(other)));
    if (position && position !== this.#at) this.#search(position);
  }

  /** @param {string} position */
  #search(position) {
    const { engine, evaluations, painter } = this.app;
    this.#at = position;
    /** @type {Row | null} */
    let found = null;
    engine.submit({
      position,
      depth: this.#depthAt(position),
      command: 'hint 1',
      onValue: (row) => {
        found = row;
      },
      onDone: () => {
        if (this.#at !== position) return;
        this.#at = null;
        if (!found) {
          this.#later = [];
          if (this.busy) this.#settle(false);
          return;
        }
        this.#seen.add(position);
        evaluations.get(position).addRoot(found);
        evaluations.keep(position);
        painter.later();
        this.#next();
      },
    });
  }

  /** @param {boolean} known */
  #settle(known) {
    const done = this.#done;
    this.#wanted = [];
    this.#done = null;
    done?.(known);
  }
}

/** The line that the engine expects from a position on; where its best move is known without one, what a search of
 *  some depth takes for it. @param {App} app @param {string} position @returns {string[]} */
export function replyTo({ evaluations, scores }, position) {
  const line = scores.rows(position).best?.pv ?? [];
  if (line.length > 0) return line;
  const { best } = evaluations.get(position);
  return best && best.proof.level >= REPLY_DEPTH ? best.pv : [];
}
