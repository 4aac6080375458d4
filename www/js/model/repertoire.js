// The lines that the user trains, from either side, with the progress of each. Like puzzles, they are due after increasing times,
// and at once after a failure.

import { SIDES } from '../base/position.js';
import { Signal } from '../base/signal.js';
import { isObject, merge, orNull } from '../base/validate.js';
import { answered, pick, readProgress, UNTRIED } from './practice.js';
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
export const fromF5 = (moves) => turned(moves, moves.slice(0, 2));

/** Returns a line transformed by the symmetry that maps a first move to f5, and back. @param {string} moves @param {string} first */
export function turned(moves, first) {
  const turn = TO_F5[first];
  if (!turn) return moves;
  return moves.replace(/([a-h])([1-8])/g, (_, file, rank) => {
    const [f, r] = turn(file.charCodeAt(0) - 97, Number(rank) - 1);
    return String.fromCharCode(97 + f) + (r + 1);
  });
}

/** Reads a line, which starts with f5 then. Returns `null` if it is invalid. @param {any} line @returns {TrainerLine | null} */
function readLine(line) {
  const { moves: written, names } = Object(line);
  if (typeof written !== 'string' || !MOVES.test(written)) return null;
  const moves = fromF5(written);
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
    /** @type {Map<string, TrainerLine>} */
    const lines = new Map();
    for (const line of linesOf(kept).map(readLine)) {
      if (!line || (rules && !orNull(() => positionsOf(rules, line.moves)))) continue;
      lines.set(line.moves, { ...line, names: lines.get(line.moves)?.names ?? line.names });
    }
    this.lines = [...lines.values()];
    this.progress = new Map();
    for (const [key, value] of Object.entries(progressOf(kept))) {
      const progress = lines.has(key.slice(0, -1)) ? readProgress(value) : null;
      if (progress) this.progress.set(key, progress);
    }
  }

  /** Stores a line with the progress of some sides, or removes it if it is `null`. Other tabs may have stored other lines.
   *  @param {string} moves @param {TrainerLine | null} line @param {Record<string, Progress | null>} sides by key
   *  @param {boolean} isNew progress that is stored by then stays: another tab may have the answer to an added line */
  #store(moves, line, sides, isNew = false) {
    merge(this.store, KEY, (kept) => {
      const lines = linesOf(kept);
      const at = lines.findIndex((other) => readLine(other)?.moves === moves);
      const stored = line && { moves, names: readLine(lines[at])?.names ?? line.names };
      lines.splice(at < 0 ? lines.length : at, 1, ...(stored ? [stored] : []));
      const before = progressOf(kept);
      const known = isNew ? Object.entries(before).filter(([, value]) => readProgress(value)) : [];
      const all = Object.entries({ ...before, ...sides, ...Object.fromEntries(known) });
      const progress = Object.fromEntries(all.filter(([, value]) => value));
      return { ...(isObject(kept) ? kept : {}), lines, progress };
    });
    this.#read();
    this.changed.send();
  }

  /** Adds a line for `sides`. Each is due at once. @param {TrainerLine} line @param {Side[]} sides */
  add(line, sides) {
    if (!readLine(line)) throw new Error(`no line: ${line?.moves}`);
    const moves = fromF5(line.moves);
    this.#store(moves, line, Object.fromEntries(sides.map((side) => [moves + side, UNTRIED])), true);
  }

  /** Removes a line. Returns a function that restores it. @param {TrainerLine} line */
  remove(line) {
    const moves = fromF5(line.moves);
    const sidesOf = (read) => Object.fromEntries(SIDES.map((side) => [moves + side, read(side)]));
    const before = sidesOf((side) => this.of(line, side));
    const none = sidesOf(() => null);
    this.#store(moves, null, none);
    return () => this.#store(moves, line, before, true);
  }

  /** Stores the result of a run through a line, and the line.
   *  @param {TrainerLine} line @param {Side} side @param {boolean} right @param {number} now */
  note(line, side, right, now = Date.now()) {
    const moves = fromF5(line.moves);
    this.#store(moves, line, { [moves + side]: answered(this.of(line, side), right, now) });
  }

  /** The progress of a side of a line, or `null` if it is not trained.
   *  @param {TrainerLine} line @param {Side} side */
  of({ moves }, side) {
    return this.progress.get(fromF5(moves) + side) ?? null;
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
    return pick(this.due(now), this.progress, now, not && fromF5(not.line.moves) + not.side);
  }
}

/** By the store. @type {WeakMap<object, Repertoire>} */
const shared = new WeakMap();

/** The repertoire of the page. @param {Store} store @param {Rules} [rules] */
export function repertoireOf(store, rules) {
  const known = shared.get(store) ?? new Repertoire(store, rules);
  shared.set(store, known);
  return known;
}
