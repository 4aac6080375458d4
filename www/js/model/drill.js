// The right moves of the opening trainer. Lines are compared by canonical positions: the moves of a line are right in all eight
// symmetric forms.

import { positionsOf, splitMoves } from './rules.js';

/** Least frequency of a right move, relative to the most frequent move. */
const MIN_SHARE = 0.2;
/** Plies to which games are followed. */
const MAX_GAME_PLIES = 24;

export class LineBook {
  /** Each line with its canonical positions. @type {{ line: TrainerLine, moves: string[], keys: string[] }[]} */
  #lines;

  /** Throws if a line is illegal. @param {Rules} rules @param {TrainerLine[]} lines */
  constructor(rules, lines) {
    this.rules = rules;
    this.#lines = lines.map((line) => {
      const keys = positionsOf(rules, line.moves).map((position) => rules.canonical(position));
      return { line, moves: splitMoves(line.moves), keys };
    });
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
    const after = (/** @type {string} */ move) => rules.canonical(rules.play(position, move).position);
    const leading = (/** @type {string} */ next) =>
      rules.moves(position).filter((move) => after(move) === next);
    /** @type {Map<string, BookMove>} */
    const found = new Map();
    for (const { line, moves, keys } of this.#lines) {
      if (keys[ply] !== key || ply + 1 >= keys.length) continue;
      const next = keys[ply + 1];
      const book = found.get(next) ?? { moves: leading(next), weight: 0, lines: [] };
      found.set(next, book);
      book.weight++;
      book.lines.push(line);
      // The move of the line is named.
      const at = book.moves.indexOf(moves[ply]);
      if (at > 0) book.moves.unshift(...book.moves.splice(at, 1));
    }
    return [...found.values()];
  }
}

/** A book made of the moves played in games. */
export class GamesBook {
  /** @param {(position: string) => Promise<{ move: string, twins: string[], games: number }[]>} played */
  constructor(played) {
    this.played = played;
  }

  /** @param {string} _position @param {number} _ply @returns {TrainerLine[]} */
  endings(_position, _ply) {
    return [];
  }

  /** @param {string} position @param {number} ply @returns {Promise<BookMove[]>} */
  async moves(position, ply) {
    if (ply >= MAX_GAME_PLIES) return [];
    const rows = await this.played(position);
    const most = Math.max(0, ...rows.map(({ games }) => games));
    return rows
      .filter(({ games }) => games > 0 && games >= most * MIN_SHARE)
      .map(({ move, twins, games }) => ({ moves: [move, ...twins], weight: games, lines: [] }));
  }
}

/** Draws an element, weighted. Returns `null` for an empty list. @template {{ weight: number }} T
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
