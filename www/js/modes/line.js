// A line that is played on the board, move by move. The game stays as it is.

import { button, each, v } from '../base/dom.js';
import { Mode } from './mode.js';

/** Time between two moves. */
const STEP_MS = 900;
const MAX_PLIES = 8;

/** @param {App} app @param {{ name: string, moves: string[] }} line that starts in the current position */
export const create = (app, { name, moves }) => new Line(app, name, moves);

class Line extends Mode {
  keepsGame = true;
  swipes = false;
  quiet = true;
  empty = 'next.steps';
  at = 0;

  /** @param {App} app @param {string} name @param {string[]} moves */
  constructor(app, name, moves) {
    super(app);
    const { rules, study } = app;
    this.name = name;
    /** @type {{ position: string, move: string }[]} */
    this.states = [];
    let { position } = study;
    for (const move of moves.slice(0, MAX_PLIES)) {
      if (!rules.isLegal(position, move)) break;
      position = rules.play(position, move).position;
      this.states.push({ position, move });
    }
  }

  start() {
    const step = (/** @type {number} */ by) => () => this.#step(this.at + by);
    this.listenKeys({ Escape: () => this.leave(), ArrowLeft: step(-1), ArrowRight: step(1) });
    super.start();
    this.app.notices.say(this.states.map(({ move }) => move).join(' '));
    this.#play();
  }

  end() {
    clearInterval(this.timer);
    super.end();
  }

  #play() {
    this.at = 0;
    this.timer = setInterval(() => {
      if (this.at < this.states.length - 1) this.#show(this.at + 1);
      else clearInterval(this.timer);
    }, STEP_MS);
    this.#show(0);
  }

  #show(at) {
    this.at = at;
    this.update();
    this.app.painter.now();
  }

  /** Shows a position of the line, or returns to the game. Returns `true`. @param {number} at */
  #step(at) {
    clearInterval(this.timer);
    if (at < 0) return this.leave();
    this.#show(Math.min(at, this.states.length - 1));
    return true;
  }

  get look() {
    const { position, move } = this.states[this.at];
    const title = this.app.openings.along(this.app.study.node);
    return { ...this.app.rules.look(position), legal: [], last: move, title };
  }

  get message() {
    return this.app.t(`next.${this.name}`);
  }

  get bar() {
    const move = ({ move }, i) =>
      button(move, () => this.#step(i), { key: i, 'aria-current': i === this.at ? 'step' : null });
    const again = () => {
      clearInterval(this.timer);
      this.#play();
    };
    return [
      v('span.told', v('strong', this.message), each('span.steps', this.states, move)),
      v(
        'span.choose',
        button(this.t('next.again'), again),
        button(this.t('next.back'), () => this.leave(), { class: 'solid' }),
      ),
    ];
  }

  press() {
    return true;
  }

  moved() {
    this.leave();
  }
}
