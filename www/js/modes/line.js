// A line that is played on the board, move by move. The game stays as it is.

import { button, each, v } from '../base/dom.js';
import { statesOf } from '../model/rules.js';
import { Mode } from './mode.js';

const STEP_MS = 600;
/** Steps that a position with marks stays. */
const PAUSE = 3;
const MAX_PLIES = 8;

/** @typedef {Map<number, Map<number, string[]>>} Marks classes of squares, by number of moves */

/** @param {App} app @param {{ label: string, moves: string[], marks?: Marks }} line that starts in the current position */
export const create = (app, { label, moves, marks }) => new Line(app, label, moves, marks);

class Line extends Mode {
  keepsGame = true;
  swipes = false;
  quiet = true;
  empty = 'next.steps';
  at = 0;

  /** @param {App} app @param {string} label @param {string[]} moves @param {Marks} [marks] */
  constructor(app, label, moves, marks = new Map()) {
    super(app);
    this.label = label;
    this.marks = marks;
    const plies = Math.max(MAX_PLIES, ...marks.keys());
    this.states = statesOf(app.rules, app.study.position, moves.slice(0, plies));
  }

  get onBoard() {
    return { marks: this.marks.get(this.at + 1) ?? null };
  }

  start() {
    const step = (/** @type {number} */ by) => () => this.#show(this.at + by);
    this.listenKeys({ Escape: step(-Infinity), ArrowLeft: step(-1), ArrowRight: step(1) });
    super.start();
    this.app.notices.say(this.states.map(({ move }) => move).join(' '));
    this.#show(0, true);
  }

  end() {
    clearTimeout(this.timer);
    super.end();
  }

  /** Shows a position of the line, or returns to the game. Returns `true`. @param {number} at @param {boolean} goesOn */
  #show(at, goesOn = false) {
    clearTimeout(this.timer);
    if (at < 0) return this.leave();
    this.at = Math.min(at, this.states.length - 1);
    if (goesOn && this.at + 1 < this.states.length) {
      const steps = this.marks.has(this.at + 1) ? PAUSE : 1;
      this.timer = setTimeout(() => this.#show(this.at + 1, true), steps * STEP_MS);
    }
    this.update();
    this.app.painter.now();
    return true;
  }

  get look() {
    const { openings, rules, study } = this.app;
    const { position, move } = this.states[this.at];
    return { ...rules.look(position), legal: [], last: move, title: openings.along(study.node) };
  }

  get message() {
    return this.t('where', { at: this.at + 1, last: this.states.length });
  }

  get bar() {
    const move = ({ move }, i) =>
      button(move, () => this.#show(i), { key: i, 'aria-current': i === this.at ? 'step' : null });
    return [
      v('span.told', v('strong', this.label), each('span.steps', this.states, move)),
      button(this.t('next.back'), () => this.leave(), { class: 'solid' }),
    ];
  }

  press() {
    return true;
  }

  moved() {
    this.leave();
  }
}
