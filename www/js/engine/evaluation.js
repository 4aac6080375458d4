// What is known of one position: a value, a proof and a line for every move.

import { isExact, isProven } from './proof.js';

/** True where `next` may replace `old`: marks are upgraded, never downgraded. */
export function isUpgrade(old, next) {
  return !old || next.proof.level >= old.proof.level;
}

const pointOf = ({ value, proof, move }) => ({
  value,
  level: proof.level,
  exact: isExact(proof),
  kind: proof.kind,
  move,
});

/** The better row first, of equal ones the one that is proven further; equal rows keep the order of the squares, so
 *  that rows stay in place. */
export const bestFirst = (a, b) =>
  b.value - a.value || b.proof.level - a.proof.level || (a.move < b.move ? -1 : 1);

export class Evaluation {
  constructor(position, legalMoves) {
    this.position = position;
    this.legal = legalMoves;
    /** Rows by move: `{ move, value, proof, pv }`, value in discs for the side to move. */
    this.rows = new Map();
    /** The best row of a search that looked for one move only. */
    this.root = null;
    this.point = null;
    this.held = false;
    this.revision = 0;
  }

  /** Takes a row in; false where what is known is better. */
  add({ move, value, proof, pv }) {
    if (!this.legal.includes(move) || !isUpgrade(this.rows.get(move), { proof })) return false;
    this.rows.set(move, { move, value, proof, pv });
    this.revision++;
    this.#advance(this.settled);
    return true;
  }

  /** Takes the best row of a one-line search in. */
  addRoot(row) {
    if (!this.legal.includes(row.move) || !isUpgrade(this.root, row)) return false;
    this.root = row;
    this.add(row);
    this.#advance(pointOf(row));
    return true;
  }

  /** Takes what a whole-game analysis found. From then on only what is proven moves the point: beside
   *  positions searched to one depth, one that was searched deeper would bend the graph. */
  review(row) {
    if (!this.legal.includes(row.move)) return;
    this.addRoot(row);
    if (this.point && isProven(this.point)) return;
    this.point = pointOf(row);
    this.held = true;
    this.revision++;
  }

  /** The point of the graph: only ever replaced by one of at least its level. */
  #advance(point) {
    if (!point || (this.held && !isProven(point))) return;
    if (!this.point || point.level >= this.point.level) this.point = point;
  }

  /** Rows, the best first. */
  get sorted() {
    return [...this.rows.values()].sort(bestFirst);
  }

  get best() {
    return this.sorted[0] ?? null;
  }

  /**
   * The value of the position, or null while some move is behind: `{ value, level, exact }`.
   * Only when every candidate has reached a level does the position have it, otherwise values of
   * mixed depth would bend the graph. Proven moves never hold it back.
   */
  get settled() {
    if (this.rows.size < this.legal.length || this.rows.size === 0) return null;
    const { best } = this;
    let level = Infinity;
    for (const row of this.rows.values()) level = Math.min(level, row.proof.level);
    const exact = isExact(best.proof) && isProven({ level });
    return { value: best.value, level, exact, kind: exact ? 'exact' : best.proof.kind, move: best.move };
  }

  toJSON() {
    return { rows: [...this.rows.values()], root: this.root };
  }

  /** Reads what `toJSON` wrote; rows that do not fit the position are left out. */
  static fromJSON(position, legalMoves, stored) {
    const evaluation = new Evaluation(position, legalMoves);
    for (const row of Array.isArray(stored?.rows) ? stored.rows : []) if (isRow(row)) evaluation.add(row);
    if (isRow(stored?.root)) evaluation.addRoot(stored.root);
    return evaluation;
  }
}

function isRow(row) {
  return (
    Number.isFinite(row?.value) &&
    Number.isFinite(row.proof?.level) &&
    typeof row.move === 'string' &&
    Array.isArray(row.pv)
  );
}

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
