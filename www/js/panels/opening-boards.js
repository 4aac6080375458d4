// The first screen: the opening on the board and those that continue it, each with its board and the value of the book, and the
// sample games. The graph replaces it with the fourth move.

import { $, attr, each, patch, v } from '../base/dom.js';
import { disc } from '../base/format.js';
import { loadJson } from '../base/load.js';
import { START, squareIndex } from '../base/position.js';
import { miniBoard } from '../board/mini-board.js';
import { namedLines } from '../model/opening-lines.js';
import { fromF5, turned } from '../model/repertoire.js';
import { positionsOf, splitMoves } from '../model/rules.js';
import { View } from './view.js';

/** Moves of the game from which on the graph is shown. */
const GRAPH_MOVES = 4;
const MAX_BOARDS = 9;

export class OpeningBoards extends View {
  /** @type {TrainerLine[]} */
  #lines = [];
  /** @type {any[]} */
  #samples = [];

  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    super(root, app);
    Promise.all([namedLines(), loadJson('data/samples.json').catch(() => [])]).then(([lines, samples]) => {
      this.#lines = lines.toSorted((a, b) => a.moves.length - b.moves.length);
      this.#samples = samples;
      app.painter.later();
    });
  }

  /** Draws the card, if the game is short. @param {boolean} hide values are hidden */
  draw(hide) {
    const { modes, opened, openings, perspective, study } = this.app;
    const { main, root } = study.tree;
    const isShown = main.length <= GRAPH_MOVES && root.position === START && !hide && !modes.current;
    attr(this.root, 'hidden', !isShown);
    attr(this.root.parentElement?.parentElement ?? this.root, 'data-explore', isShown);
    if (!isShown) return;
    const played = study.node.moves.join('');
    const lines = this.#next(fromF5(played), played);
    const points = lines.map(({ end }) => this.app.values.value(end));
    const values = points.map((point) =>
      point?.kind === 'book' ? disc(perspective.sign() * point.value) : '',
    );
    const books = opened?.state.booked;
    if (!this.isNew(played, lines.length, values, openings.names.size, this.#samples.length, books)) return;
    opened?.valueGame(lines.map(({ end }) => end)).catch(() => {});
    const board = ({ line, moves, end, next }, /** @type {number} */ at) => {
      const value = values[at];
      return v(
        'li',
        { key: moves },
        v(
          'button',
          { onclick: () => this.app.playLine(splitMoves(moves.slice(played.length))) },
          miniBoard(end, { last: squareIndex(next), crop: true }),
          v('b', this.words.pick(line.names)),
          v('small.muted', [moves.slice(played.length), value].filter(Boolean).join(' ')),
        ),
      );
    };
    const open = ({ moves }) => this.app.taking().then(({ takeText }) => takeText(this.app, moves));
    const samples = this.#samples.map((sample) =>
      v('button.plain', { onclick: () => open(sample) }, this.words.pick(sample)),
    );
    patch($('#samples'), samples);
    patch(
      this.root,
      v('h2', openings.along(study.node) ?? this.t('tab.openings')),
      each('ul.boards', lines, board),
      v('div.samples', samples),
    );
  }

  /** The named openings that continue the moves, the shortest first. @param {string} moves from f5 on @param {string} played as played */
  #next(moves, played) {
    const found = this.#lines.filter(({ moves: own }) => own.startsWith(moves) && own.length > moves.length);
    const first = found.filter(
      ({ moves: own }) =>
        !found.some((other) => other.moves.length < own.length && own.startsWith(other.moves)),
    );
    return [...first, ...found.filter((line) => !first.includes(line))].slice(0, MAX_BOARDS).map((line) => {
      const own = turned(line.moves, played.slice(0, 2));
      const end = /** @type {string} */ (positionsOf(this.app.rules, own).at(-1));
      return { line, moves: own, end, next: own.slice(-2) };
    });
  }
}
