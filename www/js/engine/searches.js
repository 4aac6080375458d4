// Searches that the page asks of its engines: the analysis of the position on the board, the review of a whole game, and the
// judging of moves that the user tries. A review has its own engines; analysis and judging share the engine of the page.

import { isExact } from '../base/format.js';
import { Signal } from '../base/signal.js';
import { Engine, spawnWorker } from './engine.js';

const MAX_REVIEW_WORKERS = 4;
/** Most sessions of a review with the program. */
const MAX_REVIEW_SESSIONS = 8;
/** Table of a review worker, in MiB. */
const REVIEW_HASH_MIB = 16;
/** Time for which a review waits for the book. */
const BOOK_TIMEOUT_MS = 4000;
/** With at most this many empty squares, a tried move is judged by a search to the end of the game. */
const SOLVE_EMPTIES = 16;
const MIN_JUDGE_DEPTH = 14;
/** Depth of a search to the end of the game. */
export const MAX_DEPTH = 60;

/** The analysis of the position on the board: one job of the engine, and what it has reported so far. */
export class Analysis {
  began = 0;
  /** The engine has reported values. @type {Signal<[]>} */
  updated = new Signal();
  /** Requested moves and plies. */
  lines = 0;
  limit = 0;

  /** @param {Pick<Engine, 'submit' | 'stop'>} engine @param {Pick<Values, 'hear' | 'keep'>} values @param {Pick<Rules, 'searchLines'>} rules */
  constructor(engine, values, rules) {
    this.engine = engine;
    this.rules = rules;
    this.values = values;
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
    this.engine.submit({
      lines: this.rules.searchLines(position, depth, `hint ${lines}`),
      onReport: (values, { nodes, seconds }) => {
        this.values.hear(position, values);
        this.nodes = nodes;
        this.seconds = seconds;
        this.updated.send();
      },
      onDone: (values) => {
        this.values.hear(position, values);
        if (this.position !== position) return;
        this.running = false;
        this.done = true;
        this.values.keep(position);
        this.updated.send();
      },
    });
  }

