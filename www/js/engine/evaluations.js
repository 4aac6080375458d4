// What the engine has said of every position met, kept on the device under the engine's version and
// weights: another engine or other weights start from nothing.

import { squareName } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { Evaluation } from './evaluation.js';

const KEEP_FROM_LEVEL = 10;
const LIMIT = 20_000;

const keyOf = ({ name, version, weights }) => [name, version, weights].join(' ');

export class Evaluations {
  /** More is known of a position, or nothing is known any more. @type {Signal<[position: string | null]>} */
  changed = new Signal();

  /** @param {Rules} rules @param {Store} store */
  constructor(rules, store) {
    this.rules = rules;
    this.store = store;
    /** @type {Map<string, Evaluation>} */
    this.known = new Map();
    this.saved = new Map();
    this.key = null;
    this.asked = new Set();
  }

  /** Called when an engine has said who it is: name, version, and the checksum of its weights. What any
   *  other engine has said is dropped. */
  async engineIs(info) {
    const key = keyOf(info);
    if (key === this.key) return;
    if (this.key !== null) this.#drop();
    this.key = key;
    if ((await this.store.read('meta', 'engine')) !== key) {
      await this.store.clear('evaluations');
      await this.store.write('meta', 'engine', key);
    }
  }

  #forgetOldest() {
    const [oldest] = this.known.keys();
    this.known.delete(oldest);
    this.changed.send(oldest);
  }

  #drop() {
    for (const kept of [this.known, this.asked, this.saved]) kept.clear();
    this.changed.send(null);
  }

  /** Whether an engine is the one whose values are kept here. */
  isBy(info) {
    return this.key === null || this.key === keyOf(info);
  }

  get(position) {
    let evaluation = this.known.get(position);
    if (!evaluation) {
      const { legal } = this.rules.look(position);
      evaluation = new Evaluation(position, legal.map(squareName), () => this.changed.send(position));
      if (this.known.size >= LIMIT) this.#forgetOldest();
      this.known.set(position, evaluation);
    }
    return evaluation;
  }

  /** Looks on the device for what was known of a position; true where something was found. */
  async recall(position) {
    if (!this.key || this.asked.has(position)) return false;
    this.asked.add(position);
    const stored = await this.store.read('evaluations', position);
    if (stored?.engine !== this.key) return false;
    const evaluation = this.get(position);
    const before = evaluation.revision;
    const old = Evaluation.fromJSON(position, evaluation.legal, stored);
    for (const row of old.rows.values()) evaluation.add(row);
    if (old.root) evaluation.addRoot(old.root);
    return evaluation.revision !== before;
  }

  /** Keeps what is known of a position, where it is worth it. */
  keep(position) {
    const evaluation = this.known.get(position);
    if (!this.key || !evaluation?.best || this.saved.get(position) === evaluation.revision) return;
    if (Math.max(evaluation.best.proof.level, evaluation.root?.proof.level ?? 0) < KEEP_FROM_LEVEL) return;
    this.saved.set(position, evaluation.revision);
    this.store.write('evaluations', position, { engine: this.key, ...evaluation.toJSON() });
  }

  forget() {
    this.#drop();
    return this.store.clear('evaluations');
  }
}
