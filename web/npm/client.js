// A client of the worker: positions and games in, values out. It speaks NBoard with the worker.

import startRules, { position_play, Values } from './engine/rules.js';
import { emptyCount, START, sideOf } from './js/base/position.js';
import { evenDepth, readLine, setPosition } from './js/engine/nboard.js';
import { readNode } from './js/model/node-analysis.js';

const SIDE_NAMES = { X: 'black', O: 'white' };
const NETWORKS = ['small', 'large'];
/** The largest depth, at which every position is solved. */
const SOLVING_DEPTH = 60;
/** Size of the transposition table in MiB, equal to that of the program. */
const DEFAULT_HASH_MIB = 64;
/** Size of the memory that threads share, in MiB, as in `worker.js`. */
const DEFAULT_MEMORY_MIB = 1024;
const MAX_THREADS = 256;

/** A request was stopped before it had a result. */
export class StoppedError extends Error {
  name = 'StoppedError';
}

const WITHOUT_VALUE = 'the request was stopped before a move had a value';

/** Returns a function that checks a whole number from `least` to `most`. */
const whole =
  (least, most = Number.MAX_SAFE_INTEGER) =>
  (name, value) => {
    if (!Number.isInteger(value)) throw new TypeError(`${name}: ${value} is not a whole number`);
    if (value < least || value > most) {
      const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
      throw new RangeError(`${name}: ${value} is not ${range}`);
    }
  };

/** Returns a function that checks a value that may be absent. */
const a = (kind, is) => (name, value) => {
  if (!is(value)) throw new TypeError(`${name}: ${value} is not ${kind}`);
};

const depth = whole(1, SOLVING_DEPTH);
const signal = a('an AbortSignal', (value) => value instanceof AbortSignal);
const onProgress = a('a function', (value) => typeof value === 'function');
const REQUEST = { signal, onProgress };
const OPTIONS = {
  start: {
    hash: whole(1),
    threads: whole(0, MAX_THREADS),
    most: whole(0, MAX_THREADS),
    memory: whole(1),
    network: a("'small' or 'large'", (value) => NETWORKS.includes(value)),
    signal,
  },
  hint: { depth, moves: whole(1), ...REQUEST },
  solve: REQUEST,
  analyse: { depth, exact: depth, ...REQUEST },
};

/** Checks the options of a method. An option with the value `undefined` is absent. */
function checked(method, options = {}) {
  const known = OPTIONS[method];
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`options: ${options} is not an object`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name))
      throw new TypeError(`${name}: not an option of ${method} (${Object.keys(known).join(', ')})`);
    if (value !== undefined) known[name](name, value);
  }
  return options;
}

/** Reads a position, or a game as its moves without passes. */
function read(text) {
  const plain = (Array.isArray(text) ? text.join('') : String(text)).replace(/\s/g, '');
  if (/^[-XO]{64}[XO]$/i.test(plain)) return { position: plain.toUpperCase(), moves: [] };
  if (!/^([a-h][1-8])*$/i.test(plain)) throw new TypeError(`neither a position nor moves: ${text}`);
  return { position: START, moves: plain.toLowerCase().match(/../g) ?? [] };
}

/** Rounds to the decimals of the program. The result is never -0. */
const rounded = (discs) => Math.round(discs * 1e6) / 1e6 || 0;

/** Returns the numbers of the positions of a line. Joins them. */
function numbersOf(values, line) {
  return values.tree(
    line.join(''),
    Int32Array.from(line, (_, at) => at - 1),
  );
}

/** Returns a row for each move after `first` between positions with known values. */
function rowsOf(values, positions, moves, first = 0) {
  const line = positions.slice(first);
  const numbers = numbersOf(values, line);
  return line.slice(1).map((_, at) => {
    const ply = first + at;
    const side = sideOf(positions[ply]);
    const [before, after] = [at, at + 1].map((node) => readNode(numbers, node, side));
    const { loss, exact, best, atLeast, changed, mistake } = after.loss;
    const lines = values.moves(positions[ply]).split('\n');
    const pv = lines.map((row) => row.split(' ').at(-1)).find((pv) => pv.startsWith(best)) ?? best;
    const [value, bestValue] = [after, before].map(({ point }) => rounded(point.value));
    const row = { ply: ply + 1, side: SIDE_NAMES[side], move: moves[ply], value, loss: rounded(loss) };
    const least = atLeast === null ? null : rounded(atLeast);
    return { ...row, best, bestValue, exact, atLeast: least, changed, mistake, pv: pv.match(/../g) };
  });
}

