// Base of the views that draw the state of the page into an element.

import { v } from '../base/dom.js';
import { disc } from '../base/format.js';

/** The players of a game, or `null` if both are unknown. @param {Partial<Game>} game */
export const playersOf = ({ black, white }) => (black || white ? `${black ?? '?'} – ${white ?? '?'}` : null);

/** Describes a button that opens a game. @param {string} title @param {number | undefined} result @param {any[]} facts
 *  @param {() => unknown} onclick */
export const gameButton = (title, result, facts, onclick) =>
  v(
    'button',
    { onclick },
    v('span', title),
    result !== undefined && v('b', disc(result, Number.isInteger(result))),
    v('small', facts.filter(Boolean).join(' · ')),
  );

export class View {
  #drawn = '';

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.words = app.words;
    this.t = app.t;
  }

  /** Returns `true` if the state differs from that of the last call, or the language has changed. @param {...unknown} state */
  isNew(...state) {
    const drawn = JSON.stringify([...state, this.words.language]);
    const isNew = drawn !== this.#drawn;
    this.#drawn = drawn;
    return isNew;
  }
}
