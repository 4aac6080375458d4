// Searches that the page asks of its engines: the analysis of the position on the board, the review of a whole game, and the
// judging of moves that the user tries. A review has its own engines; analysis and judging share the engine of the page.

import { emptyCount } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { Engine, spawnWorker } from './engine.js';
import { isExact } from './evaluation.js';
import { evenDepth } from './nboard.js';

const MAX_REVIEW_WORKERS = 4;
/** Table of a review worker, in MiB. */
const REVIEW_HASH_MIB = 16;
/** With at most this many empty squares, a tried move is judged by a search to the end of the game. */
const SOLVE_EMPTIES = 16;
const TO_THE_END = 60;
const MIN_JUDGE_DEPTH = 14;

/** The analysis of the position on the board: one job of the engine, and what it has reported so far. */
export class Analysis {
  began = 0;
  /** The engine has reported values. @type {Signal<[]>} */
  updated = new Signal();
  /** Requested moves and plies. */
  lines = 0;
  limit = 0;

  /** @param {Pick<Engine, 'submit' | 'stop'>} engine @param {Pick<Evaluations, 'add' | 'keep'>} evaluations @param {Pick<Rules, 'moves'>} rules */
  constructor(engine, evaluations, rules) {
    this.engine = engine;
    this.rules = rules;
    this.evaluations = evaluations;
    this.reset(null);
  }

  reset(position) {
    this.position = position;
    this.running = false;
    this.done = false;
    this.nodes = 0;
    this.seconds = 0;
    this.began = performance.now();
  }

  /** Analyzes `lines` moves to `depth` plies. A request that is already running changes nothing. */
  run(position, { lines, depth }) {
    if (this.running && this.position === position && this.lines === lines && this.limit === depth) return;
    this.finish();
    this.reset(position);
    this.lines = lines;
    this.limit = depth;
    this.running = true;
    const { length: moves } = this.rules.moves(position);
    const wanted = Math.min(lines, moves);
    /** The last row of each move, the newest last. @type {Map<string, SearchRow>} */
    const seen = new Map();
    this.engine.submit({
      position,
      depth,
      command: `hint ${lines}`,
      onValue: (row) => {
        this.evaluations.add(position, 'rows', row);
        seen.delete(row.move);
        seen.set(row.move, row);
        // The first values arrive together, followed by their node count. If they were shown one by one, the others would
        // wait for the next repaint.
        if (seen.size >= wanted || this.nodes > 0) this.updated.send();
      },
      onNodes: ({ nodes, seconds }) => {
        // Ends an iteration. If only the best moves are requested, the first of them is the best of all moves.
        if (wanted < moves && seen.size >= wanted)
          this.evaluations.add(position, 'root', ...[...seen.values()].slice(-wanted));
        this.nodes = nodes;
        this.seconds = seconds;
        this.updated.send();
      },
      onDone: () => {
        if (this.position !== position) return;
        this.running = false;
        this.done = true;
        this.evaluations.keep(position);
        this.updated.send();
      },
    });
  }

  /** Stops the search. Its values remain. */
  finish() {
    if (this.position) this.evaluations.keep(this.position);
    if (!this.running) return;
    this.running = false;
    this.engine.stop();
  }

  /** Nodes per second, or `null` before the first count. */
  get speed() {
    return this.seconds > 0.02 && this.nodes > 0 ? this.nodes / this.seconds : null;
  }

  /** Seconds since the start of the search. */
  get elapsed() {
    return this.running ? Math.max(this.seconds, (performance.now() - this.began) / 1000) : this.seconds;
  }
}

/** Searches a position for its best move. `done` receives the move, or `null` if the search failed.
 *  @param {Engine} engine @param {string} position @param {number} depth @param {(row: SearchRow | null) => void} done */
export function searchBest(engine, position, depth, done) {
  /** @type {SearchRow | null} */
  let found = null;
  const onValue = (/** @type {SearchRow} */ row) => {
    found = row;
  };
  engine.submit({ position, depth, command: 'hint 1', onValue, onDone: () => done(found) });
}

/** The analysis of a whole game: its positions from the last to the first, distributed among workers. */
export class Review {
  running = false;
  total = 0;
  /** Positions that are not finished. */
  left = 0;
  /** @type {Engine[]} */
  engines = [];
  /** The position that each engine searches. @type {Map<Engine, string>} */
  #searching = new Map();
  /** Positions that no engine searches yet. @type {string[]} */
  #queue = [];
  /** An engine was abandoned, and no position was finished since. */
  #replaced = false;

  /** @param {App} app @param {() => void} changed called after every position
   *  @param {(message: string) => void} [crashed] called when a worker crashed; it is replaced automatically */
  constructor(app, changed, crashed = () => {}) {
    this.app = app;
    this.changed = changed;
    this.crashed = crashed;
  }

  get progress() {
    return this.total === 0 ? 0 : (this.total - this.left) / this.total;
  }

  /** Starts with `positions` in the order of the game. Positions whose values are as good already are skipped.
   *  @param {string[]} positions */
  start(positions) {
    const { control, evaluations, rules, settings } = this.app;
    this.#reset();
    this.depth = settings.get('reviewDepth');
    const queue = positions.filter((position) => !rules.look(position).over);
    this.#queue = queue;
    this.total = positions.length;
    this.left = queue.length;
    this.running = true;
    this.changed();
    const known = queue.map((position) => evaluations.recall(position));
    // Values of different networks are not mixed.
    Promise.all([control.whole, ...known]).then(() => {
      if (this.#queue !== queue) return;
      this.#queue = queue.filter((position) => !this.#isKnown(position));
      this.left = this.#queue.length;
      this.running = this.left > 0;
      // One core is left to the page.
      const cores = settings.get('workers') || (navigator.hardwareConcurrency ?? 2) - 1;
      const workers = Math.max(1, Math.min(MAX_REVIEW_WORKERS, cores, this.left));
      for (let i = this.left > 0 ? workers : 0; i > 0; i--) this.#addEngine();
      this.changed();
    });
  }

  /** Returns `true` if an earlier review reached the depth, or the value is proven. @param {string} position */
  #isKnown(position) {
    const { evaluations } = this.app;
    const { best } = evaluations.added(position);
    if (best && isExact(best.proof)) evaluations.add(position, 'reviewed', best);
    return evaluations.reached(position, evenDepth(position, this.depth), true);
  }

