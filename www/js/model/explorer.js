// What was played from a position, in the games of the device and in the files of games that were dropped. A worker
// holds them (`database.js`); it starts with the first question.
//
//   const explorer = await app.explorer();
//   await explorer.moves(position)  →  [{ move, twins, games, scored, share, score }], the most frequent first
//
// `position` is one of 65 characters (`base/position.js`), and the moves are squares as they lie in it, whatever
// symmetric image of it the games reached. `games` is how often the move was played; `scored` of these have a result,
// of which `share` is what the mover won, 0 to 1, a draw counting half, and `score` the mean in discs for the mover;
// both are null where no result is known. Moves that are the same by a symmetry of the position itself are one row,
// and the others are its `twins`: the start has the one row `f5`, with the twins `e6`, `d3` and `c4`. A move that no
// game knows has no row. With nothing dropped and no games on the device the list is empty.

import { CrashCounter } from '../base/crash-counter.js';
import { Signal } from '../base/signal.js';
import { RulesError } from './rules.js';

/** The table of the store that holds the games of the device. */
const OWN = 'games';
/** Crashes within a minute after which no worker is started. */
const MAX_CRASHES = 3;

const spawn = () => new Worker(new URL('../../database.js', import.meta.url), { type: 'module' });

export class Explorer {
  /** Games came or went, or are being loaded. @type {Signal<[]>} */
  changed = new Signal();
  /** @type {LibraryState} */
  state = { files: [], loading: null, bytes: 0, opened: false };
  /** @type {Worker | null} */
  #worker = null;
  #crashes = new CrashCounter();
  #number = 0;
  /** Questions without an answer yet. @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();

  /** @param {Store} store @param {() => Worker} start */
  constructor(store, start = spawn) {
    this.store = store;
    this.start = start;
    store.written.listen((table) => {
      if (table === OWN && this.#worker) this.#tellOwn();
    });
  }

  /** What was played from a position: see above. @param {string} position @returns {Promise<MovePlayed[]>} */
  async moves(position) {
    await this.#ask('ready');
    return (await this.lookUp(position)).moves;
  }

  /** All that is known of a position, of the games that are wanted; of those loaded so far while some still are.
   *  @param {string} position @param {GamesWanted} wanted @returns {Promise<GamesFound>} */
  lookUp(position, wanted = {}) {
    return this.#ask('lookUp', position, wanted);
  }

  /** A game of `lookUp`'s list, turned so that it passes through the position as that lies on the board, where it can be.
   *  @param {GameListed} row @param {string} position @returns {Promise<Game>} */
  game(row, position) {
    return this.#ask('game', row, position);
  }

  /** Takes files of games and of names in, and keeps them. @param {File[]} files @returns {Promise<FileTaken[]>} */
  add(files) {
    return this.#ask('add', files);
  }

  /** Forgets a file; true where that can be taken back. @param {string} key @returns {Promise<boolean>} */
  remove(key) {
    return this.#ask('remove', key);
  }

  /** Takes back the last removal. */
  restore() {
    return this.#ask('restore');
  }

  /** Starts anew after too many crashes. */
  revive() {
    this.#crashes.reset();
    this.changed.send();
  }

  /** Whether no worker is started for a while. */
  get crashed() {
    return this.#crashes.count(Date.now()) >= MAX_CRASHES;
  }

  /** @param {string} ask @param {any[]} details @returns {Promise<any>} */
  #ask(ask, ...details) {
    return new Promise((resolve, reject) => {
      if (this.crashed) return reject(new RulesError({ code: 'database-dead' }));
      const worker = this.#worker ?? this.#begin();
      const number = ++this.#number;
      this.#open.set(number, { resolve, reject });
      return worker.postMessage({ number, ask, details });
    });
  }

  #begin() {
    const worker = this.start();
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (worker !== this.#worker) return;
      if (data.fatal !== undefined) this.#die(data.fatal);
      else if (data.state) {
        this.state = data.state;
        this.changed.send();
      } else this.#answer(data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (worker === this.#worker) this.#die(event.message || 'the worker did not start');
    };
    this.#tellOwn();
    return worker;
  }

  #answer({ number, answer, error }) {
    const open = this.#open.get(number);
    this.#open.delete(number);
    if (error === undefined) open?.resolve(answer);
    else open?.reject(new RulesError({ code: 'other', ...error }));
  }

  /** @param {string} message */
  #die(message) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#crashes.add(Date.now());
    this.state = { ...this.state, loading: null };
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(new RulesError({ code: 'database-died', message }));
    this.changed.send();
  }

  /** The worker reads the games of the device itself, unless the browser does not keep them all there. */
  async #tellOwn() {
    const worker = this.#worker;
    const games = await this.store.apart(OWN);
    worker?.postMessage({ number: 0, ask: 'own', details: [games] });
  }
}
