// A line that is played on the board, move by move. The game stays as it is.

import { button, v } from '../base/dom.js';
import { Mode } from './mode.js';

/** @typedef {import('../panels/played-line.js').PlayedLine} PlayedLine */

/** @param {App} app @param {{ label: string, line: PlayedLine, reasons: string[] }} setup */
export const create = (app, setup) => new Line(app, setup);

class Line extends Mode {
  keepsGame = true;
  quiet = true;

  /** @param {App} app @param {{ label: string, line: PlayedLine, reasons: string[] }} setup */
  constructor(app, { label, line, reasons }) {
    super(app);
    this.label = label;
    this.line = line;
    this.played = line;
    this.reasons = reasons;
  }

  start() {
    this.listenKeys({ Escape: () => this.leave() });
    super.start();
    this.app.notices.say(this.line.states.map(({ move }) => move).join(' '));
    this.line.show(0, true);
  }

  /** Before its first move is the game. */
  step(by) {
    return this.line.at + by === -1 ? this.leave() : super.step(by);
  }

  get bar() {
    const reasons = this.reasons.map((reason) => v('small.why', reason));
    const back = button(this.t('next.back'), () => this.leave(), { class: 'solid' });
    return [v('span.told', v('strong', this.label), reasons), v('span.choose', back)];
  }

  press() {
    return true;
  }

  moved() {
    this.leave();
  }
}
