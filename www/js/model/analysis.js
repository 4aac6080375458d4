// Values, losses and sums of the game on the page, as the rules module computes them: one call per change.

import { sideOf, squareName } from '../base/position.js';
import { toRow } from '../engine/evaluation.js';

// The numbers of a position in the result of `Values.tree`; see web/src/rules/values.rs.
const POINT = 0;
const LOSS = 5;
const COURSE = 14;
const SIDES = 16;
const FIELDS_OF_SIDE = 11;
const FIELDS = SIDES + 2 * FIELDS_OF_SIDE;
/** @type {Proof['kind'][]} */
const KINDS = ['heuristic', 'selective', 'book', 'outcome', 'exact'];
const CHANGES = [null, 'WD', 'WL', 'DL'];

/** @param {number} number */
const known = (number) => (Number.isNaN(number) ? null : number);
const square = (number) => (Number.isNaN(number) ? null : squareName(number));

/** The better row first, of equal ones the surer one, then in the order of the squares. */
const bestFirst = (a, b) => b.value - a.value || b.proof.level - a.proof.level || (a.move < b.move ? -1 : 1);

export class GameAnalysis {
  /** Number of changes of the values. */
  revision = 0;
  /** @type {Map<TreeNode, NodeAnalysis>} */
  #nodes = new Map();
  /** @type {Map<string, Point | null>} */
  #points = new Map();
  /** @type {Map<string, { map: Map<string, Row>, sorted: Row[], best: Row | null }>} */
  #rows = new Map();
  /** Positions, and positions with a move, that were joined to what follows. */
  #joined = new Set();

  /** @param {Study} study @param {Evaluations} evaluations @param {Rules} rules */
  constructor(study, evaluations, rules) {
    this.study = study;
    this.evaluations = evaluations;
    this.rules = rules;
    evaluations.changed.listen((position) => {
      if (position === null) this.#joined.clear();
      this.#changed();
    });
    study.changed.listen((what) => what !== 'move' && this.#changed());
  }

  #changed() {
    this.revision++;
    for (const results of [this.#nodes, this.#points, this.#rows]) results.clear();
  }

  /** Joining a position to others may change values. @param {string} key */
  #join(key) {
    if (this.#joined.has(key)) return;
    this.#joined.add(key);
    this.#changed();
  }

  /** Analyzes nodes, each after its parent. @param {TreeNode[]} nodes */
  #analyze(nodes) {
    const index = new Map(nodes.map((node, i) => [node, i]));
    const parents = nodes.map(({ parent }) => (parent && index.get(parent)) ?? -1);
    const positions = nodes.map(({ position }) => position);
    const results = this.#ask(positions, parents);
    for (const [i, node] of nodes.entries()) {
      this.#nodes.set(node, results[i]);
      this.#points.set(node.position, results[i].point);
    }
  }

  /** @param {string[]} positions @param {number[]} parents @returns {NodeAnalysis[]} */
  #ask(positions, parents) {
    const numbers = this.evaluations.values.tree(positions.join(''), Int32Array.from(parents));
    return parents.map((parent, i) => {
      const of = numbers.subarray(i * FIELDS, (i + 1) * FIELDS);
      const loss = parent < 0 ? null : readLoss(of, sideOf(positions[parent]));
      const [turn, level] = of.subarray(COURSE);
      return {
        point: readPoint(of),
        loss,
        sums: { X: readSums(of.subarray(SIDES)), O: readSums(of.subarray(SIDES + FIELDS_OF_SIDE)) },
        turn: known(turn),
        level: known(level),
      };
    });
  }

