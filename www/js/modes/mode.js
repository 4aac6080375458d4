// What has the board for itself: a match, a puzzle, the editor. Each mode is one file; the register names them.

import { hideBar, showBar } from './bar.js';

export class Mode {
  /** No analysis runs on its own. */
  quiet = false;
  /** Values are hidden. */
  hide = false;
  /** Every square can be pressed. */
  open = false;
  /** The game on the table stays as it is: nothing of it is played, undone or deleted. */
  keepsGame = false;
  /** Swipes over the board step through the game. */
  swipes = true;
  /** The engine works for the mode: it is not stopped where there is no analysis. */
  usesEngine = false;
  /** The name of the sentence that stands where there are no lines. @type {string | null} */
  empty = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** What the header says, or nothing of its own. @returns {string | null} */
  get message() {
    return null;
  }

  /** What stands on the board instead of the study's position. @returns {Look | null} */
  get look() {
    return null;
  }

  /** What there is to say of it in the rooms that values and lines leave empty while they are hidden: short texts in the
   *  language of the page, the most important first. Asked for at every repaint, so it is made of what is at hand.
   *  @returns {string[]} */
  get notes() {
    return [];
  }

  /** What the bar below the board holds. @returns {(Node | null)[]} */
  get bar() {
    return [];
  }

  /** It has the board now. */
  start() {
    this.draw();
  }

  /** Draws its bar. */
  draw() {
    showBar(this.bar);
  }

  /** The language is another one. */
  relabel() {
    this.draw();
  }

  /** A square was pressed; true where the mode has seen to it. @param {string} _move @returns {boolean} */
  press(_move) {
    return false;
  }

  /** Whether a person may play on the board now; the mode makes ready for the move. */
  mayPlay() {
    return true;
  }

  /** Whether changes of the game may be undone and done again. */
  get mayUndo() {
    return !this.keepsGame;
  }

  /** The last change is to be undone; true where the mode has seen to it in its own way. @returns {boolean} */
  undo() {
    return false;
  }

  /** Whether moves may be deleted, and variations become the game. */
  get mayDelete() {
    return !this.keepsGame;
  }

  /** Whether lines of the engine can be played by a click. */
  get takesLines() {
    return !this.keepsGame;
  }

  /** The study has changed. @param {Change} _what */
  moved(_what) {}

  /** The engine is the page's again. */
  resume() {}

  /** It loses the board. */
  end() {
    hideBar();
  }
}
