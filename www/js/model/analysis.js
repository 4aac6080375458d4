// Values, losses and sums of the game on the page, as the rules module computes them: one call per change.

import { sideOf } from '../base/position.js';
import { toRows } from '../engine/evaluation.js';
import { readNode, readPoint } from './node-analysis.js';

/** Level of a value from a book, as in engine/src/analysis/values.rs. */
const BOOK_LEVEL = 100;

/** The better row first, of equal ones the surer one, then in the order of the squares. */
const bestFirst = (a, b) => b.value - a.value || b.proof.level - a.proof.level || (a.move < b.move ? -1 : 1);

/** The modes of the graph, in the order of their buttons. */
export const GRAPH_MODES = ['score', 'loss', 'total'];

export class GameAnalysis {
  /** Number of changes of the values. */
  revision = 0;
  /** The numbers of the nodes of the tree, by index, and `null` after a change. @type {Float64Array | null} */
  #numbers = null;
  /** @type {Map<TreeNode, number>} */
  #index = new Map();
  /** @type {Map<TreeNode, NodeAnalysis>} */
  #nodes = new Map();
  /** @type {Map<string, Point | null>} */
  #points = new Map();
  /** @type {Map<string, { map: Map<string, Row>, sorted: Row[], best: Row | null, own: { map: Map<string, Row>, best: Row | null } }>} */
  #rows = new Map();
  /** Values of a book for one position. @type {{ position: string, rows: BookValue[] } | null} */
  #book = null;
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
    this.#numbers = null;
    for (const results of [this.#nodes, this.#points, this.#rows]) results.clear();
  }

  /** Joining a position to others may change values. Returns `true` at its first join. @param {string} key */
  #join(key) {
    if (this.#joined.has(key)) return false;
    this.#joined.add(key);
    this.#changed();
    return true;
  }

  /** @template {{ position: string }} T @param {T[]} nodes
   *  @param {(node: T, i: number) => number} parentOf the index of the position before, or -1 @returns {Float64Array} */
  #ask(nodes, parentOf) {
    const positions = nodes.map(({ position }) => position).join('');
    return this.evaluations.values.tree(positions, Int32Array.from(nodes, parentOf));
  }

  #load() {
    if (this.#numbers) return;
    const nodes = [...this.study.tree.nodes()];
    this.#index = new Map(nodes.map((node, i) => [node, i]));
    this.#numbers = this.#ask(nodes, ({ parent }) => (parent && this.#index.get(parent)) ?? -1);
  }

  /** Returns what is known of a node and of the line that leads to it. @param {TreeNode} node @returns {NodeAnalysis} */
  at(node) {
    let found = this.#nodes.get(node);
    if (!found) {
      this.#load();
      let i = this.#index.get(node);
      let numbers = /** @type {Float64Array} */ (this.#numbers);
      if (i === undefined) {
        const { path } = node;
        numbers = this.#ask(path, (_, ply) => ply - 1);
        i = path.length - 1;
      }
      found = readNode(numbers, i, sideOf((node.parent ?? node).position));
      this.#nodes.set(node, found);
    }
    return found;
  }

  /** Returns the value of a position for Black, or `null`. @param {string} position @returns {Point | null} */
  value(position) {
    this.#load();
    let point = this.#points.get(position);
    if (point === undefined) {
      point = readPoint(this.#ask([{ position }], () => -1));
      this.#points.set(position, point);
    }
    return point;
  }

  /** Returns the loss of a move, played or not. `null` if a value is unknown. @param {string} position @param {string} move */
  cost(position, move) {
    const after = this.rules.play(position, move);
    this.#join(position + move);
    return readNode(
      this.#ask([{ position }, after], (_, i) => i - 1),
      1,
      sideOf(position),
    ).loss;
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

  get book() {
    return this.#book;
  }

  set book(book) {
    this.#book = book;
    this.#rows.clear();
  }

  /** The moves of a position in the book, as rows. @param {string} position @returns {Row[]} */
  #bookRows(position) {
    const rows = this.#book?.position === position ? this.#book.rows : [];
    return rows.map(({ move, value, pv }) => {
      const { length: depth } = pv;
      return { move, value, pv, proof: { kind: 'book', depth, level: BOOK_LEVEL + depth } };
    });
  }

  /** Returns the moves of a position with their values for its side, the best first, and the best with the value of the
   *  position. `best` may be known before the moves are. Values of a book replace those of a lower level; `own` has the values
   *  without the book. @param {string} position */
  rows(position) {
    // Reading the moves joins the position to those that follow it, so the tree is read after them.
    if (this.#join(position)) this.evaluations.values.moves(position);
    this.#load();
    const made = this.#rows.get(position);
    if (made) return made;
    const { rows: found, best: searched } = toRows(this.evaluations.values.moves(position));
    const own = { map: new Map(found.map((row) => [row.move, row])), best: searched };
    const known = this.#bookRows(position).filter(
      ({ move, proof }) => (own.map.get(move)?.proof.level ?? 0) < proof.level,
    );
    const sorted = [...new Map([...found, ...known].map((row) => [row.move, row])).values()];
    const isBooked = ({ move }) => known.some((row) => row.move === move);
    const rivals = searched && !isBooked(searched) ? [searched, ...known] : known;
    const best = known.length > 0 ? rivals.toSorted(bestFirst)[0] : searched;
    // A move that only a shallow search found better follows the best move.
    const isBest = ({ move }) => move === best?.move;
    sorted.sort((a, b) => Number(isBest(b)) - Number(isBest(a)) || bestFirst(a, b));
    const rows = { map: new Map(sorted.map((row) => [row.move, row])), sorted, best, own };
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
    const { rows } = this.evaluations.added(position);
    for (const [move, value] of Object.entries(scores)) {
      const { pv = [move], proof = null } = rows.find((row) => row.move === move) ?? {};
      if (proof?.kind !== 'exact') this.evaluations.add(position, 'rows', { move, value, depth: '100%', pv });
    }
    this.evaluations.keep(position);
  }
}
