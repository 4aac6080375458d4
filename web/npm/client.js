// A client of the worker: positions and games in, values out. It speaks NBoard with the worker.

import startRules, { position_play, Values } from './engine/rules.js';
import { forBlack, START, sideOf } from './js/base/position.js';
import { readLine, setPosition } from './js/engine/nboard.js';
import { readNode } from './js/model/node-analysis.js';

const SIDE_NAMES = { X: 'black', O: 'white' };
/** Depth at which every position is solved. */
const SOLVING_DEPTH = 60;

/** Reads a position, or a game as its moves without passes. */
function read(text) {
  const plain = (Array.isArray(text) ? text.join('') : String(text)).replace(/\s/g, '');
  if (/^[-XO]{64}[XO]$/i.test(plain)) return { position: plain.toUpperCase(), moves: [] };
  if (!/^([a-h][1-8])*$/i.test(plain)) throw new TypeError(`neither a position nor moves: ${text}`);
  return { position: START, moves: plain.toLowerCase().match(/../g) ?? [] };
}

/** Returns a row for each move of a game between positions with known values. */
function rowsOf(values, positions, moves) {
  const parents = Int32Array.from(positions, (_, ply) => ply - 1);
  const numbers = values.tree(positions.join(''), parents);
  return positions.slice(1).map((_, ply) => {
    const side = sideOf(positions[ply]);
    const [before, after] = [ply, ply + 1].map((at) => readNode(numbers, at, side));
    const { loss, exact } = after.loss;
    const pv = values.moves(positions[ply]).split('\n', 1)[0].split(' ').at(-1).match(/../g) ?? [];
    // Zero is never -0.
    const [value, bestValue] = [after, before].map(({ point }) => forBlack(point.value, side) || 0);
    const row = { ply: ply + 1, side: SIDE_NAMES[side], move: moves[ply], value, loss };
    return { ...row, best: before.point.move, bestValue, exact, pv };
  });
}

/** The functions that `client-node.js` replaces. */
export const host = {
  /** Starts a worker. Bundlers recognize the expression. */
  spawn: (name) => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name }),
  /** Returns the module of the rules, or `undefined` if it is fetched from its place. */
  rules: () => undefined,
};

export class Outflank {
  #worker;
  /** Requests run in sequence. @type {Promise<unknown>} */
  #last = Promise.resolve();
  #unfinished = 0;
  #heard = (_line) => {};
  #fail = (_error) => {};
  #stopped = false;
  #pings = 0;
  /** @type {Error | null} */
  #ended = null;

  constructor(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (data.type === 'fatal') this.close(data.message);
      else this.#heard(typeof data === 'string' ? readLine(data) : data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.close(event.message || 'the worker cannot be loaded');
    };
  }

  static async start({ signal, ...options } = {}) {
    signal?.throwIfAborted();
    for (const [name, value = 0] of Object.entries(options)) {
      if (!Number.isInteger(value) || value < 0)
        throw new TypeError(`${name}: ${value} is not a whole number`);
    }
    const engine = new Outflank(host.spawn(String(new URLSearchParams(options))));
    const abort = () => engine.close('the start was aborted');
    signal?.addEventListener('abort', abort);
    try {
      engine.info = await engine.#until((message) => (message.type === 'ready' ? message : undefined));
    } finally {
      signal?.removeEventListener('abort', abort);
      signal?.throwIfAborted();
    }
    engine.#say('nboard 2');
    return engine;
  }

  hint(position, { depth = 12, moves = 1, onProgress, signal } = {}) {
    return this.#request(signal, async () => {
      const { position: start, moves: played } = read(position);
      await this.#load(setPosition(start), `set depth ${depth}`, ...played.map((move) => `move ${move}`));
      return this.#values(moves, onProgress);
    });
  }

  async solve(position, options) {
    return (await this.hint(position, { ...options, depth: SOLVING_DEPTH, moves: 1 }))[0] ?? null;
  }

  analyse(game, { depth = 12, onProgress, signal } = {}) {
    return this.#request(signal, async () => {
      let { position, moves } = read(game);
      await startRules({ module_or_path: host.rules() });
      const values = new Values();
      const positions = [];
      let rows = [];
      await this.#load(setPosition(position), `set depth ${depth}`);
      for (const move of [null, ...moves]) {
        if (move !== null) {
          // The engine rejects an illegal move.
          await this.#load(`move ${move}`);
          const after = position_play(position, move);
          if (after.passed) await this.#load('move pa');
          position = after.position;
        }
        const [found] = await this.#values(1);
        if (this.#stopped) break;
        if (found) values.add(position, 'root', `${found.value} ${found.pv.join('')} ${found.depth}`);
        positions.push(position);
        rows = rowsOf(values, positions, moves);
        if (rows.length > 0) onProgress?.(rows.at(-1), moves.length);
      }
      return rows;
    });
  }

  stop() {
    if (this.#unfinished === 0) return;
    this.#stopped = true;
    this.#say(`ping ${++this.#pings}`);
  }

  close(reason = 'the engine was closed') {
    this.#ended ??= new Error(reason);
    this.#fail(this.#ended);
    this.#worker.terminate();
  }

  #say(...lines) {
    for (const line of lines) this.#worker.postMessage(line);
  }

  /** Sends lines that have no answer. Fails if the engine refuses one. */
  #load(...lines) {
    const number = ++this.#pings;
    this.#say(...lines, `ping ${number}`);
    return this.#until((line) => (line.type === 'pong' && line.number === number) || undefined);
  }

  /** Passes lines to `handle` until it returns a result. */
  #until(handle) {
    return new Promise((resolve, reject) => {
      if (this.#ended) reject(this.#ended);
      this.#fail = reject;
      this.#heard = (line) => {
        try {
          if (line.type === 'status' && line.text.startsWith('Error: ')) throw new Error(line.text.slice(7));
          const result = handle(line);
          if (result !== undefined) resolve(result);
        } catch (error) {
          this.#heard = () => {};
          this.stop();
          reject(error);
        }
      };
    });
  }

  #request(signal, work) {
    const run = async () => {
      const abort = () => this.stop();
      signal?.addEventListener('abort', abort);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        this.#stopped = false;
        this.#unfinished -= 1;
        signal?.removeEventListener('abort', abort);
        signal?.throwIfAborted();
      }
    };
    this.#unfinished += 1;
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Values the best moves of the loaded position. Returns an empty list if the game is over. */
  async #values(count, onProgress) {
    // The position may have been loaded after the request to stop.
    if (this.#stopped) return [];
    let [rows, complete, started] = [[], [], false];
    this.#say(`hint ${count}`);
    return this.#until((line) => {
      if (line.type === 'value' && started) {
        const { type: _, ...row } = line;
        // A repeated move or another depth starts the next iteration.
        if (rows.some(({ move, depth }) => move === row.move || depth !== row.depth)) rows = [];
        rows = [...rows, { ...row, exact: row.depth === '100%' }];
      } else if (line.type === 'nodes' && rows !== complete && rows.length > 0) {
        complete = rows;
        onProgress?.(complete);
      } else if (line.type === 'status') {
        if (line.text === 'the game is over') return [];
        if (line.text.endsWith(' is waiting')) return started ? complete : undefined;
        started ||= line.text.endsWith(' is analyzing');
      }
    });
  }
}
