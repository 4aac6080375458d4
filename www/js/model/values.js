// Values, losses and sums of the study, as the module computes them. The searches of positions are stored on the device under the
// version and the weights of the engine: those of another engine are dropped.

import { disc, isExact } from '../base/format.js';
import { Signal } from '../base/signal.js';
import { readLoss, readNode, readPoint } from './node-analysis.js';

/** Least depth of searches that are saved, and whose lines are shown as replies. */
const MIN_PLIES = 10;
/** Largest number of positions in memory and on the device. */
const MAX_POSITIONS = 20_000;

/** Numbers of a node of which nothing is known. */
const UNKNOWN = new Float64Array(64).fill(Number.NaN);

/** The modes of the graph, in the order of their buttons. */
export const GRAPH_MODES = ['score', 'loss', 'total'];

/** @param {EngineInfo} info */
const keyOf = ({ name, version, weights }) => [name, version, weights].join(' ');

export class Values {
  /** Positions in memory, the oldest first. @type {Set<string>} */
  known = new Set();
  /** Positions that were looked up on the device. @type {Map<string, Promise<boolean>>} */
  #recalled = new Map();
  /** Positions with values that are not saved. @type {Set<string>} */
  #unsaved = new Set();
  /** Explanations of moves by their positions, as they are stored. @type {Map<string, Record<string, Explanation>>} */
  #explained = new Map();
  /** Number of changes of the tree. */
  #changes = 0;
  /** Results of the module, and their revision. @type {Map<string | TreeNode, any>} */
  #results = new Map();
  #revision = -1;
  /** What the analysis of the game found of its nodes: it stays until the user asks for more. @type {WeakMap<TreeNode, NodeAnalysis>} */
  #settled = new WeakMap();
  /** The engine whose values these are. @type {string | null} */
  key = null;
  /** The values are saved: those of the coarse network last a few seconds, and do not replace others. */
  #isSaved = false;
  /** Another engine has identified itself, and the values are dropped. @type {Signal<[]>} */
  replaced = new Signal();

  /** @param {Study} study @param {Store} store */
  constructor(study, store) {
    this.study = study;
    this.store = store;
    study.changed.listen((what) => {
      if (what !== 'move') this.#changes++;
    });
  }

  get core() {
    return this.study.tree.core;
  }

  /** Number of changes of the values and of the tree. */
  get revision() {
    return this.core.revision + this.#changes;
  }

