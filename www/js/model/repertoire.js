// The lines that a person trains, from either side, and how well each is known: kept on the device. They come back like
// puzzles, after longer and longer times, and at once where they failed.

import { Signal } from '../base/signal.js';
import { answered, pick } from './practice.js';

const KEY = 'trainer';
const MOVES = /^([a-h][1-8]){1,60}$/;
/** The symmetries of the initial position: each brings one of the four first moves to f5.
 *  @type {Record<string, (file: number, rank: number) => [file: number, rank: number]>} */
const TO_F5 = {
  f5: (file, rank) => [file, rank],
  e6: (file, rank) => [rank, file],
  d3: (file, rank) => [7 - rank, 7 - file],
  c4: (file, rank) => [7 - file, 7 - rank],
};

/** The same line with f5 as its first move; other lines stay as they are. @param {string} moves */
export function fromF5(moves) {
  const turn = TO_F5[moves.slice(0, 2)];
  if (!turn) return moves;
  return moves.replace(/([a-h])([1-8])/g, (_, file, rank) => {
    const [f, r] = turn(file.charCodeAt(0) - 97, Number(rank) - 1);
    return String.fromCharCode(97 + f) + (r + 1);
  });
}

/** @param {any} line */
const isLine = (line) =>
  typeof line?.moves === 'string' &&
  MOVES.test(line.moves) &&
  (line.names === null || (typeof line.names === 'object' && typeof line.names.en === 'string'));

/** @param {any} progress */
const isProgress = (progress) =>
  ['box', 'due', 'tries', 'right', 'last'].every((name) => Number.isFinite(progress?.[name]));

export class Repertoire {
  /** It holds something else now. @type {Signal<[]>} */
  changed = new Signal();
  /** @type {TrainerLine[]} */
  lines = [];
  /** How well a side of a line is known, by `keyOf`. @type {Map<string, Progress>} */
  progress = new Map();

  /** @param {Pick<Store, 'get' | 'set'>} store */
  constructor(store) {
    this.store = store;
    const kept = store.get(KEY, null);
    // What does not fit is passed over.
    for (const line of Array.isArray(kept?.lines) ? kept.lines : [])
      if (isLine(line)) this.#put({ moves: line.moves, names: line.names });
    for (const [key, value] of Object.entries(kept?.progress ?? {}))
      if (isProgress(value) && this.lines.some(({ moves }) => key === `${moves}X` || key === `${moves}O`))
        this.progress.set(key, value);
  }

  /** @param {string} moves @param {Side} side */
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

  #keep() {
    this.store.set(KEY, { lines: this.lines, progress: Object.fromEntries(this.progress) });
    this.changed.send();
  }

  /** Adds a line to be trained from `sides`: each is due at once.
   *  @param {TrainerLine} line @param {Side[]} sides */
  add(line, sides) {
    if (!isLine(line)) throw new Error(`no line: ${line?.moves}`);
    const added = this.#put(line);
    for (const side of sides) {
      const key = this.#key(line.moves, side);
      if (!this.progress.has(key)) this.progress.set(key, { box: 0, due: 0, tries: 0, right: 0, last: 0 });
    }
    this.#keep();
    return added;
  }

  /** @param {TrainerLine} line */
  remove({ moves }) {
    const own = fromF5(moves);
    this.lines = this.lines.filter((line) => line.moves !== own);
    for (const side of /** @type {Side[]} */ (['X', 'O'])) this.progress.delete(own + side);
    this.#keep();
  }

  /** Puts a line back as it was. @param {TrainerLine} line @param {(Progress | null)[]} progress of Black and of White */
  restore(line, progress) {
    this.#put(line);
    for (const [i, side] of /** @type {Side[]} */ (['X', 'O']).entries()) {
      const before = progress[i];
      if (before) this.progress.set(this.#key(line.moves, side), before);
    }
    this.#keep();
  }

  /** Takes note of a run through a line; it is kept from then on.
   *  @param {TrainerLine} line @param {Side} side @param {boolean} right @param {number} now */
  note(line, side, right, now = Date.now()) {
    this.#put(line);
    const key = this.#key(line.moves, side);
    this.progress.set(key, answered(this.progress.get(key) ?? null, right, now));
    this.#keep();
  }

  /** How well a side of a line is known, or null where it is not trained.
   *  @param {TrainerLine} line @param {Side} side */
  of({ moves }, side) {
    return this.progress.get(this.#key(moves, side)) ?? null;
  }

  /** What is due: lines with their sides. @param {number} now */
  due(now = Date.now()) {
    return this.#all.filter(({ id }) => (this.progress.get(id)?.due ?? 0) <= now);
  }

  /** The line to train next, another one than `not` where one is due; null where nothing is.
   *  @param {{ line: TrainerLine, side: Side } | null} not @param {number} now */
  next(not = null, now = Date.now()) {
    return pick(this.due(now), this.progress, now, not && this.#key(not.line.moves, not.side));
  }

  /** Every line with each side that it is trained from. */
  get #all() {
    return this.lines.flatMap((line) =>
      /** @type {Side[]} */ (['X', 'O'])
        .map((side) => ({ id: line.moves + side, line, side }))
        .filter(({ id }) => this.progress.has(id)),
    );
  }
}

/** @type {WeakMap<object, Repertoire>} */
const repertoires = new WeakMap();

/** The repertoire that a store keeps: one for all that ask. @param {Store} store */
export function repertoireOf(store) {
  const known = repertoires.get(store) ?? new Repertoire(store);
  repertoires.set(store, known);
  return known;
}
