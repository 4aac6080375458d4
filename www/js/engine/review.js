// The analysis of a whole game: its positions from the last to the first, shared out among workers.
// Each position gets one line at a fixed depth; `model/scores.js` carries what is known backward.

import { emptyCount } from '../base/position.js';
import { Engine, workerWith } from './engine.js';

const WORKERS_AT_MOST = 4;
/** Memory of a review worker's table, in MiB. */
const HASH_MIB = 16;

export function workerCount(chosen, cores = navigator.hardwareConcurrency ?? 2) {
  return Math.max(1, Math.min(WORKERS_AT_MOST, chosen || cores - 1));
}

export class Review {
  running = false;
  total = 0;
  left = 0;
  /** @type {Engine[]} */
  engines = [];
  /** Positions that are left. @type {string[]} */
  #queue = [];
  /** What each engine is at. @type {Map<Engine, string>} */
  #at = new Map();

  /** `network` tells what to evaluate with; `changed` is called after every position, `trouble` where a worker died,
   *  `outdated` where the engine is another one by now.
   *  @param {{ evaluations: Evaluations, rules: Rules, network: () => Network, changed: () => void, trouble: (message: string) => void, outdated: () => void }} parts */
  constructor({ evaluations, rules, network, changed, trouble, outdated }) {
    this.evaluations = evaluations;
    this.rules = rules;
    this.network = network;
    this.changed = changed;
    this.trouble = trouble;
    this.outdated = outdated;
  }

  get progress() {
    return this.total === 0 ? 0 : (this.total - this.left) / this.total;
  }

  /** Starts on `positions` in the order of the game; what is known as well already is skipped. */
  start(positions, { depth, workers }) {
    this.#dismiss();
    this.depth = depth;
    this.#queue = positions.filter((position) => {
      if (this.rules.look(position).over) return false;
      return !this.evaluations.get(position).reached(this.#depthAt(position));
    });
    this.total = positions.length;
    this.left = this.#queue.length;
    this.running = this.left > 0;
    if (!this.running) {
      this.changed();
      return;
    }
    for (let i = 0; i < Math.min(workerCount(workers), this.left); i++) this.#hire();
    this.changed();
  }

  #hire() {
    const engine = new Engine(
      {
        // A newer page may be on the server by now, and its engine be another one: values do not mix.
        ready: (info) => {
          if (this.evaluations.isBy(info)) return;
          this.stop();
          this.outdated();
        },
        death: (message, again) => {
          this.trouble(message);
          if (again) return;
          // The others take over what it was at.
          const position = this.#at.get(engine);
          if (position) this.#queue.push(position);
          this.#retire(engine);
        },
      },
      () => workerWith(HASH_MIB, this.network())(),
    );
    this.engines.push(engine);
    this.#next(engine);
  }

  /** One ply more where the leaves would have an odd number of empty squares: values of odd and of even
   *  leaves lie apart, and what a move loses is the difference of two. */
  #depthAt(position) {
    return this.depth + ((emptyCount(position) - this.depth) & 1);
  }

  /** The latest position that is left, so that ends are known before what leads to them. */
  #next(engine) {
    const position = this.#queue.pop();
    if (position === undefined) {
      this.#retire(engine);
      return;
    }
    this.#at.set(engine, position);
    const evaluation = this.evaluations.get(position);
    let found = null;
    engine.submit({
      position,
      depth: this.#depthAt(position),
      command: 'hint 1',
      onValue: (row) => {
        found = row;
      },
      onDone: () => {
        // Another network may be chosen meanwhile: what this one still says belongs to nobody.
        if (engine.info && !this.evaluations.isBy(engine.info)) {
          this.stop();
          return;
        }
        if (found) evaluation.addRoot(found);
        this.left--;
        this.evaluations.keep(position);
        this.changed();
        this.#next(engine);
      },
    });
  }

  #retire(engine) {
    engine.end();
    this.engines = this.engines.filter((other) => other !== engine);
    if (this.engines.length === 0 && this.running) {
      this.running = false;
      this.changed();
    }
  }

  stop() {
    const { running } = this;
    this.#dismiss();
    if (running) this.changed();
  }

  #dismiss() {
    this.running = false;
    this.#queue = [];
    for (const engine of this.engines) engine.end();
    this.engines = [];
  }
}