  /** Number of changes of what a report of the game shows: deeper searches of a fixed one change nothing. */
  get reportRevision() {
    const isFixed = this.study.tree.main.every((node) => this.#settled.has(node));
    return isFixed ? -this.#changes : this.revision;
  }

  /** Returns a result of the module, from before if nothing has changed. @template T @param {string | TreeNode} key @param {() => T} ask */
  #result(key, ask) {
    if (this.#revision === this.revision && this.#results.has(key))
      return /** @type {T} */ (this.#results.get(key));
    const result = ask();
    // The question may join positions, which changes values.
    if (this.#revision !== this.revision) this.#results.clear();
    this.#revision = this.revision;
    this.#results.set(key, result);
    return result;
  }

  /** Returns what is known of a node and of the line that leads to it. @param {TreeNode} node @returns {NodeAnalysis} */
  at(node) {
    if (node.tree !== this.study.tree) return readNode(UNKNOWN, 0);
    const settled = this.#settled.get(node);
    if (settled) return settled;
    const numbers = this.#result('numbers', () => this.core.numbers());
    return this.#result(node, () => readNode(numbers, node.at));
  }

  /** Fixes what is known of the nodes of the tree, so that deeper searches of the position on the board do not change the report. */
  settle() {
    this.release();
    for (const node of this.study.tree.nodes()) {
      const known = this.at(node);
      if (known.point) this.#settled.set(node, { ...known, sums: known.sums });
      const why = known.loss?.mistake && this.why(node);
      if (!why) continue;
      const { position } = /** @type {TreeNode} */ (node.parent);
      this.#explained.set(position, { ...this.#explained.get(position), [node.move]: why });
      this.#unsaved.add(position);
      this.keep(position);
    }
  }

  /** Shows what is known by now. */
  release() {
    this.#settled = new WeakMap();
    this.#changes++;
  }

  /** Returns the best moves of a position: the given one, and those with the same value as shown. @param {string} position
   *  @param {string | null | undefined} best */
  best(position, best) {
    const { sorted } = this.rows(position);
    const [first] = sorted;
    const isEqual = (/** @type {Row} */ { proof, value }) =>
      proof.kind === first.proof.kind &&
      (proof.kind === 'book' || Math.abs(Number(proof.depth) - Number(first.proof.depth)) < 3) &&
      disc(value, isExact(proof)) === disc(first.value, isExact(proof));
    const equal = sorted.filter(isEqual).map(({ move }) => move);
    return best && !equal.includes(best) ? [best] : equal.sort();
  }

  /** Returns the moves that were better than a mistake. @param {Mistake} mistake */
  bests({ node, best }) {
    const { position } = /** @type {TreeNode} */ (node.parent);
    return this.best(position, best).filter((move) => move !== node.move);
  }

  /** Returns the value of a position for Black, or `null`. @param {string} position @returns {Point | null} */
  value(position) {
    const { node } = this.study;
    if (node.position === position) return this.at(node).point;
    return this.#result(`value ${position}`, () => readPoint(this.core.point(position)));
  }

  /** Returns the loss of a move, played or not. `null` if a value is unknown. @param {string} position @param {string} move */
  cost(position, move) {
    const { node } = this.study;
    const played = node.position === position && node.children.find((child) => child.move === move);
    if (played) return this.loss(played);
    return this.#result(`${move} ${position}`, () => readLoss(this.core.loss(position, move)));
  }

  /** Returns why the move that leads to a node is a mistake. `undefined` if it was not explained, or if another move is the best one by
   *  now. @param {TreeNode} node */
  why({ parent, move }) {
    const { position } = /** @type {TreeNode} */ (parent);
    return this.#result(`why ${move} ${position}`, () => {
      const why = this.core.explanation(position, move) ?? this.#explained.get(position)?.[move];
      return why?.better[0] === this.cost(position, move)?.best ? why : undefined;
    });
  }

  /** Returns the loss of the move that leads to a node, or `null`. @param {TreeNode} node */
  loss(node) {
    return this.at(node).loss;
  }

  /** Returns the mistakes along a line, with the nodes after them. @param {TreeNode[]} line @returns {Mistake[]} */
  mistakes(line) {
    return line.flatMap((node) => {
      const loss = this.loss(node);
      return loss?.mistake ? [{ node, ...loss }] : [];
    });
  }

  /** Returns the sums of both sides along a line from the root, with their mistakes. @param {TreeNode[]} line */
  summary(line) {
    const { sums, level } = this.at(/** @type {TreeNode} */ (line.at(-1)));
    const mistakes = this.mistakes(line);
    /** @param {Side} side @returns {SideSummary} */
    const of = (side) => ({ ...sums[side], mistakes: mistakes.filter((loss) => loss.side === side) });
    return { X: of('X'), O: of('O'), level };
  }

  /** Returns the moves of a position with their values for its side, the best first, and the best with the value of the
   *  position, which may be known before the moves are. Values of a book replace those of a lower level.
   *  @param {string} position @param {boolean} [withBook] */
  rows(position, withBook = true) {
    return this.#result(`${withBook} ${position}`, () => {
      const { rows: sorted, best, complete } = this.core.rows(position, withBook);
      return { map: new Map(sorted.map((row) => [row.move, row])), sorted, best, complete };
    });
  }

  /** Returns the moves that a search expects from a position on. None if no search was deep enough, or only a book has a value.
   *  @param {string} position @returns {string[]} */
  reply(position) {
    const { best, sorted } = this.rows(position, false);
    const isDeep = (/** @type {Row | null | undefined} */ row) =>
      row && row.pv.length > 0 && (isExact(row.proof) || row.proof.level >= MIN_PLIES);
    return [best, sorted[0]].find(isDeep)?.pv ?? [];
  }

  /** Returns the exact score of every move for its side. `null` if one is unknown.
   *  @param {string} position @returns {Record<string, number> | null} */
  exact(position) {
    const { complete, sorted } = this.rows(position);
    if (!complete || !sorted.every(({ proof }) => isExact(proof))) return null;
    return Object.fromEntries(sorted.map(({ move, value }) => [move, value]));
  }

  /** Adds results of searches, as lines of an engine. Returns `true` if one is new. @param {string} position @param {Partial<SavedSearches>} saved */
  add(position, saved) {
    const isNew = this.core.restore(position, saved);
    if (isNew) this.#changed(position);
    return isNew;
  }

  /** Adds exact scores of moves for their side, as a puzzle has them.
   *  @param {string} position @param {Record<string, number>} scores */
  prove(position, scores) {
    this.core.prove(position, scores);
    this.#changed(position);
    this.keep(position);
  }

  /** Adds lines of an engine about a position. @param {string} position @param {string[]} lines */
  hear(position, lines) {
    if (this.core.hear(position, lines.join('\n'))) this.#changed(position);
  }

  /** Adds lines of an engine about the position of a task. @param {Task} task @param {string[]} lines */
  take({ id, position }, lines) {
    if (this.core.take(id, lines.join('\n'))) this.#changed(position);
    this.keep(position);
  }

  get #byPosition() {
    return [this.known, this.#recalled, this.#unsaved, this.#explained];
  }

  /** @param {string} position */
  #changed(position) {
    const [oldest] = this.known;
    if (this.known.size >= MAX_POSITIONS && !this.known.has(position)) {
      this.core.forget(oldest);
      for (const some of this.#byPosition) some.delete(oldest);
    }
    this.known.add(position);
    this.#unsaved.add(position);
  }

  /** The engine has identified itself. Values of another engine are dropped. @param {EngineInfo} info @param {Network} [network] */
  async engineIs(info, network) {
    this.core.network(network === 'large');
    const key = keyOf(info);
    if (key === this.key) return;
    const isFirst = this.key === null;
    this.key = key;
    this.#isSaved = !info.coarse;
    if (!isFirst) {
      this.#clear();
      this.replaced.send();
    }
    if (info.coarse) return;
    if ((await this.store.read('meta', 'engine')) !== key) {
      await this.store.clear('evaluations');
      await this.store.write('meta', 'engine', key);
    }
    if ((await this.store.count('evaluations')) <= MAX_POSITIONS) return;
    // Removes a quarter, so that the next time is long after.
    const rows = await this.store.all('evaluations');
    const positions = rows.sort(([, a], [, b]) => (a?.at ?? 0) - (b?.at ?? 0)).map(([position]) => position);
    await this.store.removeAll('evaluations', positions.slice(0, -0.75 * MAX_POSITIONS));
  }

  /** Returns `true` if the values of this engine may be added. @param {EngineInfo} info */
  isBy(info) {
    return this.key === null || this.key === keyOf(info);
  }

  /** Looks a position up on the device. Returns `true` if that gave new values. @param {string} position */
  async recall(position) {
    if (!this.key) return false;
    const recalled = this.#recalled.get(position) ?? this.#recall(position);
    this.#recalled.set(position, recalled);
    return recalled;
  }

  /** Looks positions up again that were looked up before: others have saved values. */
  reread() {
    this.#recalled.clear();
  }

  /** @param {string} position */
  async #recall(position) {
    const stored = await this.store.read('evaluations', position);
    if (stored?.engine !== this.key) return false;
    const { why } = stored;
    if (why) this.#explained.set(position, why);
    return this.add(position, stored);
  }

  /** Saves the values of a position if one of them is deep enough. @param {string} position */
  keep(position) {
    const saved = this.#isSaved && this.#unsaved.has(position) && this.core.saved(position, MIN_PLIES);
    if (!saved) return;
    this.#unsaved.delete(position);
    const why = this.#explained.get(position);
    const stored = { engine: this.key, at: Date.now(), ...saved, ...(why && { why }) };
    this.store.write('evaluations', position, stored);
  }

  /** Removes all values from memory. */
  #clear() {
    this.release();
    this.core.clear();
    for (const some of this.#byPosition) some.clear();
  }

  /** Removes all values, also those on the device. */
  forget() {
    this.#clear();
    return this.store.clear('evaluations');
  }
}
