// The analysis of a whole game: its positions from the last to the first, shared out among workers.
// Each position gets one line at a fixed depth; `model/scores.js` carries what is known backward.

import { emptyCount } from '../base/position.js';
import { Engine, workerWith } from './engine.js';
import { isExact } from './proof.js';

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
  /** An engine was given up, and no position was done since. */
  #replaced = false;

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
    const queue = positions.filter((position) => !this.rules.look(position).over);
    this.#queue = queue;
    this.total = positions.length;
    this.left = queue.length;
    this.running = true;
    this.changed();
    Promise.all(queue.map((position) => this.evaluations.recall(position))).then(() => {
      if (this.#queue !== queue) return;
      this.#queue = queue.filter((position) => !this.#isKnown(position));
      this.left = this.#queue.length;
      this.running = this.left > 0;
      for (let i = Math.min(workerCount(workers), this.left); i > 0; i--) this.#hire();
      this.changed();
    });
  }

  /** Whether an analysis of the game went as deep already, or the value is proven. @param {string} position */
  #isKnown(position) {
    const { root } = this.evaluations.get(position);
    if (root && isExact(root.proof)) this.evaluations.addReviewed(position, root);
    return this.evaluations.reviewed.known.get(position)?.reached(this.#depthAt(position));
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
        crash: (message, again) => {
          this.trouble(message);
          if (again) return;
          // The others take over what it was at, or a new one does, last of all: it may be what the engine died of.
          const position = this.#at.get(engine);
          if (position) this.#queue.unshift(position);
          if (this.engines.length === 1 && !this.#replaced) this.#hire();
          this.#replaced = true;
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
        if (found) this.evaluations.addReviewed(position, found);
        this.#replaced = false;
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
    this.running = this.#replaced = false;
    this.#queue = [];
    for (const engine of this.engines) engine.end();
    this.engines = [];
  }
}