/** The functions that `client-node.js` replaces. */
export const host = {
  /** Starts a worker. Bundlers recognize the expression. */
  spawn: (name) => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name }),
  /** Returns the module of the rules, or `undefined` if it is fetched from its place. */
  rules: () => undefined,
  /** Memory of the machine in MiB, if it is known. */
  memory: Number.POSITIVE_INFINITY,
};

/** Most memory of one table without threads, in MiB: the largest block of a module. */
const MAX_BLOCK_MIB = 2047;

/** Refuses a table that no memory can hold. */
function checkHash({ hash = 0, threads = 0, memory = DEFAULT_MEMORY_MIB }) {
  const most = Math.min(MAX_BLOCK_MIB, host.memory, threads > 0 ? memory - 1 : MAX_BLOCK_MIB);
  if (hash > most)
    throw new RangeError(`hash: ${hash} MiB do not fit into memory: at most ${most} are possible`);
}

/** A request that is not finished. */
class Request {
  isRunning = false;
  isStopped = false;
  isAborted = false;
}

export class Outflank {
  #worker;
  /** The end of the last request: requests run in sequence. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** Unfinished requests, the running one first. @type {Request[]} */
  #queue = [];
  #heard = (_line) => {};
  #fail = (_error) => {};
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

  static async start(options) {
    const { signal, hash, network = 'small', ...others } = checked('start', options);
    checkHash({ hash, ...others });
    signal?.throwIfAborted();
    const given = Object.entries({ ...others, hash: hash ?? DEFAULT_HASH_MIB, network });
    const words = given.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`);
    const engine = new Outflank(host.spawn(words.join('&')));
    const abort = () => engine.close('the start was aborted');
    signal?.addEventListener('abort', abort);
    try {
      const ready = await engine.#until((message) => (message.type === 'ready' ? message : undefined));
      engine.info = { ...ready, network, hash: await engine.#prepare(hash) };
      if (ready.missed) throw new Error(`network: the large network cannot be loaded: ${ready.missed}`);
      engine.#worker.unref?.();
    } catch (error) {
      engine.close();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
    return engine;
  }

  async hint(position, options) {
    const { depth = 12, moves = 1, onProgress, signal } = checked('hint', options);
    return this.#hint(position, { depth, moves, onProgress, signal });
  }

  async solve(position, options) {
    const [best = null] = await this.#hint(position, {
      ...checked('solve', options),
      depth: SOLVING_DEPTH,
      moves: 1,
    });
    if (best && !best.exact) throw new StoppedError('the request was stopped before the score was proven');
    return best;
  }

  async analyse(game, options) {
    const { depth = 12, exact = 0, onProgress, signal } = checked('analyse', options);
    const { position: start, moves } = read(game);
    if (start !== START)
      throw new TypeError('game: a position without moves has no losses: hint returns its value');
    return this.#request(signal, async (request) => {
      await startRules({ module_or_path: host.rules() });
      const values = new Values();
      try {
        values.network(this.info.network === 'large');
        return await this.#analyse(request, values, moves, { depth, exact, onProgress });
      } finally {
        values.free();
      }
    });
  }

  stop() {
    const request = this.#queue.find(({ isAborted }) => !isAborted);
    if (request) this.#stop(request);
  }

  close(reason = 'the engine was closed') {
    this.#ended ??= new Error(reason);
    this.#fail(this.#ended);
    this.#worker.terminate();
  }

  #stop(request) {
    request.isStopped = true;
    if (request.isRunning) this.#say(`ping ${++this.#pings}`);
  }

  #say(...lines) {
    for (const line of lines) this.#worker.postMessage(line);
  }

