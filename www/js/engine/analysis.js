// The running analysis of the position on the board: one job of the engine, and what it has told so far.

import { Signal } from '../base/signal.js';
import { bestFirst } from './evaluation.js';

/** The best of the rows of a round, as far as all of them are known. @param {Row[]} rows @returns {Row} */
function bestOf(rows) {
  const last = rows.reduce((a, b) => (b.proof.level < a.proof.level ? b : a));
  return { ...rows.sort(bestFirst)[0], proof: last.proof };
}

export class Analysis {
  /** When the search began. */
  began = 0;
  /** The engine has told something that may be shown. @type {Signal<[]>} */
  told = new Signal();
  /** What the analysis was asked for: moves and plies. */
  lines = 0;
  limit = 0;

  /** @param {Pick<Engine, 'submit' | 'stop'>} engine @param {Pick<Evaluations, 'get' | 'keep'>} evaluations */
  constructor(engine, evaluations) {
    this.engine = engine;
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

  /** Analyses `position`: `lines` moves to `depth` plies. Asking again for what runs changes nothing. */
  run(position, { lines, depth }) {
    if (this.running && this.position === position && this.lines === lines && this.limit === depth) return;
    this.finish();
    this.reset(position);
    this.lines = lines;
    this.limit = depth;
    this.running = true;
    const evaluation = this.evaluations.get(position);
    const wanted = Math.min(lines, evaluation.legal.length);
    /** The last row of each move, the newest last. @type {Map<string, Row>} */
    const seen = new Map();
    this.engine.submit({
      position,
      depth,
      command: `hint ${lines}`,
      onValue: (row) => {
        evaluation.add(row);
        seen.delete(row.move);
        seen.set(row.move, row);
        // The first values come in one go, closed by their count of nodes: shown one by one, the rest of
        // them would wait for the next repaint.
        if (seen.size >= wanted || this.nodes > 0) this.told.send();
      },
      onNodes: ({ nodes, seconds }) => {
        // Closes a round: where only the best moves are asked for, the first of them is the best of all.
        if (wanted < evaluation.legal.length && seen.size >= wanted)
          evaluation.addRoot(bestOf([...seen.values()].slice(-wanted)));
        this.nodes = nodes;
        this.seconds = seconds;
        this.told.send();
      },
      onDone: () => {
        if (this.position !== position) return;
        this.running = false;
        this.done = true;
        this.evaluations.keep(position);
        this.told.send();
      },
    });
  }

  /** Stops; what is known stays. */
  finish() {
    if (this.position) this.evaluations.keep(this.position);
    if (!this.running) return;
    this.running = false;
    this.engine.stop();
  }

  /** Nodes a second, or null before the first count. */
  get speed() {
    return this.seconds > 0.02 && this.nodes > 0 ? this.nodes / this.seconds : null;
  }

  /** Seconds since the search began, by the engine's clock where it has told. */
  get elapsed() {
    return this.running ? Math.max(this.seconds, (performance.now() - this.began) / 1000) : this.seconds;
  }
}
