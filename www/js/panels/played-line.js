// A line that a mode plays on the board, move by move. The middle column lists it: one row per move, and the value at each end.

import { each, v } from '../base/dom.js';
import { disc } from '../base/format.js';
import { forBlack, sideOf } from '../base/position.js';
import { playerTag } from '../model/perspective.js';
import { marksOf } from '../model/reasons.js';
import { statesOf } from '../model/rules.js';

/** Time between two moves. */
export const STEP_MS = 600;
/** Steps that a turning point stays. */
const PAUSE = 3;
const MAX_PLIES = 8;

/** The line that begins with a move instead of a mistake or with it: that of the explanation, or the reply that a search found.
 *  @param {App} app @param {TreeNode} mistake node after it @param {string} move @param {string[]} [reply] */
export function lineOf(app, mistake, move, reply) {
  const { position } = /** @type {TreeNode} */ (mistake.parent);
  const why = app.values.why(mistake);
  const name = /** @type {const} */ (['played', 'better']).find((name) => why?.[name][0] === move);
  reply ??= app.values.reply(app.rules.play(position, move).position);
  const marks = name && marksOf(why, name);
  const plies = Math.max(MAX_PLIES, ...(marks?.keys() ?? []));
  const moves = (name && why?.[name]) ?? [move, ...reply];
  const line = new PlayedLine(app, position, moves.slice(0, plies), marks);
  return Object.assign(line, { first: mistake.ply });
}

export class PlayedLine {
  /** The index of the last move on the board. */
  at = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** The number of its first move. */
  first = 1;
  /** It has no values and cannot be stepped through. */
  isFixed = false;

  /** @param {App} app @param {string} start @param {string[]} moves
   *  @param {ReturnType<typeof marksOf>} [marks] classes of squares at the turning points, by number of moves */
  constructor(app, start, moves, marks = new Map()) {
    this.app = app;
    this.start = start;
    this.marks = marks;
    this.states = statesOf(app.rules, start, moves);
  }

  /** The position on the board. @returns {Look} */
  get look() {
    const { openings, rules, study } = this.app;
    const { position, move } = this.states[this.at];
    return { ...rules.look(position), legal: [], last: move, title: openings.along(study.node) };
  }

  /** Shows the position after a move. @param {number} at @param {boolean} goesOn to the end */
  show(at, goesOn = false) {
    const { modes, painter } = this.app;
    clearTimeout(this.timer);
    this.at = Math.max(0, Math.min(at, this.states.length - 1));
    const steps = this.marks.has(this.at + 1) ? PAUSE : 1;
    if (goesOn && this.at + 1 < this.states.length)
      this.timer = setTimeout(() => this.show(this.at + 1, true), steps * STEP_MS);
    modes.current?.update();
    painter.now();
  }

  /** The values before and after the line. */
  get #ends() {
    const { perspective, t, values, words } = this.app;
    const side = t('value.for', { side: words.side(perspective.side) });
    const before = values.value(this.start);
    const cost = values.cost(this.start, this.states[0].move);
    if (this.isFixed || !before || !cost) return [];
    const after = before.value - forBlack(cost.loss, sideOf(this.start));
    const end = (/** @type {number} */ value, /** @type {boolean} */ exact) =>
      v('p.end', v('b', disc(perspective.sign() * value, exact)), v('small', side));
    return [end(before.value, before.exact), end(after, before.exact && cost.exact)];
  }

  /** What the card of the lines shows. */
  get content() {
    const [first, last] = this.#ends;
    const row = ({ move }, /** @type {number} */ i) => {
      const side = playerTag(sideOf(this.states[i - 1]?.position ?? this.start));
      const on = {
        'aria-current': i === this.at ? 'step' : null,
        onclick: !this.isFixed && (() => this.show(i)),
      };
      const turn = this.marks.has(i + 1) && v('small', this.app.t('line.turn'));
      const what = [v('small', `${this.first + i}.`), v(`span.dot.${side}`), v('b', move), turn];
      return v('li', { key: i, data: { move } }, v(this.isFixed ? 'span' : 'button', on, what));
    };
    return [first, each('ol.played-line', this.states, row), last];
  }
}
