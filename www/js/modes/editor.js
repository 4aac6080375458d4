// The editor: discs are set by hand, and who is to move is asked by two buttons, never guessed.

import { attr, h } from '../base/dom.js';
import { START, squareIndex } from '../base/position.js';
import { Tree } from '../model/tree.js';
import { barButton, spring } from './bar.js';
import { Mode } from './mode.js';

const TOOLS = ['X', 'O', '-'];
const DOTS = { X: 'black', O: 'white', '-': 'none' };

/** Closes the editor where it is open. @param {App} app */
export async function create(app) {
  if (!(app.modes.current instanceof Editor)) return new Editor(app);
  app.modes.leave();
  return null;
}

class Editor extends Mode {
  quiet = true;
  hide = true;
  open = true;
  empty = 'empty.edit';
  tool = 'X';
  /** @type {HTMLElement[]} */
  buttons = [];

  /** @param {App} app */
  constructor(app) {
    super(app);
    this.squares = [...app.study.position.slice(0, 64)];
  }

  get message() {
    return this.app.words.t('edit.message');
  }

  get look() {
    const count = (disc) => this.squares.filter((square) => square === disc).length;
    const [black, white] = [count('X'), count('O')];
    /** @type {Look} */
    const look = {
      squares: this.squares.join(''),
      side: 'X',
      black,
      white,
      legal: [],
      pass: false,
      over: false,
      margin: black - white,
    };
    return look;
  }

  get bar() {
    const { t } = this.app.words;
    this.buttons = TOOLS.map((tool) =>
      h(
        'button',
        {
          type: 'button',
          class: 'icon',
          'aria-pressed': String(tool === this.tool),
          'aria-label': t(`edit.tool.${tool === '-' ? 'empty' : tool}`),
          onclick: () => this.#pick(tool),
        },
        h('span', { class: `dot ${DOTS[tool]}` }),
      ),
    );
    return [
      h('span', { class: 'palette', role: 'group', 'aria-label': t('edit.tools') }, this.buttons),
      barButton(t('edit.clear'), () => this.#fill('-'.repeat(64))),
      barButton(t('edit.start'), () => this.#fill(START)),
      spring(),
      barButton(t('do.black'), () => this.#done('X'), { class: 'solid' }),
      barButton(t('do.white'), () => this.#done('O'), { class: 'solid' }),
      barButton(t('do.cancel'), () => this.app.modes.leave()),
    ];
  }

  #pick(tool) {
    this.tool = tool;
    for (const [i, button] of this.buttons.entries()) attr(button, 'aria-pressed', String(TOOLS[i] === tool));
  }

  #fill(squares) {
    this.squares = [...squares.slice(0, 64)];
    this.app.painter.now();
  }

  press(move) {
    const square = squareIndex(move);
    this.squares[square] = this.squares[square] === this.tool ? '-' : this.tool;
    this.app.painter.now();
    return true;
  }

  #done(side) {
    const { app } = this;
    const position = this.squares.join('') + side;
    try {
      const look = app.rules.look(position);
      const other = `${position.slice(0, 64)}${side === 'X' ? 'O' : 'X'}`;
      const start = look.pass ? other : position;
      app.table.loadTree(new Tree(app.rules, start), undefined, 'undo.edit');
      if (look.pass)
        app.notices.show(app.words.t('game.passes', { side: app.words.t(side === 'X' ? 'black' : 'white') }));
      if (look.over) app.notices.show(app.words.t('edit.over'));
    } catch (error) {
      app.fail(error);
    }
  }
}