  /** Stops the search. Its values remain. */
  finish() {
    if (this.position) this.values.keep(this.position);
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

/** Asks an engine. `done` receives the lines with the last values, none if the search failed.
 *  @param {Engine} engine @param {string[]} lines @param {(values: string[]) => void} done */
export function askEngine(engine, lines, done) {
  /** @type {string[]} */
  let found = [];
  const take = (/** @type {string[]} */ values) => {
    if (values.length > 0) found = values;
  };
  const onDone = (/** @type {string[]} */ values) => {
    take(values);
    done(found);
  };
  engine.submit({ lines, onReport: take, onDone });
}

/** The analysis of a whole game by several workers: the study decides which position is next. */
export class Review {
  running = false;
  total = 0;
  /** Positions that are not finished. */
  left = 0;
  /** @type {Engine[]} */
  engines = [];
  /** The task of each engine. @type {Map<Engine, Task>} */
  #tasks = new Map();
  /** @type {TreeNode[]} */
  #line = [];
  /** The study, while the review runs. */
  #core;
  /** Mistakes are explained. */
  #explains = true;
  /** An engine was abandoned, and no position was finished since. */
  #replaced = false;
  /** The engines are those of the program. */
  #isOfProgram = false;

  /** @param {Pick<App, 'control' | 'engine' | 'explorer' | 'network' | 'offerUpdate' | 'program' | 'settings' | 'values'>} app
   *  @param {() => void} changed called after every position
   *  @param {(message: string) => void} [crashed] called when a worker crashed; it is replaced automatically */
  constructor(app, changed, crashed = () => {}) {
    this.app = app;
    this.changed = changed;
    this.crashed = crashed;
    // The answers so far were dropped with the values.
    app.values.replaced.listen(() => this.running && this.start(this.#line));
  }

  get progress() {
    return this.total === 0 ? 0 : (this.total - this.left) / this.total;
  }

  /** Starts with a line. Positions whose values are as good already are skipped. @param {TreeNode[]} line */
  start(line) {
    const { control, values } = this.app;
    this.#reset();
    this.#line = line;
    const { core } = values;
    this.#core = core;
    this.total = this.left = line.length;
    this.running = true;
    this.changed();
    // Values of different networks are not mixed. Stored values are those of a known engine.
    const recall = () =>
      Promise.all([this.#valueByBooks(), ...line.map(({ position }) => values.recall(position))]);
    control.whole.then(recall).then(() => {
      if (this.#core !== core || this.engines.length > 0) return;
      // The module does not know the stored explanations.
      const isExplained = values.mistakes(line).length > 0 && this.#unexplained.length === 0;
      this.#plan(!isExplained);
      this.changed();
    });
  }

  /** Waits for the values of books, which replace searches: values that come later would change the report. */
  async #valueByBooks() {
    const { app } = this;
    if (!app.settings.get('book')) return;
    const valued = app.explorer().then(({ valueGame }) => valueGame());
    await Promise.race([valued, new Promise((resolve) => setTimeout(resolve, BOOK_TIMEOUT_MS))]).catch(
      () => {},
    );
  }

  /** The known mistakes without an explanation. */
  get #unexplained() {
    const { values } = this.app;
    return values.mistakes(this.#line).filter(({ node }) => !values.why(node));
  }

  /** Starts engines for the positions that are not known, and if requested for the mistakes. @param {boolean} explains */
  #plan(explains) {
    const { engine, program, settings } = this.app;
    const last = /** @type {TreeNode} */ (this.#line.at(-1));
    this.#explains = explains;
    this.left = this.#core.begin(last.at, settings.get('reviewDepth'), undefined, explains);
    this.running = this.left > 0;
    // One core is left to the page.
    const { isUsed } = program;
    this.#isOfProgram = isUsed;
    const free = isUsed ? (engine.info?.threads ?? 1) : (navigator.hardwareConcurrency ?? 2) - 1;
    const most = isUsed ? MAX_REVIEW_SESSIONS : MAX_REVIEW_WORKERS;
    const workers = Math.max(1, Math.min(most, settings.get('workers') || free, this.left));
    for (let i = this.left > 0 ? workers : 0; i > 0; i--) this.#addEngine();
  }

  #addEngine() {
    const { app } = this;
    const engine = new Engine(
      {
        // The server may have a newer page by now, with another engine. Values of different engines are not mixed.
        ready: (info) => {
          const { program, settings, values } = app;
          if (values.isBy(info)) return;
          // The program had another network: the analysis begins again.
          if (program.hasEnded) {
            values.engineIs(info, settings.get('network'));
            return;
          }
          this.stop();
          app.offerUpdate();
        },
        crash: (message, again) => {
          this.crashed(message);
          // The program has ended: the browser has another number of engines.
          if (this.#isOfProgram && !app.program.isUsed) {
            this.start(this.#line);
            return;
          }
          if (again) return;
          // The position is searched by another engine, after all others: it may have caused the crash.
          const task = this.#tasks.get(engine);
          if (task) this.#core.put_back(task.id);
          if (this.engines.length === 1 && !this.#replaced) this.#addEngine();
          this.#replaced = true;
          this.#removeEngine(engine);
        },
      },
      () => {
        const { network, program } = app;
        const options = { network, hash: REVIEW_HASH_MIB, threads: 1 };
        return program.spawn(options, () => spawnWorker(REVIEW_HASH_MIB, network));
      },
    );
    this.engines.push(engine);
    this.#next(engine);
  }

  /** @param {Engine} engine */
  #next(engine) {
    /** @type {Task | undefined} */
    const task = this.#core?.next_task();
    if (!task) {
      this.#removeEngine(engine);
      return;
    }
    this.#tasks.set(engine, task);
    askEngine(engine, task.lines, (values) => this.#searched(engine, task, values));
  }

  /** @param {Engine} engine @param {Task} task @param {string[]} found */
  #searched(engine, task, found) {
    this.#tasks.delete(engine);
    this.app.values.take(task, found);
    this.#replaced = false;
    const { left } = this.#core;
    // The mistakes to explain are known now.
    this.total += Math.max(0, left - this.left);
    this.left = left;
    this.changed();
    this.#next(engine);
  }

  #removeEngine(engine) {
    engine.end();
    this.engines = this.engines.filter((other) => other !== engine);
    if (this.engines.length > 0 || !this.running) return;
    if (!this.#explains && this.left === 0 && this.#unexplained.length > 0) this.#plan(true);
    else this.running = false;
    this.changed();
  }

  stop() {
    const { running } = this;
    this.#reset();
    if (running) this.changed();
  }

  #reset() {
    this.running = this.#replaced = false;
    this.#core?.stop();
    this.#core = null;
    this.#tasks.clear();
    for (const engine of this.engines) engine.end();
    this.engines = [];
  }
}

/** Judges moves that the user tries: searches the positions before and after a move, as deep as a review or to the end. With `lines`,
 *  searches that many moves of positions to the end of the game. */
export class MoveJudge {
  /** @type {string[]} */
  #positions = [];
  /** @type {((known: boolean) => void) | null} */
  #done = null;
  /** The position that the engine searches. @type {string | null} */
  #searching = null;
  /** Searched positions, whatever depth was reached. @type {Set<string>} */
  #seen = new Set();

  /** @param {Pick<App, 'analysis' | 'engine' | 'painter' | 'rules' | 'settings' | 'values'>} app @param {number} [lines] */
  constructor(app, lines = 0) {
    this.app = app;
    this.lines = lines;
  }

  /** Returns `true` if a position is solved: the best move is known, or all moves are. @param {string} position */
  #isSolved(position) {
    const { values } = this.app;
    const { best } = values.rows(position, false);
    return this.lines > 1 ? values.exact(position) !== null : Boolean(best?.move && isExact(best.proof));
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

  #next() {
    const { engine, rules, settings, values } = this.app;
    const { lines } = this;
    const depth = lines ? MAX_DEPTH : Math.max(MIN_JUDGE_DEPTH, settings.get('reviewDepth'));
    // A book knows the value after a move, but not the reply.
    const hasReply = (at) => rules.look(at).over || values.reply(at).length > 0;
    const isJudged = (at) =>
      values.core.is_known(at, depth, SOLVE_EMPTIES) && (at !== this.#positions.at(-1) || hasReply(at));
    const isKnown = (at) => this.#seen.has(at) || (lines ? this.#isSolved(at) : isJudged(at));
    const position = this.#positions.find((position) => !isKnown(position));
    if (!position) return this.#settle(true);
    if (position === this.#searching) return;
    this.#searching = position;
    const plies = rules.planDepth(position, depth, SOLVE_EMPTIES);
    askEngine(engine, rules.searchLines(position, plies, `hint ${lines || 1}`), (found) =>
      this.#searched(position, found),
    );
  }

  /** @param {string} position @param {string[]} found */
  #searched(position, found) {
    if (position !== this.#searching) return undefined;
    this.#searching = null;
    const { painter, values } = this.app;
    if (found.length === 0) return this.#settle(false);
    this.#seen.add(position);
    values.hear(position, found);
    values.keep(position);
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
