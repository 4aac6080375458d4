// The lines that the user trains, from either side, with the progress of each. Like puzzles, they are due after increasing times,
// and at once after a failure.

import { SIDES } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { isObject, merge, orNull } from '../base/validate.js';
import { answered, pick, readProgress } from './practice.js';
import { positionsOf } from './rules.js';

const KEY = 'trainer';
const MOVES = /^([a-h][1-8]){1,60}$/;
/** The symmetries of the initial position: each maps one of the four first moves to f5.
 *  @type {Record<string, (file: number, rank: number) => [file: number, rank: number]>} */
const TO_F5 = {
  f5: (file, rank) => [file, rank],
  e6: (file, rank) => [rank, file],
  d3: (file, rank) => [7 - rank, 7 - file],
  c4: (file, rank) => [7 - file, 7 - rank],
};

/** Returns a line transformed so that it starts with f5. Other lines do not change. @param {string} moves */
export function fromF5(moves) {
  const turn = TO_F5[moves.slice(0, 2)];
  if (!turn) return moves;
  return moves.replace(/([a-h])([1-8])/g, (_, file, rank) => {
    const [f, r] = turn(file.charCodeAt(0) - 97, Number(rank) - 1);
    return String.fromCharCode(97 + f) + (r + 1);
  });
}

/** Reads a line. Returns `null` if it is invalid. @param {any} line @returns {TrainerLine | null} */
function readLine(line) {
  const { moves, names } = Object(line);
  if (typeof moves !== 'string' || !MOVES.test(moves)) return null;
  if (names === null) return { moves, names };
  if (!isObject(names)) return null;
  const { en, ...others } = Object.fromEntries(
    Object.entries(names).filter(([, name]) => typeof name === 'string'),
  );
  return typeof en === 'string' ? { moves, names: { en, ...others } } : null;
}

/** @param {any} kept @returns {any[]} */
const linesOf = (kept) => (Array.isArray(kept?.lines) ? [...kept.lines] : []);
/** @param {any} kept @returns {Record<string, any>} */
const progressOf = (kept) => (isObject(kept?.progress) ? kept.progress : {});

export class Repertoire {
  /** The lines or their progress have changed. @type {Signal<[]>} */
  changed = new Signal();
  /** @type {TrainerLine[]} */
  lines = [];
  /** Progress by line and side. @type {Map<string, Progress>} */
  progress = new Map();

  /** Without `rules` all moves are accepted.
   *  @param {Pick<Store, 'get' | 'set'> & { elsewhere?: Store['elsewhere'] }} store @param {Pick<Rules, 'play'> | null} rules */
  constructor(store, rules = null) {
    this.store = store;
    this.rules = rules;
    this.#read();
    store.elsewhere?.listen((name) => {
      if (name !== KEY) return;
      this.#read();
      this.changed.send();
    });
  }

  /** Reads the stored lines. Invalid entries are skipped and stay stored. */
  #read() {
    const kept = this.store.get(KEY, null);
    const { rules } = this;
    this.lines = [];
    for (const line of linesOf(kept)) {
      const read = readLine(line);
      if (read && (!rules || orNull(() => positionsOf(rules, read.moves)))) this.#put(read);
    }
    const keys = new Set(this.lines.flatMap(({ moves }) => [`${moves}X`, `${moves}O`]));
    this.progress = new Map();
    for (const [key, value] of Object.entries(progressOf(kept))) {
      const progress = keys.has(key) ? readProgress(value) : null;
      if (progress) this.progress.set(key, progress);
    }
  }

  #key(moves, side) {
    return fromF5(moves) + side;
  }

  /** @param {TrainerLine} line */
  #put({ moves, names }) {
    const own = fromF5(moves);
    const known = this.lines.find((line) => line.moves === own);
    if (known) {
      known.names ??= names;
      return known;
    }
    const line = { moves: own, names };
    this.lines.push(line);
    return line;
  }

  /** Stores a line with the progress of its sides, or its removal. Other tabs may have stored other lines.
   *  @param {string} moves */
  #save(moves) {
    const own = fromF5(moves);
    const line = this.lines.find((line) => line.moves === own);
    const sides = [`${own}X`, `${own}O`].map((key) => /** @type {const} */ ([key, this.progress.get(key)]));
    const trained = new Set(this.lines.map((line) => line.moves));
    merge(this.store, KEY, (kept) => {
      const lines = linesOf(kept);
      const moves = lines.map((other) => fromF5(readLine(other)?.moves ?? ''));
      const at = moves.indexOf(own);
      const progress = { ...progressOf(kept) };
      for (const [key, known] of sides) {
        if (known) progress[key] = known;
        else if (!line) delete progress[key];
      }
      if (at >= 0) lines.splice(at, 1, ...(line ? [line] : []));
      else if (line) lines.splice(moves.findLastIndex((other) => trained.has(other)) + 1, 0, line);
      return { ...(isObject(kept) ? kept : {}), lines, progress };
    });
    this.changed.send();
  }

  /** Adds a line for `sides`. Each is due at once.
   *  @param {TrainerLine} line @param {Side[]} sides */
  add(line, sides) {
    if (!readLine(line)) throw new Error(`no line: ${line?.moves}`);
    const added = this.#put(line);
    for (const side of sides) {
      const key = this.#key(line.moves, side);
      if (!this.progress.has(key)) this.progress.set(key, { box: 0, due: 0, tries: 0, right: 0, last: 0 });
    }
    this.#save(line.moves);
    return added;
  }

  /** Removes a line. Returns a function that restores it. @param {TrainerLine} line */
  remove(line) {
    const own = fromF5(line.moves);
    const before = [`${own}X`, `${own}O`].map((key) => /** @type {const} */ ([key, this.progress.get(key)]));
    this.lines = this.lines.filter(({ moves }) => moves !== own);
    for (const [key] of before) this.progress.delete(key);
    this.#save(own);
    return () => {
      this.#put(line);
      for (const [key, progress] of before) if (progress) this.progress.set(key, progress);
      this.#save(own);
    };
  }

  /** Stores the result of a run through a line, and the line.
   *  @param {TrainerLine} line @param {Side} side @param {boolean} right @param {number} now */
  note(line, side, right, now = Date.now()) {
    this.#put(line);
    const key = this.#key(line.moves, side);
    this.progress.set(key, answered(this.progress.get(key) ?? null, right, now));
    this.#save(line.moves);
  }

  /** The progress of a side of a line, or `null` if it is not trained.
   *  @param {TrainerLine} line @param {Side} side */
  of({ moves }, side) {
    return this.progress.get(this.#key(moves, side)) ?? null;
  }

  /** The lines that are due, with their trained sides. @param {number} now */
  due(now = Date.now()) {
    return this.lines
      .flatMap((line) => SIDES.map((side) => ({ id: line.moves + side, line, side })))
      .filter(({ id }) => (this.progress.get(id)?.due ?? Infinity) <= now);
  }

  /** The next line, if possible not `not`. `null` if no line is due.
   *  @param {{ line: TrainerLine, side: Side } | null} not @param {number} now */
  next(not = null, now = Date.now()) {
    return pick(this.due(now), this.progress, now, not && this.#key(not.line.moves, not.side));
  }
}

/** @type {Repertoire | undefined} */
let shared;

/** The repertoire of the page. @param {Store} store @param {Rules} [rules] */
export function repertoireOf(store, rules) {
  shared ??= new Repertoire(store, rules);
  return shared;
}
