// A line that is played on the board, move by move. The game stays as it is.

import { button, v } from '../base/dom.js';
import { reasonLines } from '../panels/ideas.js';
import { Mode } from './mode.js';

/** @typedef {{ label: () => string, line: import('../panels/played-line.js').PlayedLine, reasons: () => string[] }} LineSetup */

/** @param {App} app @param {LineSetup} setup */
export const create = (app, setup) => new Line(app, setup);

class Line extends Mode {
  keepsGame = true;
  quiet = true;

  /** @param {App} app @param {LineSetup} setup */
  constructor(app, setup) {
    super(app);
    this.setup = setup;
    this.played = setup.line;
  }

  start() {
    this.listenKeys({ Escape: () => this.leave() });
    super.start();
    const { line } = this.setup;
    this.app.notices.say(line.states.map(({ move }) => move).join(' '));
    line.show(0, true);
  }

  get bar() {
    const { label, reasons } = this.setup;
    const why = reasonLines(this.app, reasons());
    const back = button(this.t('next.back'), () => this.leave(), { class: 'solid' });
    return [v('span.told', v('strong', label()), why), v('span.choose', back)];
  }

  press() {
    return true;
  }

  moved() {
    this.leave();
  }
}
