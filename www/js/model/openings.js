// Names of openings, found by the position reached, in any of its eight symmetric forms.

import { START } from '../base/position.js';
import { splitMoves } from './rules.js';

export class Openings {
  /** Names by language, by position in its first symmetric form. @type {Map<string, Record<string, string>>} */
  names = new Map();

  /** @param {Rules} rules @param {{ pick(texts: Record<string, string>): string }} words */
  constructor(rules, words) {
    this.rules = rules;
    this.words = words;
  }

  /** Takes openings in. @param {(Record<string, string> & { moves: string })[]} lines */
  load(lines) {
    for (const { moves, ...names } of lines) {
      let position = START;
      try {
        for (const move of splitMoves(moves)) position = this.rules.play(position, move).position;
      } catch {
        continue;
      }
      this.names.set(this.rules.canonical(position), names);
    }
  }

  /** The name of a position, or null. */
  name(position) {
    if (this.names.size === 0) return null;
    const names = this.names.get(this.rules.canonical(position));
    return names ? this.words.pick(names) : null;
  }

  /** The name of the latest named position on the way to `node`, or null. */
  along(node) {
    for (let at = node; at; at = at.parent) {
      const name = this.name(at.position);
      if (name) return name;
    }
    return null;
  }
}