  #addEngine() {
    const { app } = this;
    const engine = new Engine(
      {
        // The server may have a newer page by now, with another engine. Values of different engines are not mixed.
        ready: (info) => {
          if (app.evaluations.isBy(info)) return;
          this.stop();
          app.offerUpdate();
        },
        crash: (message, again) => {
          this.crashed(message);
          if (again) return;
          // The position is searched by another engine, after all others: it may have caused the crash.
          const position = this.#searching.get(engine);
          if (position) this.#queue.unshift(position);
          if (this.engines.length === 1 && !this.#replaced) this.#addEngine();
          this.#replaced = true;
          this.#removeEngine(engine);
        },
      },
      () => spawnWorker(REVIEW_HASH_MIB, app.network),
    );
    this.engines.push(engine);
    this.#next(engine);
  }

  /** Searches the last position of the queue, so that ends are known before the positions that lead to them. */
  #next(engine) {
    const position = this.#queue.pop();
    if (position === undefined) {
      this.#removeEngine(engine);
      return;
    }
    this.#searching.set(engine, position);
    const depth = evenDepth(position, this.depth);
    searchBest(engine, position, depth, (row) => this.#searched(engine, position, row));
  }

  /** @param {Engine} engine @param {string} position @param {SearchRow | null} row */
  #searched(engine, position, row) {
    this.#searching.delete(engine);
    const { evaluations } = this.app;
    // Another network may have been selected in the meantime.
    if (engine.info && !evaluations.isBy(engine.info)) {
      this.stop();
      return;
    }
    if (row) evaluations.add(position, 'reviewed', row);
    this.#replaced = false;
    this.left--;
    evaluations.keep(position);
    this.changed();
    this.#next(engine);
  }

  #removeEngine(engine) {
    engine.end();
    this.engines = this.engines.filter((other) => other !== engine);
    if (this.engines.length > 0 || !this.running) return;
    this.running = false;
    this.changed();
  }

  stop() {
    const { running } = this;
    this.#reset();
    if (running) this.changed();
  }

  #reset() {
    this.running = this.#replaced = false;
    this.#queue = [];
    this.#searching.clear();
    for (const engine of this.engines) engine.end();
    this.engines = [];
  }
}

/** Judges moves that the user tries: searches the positions before and after a move, as deep as a review or to the end. */
export class MoveJudge {
  /** @type {string[]} */
  #positions = [];
  /** @type {((known: boolean) => void) | null} */
  #done = null;
  /** The position that the engine searches. @type {string | null} */
  #searching = null;
  /** Searched positions, whatever depth was reached. @type {Set<string>} */
  #seen = new Set();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Returns `true` while a verdict is requested. */
  get busy() {
    return this.#done !== null;
  }

  /** Searches `positions`, then calls `done`, with `false` if the engine failed. It replaces the request before it.
   *  @param {string[]} positions @param {((known: boolean) => void) | null} [done] */
  ask(positions, done = null) {
    this.#positions = positions;
    this.#done = done;
    this.#next();
  }

  stop() {
    this.#positions = [];
    this.#done = null;
    if (!this.#searching) return;
    this.#searching = null;
    // The analysis may have replaced the search.
    if (!this.app.analysis.running) this.app.engine.stop();
  }

  /** The engine is available to the page again. */
  resume() {
    this.#searching = null;
    this.#next();
  }

  /** Drops the request if the engine does not work for the page. Called at intervals. */
  check() {
    if (!this.busy || !['crashed', 'manual'].includes(this.app.engine.state)) return;
    this.#searching = null;
    this.#settle(false);
  }

  #depthAt(position) {
    if (emptyCount(position) <= SOLVE_EMPTIES) return TO_THE_END;
    return evenDepth(position, Math.max(MIN_JUDGE_DEPTH, this.app.settings.get('reviewDepth')));
  }

  #isKnown(position) {
    const { evaluations, rules, scores } = this.app;
    if (this.#seen.has(position) || rules.look(position).over) return true;
    if (scores.value(position)?.exact) return true;
    const depth = this.#depthAt(position);
    return depth < TO_THE_END && evaluations.reached(position, depth);
  }

  #next() {
    const position = this.#positions.find((position) => !this.#isKnown(position));
    if (!position) return this.#settle(true);
    if (position === this.#searching) return;
    this.#searching = position;
    searchBest(this.app.engine, position, this.#depthAt(position), (row) => this.#searched(position, row));
  }

  /** @param {string} position @param {SearchRow | null} row */
  #searched(position, row) {
    if (position !== this.#searching) return undefined;
    this.#searching = null;
    const { evaluations, painter } = this.app;
    if (!row) return this.#settle(false);
    this.#seen.add(position);
    evaluations.add(position, 'root', row);
    evaluations.keep(position);
    painter.later();
    return this.#next();
  }

  #settle(known) {
    const done = this.#done;
    this.#positions = [];
    this.#done = null;
    done?.(known);
  }
}
