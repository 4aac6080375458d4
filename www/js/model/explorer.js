// The moves played from a position, in saved games and in loaded files. A worker (`database.js`) holds the games; it starts with
// the first request.
//
//   await explorer.moves(position)  →  [{ move, twins, games, scored, share, score }], the most frequent first
//
// The moves are those of `position`, even if the games reached a symmetric form of it. `scored` of the `games` have a result.
// `share` is the mover's share of the points, 0 to 1, and `score` the mean result in discs for the mover; both are `null` without
// results. Moves that are equal by a symmetry of the position share a row: the start has one row, `f5` with the twins `e6`, `d3` and
// `c4`. A move without games has no row.

import { CodedError } from '../base/coded-error.js';
import { Signal } from '../base/signal.js';
import { CrashCounter } from '../engine/lifecycle.js';

/** The table of the saved games. */
const OWN = 'games';
/** Crashes within a minute after which no worker is started. */
const MAX_CRASHES = 3;

const spawn = () => new Worker(new URL('../../database.js', import.meta.url), { type: 'module' });

export class Explorer {
  /** Games were added or removed, or are being loaded. @type {Signal<[]>} */
  changed = new Signal();
  /** Values the game on the board by all books, and other positions. @type {(others?: string[]) => Promise<unknown>} */
  valueGame = async () => {};
  /** @type {LibraryState} */
  state = { files: [], loading: null, booked: 0, bytes: 0, opened: false };
  /** @type {Worker | null} */
  #worker = null;
  #crashes = new CrashCounter();
  #usesBook = false;
  #number = 0;
  /** Requests without an answer. @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();

  /** @param {Store} store @param {() => Worker} start */
  constructor(store, start = spawn) {
    this.store = store;
    this.start = start;
    store.written.listen((table) => {
      if (table === OWN && this.#worker) this.#sendOwn();
    });
  }

  /** The moves played from a position: see above. @param {string} position @returns {Promise<MovePlayed[]>} */
  async moves(position) {
    await this.ready();
    return (await this.lookUp(position)).moves;
  }

  // Requests of `js/database/game-database.js`, which describes them.

  ready = () => this.#ask('ready');
  /** @param {string} position @param {GamesWanted} wanted @returns {Promise<GamesFound>} */
  lookUp = (position, wanted = {}) => this.#ask('lookUp', position, wanted);
  /** @param {string} position @param {string} part @param {GamesWanted} wanted @returns {Promise<GamesFound<GameSimilar>>} */
  async similar(position, part, wanted) {
    await this.ready();
    return this.#ask('similar', position, part, wanted);
  }
  /** @param {GameListed} row @param {string} position @returns {Promise<Game>} */
  game = (row, position) => this.#ask('game', row, position);
  /** @param {File[]} files @returns {Promise<FileTaken[]>} */
  add = (files) => this.#ask('add', files);
  /** @param {string} key @returns {Promise<boolean>} */
  remove = (key) => this.#ask('remove', key);
  restore = () => this.#ask('restore');
  /** @param {string[]} positions @returns {Promise<PositionBooked[]>} */
  bookValues = (positions) => this.#ask('bookValues', positions);
  /** @param {string} moves @returns {Promise<{ ply: number, black: string, white: string } | null>} */
  toKnow = (moves) => this.#ask('toKnow', moves);
  /** @param {string} key @returns {Promise<string | undefined>} */
  bookText = (key) => this.#ask('bookText', key);

  /** Opens or closes the book of the page. @param {boolean} isOn */
  useBook(isOn) {
    this.#usesBook = isOn;
    if (this.#worker) this.#sendBook();
    else if (isOn) this.#begin();
  }

  /** A book of the user is loaded. */
  get hasBook() {
    return this.state.files.some(({ positions = 0 }) => positions > 0);
  }

  /** Starts again after too many crashes. */
  revive() {
    this.#crashes.reset();
    this.changed.send();
  }

  /** The worker crashed too often and is not started. */
  get crashed() {
    return this.#crashes.count(Date.now()) >= MAX_CRASHES;
  }

  /** @param {string} ask @param {any[]} details @returns {Promise<any>} */
  #ask(ask, ...details) {
    return new Promise((resolve, reject) => {
      if (this.crashed) return reject(new CodedError({ code: 'database-dead' }));
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
      if (data.fatal !== undefined) this.#crash(data.fatal);
      else if (data.state) {
        this.state = data.state;
        this.changed.send();
      } else {
        const { number, answer, error } = data;
        const open = this.#open.get(number);
        this.#open.delete(number);
        if (error === undefined) open?.resolve(answer);
        else open?.reject(new CodedError({ code: 'other', ...error }));
      }
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (worker === this.#worker) this.#crash(event.message || 'the worker did not start');
    };
    this.#sendOwn();
    if (this.#usesBook) this.#sendBook();
    return worker;
  }

  #crash(message) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#crashes.add(Date.now());
    this.state = { ...this.state, loading: null };
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { reject } of open) reject(new CodedError({ code: 'database-died', message }));
    this.changed.send();
  }

  /** Without the book, the page works as before. */
  #sendBook = () => this.#worker?.postMessage({ number: 0, ask: 'useBook', details: [this.#usesBook] });

  /** The worker reads the saved games itself. It receives those that are not stored on this device. */
  async #sendOwn() {
    const worker = this.#worker;
    const games = await this.store.apart(OWN);
    worker?.postMessage({ number: 0, ask: 'own', details: [games] });
  }
}

/** The key that tells whether a book is stored, so that the page opens it at its start. */
const BOOKS = 'books';
/** Positions whose values of books are kept. */
const MAX_ASKED = 5000;

/** Shows the values of loaded books, and of the book of the page unless the settings switch it off.
 * @param {Pick<App, 'painter' | 'screen' | 'settings' | 'store' | 'study' | 'values'>} app @param {Explorer} explorer */
export function attachBooks(app, explorer) {
  const { screen, settings, store, study, values } = app;
  const opened = () => JSON.stringify([explorer.state.booked, explorer.hasBook && explorer.state.files]);
  let books = opened();
  /** Positions whose values were asked for, by these books. @type {Set<string>} */
  let asked = new Set();
  /** Resolves when all values are known. @type {Promise<unknown>} */
  let asking = Promise.resolve();
  /** Adds the values of the game, which its report has, and of other positions. @param {string[]} others */
  const value = (others = []) => {
    const { hasBook, state } = explorer;
    if (state.opened && !state.loading && store.get(BOOKS, false) !== hasBook) store.set(BOOKS, hasBook);
    const isOther = opened() !== books;
    if (isOther || asked.size > MAX_ASKED) {
      books = opened();
      asked = new Set();
      values.core.clear_book_values();
      if (isOther) values.release();
      app.painter.later();
    }
    const all = [...others, ...[...study.tree.main, ...study.line].map(({ position }) => position)];
    const positions = [...new Set(all)].filter((position) => !asked.has(position));
    if (positions.length === 0 || explorer.crashed || !(hasBook || state.booked > 0)) return asking;
    for (const position of positions) asked.add(position);
    const by = books;
    const finding = explorer.bookValues(positions).then((found) => {
      if (by !== books || found.length === 0) return;
      values.core.add_book_values(found);
      if (isOther) values.release();
      app.painter.later();
    });
    const failed = () => {
      for (const position of positions) asked.delete(position);
    };
    asking = Promise.all([asking, finding.catch(failed)]);
    return asking;
  };
  explorer.valueGame = async (others) => {
    await explorer.ready();
    await value(others);
  };
  explorer.changed.listen(() => void value());
  // After the board has been drawn: the answer to a press does not wait for it.
  screen.drawn.listen(() => void value());
  const use = () => explorer.useBook(settings.get('book'));
  settings.changed.listen((key) => key === 'book' && use());
  use();
}