  /** Returns what is known of a node and of the line that leads to it. @param {TreeNode} node @returns {NodeAnalysis} */
  at(node) {
    if (this.#nodes.size === 0) this.#analyze([...this.study.tree.nodes()]);
    if (!this.#nodes.has(node)) this.#analyze(node.path);
    return /** @type {NodeAnalysis} */ (this.#nodes.get(node));
  }

  /** Returns the value of a position for Black, or `null`. @param {string} position @returns {Point | null} */
  value(position) {
    this.at(this.study.tree.root);
    let point = this.#points.get(position);
    if (point === undefined) {
      [{ point }] = this.#ask([position], [-1]);
      this.#points.set(position, point);
    }
    return point;
  }

  /** Returns the loss of a move, played or not. `null` if a value is unknown. @param {string} position @param {string} move */
  cost(position, move) {
    const after = this.rules.play(position, move).position;
    this.#join(position + move);
    return this.#ask([position, after], [-1, 0])[1].loss;
  }

  /** Returns the loss of the move that leads to a node, or `null`. @param {TreeNode} node */
  loss(node) {
    return this.at(node).loss;
  }

  /** Returns the sums of both sides along a line from the root, with their mistakes. @param {TreeNode[]} line */
  summary(line) {
    const end = this.at(/** @type {TreeNode} */ (line.at(-1)));
    const all = line.map((node) => ({ node, .../** @type {Loss} */ (this.loss(node)) }));
    /** @param {Side} side @returns {SideSummary} */
    const of = (side) => ({
      ...end.sums[side],
      mistakes: all.filter((loss) => loss.mistake && loss.side === side),
    });
    return { X: of('X'), O: of('O'), level: end.level };
  }

  /** Returns the node since whose move the leader is the same. `null` if one side led all along, `undefined` if a value is unknown.
   *  @param {TreeNode[]} line */
  turningPoint(line) {
    const { turn } = this.at(/** @type {TreeNode} */ (line.at(-1)));
    return turn === null ? undefined : turn === 0 ? null : line[turn];
  }

  /** Returns the moves of a position with their values for its side, the best first, and the best with the value of the
   *  position. `best` may be known before the moves are. @param {string} position */
  rows(position) {
    this.at(this.study.tree.root);
    this.#join(position);
    const made = this.#rows.get(position);
    if (made) return made;
    const moves = this.evaluations.values.moves(position);
    const best = moves.best && toRow(moves.best);
    // A move that only a shallow search found better follows the best move.
    const isBest = ({ move }) => move === best?.move;
    /** @type {Row[]} */
    const sorted = moves.rows.map(toRow);
    sorted.sort((a, b) => Number(isBest(b)) - Number(isBest(a)) || bestFirst(a, b));
    const rows = { map: new Map(sorted.map((row) => [row.move, row])), sorted, best };
    this.#rows.set(position, rows);
    return rows;
  }

  /** Returns the exact score of every move for its side. `null` if one is unknown.
   *  @param {string} position @returns {Record<string, number> | null} */
  exact(position) {
    const { sorted } = this.rows(position);
    const isComplete = sorted.length === this.rules.look(position).legal.length;
    if (!isComplete || !sorted.every(({ proof }) => proof.kind === 'exact')) return null;
    return Object.fromEntries(sorted.map(({ move, value }) => [move, value]));
  }

  /** Adds exact scores of moves for their side, as a puzzle has them.
   *  @param {string} position @param {Record<string, number>} scores */
  prove(position, scores) {
    const evaluation = this.evaluations.get(position);
    const { rows } = evaluation;
    for (const [move, value] of Object.entries(scores)) {
      const row = rows.get(move);
      if (row?.proof.kind !== 'exact') evaluation.add({ move, value, depth: '100%', pv: row?.pv ?? [move] });
    }
    this.evaluations.keep(position);
  }
}

/** @param {Float64Array} of @returns {Point | null} */
function readPoint(of) {
  const [value, level, kind, move, forced] = of.subarray(POINT, LOSS);
  if (Number.isNaN(value)) return null;
  const name = KINDS[kind];
  return { value, level, kind: name, exact: name === 'exact', move: square(move), forced: forced === 1 };
}

/** @param {Float64Array} of @param {Side} side @returns {Loss | null} */
function readLoss(of, side) {
  const [loss, exact, error, atLeast, proven, changed, best, mistake, grave] = of.subarray(LOSS, COURSE);
  if (Number.isNaN(loss)) return null;
  return {
    side,
    loss,
    exact: exact === 1,
    error,
    atLeast: known(atLeast),
    proven: known(proven),
    changed: CHANGES[changed],
    best: square(best),
    mistake: mistake === 1,
    grade: grave === 1 ? 'grave' : 'slight',
  };
}

/** @param {Float64Array} of */
function readSums(of) {
  const [total, first, second, third, moves, count, exact, WD, WL, DL, accuracy] = of;
  const phases = [first, second, third];
  return {
    total,
    phases,
    moves,
    known: count,
    exact: exact === 1,
    changed: { WD, WL, DL },
    accuracy: known(accuracy),
  };
}
