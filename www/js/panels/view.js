// Base of the views that draw the state of the page into an element, and parts that several of them show.

import { h, v } from '../base/dom.js';
import { disc } from '../base/format.js';
import { squareIndex } from '../base/position.js';
import { orNull } from '../base/validate.js';
import { miniBoard } from '../board/mini-board.js';
import { treeOf } from '../model/game-tree.js';
import { positionsOf } from '../model/rules.js';

/** The players of a game, or `null` if both are unknown. @param {Partial<Game>} game */
export const playersOf = ({ black, white }) => (black || white ? `${black ?? '?'} – ${white ?? '?'}` : null);

/** Describes a button that opens a game. @param {string} title @param {number | undefined} result @param {any[]} facts
 *  @param {() => unknown} onclick */
export function gameButton(title, result, facts, onclick) {
  const margin = result !== undefined && v('b', disc(result, Number.isInteger(result)));
  return v('button', { onclick }, v('span', title), margin, v('small', facts.filter(Boolean).join(' · ')));
}

/** Opens a game of the database at a position that it reached.
 *  @param {App} app @param {Explorer} explorer @param {GameListed} row @param {string} position */
export const openListed = (app, explorer, row, position) =>
  app.attempt(async () => {
    const tree = treeOf(app.rules, await explorer.game(row, position));
    app.loadTree(tree, tree.main[row.ply] ?? tree.main.at(-1));
  });

/** Describes the finished share of a work. @param {string} label @param {number} progress @param {boolean} hidden */
export function meter(label, progress, hidden = false) {
  const props = {
    role: 'progressbar',
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(progress * 100),
    'aria-label': label,
    hidden,
  };
  return v('div.meter', props, v('i', { style: { transform: `scaleX(${progress.toFixed(3)})` } }));
}

/** Small boards of lists, by key. A board is drawn when it comes into sight. */
export class Thumbnails {
  /** @type {Map<string, HTMLElement>} */
  #boards = new Map();
  /** The games whose boards are not drawn. @type {WeakMap<Element, { start?: string, moves: string }>} */
  #games = new WeakMap();
  #seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#draw(target);
  });

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** The board at the end of a game. @param {string} key @param {{ start?: string, moves: string }} game */
  board(key, game) {
    const board = this.#boards.get(key) ?? h('span.thumb', { 'aria-hidden': 'true' });
    this.#boards.set(key, board);
    this.#games.set(board, game);
    if (!board.hasChildNodes()) this.#seen.observe(board);
    return board;
  }

  /** @param {Element} board */
  #draw(board) {
    this.#seen.unobserve(board);
    const { start, moves } = this.#games.get(board) ?? { moves: '' };
    const position = orNull(() => positionsOf(this.rules, moves, start).at(-1));
    if (position)
      board.replaceChildren(miniBoard(position, { last: squareIndex(moves.slice(-2)), crop: true }));
  }
}

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
