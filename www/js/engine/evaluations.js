// What the engine has said of every position met, kept on the device under the engine's version and
// weights: another engine or other weights start from nothing.

import { squareName } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { Evaluation } from './evaluation.js';

const KEEP_FROM_LEVEL = 10;
/** Most positions in memory, and most that are stored from one visit to the next. */
const LIMIT = 20_000;

const keyOf = ({ name, version, weights }) => [name, version, weights].join(' ');

export class Evaluations {
  /** More is known of a position, or nothing is known any more. @type {Signal<[position: string | null]>} */
  changed = new Signal();
  /** Values that analyses of whole games found: other searches leave them as they are, so that losses compare alike.
   *  @type {{ known: Map<string, Evaluation>, changed: Signal<[position: string | null]> }} */
  reviewed = { known: new Map(), changed: new Signal() };
  /** Positions looked for on the device. @type {Map<string, Promise<boolean>>} */
  asked = new Map();

  /** @param {Rules} rules @param {Store} store */
  constructor(rules, store) {
    this.rules = rules;
    this.store = store;
    /** @type {Map<string, Evaluation>} */
    this.known = new Map();
    this.saved = new Map();
    this.key = null;
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
    if ((await this.store.count('evaluations')) <= LIMIT) return;
    // A quarter at once: the next time is long after.
    const rows = await this.store.all('evaluations');
    const oldestFirst = rows
      .sort(([, a], [, b]) => (a?.at ?? 0) - (b?.at ?? 0))
      .map(([position]) => position);
    await this.store.removeAll('evaluations', oldestFirst.slice(0, -0.75 * LIMIT));
  }

  #forgetOldest() {
    const [oldest] = this.known.keys();
    for (const kept of [this.known, this.asked, this.saved, this.reviewed.known]) kept.delete(oldest);
    for (const { changed } of [this.reviewed, this]) changed.send(oldest);
  }

  #drop() {
    for (const kept of [this.known, this.asked, this.saved, this.reviewed.known]) kept.clear();
    for (const { changed } of [this.reviewed, this]) changed.send(null);
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

  /** Takes in what the analysis of a whole game found of a position. @param {string} position @param {Row} row */
  addReviewed(position, row) {
    const { legal } = this.get(position);
    const { known, changed } = this.reviewed;
    const evaluation = known.get(position) ?? new Evaluation(position, legal, () => changed.send(position));
    known.set(position, evaluation);
    evaluation.addRoot(row);
    this.get(position).addRoot(row);
  }

  /** Looks on the device for what was known of a position; true where something was found.
   *  @param {string} position @returns {Promise<boolean>} */
  async recall(position) {
    if (!this.key) return false;
    const asked = this.asked.get(position) ?? this.#recall(position);
    this.asked.set(position, asked);
    return asked;
  }

  async #recall(position) {
    const stored = await this.store.read('evaluations', position);
    if (stored?.engine !== this.key) return false;
    const evaluation = this.get(position);
    const before = evaluation.revision;
    const old = Evaluation.fromJSON(position, evaluation.legal, stored);
    for (const row of old.rows.values()) evaluation.add(row);
    if (old.root) evaluation.addRoot(old.root);
    const { root } = Evaluation.fromJSON(position, evaluation.legal, { root: stored.reviewed });
    if (root) this.addReviewed(position, root);
    return evaluation.revision !== before;
  }

  /** Keeps what is known of a position, where it is worth it. */
  keep(position) {
    const evaluation = this.known.get(position);
    const reviewed = this.reviewed.known.get(position);
    const revision = `${evaluation?.revision} ${reviewed?.revision}`;
    if (!this.key || !evaluation?.best || this.saved.get(position) === revision) return;
    if (Math.max(evaluation.best.proof.level, evaluation.root?.proof.level ?? 0) < KEEP_FROM_LEVEL) return;
    this.saved.set(position, revision);
    const kept = { ...evaluation.toJSON(), reviewed: reviewed?.root ?? null };
    this.store.write('evaluations', position, { engine: this.key, at: Date.now(), ...kept });
  }

  forget() {
    this.#drop();
    return this.store.clear('evaluations');
  }
}
