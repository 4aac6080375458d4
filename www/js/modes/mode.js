// Base of the modes. A mode has the board to itself: a match, a puzzle, the editor. Each mode is one file, listed in the register.

import { hideBar, showBar, updateBar } from './bar.js';

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
  /** The engine works for the mode: it is not stopped when there is no analysis. */
  usesEngine = false;
  /** The key of the sentence shown instead of lines. @type {string | null} */
  empty = null;

  /** Aborted when the mode ends: removes its listeners. */
  listeners = new AbortController();

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Text of the header, or `null` for the default. @returns {string | null} */
  get message() {
    return null;
  }

  /** The position shown instead of that of the study, or `null`. @returns {Look | null} */
  get look() {
    return null;
  }

  /** Short texts shown while values are hidden, the most important first. Read at every repaint.
   *  @returns {string[]} */
  get notes() {
    return [];
  }

  /** Descriptions of the parts of the bar below the board. @returns {any[]} */
  get bar() {
    return [];
  }

  /** The mode has the board now. */
  start() {
    this.draw();
  }

  /** Draws the bar. */
  draw() {
    showBar(this.bar);
  }

  /** Updates the bar. */
  update() {
    updateBar(this.bar);
  }

  /** The language has changed. */
  relabel() {
    this.draw();
  }

  /** A square was pressed. Returns `true` if the mode handled it. @param {string} _move @returns {boolean} */
  press(_move) {
    return false;
  }

  /** Returns `true` if the user may play on the board now. The mode prepares for the move. */
  mayPlay() {
    return true;
  }

  /** Changes of the game may be undone and redone. */
  get mayUndo() {
    return !this.keepsGame;
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

  /** The study has changed. @param {Change} _what */
  moved(_what) {}

  /** The engine is available to the page again. */
  resume() {}

  /** The mode loses the board. */
  end() {
    this.listeners.abort();
    hideBar();
  }
}
