// Names of openings, found by the position in any of its eight symmetric forms.

import { orNull } from '../base/validate.js';
import { positionsOf } from './rules.js';

/** Moves within which openings have names. */
const NAMED_CHARS = 2 * 16;

export class Openings {
  /** Names by language, by canonical position. @type {Map<string, Record<string, string>>} */
  names = new Map();

  /** @param {Rules} rules @param {{ pick(texts: Record<string, string>): string }} words */
  constructor(rules, words) {
    this.rules = rules;
    this.words = words;
  }

  /** Adds openings, except illegal lines. @param {(Record<string, string> & { moves: string })[]} lines */
  load(lines) {
    for (const { moves, ...names } of lines) {
      const end = orNull(() => positionsOf(this.rules, moves).at(-1));
      if (end) this.names.set(this.rules.canonical(end), names);
    }
  }

  /** The name of a position, or `null`. */
  name(position) {
    if (this.names.size === 0) return null;
    const names = this.names.get(this.rules.canonical(position));
    return names ? this.words.pick(names) : null;
  }

  /** The last name within the first moves of a game, or `null`. @param {Game} game */
  ofGame({ moves, start }) {
    const positions = orNull(() => positionsOf(this.rules, moves.slice(0, NAMED_CHARS), start)) ?? [];
    return positions.map((position) => this.name(position)).findLast(Boolean) ?? null;
  }

  /** The name of the last named position on the path to `node`, or `null`. */
  along(node) {
    for (let at = node; at; at = at.parent) {
      const name = this.name(at.position);
      if (name) return name;
    }
    return null;
  }
}
