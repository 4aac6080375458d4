// What is known of positions, told once: every view asks here. A value found anywhere is the same everywhere, and the
// loss of a move is the value before it less the value after it.
//
// Searches of several positions say something of one. Of these the furthest counts: a move has the value of the
// position after it, and that position the value of the move; the line that a search expects carries its value along.
// A position is worth its best move where every move was looked at as far; otherwise what a search for the best move
// alone found, or a move that is known, as far as that went, to be better.

import { forBlack, sideOf, squareName } from '../base/position.js';
import { alike, bestFirst } from '../engine/evaluation.js';
import { EXACT_PROOF, isExact, isProven, OVER, shifted } from '../engine/proof.js';
import { boundsOf, lossOf } from './losses.js';

/** Within so many moves they may all be the same by symmetry. */
const TWINS_AT_MOST = 4;

/** @param {Known | null} a @param {Known | null | undefined} b */
const further = (a, b) => (!b || (a && a.proof.level >= b.proof.level) ? a : b);

/** What a line says of the position after its first move. @param {Known} line @returns {Known} */
const follow = ({ value, proof, pv }) => ({ value, proof: shifted(proof, -1), pv: pv.slice(1) });

/** @type {Map<string, Known>} */
const NONE = new Map();

/** What a map of maps holds under a key. @param {Map<string, Map<string, string>>} map @param {string} key */
function entry(map, key) {
  let found = map.get(key);
  if (!found) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}

export class Scores {
  /** What was worked out since the last change. @type {Map<string, Known | null>} */
  #values = new Map();
  /** @type {Map<string, Map<string, Known>>} */
  #moves = new Map();
  /** @type {Map<string, Known | null>} */
  #foreseen = new Map();
  /** What the engine told of the moves of a position. @type {Map<string, { evaluation: Evaluation, revision: number, rows: Map<string, Known> }>} */
  #told = new Map();
  /** The positions after a position, by move: in the tree, and all of them where a position was looked at.
   *  @type {Map<string, Map<string, string>>} */
  #after = new Map();
  /** Positions that are joined to all that follow. @type {Set<string>} */
  #opened = new Set();
  /** The positions before a position, each with its move. @type {Map<string, Map<string, string>>} */
  #before = new Map();
  /** What the rules say of positions: the result where the game is over, and whether there is a choice.
   *  @type {Map<string, { result: Known | null, forced: boolean | null }>} */
  #facts = new Map();
  /** Positions of which more was told since. @type {Set<string>} */
  #news = new Set();
  /** Grows with every change of what is known. */
  revision = 0;
  /** The values of nodes. @type {Points} */
  points = { get: (node) => this.value(node.position) };

