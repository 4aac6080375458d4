// The puzzles: positions with the exact score of every move, the mistakes met in one's own games, and how each was
// answered so far.

import { answered, pick } from './practice.js';

/** From this box on a puzzle counts as solved. */
const SOLVED_BOX = 2;

export class Puzzles {
  /** @type {Promise<void> | null} */
  #loading = null;
  /** @type {Map<string, Progress>} */
  progress = new Map();
  /** @type {Puzzle[]} */
  own = [];
  /** @type {Puzzle[]} */
  suite = [];

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** Reads the suite and what is kept, once. */
  load() {
    this.#loading ??= (async () => {
      const [suite, kept] = await Promise.all([
        fetch(new URL('../../data/puzzles.json', import.meta.url))
          .then((answer) => answer.json())
          .catch(() => []),
        this.store.all('puzzles'),
      ]);
      this.suite = suite.map(([position, scores]) => ({ id: position, position, scores }));
      for (const [id, value] of kept) {
        if (Number.isFinite(value?.box)) this.progress.set(id, value);
        if (value?.own) this.own.push({ id, position: id, scores: value.scores ?? null, own: true });
      }
    })();
    return this.#loading;
  }

  /** Keeps mistakes of one's own. @param {Puzzle[]} puzzles */
  async addOwn(puzzles) {
    await this.load();
    const known = new Set(this.own.map(({ id }) => id));
    for (const puzzle of puzzles.filter(({ id }) => !known.has(id))) {
      const { id, scores } = puzzle;
      this.own.push(puzzle);
      const before = this.progress.get(id) ?? { box: 0, due: 0, tries: 0, right: 0, last: 0 };
      this.progress.set(id, before);
      this.store.write('puzzles', id, { ...before, own: true, scores });
    }
  }

  /** The puzzle to solve next, of `pool` or of all, another than `not` where there is one.
   *  @param {Puzzle | null} not @param {Puzzle[] | null} pool */
  async next(not, pool = null) {
    await this.load();
    const now = Date.now();
    const due = this.own.filter(({ id }) => (this.progress.get(id)?.due ?? 0) <= now);
    return pick(pool ?? [...due, ...this.suite], this.progress, now, not?.id ?? null);
  }

  /** Counts of puzzles by what became of them. */
  get counts() {
    const kept = [...this.progress.values()];
    const now = Date.now();
    return {
      all: this.suite.length + this.own.length,
      seen: kept.filter(({ tries }) => tries > 0).length,
      solved: kept.filter(({ box }) => box >= SOLVED_BOX).length,
      weak: kept.filter(({ box, tries }) => box < SOLVED_BOX && tries > 0).length,
      due: kept.filter(({ due, tries }) => tries > 0 && due <= now).length,
    };
  }

  /** Takes note of an answer. @param {Puzzle} puzzle @param {boolean} right */
  note(puzzle, right) {
    const after = answered(this.progress.get(puzzle.id) ?? null, right, Date.now());
    this.progress.set(puzzle.id, after);
    this.store.write('puzzles', puzzle.id, {
      ...after,
      own: puzzle.own ?? false,
      scores: puzzle.own ? puzzle.scores : undefined,
    });
  }
}
