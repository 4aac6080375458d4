// A client of the worker: positions and games in, values out. It speaks NBoard with the worker.

import { readLine, setPosition } from './nboard.js';

const START = '---------------------------OX------XO---------------------------X';
const OTHER = { black: 'white', white: 'black' };
/** Depth at which every position is solved. */
const SOLVING_DEPTH = 60;

/** Reads a position, or a game as its moves without passes. */
function read(text) {
  const plain = (Array.isArray(text) ? text.join('') : String(text)).replace(/\s/g, '');
  if (/^[-XO]{64}[XO]$/i.test(plain)) return { position: plain.toUpperCase(), moves: [] };
  if (!/^([a-h][1-8])*$/i.test(plain)) throw new TypeError(`neither a position nor moves: ${text}`);
  return { position: START, moves: plain.toLowerCase().match(/../g) ?? [] };
}

/** Sets the loss of a move, 0 for the best one. */
function settle(row) {
  row.bestValue = row.move === row.best ? row.value : Math.max(row.value, row.bestValue);
  row.loss = Math.round(100 * (row.bestValue - row.value)) / 100;
}

/** Starts a worker. Bundlers recognize the expression. `client-node.js` replaces the function. */
export const host = {
  spawn: (name) => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name }),
};

export class Outflank {
  #worker;
  /** Requests run in sequence. @type {Promise<unknown>} */
  #last = Promise.resolve();
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
      const { position, moves } = read(game);
      const rows = [];
      let side = position[64] === 'X' ? 'black' : 'white';
      await this.#load(setPosition(position), `set depth ${depth}`);
      for (const move of [...moves, null]) {
        const [found] = await this.#values(1);
        if (this.#stopped) break;
        const best = found ?? (await this.#final(side));
        // `best` has a value for the opponent of the last mover, who may have to pass.
        const last = rows.at(-1);
        if (last) {
          last.value = -best.value;
          last.exact &&= best.exact;
          settle(last);
          onProgress?.(last, moves.length);
        }
        if (move === null) break;
        const { pv, exact } = best;
        const passes = best.move === 'pa';
        if (passes) side = OTHER[side];
        const values = { value: null, best: pv[0] ?? null, bestValue: passes ? -best.value : best.value };
        rows.push({ ply: rows.length + 1, side, move, ...values, loss: null, exact, pv });
        await this.#load(`move ${move}`);
        side = OTHER[side];
      }
      // The value of a position is that of its best move.
      for (let at = rows.length - 2; at >= 0; at -= 1) {
        const next = rows[at + 1];
        rows[at].value = next.side === rows[at].side ? next.bestValue : -next.bestValue;
        settle(rows[at]);
      }
      return rows;
    });
  }

  stop() {
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
        if (line.type === 'status' && line.text.startsWith('Error: ')) reject(new Error(line.text.slice(7)));
        const result = handle(line);
        if (result !== undefined) resolve(result);
      };
    });
  }

  #request(signal, work) {
    const run = async () => {
      signal?.throwIfAborted();
      this.#stopped = false;
      const abort = () => this.stop();
      signal?.addEventListener('abort', abort);
      try {
        return await work();
      } finally {
        signal?.removeEventListener('abort', abort);
        signal?.throwIfAborted();
      }
    };
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

  /** Returns the score of the loaded position, which is final, for `side`. */
  async #final(side) {
    this.#say('analyze', `ping ${++this.#pings}`);
    const black = await this.#until((line) => (line.type === 'analysis' ? line.value : undefined));
    return { move: null, pv: [], value: side === 'black' ? black : -black, exact: true };
  }
}
