// The position editor. The user places discs and selects the side to move with one of two buttons. The current game stays until
// one of them is pressed and the position can be played.

import { button, isTyping, keyName, v } from '../base/dom.js';
import { START, squareIndex } from '../base/position.js';
import { squareAt } from '../board/marking.js';
import { Tree } from '../model/tree.js';
import { Mode } from './mode.js';

const TOOLS = ['X', 'O', '-'];
const DOTS = { X: 'black', O: 'white', '-': 'none' };
const CENTRE = ['d4', 'e4', 'd5', 'e5'].map(squareIndex);
const UNDO_LIMIT = 500;

/** Creates the editor, or closes it if it is open. @param {App} app @param {{ squares?: string }} [setup] */
export async function create(app, { squares = '' } = {}) {
  if (app.modes.current instanceof Editor) {
    app.modes.leave();
    return null;
  }
  const editor = new Editor(app);
  if (/^[-XO]{64}$/.test(squares)) editor.squares = [...squares];
  return editor;
}

class Editor extends Mode {
  quiet = true;
  hide = true;
  open = true;
  empty = 'empty.edit';
  tool = 'X';
  squares = [...this.app.study.position.slice(0, 64)];
  /** Squares before each change, and before each undo. @type {string[]} */
  #past = [];
  /** @type {string[]} */
  #future = [];
  /** A drag over the board: the painted disc, the squares before it, and the last place of the pointer.
   *  @type {{ id: number, disc: string, before: string, x: number, y: number } | null} */
  #stroke = null;
  /** The current click belongs to a press of a pointer, which has painted already. */
  #isPress = false;

  get kept() {
    return { squares: this.squares.join('') };
  }

  get look() {
    const count = (disc) => this.squares.filter((square) => square === disc).length;
    const [black, white] = [count('X'), count('O')];
    const facts = { squares: this.squares.join(''), black, white, margin: black - white };
    return { ...facts, side: /** @type {Side} */ ('X'), legal: [], pass: false, over: false };
  }

