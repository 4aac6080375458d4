// The editor: discs are set by hand, and who is to move is asked by two buttons, never guessed.

import { h } from '../base/dom.js';
import { START, squareIndex } from '../base/position.js';
import { Tree } from '../model/tree.js';
import { barButton, hideBar, showBar } from './bar.js';

const TOOLS = ['X', 'O', '-'];

export class Editor {
  constructor(app) {
    this.app = app;
    this.quiet = true;
    this.hide = true;
    this.open = true;
    this.empty = 'empty.edit';
    this.squares = [...app.study.position.slice(0, 64)];
    this.tool = 'X';
    this.#bar();
  }

  get message() {
    return this.app.words.t('edit.message');
  }

  get position() {
    return `${this.squares.join('')}X`;
  }

  get look() {
    const count = (disc) => this.squares.filter((square) => square === disc).length;
    return { squares: this.squares.join(''), side: 'X', black: count('X'), white: count('O'), legal: [], pass: false, over: false, margin: count('X') - count('O') };
  }

  #bar() {
    const { t } = this.app.words;
    this.buttons = TOOLS.map((tool) =>
      h('button', { type: 'button', class: 'icon', 'aria-pressed': String(tool === this.tool), 'aria-label': t(`edit.tool.${tool === '-' ? 'empty' : tool}`), onclick: () => this.#pick(tool) }, h('span', { class: `dot ${{ X: 'black', O: 'white', '-': 'none' }[tool]}` })),
    );
    showBar(
      h('span', { class: 'palette', role: 'group', 'aria-label': t('edit.tools') }, this.buttons),
      barButton(t('edit.clear'), () => this.#fill('-'.repeat(64))),
      barButton(t('edit.start'), () => this.#fill(START)),
      h('span', { class: 'sp' }),
      barButton(t('edit.black'), () => this.#done('X'), { class: 'solid' }),
      barButton(t('edit.white'), () => this.#done('O'), { class: 'solid' }),
      barButton(t('do.cancel'), () => this.app.leaveMode()),
    );
  }

  #pick(tool) {
    this.tool = tool;
    this.buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(TOOLS[i] === tool)));
  }

  #fill(squares) {
    this.squares = [...squares.slice(0, 64)];
    this.app.painter.now();
  }

  press(move) {
    const square = squareIndex(move);
    this.squares[square] = this.squares[square] === this.tool ? '-' : this.tool;
    this.app.painter.now();
  }

  #done(side) {
    const { app } = this;
    const position = this.squares.join('') + side;
    try {
      const look = app.rules.look(position);
      const other = `${position.slice(0, 64)}${side === 'X' ? 'O' : 'X'}`;
      const start = look.pass ? other : position;
      app.loadTree(new Tree(app.rules, start), undefined, 'undo.edit');
      if (look.pass) app.notices.show(app.words.t('game.passes', { side: app.words.t(side === 'X' ? 'black' : 'white') }));
      if (look.over) app.notices.show(app.words.t('edit.over'));
    } catch (error) {
      app.fail(error);
    }
  }

  end() {
    hideBar();
  }
}
