// What counts as right where an opening is trained. Lines are followed by the positions they reach, in any of the eight
// symmetric forms: another first move, or the same moves on the turned board, are as right as those that are written.

import { START, squareName } from '../base/position.js';
import { splitMoves } from './rules.js';

/** A move of the book: those that are the same by symmetry stand together, the one to name first. Lines that it
 *  belongs to, where the book is made of lines.
 *  @typedef {{ moves: string[], weight: number, lines: TrainerLine[] }} BookMove */

/** Moves that are played so seldom, compared with the most frequent, are no book. */
const LEAST_SHARE = 0.2;
/** The explorer's games are followed so far. */
const EXPLORER_PLIES = 24;

/** Lines as a book. */
export class LineBook {
  /** Each line with its positions in their first symmetric form. @type {{ line: TrainerLine, moves: string[], keys: string[] }[]} */
  #lines;

  /** Throws at an illegal move. @param {Rules} rules @param {TrainerLine[]} lines */
  constructor(rules, lines) {
    this.rules = rules;
    this.#lines = lines.map((line) => {
      let position = START;
      const keys = [rules.canonical(START)];
      const moves = splitMoves(line.moves);
      for (const move of moves) {
        ({ position } = rules.play(position, move));
        keys.push(rules.canonical(position));
      }
      return { line, moves, keys };
    });
  }

  /** The lines that it is made of. */
  get lines() {
    return this.#lines.map(({ line }) => line);
  }

  /** The lines that end after `ply` moves at a position. @param {string} position @param {number} ply */
  endings(position, ply) {
    const key = this.rules.canonical(position);
    return this.#lines
      .filter(({ keys }) => keys.length === ply + 1 && keys[ply] === key)
      .map(({ line }) => line);
  }

  /** The moves of the lines at a position after `ply` moves.
   *  @param {string} position @param {number} ply @returns {Promise<BookMove[]>} */
  async moves(position, ply) {
    const { rules } = this;
    const key = rules.canonical(position);
    /** @type {Map<string, BookMove>} */
    const found = new Map();
    for (const { line, moves, keys } of this.#lines) {
      if (keys[ply] !== key || ply + 1 >= keys.length) continue;
      const next = keys[ply + 1];
      const book = found.get(next) ?? { moves: this.#leading(position, next), weight: 0, lines: [] };
      found.set(next, book);
      book.weight++;
      book.lines.push(line);
      // The move as it is written, where it is one of them.
      const at = book.moves.indexOf(moves[ply]);
      if (at > 0) book.moves.unshift(...book.moves.splice(at, 1));
    }
    return [...found.values()];
  }

  /** The moves to a position in any of its forms. */
  #leading(position, key) {
    const { rules } = this;
    return rules
      .look(position)
      .legal.map(squareName)
      .filter((move) => rules.canonical(rules.play(position, move).position) === key);
  }
}

/** What was played in games as a book. */
export class GamesBook {
  /** @param {(position: string) => Promise<{ move: string, twins: string[], games: number }[]>} played */
  constructor(played) {
    this.played = played;
  }

  /** Games end nowhere that counts. @param {string} _position @param {number} _ply @returns {TrainerLine[]} */
  endings(_position, _ply) {
    return [];
  }

  /** @param {string} position @param {number} ply @returns {Promise<BookMove[]>} */
  async moves(position, ply) {
    if (ply >= EXPLORER_PLIES) return [];
    const rows = await this.played(position);
    const most = Math.max(0, ...rows.map(({ games }) => games));
    return rows
      .filter(({ games }) => games > 0 && games >= most * LEAST_SHARE)
      .map(({ move, twins, games }) => ({ moves: [move, ...twins], weight: games, lines: [] }));
  }
}

/** One of several by its weight. @template {{ weight: number }} T
 *  @param {T[]} all @param {() => number} random from 0 up to 1 @returns {T | null} */
export function draw(all, random = Math.random) {
  const sum = all.reduce((total, { weight }) => total + weight, 0);
  let at = random() * sum;
  for (const one of all) {
    at -= one.weight;
    if (at < 0) return one;
  }
  return all.at(-1) ?? null;
}
