// An engine for tests that are not about the engine, the default of `site.opened(path)`. It answers the lines of the page as the real
// one does, in the page itself, without a worker, a module or weights. Its values are those of a search of one ply, at
// most `MAX_EMPTIES` empty squares are solved, and equal questions have equal answers. A hint reports depth 2 and then the requested
// depth. A search of more than `MAX_DEPTH` plies never ends, unless few squares are empty: it is busy until the next command.
// The module runs in the page, after `board.js`.

import { Board, exactValues, nameOf, SQUARES } from './board.js';

const NAME = 'Outflank';
const MAX_EMPTIES = 7;
const MAX_DEPTH = 30;
/** With at most this many empty squares, a search of any depth ends. */
const ENDING_EMPTIES = 16;
const PLIES = 4;
/** Values of a quarter of the squares. */
const WEIGHTS = ['24 -4 3 2', '-4 -8 -1 -1', '3 -1 1 0', '2 -1 0 0'].map((row) => row.split(' ').map(Number));
const mirrored = (at) => Math.min(at, 7 - at);
const weightOf = (square) => WEIGHTS[mirrored(Math.floor(square / 10) - 1)][mirrored((square % 10) - 1)];

/** Value without a search, in discs for a side. It is equal in symmetric positions. */
function staticValue(board, side) {
  let value = 2 * (board.legal(side).length - board.legal(-side).length);
  for (const square of SQUARES) value += side * board.squares[square] * weightOf(square);
  return Math.max(-60, Math.min(60, value / 4));
}

/** Returns the legal moves with their values, the best first. */
function valuesOf(board, side) {
  const legal = board.legal(side);
  if (legal.length === 0 && board.legal(-side).length === 0) return [];
  const values = board.empty.length <= MAX_EMPTIES ? exactValues(board, side) : new Map();
  if (values.size === 0)
    for (const square of legal.length > 0 ? legal : [null]) {
      const flipped = square && board.place(square, side);
      values.set(square ? nameOf(square) : 'pa', -staticValue(board, -side));
      if (square) board.undo(square, side, flipped);
    }
  return [...values].map(([move, value]) => ({ move, value })).sort((a, b) => b.value - a.value);
}

const squareOf = (move) => SQUARES.find((square) => nameOf(square) === move);

/** A line from a first move, each later move the best one by itself. */
function lineOf(board, side, first) {
  const copy = new Board(board.write());
  let line = '';
  for (let move = first; move && line.length < 2 * PLIES; side = -side) {
    if (move !== 'pa') copy.place(squareOf(move), side);
    line += move.toUpperCase();
    move = copy.empty.length > MAX_EMPTIES ? valuesOf(copy, -side)[0]?.move : undefined;
  }
  return line;
}

/** A session of the NBoard protocol. `say` sends a line, or an object of `worker.js`. */
export class RecordedSession {
  depth = 12;
  board = new Board();
  side = 1;
  searching = false;
  rest = null;

  constructor(say) {
    this.say = say;
    const info = { name: NAME, version: '0.0.0', weights: '0'.repeat(16), threads: 0 };
    this.rest = () => say({ type: 'ready', ...info });
  }

  step() {
    const { rest } = this;
    this.rest = null;
    rest?.();
  }

  line(text) {
    const [, verb, rest] = /^\s*(\S*)\s*(.*)$/s.exec(text);
    if (verb === 'set') this.#set(rest);
    else if (verb === 'hint') this.#search('is analyzing', Number(rest || 1));
    else if (verb === 'go') this.#search('is thinking', 1, true);
    else if (verb === 'ping') {
      this.say(`pong ${rest}`);
      this.#end();
    }
  }

  /** Drops a search without a word. */
  #abandon() {
    this.searching = false;
    this.rest = null;
  }

  #end() {
    if (this.searching) this.say(`status ${NAME} is waiting`);
    this.#abandon();
  }

  #set(text) {
    const [, name, value] = /^(\S*)\s*(.*)$/s.exec(text);
    if (name === 'depth') this.depth = Math.min(60, Number(value));
    if (name !== 'game') return;
    const [, squares, side] = /BO\[8 ([-*O]{64}) ([*O])\]/.exec(value);
    this.#abandon();
    this.board = new Board(squares.replaceAll('*', 'X'));
    this.side = side === 'O' ? -1 : 1;
  }

  /** @param {string} status @param {number} count of moves to report */
  #search(status, count, isMove = false) {
    this.#abandon();
    const { board, depth, side } = this;
    const values = valuesOf(board, side);
    const [best] = values;
    if (!best) return void this.say('status the game is over');
    const empties = board.empty.length;
    const report = (plies) => {
      for (const { move, value } of values.slice(0, count)) {
        const at = empties <= MAX_EMPTIES ? '100%' : plies;
        this.say(`search ${lineOf(board, side, move)} ${value.toFixed(2)} 0 ${at}`);
      }
      this.say(`nodestats ${1000 * plies} ${(plies / 100).toFixed(3)}`);
    };
    this.searching = true;
    this.say(`status ${NAME} ${status}`);
    report(Math.min(2, depth));
    this.rest = () => {
      if (depth > MAX_DEPTH && empties > ENDING_EMPTIES) return;
      report(Math.min(depth, empties));
      if (isMove) this.say(`=== ${best.move.toUpperCase()}/${best.value.toFixed(2)}/0.01`);
      this.#end();
    };
  }
}

/** A worker whose messages are tasks of the page, in order. */
class RecordedWorker {
  #isOpen = true;
  #channel = new MessageChannel();

  constructor() {
    const { port1, port2 } = this.#channel;
    const session = new RecordedSession((data) => this.#isOpen && this.onmessage({ data }));
    port1.onmessage = ({ data }) => {
      if (!this.#isOpen) return;
      if (data === null) session.step();
      else session.line(data);
      if (session.rest) port2.postMessage(null);
    };
    port2.postMessage(null);
  }

  postMessage(line) {
    this.#channel.port2.postMessage(String(line));
  }

  terminate() {
    this.#isOpen = false;
    this.#channel.port1.close();
  }
}

export function replaceEngine() {
  const { Worker } = globalThis;
  globalThis.Worker = function EngineOrWorker(address, options) {
    const isEngine = new URL(address, location.href).pathname.endsWith('/worker.js');
    return isEngine ? new RecordedWorker() : new Worker(address, options);
  };
}