  /** @param {Study} study @param {Evaluations | Evaluations['reviewed']} evaluations @param {Rules} rules */
  constructor(study, evaluations, rules) {
    this.evaluations = /** @type {Evaluations} */ (evaluations);
    const { reviewed } = this.evaluations;
    if (reviewed) {
      this.points.reviewed = new Scores(study, reviewed, rules).points;
      reviewed.changed.listen(() => this.revision++);
    }
    this.rules = rules;
    for (const position of evaluations.known.keys()) this.#news.add(position);
    evaluations.changed.listen((position) => {
      this.revision++;
      if (position) this.#news.add(position);
      else
        for (const kept of [this.#news, this.#told, this.#values, this.#moves, this.#foreseen]) kept.clear();
    });
    study.changed.listen((what) => {
      if (what === 'move') return;
      for (const { parent, move, position } of study.tree.nodes())
        if (parent) this.#join(parent.position, move, position);
    });
  }

  /** The value of a position as Black sees it, or null. @param {string} position @returns {Point | null} */
  value(position) {
    this.#update();
    const known = this.#value(position);
    if (!known) return null;
    const { value, proof, pv } = known;
    return {
      value,
      level: proof.level,
      exact: isExact(proof),
      kind: proof.kind,
      move: pv[0] ?? null,
      forced: this.#isForced(position),
    };
  }

  /** What a move costs, played or not, or null where a side of it is unknown.
   *  @param {string} position @param {string} move @returns {Loss | null} */
  cost(position, move) {
    const after = this.rules.play(position, move).position;
    this.#join(position, move, after);
    const before = /** @type {TreeNode} */ ({ position });
    return lossOf(/** @type {TreeNode} */ ({ parent: before, move, position: after }), this.points);
  }

  /** What the move that leads to a node cost, or null. @param {TreeNode} node @returns {Loss | null} */
  loss(node) {
    return lossOf(node, this.points);
  }

  /** The moves of a position as its side sees them, symmetric ones made equal: by move, the best first, and the best
   *  with the value of the position, which may be known before its moves are. @param {string} position */
  rows(position) {
    this.#open(position);
    this.#update();
    const side = sideOf(position);
    /** @param {Known} known @param {string} move @returns {Row} */
    const row = ({ value, proof, pv }, move) => {
      const own = forBlack(value, side);
      const outcome = own > 0 ? 'W' : own < 0 ? 'L' : 'D';
      return { move, value: own, proof: proof.kind === 'outcome' ? { ...proof, outcome } : proof, pv };
    };
    const map = new Map();
    for (const [move, known] of this.#known(position)) map.set(move, row(known, move));
    const known = this.#fact(position).result ? null : this.#value(position);
    const best = known && row(known, known.pv[0] ?? '');
    // What only a shallow search takes for better stands behind the best.
    const sorted = [...map.values()].sort((a, b) =>
      a.move === best?.move ? -1 : b.move === best?.move ? 1 : bestFirst(a, b),
    );
    return { map, sorted, best };
  }

  /** The exact score of every move for its side, or null where one is not known.
   *  @param {string} position @returns {Record<string, number> | null} */
  exact(position) {
    const { map } = this.rows(position);
    const rows = [...map.values()];
    if (rows.length < this.rules.look(position).legal.length || !rows.every(({ proof }) => isExact(proof)))
      return null;
    return Object.fromEntries(rows.map(({ move, value }) => [move, value]));
  }

  /** Takes exact scores of moves for their side, as a puzzle knows them.
   *  @param {string} position @param {Record<string, number>} scores */
  prove(position, scores) {
    const evaluation = this.evaluations.get(position);
    for (const [move, value] of Object.entries(scores)) {
      const row = evaluation.rows.get(move);
      if (!isExact(row?.proof)) evaluation.add({ move, value, proof: EXACT_PROOF, pv: row?.pv ?? [move] });
    }
    this.evaluations.keep(position);
  }

  /** Takes in what was told since. */
  #update() {
    if (this.#news.size === 0) return;
    for (const position of this.#news) this.#open(position);
    this.#news.clear();
    this.#clear();
  }

  #clear() {
    for (const made of [this.#values, this.#moves, this.#foreseen]) made.clear();
  }

  /** Joins two positions by a move. @param {string} position @param {string} move @param {string} next */
  #join(position, move, next) {
    const before = entry(this.#before, next);
    if (before.has(position)) return;
    before.set(position, move);
    entry(this.#after, position).set(move, next);
    this.revision++;
    this.#clear();
  }

  /** Joins a position to all that follow. @param {string} position */
  #open(position) {
    if (this.#opened.has(position)) return;
    this.#opened.add(position);
    for (const square of this.rules.look(position).legal) {
      const move = squareName(square);
      this.#join(position, move, this.rules.play(position, move).position);
    }
  }

  /** Symmetric moves made equal. @template {{ move: string, value: number, proof: Proof }} T
   *  @param {string} position @param {Iterable<T>} rows @returns {Map<string, T>} */
  #alike(position, rows) {
    return alike(rows, (move) => this.rules.canonical(this.rules.play(position, move).position));
  }

  /** What the engine told of the moves of a position. @param {string} position @returns {Map<string, Known>} */
  #rows(position) {
    const evaluation = this.evaluations.known.get(position);
    if (!evaluation) return NONE;
    const { revision } = evaluation;
    let told = this.#told.get(position);
    if (told?.evaluation !== evaluation || told.revision !== revision) {
      const side = sideOf(position);
      const rows = new Map();
      for (const row of this.#alike(position, evaluation.rows.values()).values())
        rows.set(row.move, { ...row, value: forBlack(row.value, side) });
      told = { evaluation, revision, rows };
      this.#told.set(position, told);
    }
    return told.rows;
  }

  /** What searches of earlier positions say of one. @param {string} position @returns {Known | null} */
  #foresight(position) {
    const made = this.#foreseen.get(position);
    if (made !== undefined) return made;
    /** @type {Known | null} */
    let found = null;
    for (const [parent, move] of this.#before.get(position) ?? []) {
      const row = this.#rows(parent).get(move);
      if (row) found = further(found, follow(row));
      // What is proven of the first position of a line is not proven of those that follow.
      const before = this.#foresight(parent);
      if (before?.pv[0] === move && !isProven(before.proof)) found = further(found, follow(before));
    }
    this.#foreseen.set(position, found);
    return found;
  }

  /** What is known of the moves of a position. @param {string} position @returns {Map<string, Known>} */
  #known(position) {
    let known = this.#moves.get(position);
    if (known) return known;
    const told = this.#rows(position);
    const rows = [];
    for (const [move, next] of this.#after.get(position) ?? []) {
      const there = this.#value(next);
      const after = there && { value: there.value, proof: shifted(there.proof, 1), pv: [move, ...there.pv] };
      const row = further(after, told.get(move));
      if (row) rows.push({ ...row, move });
    }
    known = this.#alike(position, rows);
    this.#moves.set(position, known);
    return known;
  }

  /** @param {string} position @returns {Known | null} */
  #value(position) {
    let value = this.#values.get(position);
    if (value === undefined) {
      value = this.#fact(position).result ?? this.#searched(position);
      this.#values.set(position, value);
    }
    return value;
  }

  /** What the rules say of a position, asked once. @param {string} position */
  #fact(position) {
    let fact = this.#facts.get(position);
    if (!fact) {
      const { over, margin } = this.rules.look(position);
      const proof = { ...EXACT_PROOF, level: OVER };
      fact = { result: over ? { value: margin, proof, pv: [] } : null, forced: null };
      this.#facts.set(position, fact);
    }
    return fact;
  }

  /** What searches of a position, of those before and of those after it, make of it.
   *  @param {string} position @returns {Known | null} */
  #searched(position) {
    const evaluation = this.evaluations.known.get(position);
    const foreseen = this.#foresight(position);
    const isKnown = evaluation && evaluation.rows.size > 0;
    if (!isKnown && !foreseen?.pv.length) return foreseen;
    const sign = sideOf(position) === 'X' ? 1 : -1;
    const moves = [...this.#known(position).values()];
    /** @param {Known[]} rows */
    const best = (rows) => rows.reduce((a, b) => (sign * b.value > sign * a.value ? b : a));
    /** The best of what is known as far as the search for the best move alone went. @param {Proof} proof */
    const asFar = (proof) => {
      const rows = moves.filter((row) => row.proof.level >= proof.level);
      return rows.length > 0 ? { ...best(rows), proof } : null;
    };
    /** @type {Known | null} */
    let value = null;
    if (isKnown && moves.length === evaluation.legal.length) {
      const top = best(moves);
      const last = moves.reduce((a, b) => (b.proof.level < a.proof.level ? b : a));
      const exact = isExact(top.proof) && moves.every((row) => isAtMost(row, top.value, sign));
      value = { ...top, proof: exact ? top.proof : last.proof };
    }
    if (evaluation?.root) value = further(value, asFar(evaluation.root.proof));
    if (!foreseen) return value;
    // What was foreseen is a search for the best move, too; of what is proven the moves may not be known.
    const asForeseen = isProven(foreseen.proof) ? null : asFar(foreseen.proof);
    return further(value, asForeseen ?? foreseen);
  }

  /** Whether there is but one move, or all are the same by symmetry. */
  #isForced(position) {
    const fact = this.#fact(position);
    fact.forced ??= this.#hasNoChoice(position);
    return fact.forced;
  }

  #hasNoChoice(position) {
    const { legal } = this.rules.look(position);
    if (legal.length === 0 || legal.length > TWINS_AT_MOST) return false;
    const twin = (square) => this.rules.canonical(this.rules.play(position, squareName(square)).position);
    return legal.every((square) => square === legal[0] || twin(square) === twin(legal[0]));
  }
}

/** Whether it is proven that a move is worth no more than `value` to its side, Black where `sign` is 1. */
function isAtMost({ value, proof }, limit, sign) {
  if (!isProven(proof)) return false;
  const { low, high } = boundsOf({ value, exact: isExact(proof), kind: proof.kind, level: proof.level });
  return sign > 0 ? high <= limit : low >= limit;
}