  start() {
    super.start();
    const { grid } = this.app.board;
    const { signal } = this.listeners;
    grid.addEventListener('pointerdown', (event) => this.#begin(event), { signal });
    grid.addEventListener('pointermove', (event) => this.#drag(event), { signal });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'])
      grid.addEventListener(name, (event) => this.#lift(event), { signal });
    // Clicks without a pointer, as of a screen reader, have no count. A busy browser may send the click of a press late.
    const click = ({ detail }) => {
      this.#isPress = detail > 0;
    };
    grid.addEventListener('click', click, { signal, capture: true });
    grid.style.touchAction = 'none';
    document.addEventListener('keydown', (event) => this.#key(event), { capture: true, signal });
    this.listenKeys({
      Escape: () => this.leave(),
      Delete: () => this.#set(grid.querySelector('[tabindex="0"]')?.dataset.square, '-'),
    });
    this.app.board.takeFocus();
    this.app.notices.say(this.t('edit.message'));
  }

  end() {
    this.app.board.grid.style.touchAction = '';
    super.end();
  }

  get bar() {
    const tools = TOOLS.map((tool) => {
      const label = this.t(`edit.tool.${tool === '-' ? 'empty' : tool}`);
      const props = { 'aria-pressed': String(tool === this.tool), 'aria-label': label };
      const onclick = () => {
        this.tool = tool;
        this.update();
      };
      return v('button.icon', { ...props, onclick }, v(`span.dot.${DOTS[tool]}`));
    });
    const icon = (name, sign, states, onclick) => {
      const title = this.t(name);
      const disabled = states.length === 0 ? 'true' : null;
      return v('button.icon', { title, 'aria-label': title, 'aria-disabled': disabled, onclick }, sign);
    };
    const solid = { class: 'solid' };
    return [
      v('span.told', this.t('edit.message')),
      v('span.palette', { role: 'group', 'aria-label': this.t('edit.tools') }, tools),
      icon('edit.undo', '↶', this.#past, () => this.#step(this.#past, this.#future)),
      icon('edit.redo', '↷', this.#future, () => this.#step(this.#future, this.#past)),
      button(this.t('edit.clear'), () => this.#fill('-'.repeat(64))),
      button(this.t('edit.start'), () => this.#fill(START)),
      v(
        'span.choose',
        button(this.t('edit.done.X'), () => this.#done('X'), solid),
        button(this.t('edit.done.O'), () => this.#done('O'), solid),
        button(this.t('do.cancel'), () => this.leave()),
      ),
    ];
  }

  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (isTyping(event)) return;
    this.#isPress = false;
    const { ctrlKey, metaKey, shiftKey, altKey } = event;
    const code = keyName(event);
    const inside = this.app.board.grid.contains(target);
    if ((ctrlKey || metaKey) && !altKey && (code === 'KeyZ' || (code === 'KeyY' && !shiftKey))) {
      if (code === 'KeyY' || shiftKey) this.#step(this.#future, this.#past);
      else this.#step(this.#past, this.#future);
    } else if (code === 'Space' && inside) return;
    else if (/^Arrow/.test(code) && !inside && !ctrlKey && !metaKey && !altKey) this.app.board.takeFocus();
    // No key steps through the game behind the editor.
    else if (!/^(Home|End|Space)$/.test(code) || target.closest?.('button, a, summary')) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Records a change. @param {string} before */
  #changed(before) {
    if (before === this.squares.join('')) return;
    this.#past.push(before);
    if (this.#past.length > UNDO_LIMIT) this.#past.shift();
    this.#future = [];
    this.update();
    this.app.painter.now();
  }

  /** Undoes or redoes a change. @param {string[]} from @param {string[]} to */
  #step(from, to) {
    this.#stroke = null;
    const squares = from.pop();
    if (squares === undefined) return;
    to.push(this.squares.join(''));
    this.squares = [...squares];
    this.update();
    this.app.painter.now();
  }

  #fill(squares) {
    const before = this.squares.join('');
    this.squares = [...squares.slice(0, 64)];
    this.#changed(before);
  }

  /** @param {string | undefined} name of a square @param {string} disc */
  #set(name, disc) {
    if (!name) return false;
    this.#fill(this.squares.with(squareIndex(name), disc));
    return true;
  }

  /** The disc that a press puts on a square: the one of the tool, or none if it is there already. */
  #discFor(name) {
    return this.squares[squareIndex(name)] === this.tool ? '-' : this.tool;
  }

  press(move) {
    if (this.#isPress) this.#isPress = false;
    else this.#set(move, this.#discFor(move));
    return true;
  }

  #begin(event) {
    if (this.#stroke || !event.isPrimary || event.button !== 0) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    const name = squareAt(event);
    if (!name) return;
    // Neither a swipe nor a drag of the page.
    event.stopPropagation();
    this.#stroke = { id, disc: this.#discFor(name), before: this.squares.join(''), x, y };
    this.#paint(name);
    try {
      this.app.board.grid.setPointerCapture(id);
    } catch {
      // The pointer is gone.
    }
  }

  #drag(event) {
    const stroke = this.#stroke;
    if (!stroke || event.pointerId !== stroke.id) return;
    if (event.pointerType === 'mouse' && event.buttons === 0) return this.#lift(event);
    const { clientX: x, clientY: y } = event;
    // A quick drag reports few points: the squares between them are also painted.
    const size = this.app.board.grid.clientWidth / 8 || 1;
    const steps = Math.min(64, Math.ceil((3 * Math.hypot(x - stroke.x, y - stroke.y)) / size));
    for (let step = 1; step <= steps; step++) {
      const at = step / steps;
      const clientX = stroke.x + (x - stroke.x) * at;
      const clientY = stroke.y + (y - stroke.y) * at;
      this.#paint(squareAt({ clientX, clientY }));
    }
    [stroke.x, stroke.y] = [x, y];
  }

  #paint(name) {
    const { disc } = this.#stroke ?? {};
    if (!name || !disc || this.squares[squareIndex(name)] === disc) return;
    this.squares[squareIndex(name)] = disc;
    this.app.painter.now();
  }

  #lift(event) {
    if (!this.#stroke || event.pointerId !== this.#stroke.id) return;
    const { before } = this.#stroke;
    this.#stroke = null;
    this.#changed(before);
  }

  /** Undo of a load does not end the editor. */
  moved() {}

  /** The key of the sentence that says why the position cannot be played, or `null`. @param {Look} look */
  #fault({ black, white, over }) {
    if (black + white === 0) return 'edit.fault.empty';
    if (!over) return null;
    if (black === 0 || white === 0) return 'edit.fault.one';
    return black + white === 64 ? 'edit.fault.full' : 'edit.fault.over';
  }

  #done(side) {
    const { app, t } = this;
    const squares = this.squares.join('');
    app.attempt(() => {
      const look = app.rules.look(squares + side);
      const fault = this.#fault(look);
      if (fault) return void app.notices.show(t(fault), { kind: 'fault', key: 'edit' });
      const start = squares + (look.pass === (side === 'X') ? 'O' : 'X');
      const isReplaced = app.study.tree.root.children.length > 0;
      app.loadTree(new Tree(app.rules, start), undefined, 'undo.edit');
      const action = { label: t('do.undo'), run: () => app.act('undo') };
      if (isReplaced) app.notices.show(t('edit.replaced'), { key: 'edit', action });
      if (look.pass) app.reportPass(start);
      if (CENTRE.some((square) => squares[square] === '-')) app.notices.show(t('edit.odd'), { key: 'odd' });
      return undefined;
    });
  }
}