  /** Selects the protocol and gives the table its full size. Returns that size in MiB. @param {number} [hash] as requested */
  async #prepare(hash) {
    let granted = hash ?? DEFAULT_HASH_MIB;
    this.#say('nboard 2', 'clear', 'set depth 1', 'hint 1');
    await this.#until(({ type, text }) => {
      if (type !== 'status') return undefined;
      granted = Number(/; using (\d+) MiB$/.exec(text)?.[1] ?? granted);
      return text.endsWith(' is waiting') || undefined;
    });
    if (hash !== undefined && granted < hash)
      throw new RangeError(`hash: ${hash} MiB do not fit into memory: ${granted} are available`);
    return granted;
  }

  #hint(position, { depth, moves, onProgress, signal }) {
    return this.#request(signal, async (request) => {
      const { position: start, moves: played } = read(position);
      await this.#load(setPosition(start), `set depth ${depth}`, ...played.map((move) => `move ${move}`));
      const found = await this.#values(request, moves, onProgress);
      if (!found) throw new StoppedError(WITHOUT_VALUE);
      return found;
    });
  }

  /** @param {Request} request @param {Values} values @param {string[]} moves */
  async #analyse(request, values, moves, { depth, exact, onProgress }) {
    // An empty table: the values do not depend on earlier requests. The engine rejects an illegal move.
    await this.#load('clear', setPosition(START), ...moves.map((move) => `move ${move}`));
    const positions = [START];
    for (const move of moves) positions.push(position_play(positions.at(-1), move).position);
    // Of equal moves, the first one that is joined is named: the played one.
    numbersOf(values, positions);
    let rows = [];
    // The last position first, as in `outflank analyze`.
    for (let ply = moves.length; ply >= 0; ply--) {
      const position = positions[ply];
      const plies = emptyCount(position) <= exact ? SOLVING_DEPTH : evenDepth(position, depth);
      await this.#load(setPosition(position), `set depth ${plies}`);
      const found = await this.#values(request, 1);
      if (request.isStopped && rows.length === 0) throw new StoppedError(WITHOUT_VALUE);
      if (request.isStopped) break;
      const [best] = found;
      if (best) values.add(position, 'root', `${best.value} ${best.pv.join('')} ${best.depth}`);
      if (ply === moves.length) continue;
      rows = rowsOf(values, positions, moves, ply);
      onProgress?.(rows[0], moves.length);
    }
    return rows;
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
          this.#say(`ping ${++this.#pings}`);
          reject(error);
        }
      };
    });
  }

  /** Runs `work` after all earlier requests. An aborted request is rejected at once, and is skipped if it has not started.
   *  @param {AbortSignal | undefined} signal @param {(request: Request) => Promise<any>} work */
  async #request(signal, work) {
    signal?.throwIfAborted();
    const request = new Request();
    this.#queue.push(request);
    // A worker without a request does not keep a process of Node running.
    this.#worker.ref?.();
    const run = async () => {
      try {
        if (this.#ended) throw this.#ended;
        request.isRunning = true;
        return request.isAborted ? undefined : await work(request);
      } finally {
        this.#queue.shift();
        if (this.#queue.length === 0) this.#worker.unref?.();
      }
    };
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    if (!signal) return result;
    let abort;
    const aborted = new Promise((_, reject) => {
      abort = () => {
        request.isAborted = true;
        this.#stop(request);
        reject(signal.reason);
      };
    });
    signal.addEventListener('abort', abort);
    try {
      return await Promise.race([result, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Values the best moves of the loaded position. Returns an empty list if the game is over, `null` if the request was stopped
   *  before there was a value. @param {Request} request @param {number} count */
  async #values(request, count, onProgress) {
    // The position may have been loaded after the request to stop.
    if (request.isStopped) return null;
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
        if (line.text.endsWith(' is waiting') && started) return complete.length > 0 ? complete : null;
        started ||= line.text.endsWith(' is analyzing');
      }
    });
  }
}
