// Values that the engine gave to positions. The rules module compares and joins them. They are saved on the device under the
// version and the weights of the engine: the values of another engine are dropped.

import { Signal } from '../base/signal.js';
import { isWhole } from '../base/validate.js';

/** Least depth of values that are saved. */
const MIN_SAVED_LEVEL = 10;
/** Largest number of positions in memory and on the device. */
const MAX_POSITIONS = 20_000;

/** @param {Pick<Proof, 'kind'> | undefined} proof */
export const isExact = (proof) => proof?.kind === 'exact';

/** Returns `true` if at least the outcome is proven. @param {Pick<Proof, 'kind'> | undefined} proof */
export const isProven = (proof) => isExact(proof) || proof?.kind === 'outcome';

/** Returns a proof as the depth of a line of the engine, or `null` if it is invalid. @param {any} proof */
export function depthOf(proof) {
  const { kind, depth, confidence } = Object(proof);
  const isSure = isWhole(confidence, 99);
  if (kind === 'exact') return '100%';
  if (kind === 'outcome') return '100%W';
  if (kind === 'selective' && depth === null && isSure) return `${confidence}%`;
  if (!isWhole(depth, 99)) return null;
  if (kind === 'selective') return isSure ? `${depth}@${confidence}%` : null;
  if (kind === 'book') return `${depth}@book`;
  return kind === 'heuristic' ? String(depth) : null;
}

/** Returns a saved row, or `null` if it is invalid. The rules module checks the value and the squares. @param {any} saved
 *  @returns {SearchRow | null} */
export function readRow(saved) {
  const { move, value, proof, pv } = Object(saved);
  const depth = depthOf(proof);
  if (!isMove(move) || typeof value !== 'number' || depth === null) return null;
  return { move, value, depth, pv: Array.isArray(pv) && pv[0] === move && pv.every(isMove) ? pv : [move] };
}

const isMove = (move) => typeof move === 'string' && /^[a-h][1-8]$/.test(move);

/** Reads a row of the rules module. @param {string} text @returns {Row} */
function toRow(text) {
  const [value, level, kind, depth, confidence, outcome, line] = text.split(' ');
  /** @type {any} */
  const proof = { kind, depth: depth === '-' ? null : Number(depth), level: Number(level) };
  if (confidence !== '-') proof.confidence = Number(confidence);
  if (outcome !== '-') proof.outcome = outcome;
  const pv = line.match(/../g) ?? [];
  return { move: pv[0] ?? '', value: Number(value), proof, pv };
}

/** Reads the rows of the rules module. @param {string} text @returns {{ rows: Row[], best: Row | null }} */
export function toRows(text) {
  const [best, ...rows] = text.split('\n');
  return { rows: rows.map(toRow), best: best ? toRow(best) : null };
}

export class Evaluations {
  /** The values of a position changed, or of all positions. @type {Signal<[position: string | null]>} */
  changed = new Signal();
  /** Positions in memory, the oldest first. @type {Set<string>} */
  known = new Set();
  /** Positions that were looked up on the device. @type {Map<string, Promise<boolean>>} */
  recalled = new Map();
  /** Positions with values that are not saved. @type {Set<string>} */
  unsaved = new Set();
  /** The engine whose values these are. @type {string | null} */
  key = null;

  /** @param {Pick<Rules, 'values'>} rules @param {Store} store */
  constructor(rules, store) {
    this.store = store;
    this.values = rules.values();
  }

  /** The engine has identified itself. Values of another engine are dropped. @param {EngineInfo} info @param {Network} [network] */
  async engineIs(info, network) {
    this.values.network(network === 'large');
    const key = keyOf(info);
    if (key === this.key) return;
    if (this.key !== null) this.#clear();
    this.key = key;
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

  /** Removes values from memory. @param {string | null} [position] all values without one */
  #clear(position = null) {
    if (position === null) this.values.clear();
    else this.values.forget(position);
    for (const map of [this.known, this.recalled, this.unsaved])
      if (position === null) map.clear();
      else map.delete(position);
    this.changed.send(position);
  }

  /** Adds rows to the values of a position: of moves, of the moves that a search found best, or of an analysis of the whole game.
   *  Returns `false` if none is surer than what is known.
   *  @param {string} position @param {'rows' | 'root' | 'reviewed'} kind @param {(Row | SearchRow)[]} rows */
  add(position, kind, ...rows) {
    const lines = rows.map((row) => {
      const depth = 'depth' in row ? row.depth : depthOf(row.proof);
      return `${row.value} ${row.pv.join('')} ${depth}`;
    });
    if (!this.values.add(position, kind, lines.join('\n'))) return false;
    const [oldest] = this.known;
    if (this.known.size >= MAX_POSITIONS && !this.known.has(position)) this.#clear(oldest);
    this.known.add(position);
    this.unsaved.add(position);
    this.changed.send(position);
    return true;
  }

  /** The rows that were added to a position, and the best of the searches. @param {string} position @param {boolean} [reviewed] */
  added(position, reviewed = false) {
    return toRows(this.values.added(position, reviewed));
  }

  /** Returns `true` if every move, or the search for the best one, has this depth.
   *  @param {string} position @param {number} level @param {boolean} [reviewed] */
  reached(position, level, reviewed = false) {
    return this.values.level(position, reviewed) >= level;
  }

  /** Looks a position up on the device. Returns `true` if that gave new values. @param {string} position */
  async recall(position) {
    if (!this.key) return false;
    const recalled = this.recalled.get(position) ?? this.#recall(position);
    this.recalled.set(position, recalled);
    return recalled;
  }

  /** @param {string} position */
  async #recall(position) {
    const stored = await this.store.read('evaluations', position);
    if (stored?.engine !== this.key) return false;
    const { rows, root, reviewed } = stored;
    const read = Object.entries({ rows, root, reviewed }).map(([kind, rows]) => {
      const valid = [rows].flat().flatMap((row) => readRow(row) ?? []);
      return (
        valid.length > 0 && this.add(position, /** @type {'rows' | 'root' | 'reviewed'} */ (kind), ...valid)
      );
    });
    return read.includes(true);
  }

  /** Saves the values of a position if one of them is deep enough. @param {string} position */
  keep(position) {
    if (!this.key || !this.unsaved.has(position)) return;
    const { rows, best: root } = this.added(position);
    if (!rows.some(({ proof }) => proof.level >= MIN_SAVED_LEVEL)) return;
    this.unsaved.delete(position);
    const reviewed = this.added(position, true).best;
    this.store.write('evaluations', position, { engine: this.key, at: Date.now(), rows, root, reviewed });
  }

  /** Removes all values, also those on the device. */
  forget() {
    this.#clear();
    return this.store.clear('evaluations');
  }
}

/** @param {EngineInfo} info */
const keyOf = ({ name, version, weights }) => [name, version, weights].join(' ');
