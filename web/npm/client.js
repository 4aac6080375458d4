// A client of the worker: positions and games in, values out. It speaks NBoard with the worker.

import startRules, {
  games_read,
  position_look,
  position_play,
  Study,
  search_lines,
  values_read,
} from './engine/rules.js';
import { START } from './js/base/position.js';
import { readNode } from './js/model/node-analysis.js';

const SIDE_NAMES = { X: 'black', O: 'white' };
const NETWORKS = ['small', 'large'];
/** The largest depth, at which every position is solved. */
const SOLVING_DEPTH = 60;
const DEFAULT_DEPTH = 12;
/** The largest depth of a level. */
const LEVEL_DEPTH = 24;
/** Size of the transposition table in MiB, equal to that of the program. */
const DEFAULT_HASH_MIB = 64;
/** Size of the memory that threads share, in MiB, as in `worker.js`. */
const DEFAULT_MEMORY_MIB = 1024;
const MAX_THREADS = 256;
const MAX_MOVES = 64;

/** Error of the engine, with a `code`. */
export class OutflankError extends Error {
  name = 'OutflankError';
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** A request was stopped before it had a result. */
export class StoppedError extends OutflankError {
  name = 'StoppedError';
  constructor(message) {
    super('stopped', message);
  }
}

const WITHOUT_VALUE = 'the request was stopped before a move had a value';

/** Returns a function that checks the kind of a value, and its range. */
const a =
  (kind, is, range = '', holds = (_value) => true) =>
  (name, value) => {
    if (!is(value)) throw new TypeError(`${name}: ${value} is not ${kind}`);
    if (!holds(value)) throw new RangeError(`${name}: ${value} is not ${range}`);
  };

/** Returns a function that checks a whole number from `least` to `most`. */
const whole = (least, most = Number.MAX_SAFE_INTEGER) =>
  a(
    'a whole number',
    Number.isInteger,
    `from ${least} to ${most}`,
    (value) => value >= least && value <= most,
  );

const depth = whole(1, SOLVING_DEPTH);
const time = a(
  'a number of milliseconds',
  (value) => typeof value === 'number',
  'above 0 and at most 1e12',
  (value) => value > 0 && value <= 1e12,
);
const signal = a('an AbortSignal', (value) => value instanceof AbortSignal);
const reasons = a('true or false', (value) => typeof value === 'boolean');
const onProgress = a('a function', (value) => typeof value === 'function');
const REQUEST = { signal, onProgress };
const ENGINE = {
  hash: whole(1),
  threads: whole(0, MAX_THREADS),
  most: whole(0, MAX_THREADS),
  memory: whole(1),
  worker: a('a function', (value) => typeof value === 'function'),
  network: a("'small' or 'large'", (value) => NETWORKS.includes(value)),
  signal,
};
const OPTIONS = {
  start: ENGINE,
  configure: ENGINE,
  hint: { depth, time, nodes: whole(1), only: () => {}, moves: whole(1, MAX_MOVES), ...REQUEST },
  play: {
    depth,
    time,
    nodes: whole(1),
    level: a('a name or a number', (value) => /^\w+$/.test(value)),
    signal,
  },
  solve: REQUEST,
  analyse: { depth, exact: depth, time, nodes: whole(1), reasons, ...REQUEST },
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

/** Returns the lines that limit the next search. An absent limit is removed.
 *  @param {{ time?: number, nodes?: number, only?: string | string[] }} limits */
function limitLines({ time, nodes, only }) {
  const moves = only === undefined ? ['none'] : read(only).moves;
  return [
    `set time ${time === undefined ? 'none' : time / 1000}`,
    `set nodes ${nodes ?? 'none'}`,
    `set only ${moves.join(' ')}`,
  ];
}

/** Returns the result of a function of the rules. @param {any} result */
function checkedResult(result) {
  if (result?.error) throw new OutflankError('refused', result.error.message ?? String(result.error));
  return result;
}

/** Rounds to the decimals of the program. The result is never -0. */
const rounded = (discs) => Math.round(discs * 1e6) / 1e6 || 0;

/** Returns a row for each move after `first` of the main line of a study.
 *  @param {Study} study @param {{ move?: string, position: string }[]} line @param {number} first */
function rowsOf(study, line, first) {
  const numbers = study.numbers();
  return line.slice(first + 1).map(({ move }, at) => {
    const ply = first + at;
    const [before, after] = [ply, ply + 1].map((node) => readNode(numbers, node));
    const { side, loss, exact, best, atLeast, changed, mistake, grade } = after.loss;
    const { rows, best: top } = study.rows(line[ply].position, false);
    const { pv } = [top, ...rows].find((row) => row.move === best) ?? { pv: [best] };
    const [value, bestValue] = [after, before].map(({ point }) => rounded(point.value));
    const row = { ply: ply + 1, side: SIDE_NAMES[side], move, value, loss: rounded(loss) };
    const least = atLeast === null ? null : rounded(atLeast);
    const explanation = mistake && study.explanation(line[ply].position, move);
    return {
      ...row,
      best,
      bestValue,
      exact,
      atLeast: least,
      changed,
      mistake,
      grave: mistake && grade === 'grave',
      pv,
      ...(explanation ? { explanation } : {}),
    };
  });
}

/** Returns the values in lines of the engine. @param {string[]} lines @param {number} empties empty squares of the position */
const rowsIn = (lines, empties) =>
  values_read(lines.join('\n')).map(
    ({ move, value, depth, proof: { kind, depth: plies, confidence = 100 }, pv }) => {
      const isProven = kind === 'exact' || kind === 'outcome';
      return {
        move,
        value,
        proof: kind,
        plies: isProven ? empties : (plies ?? empties),
        confidence,
        depth,
        exact: kind === 'exact',
        pv,
      };
    },
  );

/** The status of the engine if there is no move. */
const OVER = 'the game is over';

/** The first word of a line of the engine, and the rest. @param {string} line */
const split = (line) => line.trim().split(/ (.*)/);

/** The functions that `client-node.js` replaces. */
export const host = {
  /** Returns a worker that the caller has started, with the interface of browsers. */
  adopt: (worker) => worker,
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
  /** Options of the worker. */
  #options;
  /** The end of the last request: requests run in sequence. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** Unfinished requests, the running one first. @type {Request[]} */
  #queue = [];
  #heard = (_line) => {};
  #fail = (_error) => {};
  #pings = 0;
  /** @type {Error | null} */
  #ended = null;

  constructor(worker, options) {
    this.#attach(worker, options);
  }

  #attach(worker, options) {
    [this.#worker, this.#options] = [worker, options];
    worker.onmessage = ({ data }) => {
      if (data.type === 'fatal') this.close(data.message);
      else this.#heard(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.close(event.message || 'the worker cannot be loaded');
    };
  }

  static async start(options) {
    const { signal, ...settings } = checked('start', options);
    const { hash, network = 'small', worker, ...others } = settings;
    checkHash({ hash, ...others });
    signal?.throwIfAborted();
    const given = Object.entries({ ...others, hash: hash ?? DEFAULT_HASH_MIB, network });
    const words = given.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`);
    const name = words.join('&');
    const engine = new Outflank(worker ? host.adopt(worker(name)) : host.spawn(name), settings);
    const abort = () => engine.close('the start was aborted');
    signal?.addEventListener('abort', abort);
    try {
      const [ready] = await Promise.all([
        engine.#until((message) => (message.type === 'ready' ? message : undefined)),
        startRules({ module_or_path: host.rules() }),
      ]);
      engine.info = { ...ready, network, hash: await engine.#prepare(hash) };
      if (ready.missed)
        throw new OutflankError('network', `network: the large network cannot be loaded: ${ready.missed}`);
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

  async configure(options) {
    const { signal, ...changed } = checked('configure', options);
    return this.#request(signal, async () => {
      const old = this.#worker;
      const other = await Outflank.start({ ...this.#options, ...changed, signal });
      if (this.#ended) {
        other.close();
        throw this.#ended;
      }
      old.onmessage = old.onerror = null;
      old.terminate();
      this.#attach(other.#worker, other.#options);
      this.info = other.info;
      this.#worker.ref?.();
    });
  }

  async hint(position, options) {
    const { moves = 1, onProgress, signal, ...limits } = checked('hint', options);
    const isLimited = limits.time !== undefined || limits.nodes !== undefined;
    const { depth = isLimited ? SOLVING_DEPTH : DEFAULT_DEPTH } = limits;
    return this.#hint(position, { ...limits, depth, moves, onProgress, signal });
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

  async play(position, options) {
    const { level, signal, ...limits } = checked('play', options);
    if (level === undefined) {
      const [best] = await this.hint(position, { ...limits, signal });
      return best?.move ?? null;
    }
    if (Object.values(limits).some((limit) => limit !== undefined))
      throw new TypeError('level: depth, time and nodes must be absent, because a level has its own depth');
    const { position: start, moves } = read(position);
    return this.#request(signal, async (request) => {
      const [position, plies, command] = search_lines(start, LEVEL_DEPTH, 'go');
      await this.#load(position, plies, `set level ${level}`, ...moves.map((move) => `move ${move}`));
      const reply = request.isStopped ? '' : await this.#reply(command);
      if (reply === '') throw new StoppedError('the request was stopped before a move was chosen');
      return reply === OVER ? null : reply.slice(0, 2).toLowerCase();
    });
  }

  async analyse(game, options) {
    const { depth = DEFAULT_DEPTH, exact = 0, onProgress, signal, ...limits } = checked('analyse', options);
    const { position: start, moves } = read(game);
    if (start !== START)
      throw new TypeError('game: a position without moves has no losses: hint returns its value');
    return this.#request(signal, (request) =>
      this.#analyse(request, moves, { ...limits, depth, exact, onProgress }),
    );
  }

  /** Returns the position at the end of a game: 64 squares and the side to move. */
  position(game) {
    const { position, moves } = read(game);
    return moves.reduce((here, move) => checkedResult(position_play(here, move)).position, position);
  }

  legalMoves(game) {
    const { legal, pass } = checkedResult(position_look(this.position(game)));
    return pass
      ? ['pa']
      : legal.map((square) => 'abcdefgh'[square % 8] + (1 + Math.floor(square / 8))).sort();
  }

  result(game) {
    const { over, margin } = checkedResult(position_look(this.position(game)));
    return over ? margin : null;
  }

  read(text) {
    // The module fails for good on other values.
    if (typeof text !== 'string') throw new TypeError(`text: ${String(text)} is not a text`);
    return checkedResult(games_read(text)).games;
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    this.close();
  }

  stop() {
    const request = this.#queue.find(({ isAborted }) => !isAborted);
    if (request) this.#stop(request);
  }

  close(reason = 'the engine was closed') {
    this.#ended ??= new OutflankError('closed', reason);
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
    await this.#until((line) => {
      const [word, text] = split(line);
      if (word !== 'status') return undefined;
      granted = Number(/; using (\d+) MiB$/.exec(text)?.[1] ?? granted);
      return text.endsWith(' is waiting') || undefined;
    });
    if (hash !== undefined && granted < hash)
      throw new RangeError(`hash: ${hash} MiB do not fit into memory: ${granted} are available`);
    return granted;
  }

  #hint(game, { depth, moves, onProgress, signal, ...limits }) {
    const { position: start, moves: played } = read(game);
    const empties = start.slice(0, 64).split('-').length - 1 - played.length;
    const lines = limitLines(limits);
    return this.#request(signal, async (request) => {
      const [position, plies, command] = search_lines(start, depth, `hint ${moves}`);
      await this.#load(position, plies, ...lines, ...played.map((move) => `move ${move}`));
      const found = await this.#values(request, command, (lines) => onProgress?.(rowsIn(lines, empties)));
      if (!found) throw new StoppedError(WITHOUT_VALUE);
      return rowsIn(found, empties);
    });
  }

  /** @param {Request} request @param {string[]} moves */
  async #analyse(request, moves, { depth, exact, reasons, onProgress, ...limits }) {
    // An empty table: the values do not depend on earlier requests. The engine rejects an illegal move.
    const [start] = search_lines(START, depth, '');
    await this.#load('clear', start, ...limitLines(limits), ...moves.map((move) => `move ${move}`));
    const study = Study.of({ start: START, moves: moves.join('') });
    try {
      study.network(this.info.network === 'large');
      const line = study.nodes();
      study.begin(line.at(-1).node, depth, exact, reasons);
      let rows = [];
      for (let task = study.next_task(); task; task = study.next_task()) {
        const [position, plies, command] = task.lines;
        await this.#load(position, plies);
        const found = await this.#values(request, command);
        if (request.isStopped && rows.length === 0) throw new StoppedError(WITHOUT_VALUE);
        if (request.isStopped) break;
        study.take(task.id, found.join('\n'));
        // After all positions, the mistakes are explained.
        const isComplete = rows.length === moves.length;
        const ply = isComplete ? 0 : line.findIndex((node) => node.position === task.position);
        if (ply === moves.length) continue;
        rows = rowsOf(study, line, ply);
        if (!isComplete) onProgress?.(rows[0], moves.length);
      }
      return rows;
    } finally {
      study.free();
    }
  }

  /** Sends lines that have no answer. Fails if the engine refuses one. */
  #load(...lines) {
    const number = ++this.#pings;
    this.#say(...lines, `ping ${number}`);
    return this.#until((line) => line === `pong ${number}` || undefined);
  }

  /** Returns the move that answers a command, `OVER` if the game is over, no text if the search was stopped. */
  #reply(command) {
    let [move, isRunning] = ['', false];
    this.#say(command);
    return this.#until((line) => {
      const [word, text] = split(line);
      if (word === '===') move = text;
      if (word !== 'status') return undefined;
      if (text === OVER) return OVER;
      if (text.endsWith(' is waiting') && (isRunning || move)) return move;
      isRunning ||= text.endsWith(' is thinking');
      return undefined;
    });
  }

  /** Passes lines to `handle` until it returns a result. */
  #until(handle) {
    return new Promise((resolve, reject) => {
      if (this.#ended) reject(this.#ended);
      this.#fail = reject;
      this.#heard = (line) => {
        try {
          const problem = typeof line === 'string' && /^status Error: (.*)/.exec(line);
          if (problem) throw new OutflankError('refused', problem[1]);
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

  /** Searches the loaded position. Returns the lines of the last complete iteration: none if the game is over, `null` if the request was
   *  stopped before there was a value.
   *  @param {Request} request @param {string} command @param {(lines: string[]) => void} [onProgress] */
  async #values(request, command, onProgress) {
    // The position may have been loaded after the request to stop.
    if (request.isStopped) return null;
    let [lines, complete, started] = [[], null, false];
    this.#say(command);
    return this.#until((line) => {
      const [word, text] = split(line);
      if (word === 'search' && started) lines.push(line);
      else if (word === 'nodestats' && lines.length > 0) {
        [complete, lines] = [lines, []];
        onProgress?.(complete);
      } else if (word === 'status') {
        if (text === OVER) return [];
        if (text.endsWith(' is waiting') && started) return complete;
        started ||= text.endsWith(' is analyzing');
      }
      return undefined;
    });
  }
}
