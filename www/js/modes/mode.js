// Base of the modes. A mode has the board to itself: a match, a puzzle, the editor. Each mode is one file, listed in the register.

import { $, isTyping, keyName, patch, reveal } from '../base/dom.js';

/** Elements that Enter activates. */
const PRESSED = 'button, a, summary, [role=option], [role=tab]';

export class Mode {
  /** No analysis starts automatically. */
  quiet = false;
  /** Values are hidden. */
  hide = false;
  /** Every square can be pressed. */
  open = false;
  /** The current game does not change: no move is played, undone or deleted. */
  keepsGame = false;
  /** Swipes over the board step through the game. */
  swipes = true;
  /** The user's marks are shown. */
  showsMarks = false;
  /** The bar says that a side had to pass. */
  tellsPass = false;
  /** The engine works for the mode: it is not stopped when there is no analysis. */
  usesEngine = false;
  /** The key of the sentence shown instead of lines. @type {string | null} */
  empty = null;

  /** The overlay of the board, instead of that of the settings. @type {string | null} */
  overlay = null;
  /** The solution that is shown instead of lines. @type {import('../panels/solution.js').Solution | null} */
  solution = null;
  /** The line on the board, shown instead of lines. @type {import('../panels/played-line.js').PlayedLine | null} */
  played = null;

  /** The game that returns to the board after the mode. @type {{ tree: Tree, node: TreeNode } | null} */
  game = null;

  /** Aborted when the mode ends: removes its listeners. */
  listeners = new AbortController();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.t = app.t;
  }

  /** What is added to the setup with which a reload begins the mode again. @type {object | null} */
  get kept() {
    return null;
  }

  /** The position that the engine analyzes instead of that of the study, or `null`. @returns {string | null} */
  get analyzed() {
    return null;
  }

  /** The position shown instead of that of the study, or `null`. @returns {Look | null} */
  get look() {
    return this.played?.look ?? null;
  }

  /** How the board is drawn: `waits` if no move can be played now, classes of squares, and the discs that turn, with their
   *  distances from the move. @returns {{ waits?: boolean, marks?: Map<number, string[]> | null, turns?: Map<number, number> | null }} */
  get onBoard() {
    const { at = 0, marks } = this.played ?? {};
    return { marks: marks?.get(at + 1) };
  }

  /** The exercises of a lesson, shown while values are hidden. @returns {{ state: string, label: string }[] | null} */
  get progress() {
    return null;
  }

  /** Descriptions of the parts of the card. @returns {any[]} */
  get bar() {
    return [];
  }

  /** The mode has the board now. */
  start() {
    this.draw();
  }

  /** Another mode was asked for before this one began. */
  drop() {}

  /** Draws the card, and scrolls it into view on small screens. */
  draw() {
    this.update();
    reveal($('#task'));
  }

  /** Updates the card. If the focused button disappears, the marked button gets the focus, otherwise the card: a repeated Enter must not
   *  press another button. */
  update() {
    const bar = $('#task');
    const focused = bar.contains(document.activeElement);
    patch(bar, this.bar);
    bar.className = 'mode';
    if (focused && !(bar.contains(document.activeElement) && !document.activeElement?.matches(':disabled')))
      (bar.querySelector('button.solid') ?? bar).focus();
  }

  /** Calls `keys[name]` when that key is pressed, before the keys of the page. If it returns `false`, the page handles the key.
   *  @param {Record<string, (target: Element) => boolean>} keys */
  listenKeys(keys) {
    const handle = (event) => {
      const { ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
      const name = keyName(event);
      const target = /** @type {Element} */ (event.target);
      if (!keys[name] || repeat || ctrlKey || metaKey || altKey || shiftKey || isTyping(event)) return;
      if (name.startsWith('Key') && !this.app.settings.get('singleKeys')) return;
      if ((name === 'Enter' && target.closest?.(PRESSED)) || !keys[name](target)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', handle, { capture: true, signal: this.listeners.signal });
  }

  relabel() {
    this.draw();
  }

  /** Ends the mode. Returns `true`. */
  leave() {
    this.app.modes.leave();
    return true;
  }

  /** A square was pressed. Returns `true` if the mode handled it. @param {string} _move @returns {boolean} */
  press(_move) {
    return false;
  }

  /** Returns `true` if the user may play on the board now. The mode prepares for the move. */
  mayPlay() {
    return true;
  }

  /** Steps through the line of the mode. Returns `false` if it has none. @param {number} by @returns {boolean} */
  step(by) {
    if (!this.played || this.played.isFixed) return false;
    this.played.show(this.played.at + by);
    return true;
  }

  /** Undoes the last change in the way of the mode. Returns `false` for the default way. @returns {boolean} */
  undo() {
    return false;
  }

  /** Moves may be deleted, and variations promoted. */
  get mayDelete() {
    return !this.keepsGame;
  }

  /** Lines of the engine can be played by a click. */
  get takesLines() {
    return !this.keepsGame;
  }

  /** The study has changed: another game ends the mode. @param {Change} what */
  moved(what) {
    if (what === 'load') this.leave();
  }

  /** The engine is available to the page again. */
  resume() {}

  /** The mode loses the board. */
  end() {
    this.listeners.abort();
    clearTimeout(this.played?.timer);
    const bar = $('#task');
    const focused = bar.contains(document.activeElement);
    bar.className = 'next';
    patch(bar);
    // Its focused button has gone.
    if (focused) bar.focus();
  }
}
