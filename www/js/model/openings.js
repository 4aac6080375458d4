// Names of openings, found by the position reached, in any of its eight symmetric forms.

import { START } from '../base/position.js';

export class Openings {
  /** `data.lines` is a list of `{ moves, en, fr?, ja? }`. */
  constructor(rules, language = 'en') {
    this.rules = rules;
    this.language = language;
    this.names = new Map();
  }

  load(data) {
    for (const { moves, ...names } of data.lines) {
      let position = START;
      try {
        for (const move of moves.match(/../g)) position = this.rules.play(position, move).position;
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
    return names ? names[this.language] ?? names.en : null;
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
