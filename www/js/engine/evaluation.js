// What is known of one position: a value, a proof and a line for every move.

import { isWithin } from '../base/validate.js';
import { isExact, keptProof } from './proof.js';

/** Discs and squares there are. */
const MOST = 64;

/** True where `next` may replace `old`: marks are upgraded, never downgraded. */
export function isUpgrade(old, next) {
  return !old || next.proof.level >= old.proof.level;
}

/** The better row first, of equal ones the one that is proven further; equal rows keep the order of the squares, so
 *  that rows stay in place. */
export const bestFirst = (a, b) =>
  b.value - a.value || b.proof.level - a.proof.level || (a.move < b.move ? -1 : 1);

export class Evaluation {
  /** @param {string} position @param {string[]} legalMoves @param {() => void} changed called when more is known */
  constructor(position, legalMoves, changed = () => {}) {
    this.position = position;
    this.legal = legalMoves;
    this.changed = changed;
    /** Rows by move: `{ move, value, proof, pv }`, value in discs for the side to move. @type {Map<string, Row>} */
    this.rows = new Map();
    /** The best row of a search that looked for one move only. @type {Row | null} */
    this.root = null;
    this.revision = 0;
  }

  /** Takes a row in; false where what is known is better. @param {Row} row */
  add({ move, value, proof, pv }) {
    if (!this.legal.includes(move) || !isUpgrade(this.rows.get(move), { proof })) return false;
    this.rows.set(move, { move, value, proof, pv });
    this.#note();
    return true;
  }

  /** Takes the best row of a one-line search in. @param {Row} row */
  addRoot(row) {
    if (!this.legal.includes(row.move) || !isUpgrade(this.root, row)) return false;
    this.root = row;
    this.add(row);
    this.#note();
    return true;
  }

  #note() {
    this.revision++;
    this.changed();
  }

  /** Rows, the best first. */
  get sorted() {
    return [...this.rows.values()].sort(bestFirst);
  }

  get best() {
    return this.sorted[0] ?? null;
  }

  /** The level that every move has reached; 0 where one is not known at all. */
  get level() {
    if (this.rows.size < this.legal.length || this.rows.size === 0) return 0;
    return Math.min(...[...this.rows.values()].map(({ proof }) => proof.level));
  }

  /** Whether the best move was searched for to this level at least, or is proven. @param {number} level */
  reached(level) {
    return Math.max(this.level, this.root?.proof.level ?? 0) >= level || isExact(this.root?.proof);
  }

  toJSON() {
    return { rows: [...this.rows.values()], root: this.root };
  }

  /** Reads what `toJSON` wrote; rows that do not fit the position are left out. */
  static fromJSON(position, legalMoves, stored) {
    const evaluation = new Evaluation(position, legalMoves);
    for (const kept of Array.isArray(stored?.rows) ? stored.rows : []) {
      const row = readRow(kept);
      if (row) evaluation.add(row);
    }
    const root = readRow(stored?.root);
    if (root) evaluation.addRoot(root);
    return evaluation;
  }
}

/** A row as it was kept, or null where it makes no sense. @param {any} kept @returns {Row | null} */
function readRow(kept) {
  const { move, value, pv } = Object(kept);
  if (typeof move !== 'string' || !isWithin(value, -MOST, MOST)) return null;
  const proof = keptProof(Object(kept).proof, value);
  const isLine = Array.isArray(pv) && pv[0] === move && pv.length <= MOST && pv.every(isMove);
  return proof && { move, value, proof, pv: isLine ? pv : [move] };
}

const isMove = (move) => typeof move === 'string' && /^[a-h][1-8]$/.test(move);

/** Symmetric moves get one value: the row of the highest level, their mean where levels agree.
 *  `twin(move)` is the same for moves that lead to symmetric positions. */
export function alike(rows, twin) {
  const groups = new Map();
  for (const row of rows) {
    const key = twin(row.move);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const out = new Map();
  for (const group of groups.values()) {
    const level = Math.max(...group.map((row) => row.proof.level));
    const top = group.filter((row) => row.proof.level === level);
    const value = top.reduce((sum, row) => sum + row.value, 0) / top.length;
    for (const row of group)
      out.set(row.move, group.length === 1 ? row : { ...row, value, proof: top[0].proof });
  }
  return out;
}
