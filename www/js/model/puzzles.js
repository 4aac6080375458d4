// The puzzles: positions with the exact score of every move, and the user's own mistakes, with the progress of each. The endings are
// a second suite.

import { loadJson } from '../base/load.js';
import { emptyCount } from '../base/position.js';
import { isObject, isPosition, isWithin, orNull } from '../base/validate.js';
import { MAX_EMPTIES } from './endings.js';
import { answered, pick, readProgress, UNTRIED } from './practice.js';

const TABLE = 'puzzles';
/** The fields of stored progress that mark the user's own puzzles: mistakes, and endings of the user's games. */
const MARKS = { puzzles: 'own', endings: 'ending' };
/** Least box of a solved puzzle that was missed before. */
const SOLVED_BOX = 2;

const MAX_SCORE = 64;

/** Reads stored scores of moves. Returns `null` if they are invalid. @param {any} kept
 *  @returns {Puzzle['scores']} */
function readScores(kept) {
  const scores = Object.entries(isObject(kept) ? kept : {});
  const fits = scores.every(
    ([move, score]) => /^[a-h][1-8]$/.test(move) && isWithin(score, -MAX_SCORE, MAX_SCORE),
  );
  return fits && scores.length > 0 ? Object.fromEntries(scores) : null;
}

/** The fields of a stored row, which other versions may have written. @param {any} row */
const fieldsOf = (row) => (isObject(row) ? row : {});

/** Reads a suite: a text for each position, with a character after it for the score of each legal move, a1 to h8: `A` for 0, the next
 *  one for 2 discs more. Invalid entries are skipped. Returns `null` if the file is not a list.
 *  @param {Pick<Rules, 'moves'>} rules @param {any} file @returns {Puzzle[] | null} */
export function readSuite(rules, file) {
  if (!Array.isArray(file)) return null;
  return file.flatMap((entry) => {
    const position = String(entry).slice(0, 65);
    const codes = String(entry).slice(65);
    const moves = (isPosition(position) && orNull(() => rules.moves(position))) || [];
    if (moves.length === 0 || moves.length !== codes.length) return [];
    const score = (/** @type {string} */ move, /** @type {number} */ at) => [
      move,
      2 * (codes.charCodeAt(at) - 65),
    ];
    const scores = readScores(Object.fromEntries(moves.map(score)));
    return scores ? [{ id: position, position, scores }] : [];
  });
}

export class Puzzles {
  /** @type {Promise<void> | null} */
  #loading = null;
  /** @type {Map<string, Progress>} */
  progress = new Map();
  /** @type {Puzzle[]} */
  own = [];
  /** @type {Puzzle[]} */
  suite = [];
  /** Puzzles that were skipped. @type {Set<string>} */
  #skipped = new Set();
  /** The last answered puzzle. @type {string | null} */
  #answered = null;

  /** @param {Store} store @param {Pick<Rules, 'look' | 'moves'>} rules @param {Suite} name */
  constructor(store, rules, name = 'puzzles') {
    this.store = store;
    this.rules = rules;
    this.name = name;
    store.elsewhere?.listen(async (table) => {
      if (table === TABLE && this.#loading) this.#take(await store.all(TABLE));
    });
  }

  /** Reads the suite and the stored progress, once. If the suite cannot be loaded, the next call requests it again. */
  load() {
    this.#loading ??= (async () => {
      const [file, kept] = await Promise.all([
        loadJson(`data/${this.name}.json`).catch(() => null),
        this.store.all(TABLE),
      ]);
      const suite = readSuite(this.rules, file);
      if (suite === null) this.#loading = null;
      this.suite = suite ?? [];
      this.#take(kept);
    })();
    return this.#loading;
  }

  /** Adds stored puzzles. Invalid entries and endings that would take hours to solve are skipped and stay stored.
   *  @param {[any, any][]} kept */
  #take(kept) {
    for (const [id, value] of kept) {
      if (!isPosition(id) || !isObject(value) || !orNull(() => this.rules.look(id).legal.length)) continue;
      const progress = readProgress(value);
      if (progress && progress.tries >= (this.progress.get(id)?.tries ?? 0)) this.progress.set(id, progress);
      const isSolvable = this.name === 'puzzles' || emptyCount(id) <= MAX_EMPTIES;
      if (value[MARKS[this.name]] === true && isSolvable && !this.own.some((puzzle) => puzzle.id === id))
        this.own.push({ id, position: id, scores: readScores(value.scores), own: true });
    }
  }

  /** Stores the user's own mistakes. @param {Puzzle[]} puzzles */
  async addOwn(puzzles) {
    await this.load();
    for (const { id, scores } of puzzles.filter(({ id }) => !this.own.some((puzzle) => puzzle.id === id))) {
      const change = (row) => ({
        ...fieldsOf(row),
        ...(readProgress(row) ?? this.progress.get(id) ?? UNTRIED),
        own: true,
        scores,
      });
      this.#take([[id, change(null)]]);
      this.store.updateAll(TABLE, [[id, change]]);
    }
  }

  /** Returns the next puzzle of `pool` or of all puzzles, if possible not `not`.
   *  @param {Puzzle | null} not @param {Puzzle[] | null} pool */
  async next(not, pool = null) {
    await this.load();
    const now = Date.now();
    const due = this.own.filter(({ id }) => (this.progress.get(id)?.due ?? 0) <= now);
    if (not && not.id !== this.#answered) this.#skipped.add(not.id);
    const next = pick(pool ?? [...due, ...this.suite], this.progress, now, not?.id ?? null, this.#skipped);
    // All puzzles were skipped: they follow again.
    if (next && this.#skipped.has(next.id)) this.#skipped.clear();
    return next;
  }

  /** The puzzles that were tried or are the user's own, and are due. */
  due(now = Date.now()) {
    return [...this.own, ...this.suite].filter(({ id, own }) => {
      const progress = this.progress.get(id);
      return progress && (own || progress.tries > 0) && progress.due <= now;
    });
  }

  get counts() {
    const all = [...this.own, ...this.suite];
    const tried = all.flatMap(({ id }) => this.progress.get(id) ?? []).filter(({ tries }) => tries > 0);
    const solved = tried.filter(({ box, right, tries }) => box >= SOLVED_BOX || right === tries).length;
    return { all: all.length, solved, weak: tried.length - solved };
  }

  /** Stores an answer. @param {Puzzle} puzzle @param {boolean} right */
  async note(puzzle, right) {
    const { id } = puzzle;
    this.#answered = id;
    this.#skipped.delete(id);
    const before = this.progress.get(id) ?? null;
    const now = Date.now();
    const change = (row) => ({
      ...fieldsOf(row),
      ...answered(readProgress(row) ?? before, right, now),
      ...(puzzle.own && { [MARKS[this.name]]: true, scores: puzzle.scores ?? row?.scores }),
    });
    this.#take([[id, change(null)]]);
    this.#take([...(await this.store.updateAll(TABLE, [[id, change]]))]);
  }
}

/** By the store. @type {WeakMap<object, Partial<Record<Suite, Puzzles>>>} */
const shared = new WeakMap();

/** The puzzles of the page, or its endings. @param {Store} store @param {Rules} rules @param {Suite} name */
export function puzzlesOf(store, rules, name = 'puzzles') {
  const known = shared.get(store) ?? {};
  shared.set(store, known);
  known[name] ??= new Puzzles(store, rules, name);
  return known[name];
}
